// Kernels below the roofs of this machine.
#include "runtime/plots/Svg.h"
#include "runtime/program/profile/Report.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

namespace {
/// From operations per byte and per second to places: both axes count powers of ten.
class Plane {
public:
  static constexpr double width = 760, height = 480, left = 70, right = 20, top = 48, bottom = 52;
  double lowX, highX, lowY, highY; // exponents

  double x(double intensity) const {
    return left + (std::log10(intensity) - lowX) / (highX - lowX) * (width - left - right);
  }
  double y(double flops) const {
    return height - bottom - (std::log10(flops) - lowY) / (highY - lowY) * (height - top - bottom);
  }
};

bool isShown(const KernelProfile &kernel) {
  return kernel.known && kernel.flops > 0 && kernel.bytes > 0 && kernel.seconds > 0;
}
} // namespace

static Plane planeOf(const Profile &profile) {
  double ridge = std::log10(profile.peaks->most() / profile.peaks->bytesRead);
  Plane plane{std::floor(std::min(ridge, 0.0)) - 1, std::ceil(ridge) + 1,
              std::floor(std::log10(profile.peaks->flops)) - 2,
              std::ceil(std::log10(profile.peaks->most()) + 0.1)};
  for (const KernelProfile &kernel : profile.kernels)
    if (isShown(kernel)) {
      double x = std::log10(kernel.flops / kernel.bytes), y = std::log10(kernel.flopsPerSecond());
      plane.lowX = std::min(plane.lowX, std::floor(x));
      plane.highX = std::max(plane.highX, std::ceil(x));
      plane.lowY = std::min(plane.lowY, std::floor(y));
      plane.highY = std::max(plane.highY, std::ceil(y));
    }
  return plane;
}

static std::string label(double exponent) {
  return exponent >= 0 && exponent < 5 ? text("%.0f", std::pow(10, exponent))
         : exponent < 0 && exponent > -4
             ? text("%.*f", static_cast<int>(-exponent), std::pow(10, exponent))
             : text("1e%.0f", exponent);
}

static std::string axes(const Plane &plane) {
  std::string out;
  double floor = Plane::height - Plane::bottom;
  for (double e = plane.lowX; e <= plane.highX; ++e) {
    double x = plane.x(std::pow(10, e));
    out += text("<line class=\"grid\" x1=\"%.1f\" y1=\"%g\" x2=\"%.1f\" y2=\"%g\"/><text "
                "x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%s</text>\n",
                x, Plane::top, x, floor, x, floor + 18, label(e).c_str());
  }
  for (double e = plane.lowY; e <= plane.highY; ++e) {
    double y = plane.y(std::pow(10, e));
    out += text("<line class=\"grid\" x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\"/><text "
                "x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                Plane::left, y, Plane::width - Plane::right, y, Plane::left - 8, y + 4,
                label(e - 9).c_str());
  }
  return out + text("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">operations for each byte that "
                    "has to be moved</text>\n<text x=\"%g\" y=\"%g\">GFLOP/s</text>\n",
                    (Plane::left + Plane::width - Plane::right) / 2, Plane::height - 12, 12.0,
                    Plane::top - 8);
}

/// What memory gives, up to where multiplying is the limit.
static std::string roof(const Plane &plane, double flops, double bytesRead) {
  double ridge = flops / bytesRead;
  double least = std::max(std::pow(10, plane.lowX), std::pow(10, plane.lowY) / bytesRead);
  return text("<polyline class=\"roof\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
              plane.x(least), plane.y(least * bytesRead), plane.x(ridge), plane.y(flops),
              plane.x(std::pow(10, plane.highX)), plane.y(flops));
}

static std::string roofs(const Plane &plane, const Peaks &peaks) {
  std::string out = roof(plane, peaks.flops, peaks.bytesRead);
  return peaks.pairFlops > 0 ? out + roof(plane, peaks.pairFlops, peaks.bytesRead) : out;
}

/// Names beside dots, each as near to its dot as those before it let it be; a line leads to one
/// that is not beside it.
class Names {
public:
  /// Nothing where there is no room.
  std::string beside(double x, double y, double radius, const std::string &name) {
    constexpr double height = 12, most = 220, fontSize = 11;
    bool isRight = x > Plane::width * 0.6;
    std::string shown = svgFitted(name, fontSize, most);
    double wide = std::min(svgWidth(name, fontSize), most),
           edge = isRight ? x - radius - 3 : x + radius + 3, begin = isRight ? edge - wide : edge;
    for (double away : {0, -1, 1, -2, 2, -3, 3, -4, 4}) {
      Box box{begin, begin + wide, y + 4 + away * height};
      if (std::any_of(taken.begin(), taken.end(), [&](const Box &other) {
            return std::abs(other.y - box.y) < height && other.begin < box.end &&
                   box.begin < other.end;
          }))
        continue;
      taken.push_back(box);
      std::string line =
          away == 0
              ? ""
              : text("<line class=\"leader\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x,
                     y, edge, box.y - 4);
      return line + text("<text class=\"small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
                         edge, box.y, isRight ? "end" : "start", shown.c_str());
    }
    return "";
  }

private:
  struct Box {
    double begin, end, y;
  };
  std::vector<Box> taken;
};

/// As large as the kernel's share of the time; the longest have their names.
static std::string dots(const Plane &plane, const Profile &profile) {
  std::string out;
  constexpr size_t named = 8;
  size_t number = 0;
  Names names;
  for (const KernelProfile &kernel : profile.kernels) {
    if (!isShown(kernel))
      continue;
    double x = plane.x(kernel.flops / kernel.bytes), y = plane.y(kernel.flopsPerSecond());
    double radius = 3 + 22 * std::sqrt(kernel.seconds / profile.seconds);
    out += text("<g><title>%s: %.3f ms, %.1f GFLOP/s, %.2f for each byte</title><circle "
                "cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
                svgText(kernel.name).c_str(), kernel.seconds * 1e3, kernel.flopsPerSecond() * 1e-9,
                kernel.flops / kernel.bytes, x, y, radius);
    if (++number <= named)
      out += names.beside(x, y, radius, kernel.name);
    out += "</g>\n";
  }
  return out;
}

static constexpr char style[] =
    ".grid { stroke: #e3e3e3 } .leader { stroke: #888 } .roof { fill: none; stroke: #d55e00; "
    "stroke-width: 2 }\n"
    "circle { fill: #0072b2; fill-opacity: .45; stroke: #0072b2 } .small { font-size: 11px }\n";
static constexpr char dark[] = ".grid { stroke: #333842 } .roof { stroke: #f0a050 }\n"
                               "circle { fill: #56b4e9; stroke: #56b4e9 }\n";

std::string weft::runtime::roofline(const Profile &profile) {
  Plane plane = planeOf(profile);
  std::string title = text("%s, %s: %.0f GFLOP/s%s, %.1f GB/s", profile.subject.c_str(),
                           profile.place.c_str(), profile.peaks->flops * 1e-9,
                           ofPairs(*profile.peaks).c_str(), profile.peaks->bytesRead * 1e-9);
  return svgStart(Plane::width, Plane::height,
                  "kernels of " + profile.subject +
                      " by what they "
                      "compute for each byte",
                  style, dark) +
         text("<text class=\"title\" x=\"%g\" y=\"24\">%s</text>\n", Plane::left,
              svgFitted(title, 15, Plane::width - Plane::left - Plane::right).c_str()) +
         axes(plane) + roofs(plane, *profile.peaks) + dots(plane, profile) + "</svg>\n";
}
