// Recorded tensors of others: files, and how far results are from them.
#pragma once

#include "ir/reference/Array.h"

#include <filesystem>
#include <map>
#include <string>

namespace weft::test {

using Tensors = std::map<std::string, reference::Array>;

/// All tensors of a safetensors file: floats, whole numbers or switches.
Tensors readTensors(const std::filesystem::path &file);

/// The same elements as floats, whole numbers or switches, as `like` has them.
reference::Array asElements(const reference::Array &array, const reference::Array &like);
reference::Array asFloats(const reference::Array &array);

/// The largest difference, relative to the largest magnitude of `expected`, but at least to
/// `least`; shapes may differ, counts not. NaN must meet NaN and infinity the same infinity; else
/// it is infinite.
double difference(const reference::Array &found, const reference::Array &expected,
                  double least = 1e-6);

/// Tensors side by side along a new first dimension.
reference::Array stacked(const std::vector<reference::Array> &parts);

} // namespace weft::test
