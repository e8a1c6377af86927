// Every function of floats and doubles as a kernel of a GPU.
#ifndef WEFT_TESTS_UNIT_MATH_DEVICEMATH_H
#define WEFT_TESTS_UNIT_MATH_DEVICEMATH_H

#include "codegen/gpu/Ptx.h"
#include "ir/cuda/Schedules.h"

#include "llvm/IR/IRBuilder.h"

#include <string>

namespace weft::test {

struct DeviceFunction {
  std::string name;
  bool isDouble;
  std::function<llvm::Value *(llvm::IRBuilderBase &, llvm::Value *, llvm::Value *)> code;
};
std::vector<DeviceFunction> deviceFunctions();

/// The PTX of kernels (pointer x, pointer y, pointer result), each of one number a thread, by the
/// names of the functions. Empty, and a test that fails, if there is none.
std::string devicePtx(llvm::ArrayRef<DeviceFunction> functions, const cuda::Device &device);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_MATH_DEVICEMATH_H
