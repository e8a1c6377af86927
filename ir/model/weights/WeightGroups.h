// Weights as whole numbers of 8 or 4 bits: 32 of them, one below the other in a column, share a
// scale.
#ifndef WEFT_IR_MODEL_WEIGHTS_WEIGHTGROUPS_H
#define WEFT_IR_MODEL_WEIGHTS_WEIGHTGROUPS_H

#include "ir/model/weights/WeightFormat.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace weft::model::groups {

/// Weights that share a scale: as many as in q8_0 and q4_0 of ggml. The last group of a column may
/// have fewer.
inline constexpr int64_t length = 32;
/// A scale is a bfloat16: it has the exponents of f32, and times 8 bits more it is still exact in
/// f32.
inline constexpr int64_t scaleBytes = 2;

inline constexpr int64_t bitsOf(WeightFormat format) {
  return format == WeightFormat::int4 ? 4 : 8;
}
/// Numbers of 4 bits lie together in a word.
inline constexpr int64_t wordBytes = 4, perWord = 8;
/// Of the number that a weight of the largest magnitude becomes.
inline constexpr float mostOf(WeightFormat format) {
  return format == WeightFormat::int4 ? 8 : 127;
}
/// Bytes of the groups of `columns` columns that lie together in a panel: the scales, then the
/// numbers.
inline constexpr int64_t bytes(WeightFormat format, int64_t columns) {
  return columns * (scaleBytes + length * bitsOf(format) / 8);
}
/// Groups of a column of so many rows.
inline constexpr int64_t groupsOf(int64_t rows) {
  return (rows + length - 1) / length;
}
/// Bytes of [columns / width] panels of so many rows.
inline constexpr int64_t panelBytes(WeightFormat format, int64_t rows, int64_t columns,
                                    int64_t width) {
  return (columns + width - 1) / width * groupsOf(rows) * bytes(format, width);
}
/// Of a weight, its share of the scale too.
inline constexpr double bytesOfWeight(WeightFormat format) {
  return double(bytes(format, 1)) / length;
}

/// The scale of a group. With 8 bits the weight of the largest magnitude becomes 127 or -127
/// (q8_0), with 4 bits -8 (q4_0: the sign of the scale is such that it does). It is rounded to
/// bfloat16 away from 0, so that no number is beyond these. NaN where a weight is infinite or NaN.
/// 0 where it would be below 2^-125: of any other scale a subnormal weight is less than half, so
/// that machines that take such numbers for 0 agree.
float scaleOf(llvm::ArrayRef<float> weights, WeightFormat format);
/// What a weight is stored as: the nearest multiple of the scale, ties to even, at most 7 where
/// there are 4 bits; 0 where the scale is 0 or NaN. `weight` is one of those that `scale` was found
/// for.
int numberOf(float weight, float scale, WeightFormat format);
/// What is read again.
inline double valueOf(int number, float scale) {
  return double(number) * double(scale); // NaN, if the scale is: so is all of such a group
}

} // namespace weft::model::groups

#endif // WEFT_IR_MODEL_WEIGHTS_WEIGHTGROUPS_H
