// Scale and numbers of floats that share a scale, in every lane at once: as groups::scaleOf and
// numberOf, bit for bit.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_GROUPROUNDING_H
#define WEFT_CODEGEN_CPU_CONTRACTION_GROUPROUNDING_H

#include "ir/model/weights/WeightFormat.h"

#include "llvm/IR/IRBuilder.h"

namespace weft::cpu {

/// Of a group in each lane, or of one (a scalar). Whole numbers where a comparison of floats would
/// lose a NaN: magnitudes are ordered as their bits are, infinity and NaN above all others.
class GroupRounding {
public:
  /// `most` has the bits of the floats of the largest magnitude.
  GroupRounding(llvm::IRBuilderBase &builder, model::WeightFormat format, llvm::Value *most);

  /// i16, bfloat16 by its bits.
  llvm::Value *scale() const;
  /// i32. Of floats in the lanes of their groups, or, where there is one group, in any lanes.
  llvm::Value *numbers(llvm::Value *floats) const;

  static llvm::Value *magnitude(llvm::IRBuilderBase &builder, llvm::Value *bits);

private:
  llvm::Value *forLanesOf(llvm::Value *each, llvm::Value *floats) const;

  llvm::IRBuilderBase &b;
  model::WeightFormat format;
  llvm::Value *scaleBits = nullptr, *widened = nullptr; // the scale as i32, and as floats
  llvm::Value *isZero = nullptr; // whether numbers are, for the scale is 0 or NaN
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_GROUPROUNDING_H
