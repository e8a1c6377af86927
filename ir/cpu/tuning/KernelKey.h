// What a kernel is to who tunes it: a hash of what it computes and of how its values lie in memory.
#ifndef WEFT_IR_CPU_TUNING_KERNELKEY_H
#define WEFT_IR_CPU_TUNING_KERNELKEY_H

#include "ir/kernel/DimTable.h"
#include "ir/kernel/Kernel.h"

namespace weft::cpu {

/// Kernels have the same hash where their code is the same: names of dimensions and the label do
/// not matter, and what is a position of what; static sizes, layouts, storage and constants do.
/// That two kernels which differ have one hash is possible as for any hash, and costs time at
/// worst: a schedule never changes what a kernel computes.
struct KernelKey {
  std::string hash; ///< 16 hexadecimal digits
  /// The dimensions whose sizes come with the data, in an order that does not hang on their names.
  llvm::SmallVector<std::string> dims;
};

/// Of a kernel with layouts.
KernelKey keyOf(kernel::FusedOp op, const kernel::DimTable &dims);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_TUNING_KERNELKEY_H
