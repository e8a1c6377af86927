// Levels of colour, and the legend.
#include "runtime/plots/ColourScale.h"

#include "runtime/plots/Svg.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

static constexpr float faint = 1.0f / 8; // of the largest: below, little is seen
static constexpr double barHeight = 120;
static constexpr std::pair<int, const char *> beyond[] = {{ColourScale::infinite, "inf"},
                                                          {-ColourScale::infinite, "-inf"},
                                                          {ColourScale::undefined, "NaN"}};

const char ColourScale::style[] = ".above { fill: #c1121f } .below { fill: #1d5fa8 }\n"
                                  ".most { fill: #4a000a } .least { fill: #081f3d } .nan { fill: "
                                  "#888 }\n";
const char ColourScale::dark[] = ".above { fill: #ff7b6b } .below { fill: #6db3ff }\n"
                                 ".most { fill: #ffe3de } .least { fill: #dceeff }\n";

ColourScale::ColourScale(std::span<const float> values) {
  for (float value : values)
    if (std::isfinite(value)) {
      largest = std::max(largest, std::fabs(value));
      low = std::min(low, value);
    } else {
      occurs[std::isnan(value) ? 2 : value < 0] = true;
    }
  double all = 0, hidden = 0;
  for (float value : values)
    if (double magnitude = std::fabs(value); std::isfinite(magnitude)) {
      all += magnitude;
      hidden += magnitude < faint * largest ? magnitude : 0;
    }
  root = hidden > all / 3;
}

int ColourScale::levelOf(float value) const {
  if (std::isnan(value))
    return undefined;
  if (std::isinf(value))
    return value > 0 ? infinite : -infinite;
  if (largest == 0)
    return 0;
  float share = std::fabs(value) / largest;
  return std::copysign(static_cast<float>(std::lround((root ? std::sqrt(share) : share) * levels)),
                       value);
}

std::string ColourScale::paint(int level) {
  if (std::abs(level) > levels)
    return text("class=\"%s\"", level == undefined ? "nan" : level > 0 ? "most" : "least");
  return text("class=\"%s\" opacity=\"%.3g\"", level < 0 ? "below" : "above",
              std::abs(level) / static_cast<double>(levels));
}

static std::string label(double x, double y, const std::string &words) {
  return text("<text class=\"small\" x=\"%.6g\" y=\"%.6g\">", x + 20, y + 3.5) + words +
         "</text>\n";
}

std::string ColourScale::legend(double x, double y) const {
  std::string out = "<g shape-rendering=\"crispEdges\">\n";
  int lowest = low < 0 ? -levels : 0;
  double each = barHeight / (levels - lowest), zero = y + levels * each;
  for (int level = lowest; level <= levels; ++level)
    if (level != 0)
      out += "<rect " + paint(level) +
             text(" x=\"%.6g\" y=\"%.2f\" width=\"14\" height=\"%.2f\"/>\n", x,
                  zero - (level > 0 ? level : level + 1) * each, each);
  out += "</g>\n" + label(x, zero, "0");
  for (float sign : {1.0f, -1.0f}) {
    if (largest == 0 || (sign < 0 && low >= 0))
      continue;
    for (float share : {1.0f, 0.5f}) // of the colour
      if (float of = root ? share * share : share; share == 1 || root)
        out += label(x, zero - sign * share * levels * each, text("%.3g", sign * of * largest));
  }
  double below = y + barHeight;
  for (size_t i = 0; i < std::size(beyond); ++i)
    if (occurs[i]) {
      below += 20;
      out += "<rect " + paint(beyond[i].first) +
             text(" x=\"%.6g\" y=\"%.6g\" width=\"14\" height=\"10\"/>\n", x, below - 5) +
             label(x, below, beyond[i].second);
    }
  return out;
}
