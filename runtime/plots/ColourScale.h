// Numbers as colours: from nothing at 0 to full at the largest magnitude.
#ifndef WEFT_RUNTIME_PLOTS_COLOURSCALE_H
#define WEFT_RUNTIME_PLOTS_COLOURSCALE_H

#include <span>
#include <string>

namespace weft::runtime {

/// What is negative has another hue; what is infinite or NaN a colour beyond. Colour grows with the
/// magnitude, or with its root where much of what there is lies in cells that would hardly be seen
/// (attention over many tokens: the cells of a row share 1).
class ColourScale {
public:
  explicit ColourScale(std::span<const float> values);

  static constexpr int levels = 32;
  static constexpr int infinite = levels + 1, undefined = levels + 2; // levels of no strength
  /// -levels to levels, -infinite, infinite or undefined; 0 is not painted.
  int levelOf(float value) const;
  /// How a level looks, as attributes.
  static std::string paint(int level);

  /// What colours stand for, from there down, `legendHeight` at most.
  std::string legend(double x, double y) const;
  static constexpr double legendWidth = 70, legendHeight = 180;

  static const char style[], dark[]; // rules, for svgStart()

private:
  float low = 0, largest = 0;
  bool root = false;
  bool occurs[3] = {}; // inf, -inf, NaN
};

} // namespace weft::runtime
#endif
