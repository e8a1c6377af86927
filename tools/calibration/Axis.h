// Where elements of a tensor lie.
#ifndef WEFT_TOOLS_CALIBRATION_AXIS_H
#define WEFT_TOOLS_CALIBRATION_AXIS_H

#include <cstdint>
#include <vector>

namespace weft::calibration {

/// A dimension: how many positions, and how many elements from one to the next.
struct Axis {
  int64_t size, stride;
  bool operator==(const Axis &) const = default;
};

/// The distances of all elements along these axes, the last one innermost; one, 0, of no axes.
inline std::vector<int64_t> offsetsAlong(const std::vector<Axis> &axes) {
  std::vector<int64_t> offsets = {0};
  for (const Axis &axis : axes) {
    std::vector<int64_t> finer;
    finer.reserve(offsets.size() * static_cast<size_t>(axis.size));
    for (int64_t offset : offsets)
      for (int64_t i = 0; i < axis.size; ++i)
        finer.push_back(offset + i * axis.stride);
    offsets = std::move(finer);
  }
  return offsets;
}

} // namespace weft::calibration

#endif // WEFT_TOOLS_CALIBRATION_AXIS_H
