// Random inputs and parameters of a program, as files that the commands read.
#pragma once

#include "ir/reference/Interpreter.h"
#include "tests/frontend/lower/Built.h"
#include "tests/frontend/lower/Recorded.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>

namespace weft::test {

using SizesByName = std::map<std::string, int64_t>;

/// Writes a tensor for every argument of `entry`, whose run-time dimensions have `sizes`: floats
/// around 0, indices inside their dimension, switches either way.
void writeInputs(mlir::ModuleOp module, const std::string &entry, const SizesByName &sizes,
                 uint64_t seed, const std::string &path);

/// Writes float tensors by name.
void writeFloats(const reference::NamedArrays &arrays, const std::string &path);
/// Writes floats and whole numbers by name.
void writeTensors(const Tensors &tensors, const std::string &path);

/// Replaces the floats of a safetensors file by random ones: initial values (0 and 1) would hide
/// mistakes.
void randomize(const std::string &path, uint64_t seed);

/// Runs a command; what it said, kept in `folder`, is the failure.
testing::AssertionResult does(const std::string &command, const std::filesystem::path &folder);

} // namespace weft::test
