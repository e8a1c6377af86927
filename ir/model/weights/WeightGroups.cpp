// How weights that share a scale are rounded.
#include "ir/model/weights/WeightGroups.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace weft::model {

float groups::scaleOf(llvm::ArrayRef<float> weights, WeightFormat format) {
  float most = 0; // of several that are as large the first
  for (float weight : weights) {
    if (!std::isfinite(weight))
      return std::numeric_limits<float>::quiet_NaN();
    if (std::abs(weight) > std::abs(most))
      most = weight;
  }
  bool isByte = format == WeightFormat::int8;
  auto bits = std::bit_cast<uint32_t>(std::abs(most) / mostOf(format));
  if (bits < 0x01000000) // 2^-125
    return 0;
  auto scale = std::bit_cast<float>((bits + 0xffff) & 0xffff0000);
  return isByte || most < 0 ? scale : -scale;
}

int groups::numberOf(float weight, float scale, WeightFormat format) {
  if (scale == 0 || std::isnan(scale))
    return 0;
  int number = int(std::nearbyint(weight / scale));
  return format == WeightFormat::int4 ? std::min(number, 7) : number;
}

} // namespace weft::model
