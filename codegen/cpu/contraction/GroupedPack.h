// Rounds weights to whole numbers in groups that share a scale.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_GROUPEDPACK_H
#define WEFT_CODEGEN_CPU_CONTRACTION_GROUPEDPACK_H

#include "ir/model/weights/WeightGroups.h"

#include "llvm/IR/IRBuilder.h"

namespace weft::cpu {

/// Writes a group of a panel (#kernel.panels) at `to`: of `from`, 32 rows of 16 floats. It gives
/// bit for bit what `model::groups` says, whether small numbers are flushed to 0 or not.
void packGroup(llvm::IRBuilderBase &builder, model::WeightFormat format, llvm::Value *from,
               llvm::Value *to);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_GROUPEDPACK_H
