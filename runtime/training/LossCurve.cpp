// The loss curve as SVG.
#include "runtime/training/TrainingLog.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

namespace {
struct Range {
  double low, high;
};

/// From steps and losses to places in the picture.
class Plot {
public:
  Plot(Range steps, Range losses) : steps(steps), losses(losses) {}
  static constexpr double width = 720, height = 400, left = 64, right = 20, top = 44, bottom = 48;
  double x(double step) const {
    return left + (step - steps.low) / (steps.high - steps.low) * (width - left - right);
  }
  double y(double loss) const {
    return height - bottom -
           (loss - losses.low) / (losses.high - losses.low) * (height - top - bottom);
  }
  Range steps, losses;
};
} // namespace

/// A round distance between ticks: 1, 2 or 5 times a power of ten, about `count` of them in the
/// range.
static double tickDistance(Range range, double count) {
  double rough = (range.high - range.low) / count,
         power = std::pow(10, std::floor(std::log10(rough)));
  double lead = rough / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static std::string axes(const Plot &plot) {
  std::string out;
  double distance = tickDistance(plot.losses, 6);
  for (double loss = std::ceil(plot.losses.low / distance) * distance; loss <= plot.losses.high;
       loss += distance)
    out += text("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
                Plot::left, plot.y(loss), Plot::width - Plot::right, plot.y(loss), Plot::left - 8,
                plot.y(loss) + 4, std::fabs(loss) < distance / 2 ? 0 : loss);
  distance = std::max(1.0, tickDistance(plot.steps, 7));
  for (double step = std::ceil(plot.steps.low / distance) * distance; step <= plot.steps.high;
       step += distance)
    out += text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n", plot.x(step),
                Plot::height - Plot::bottom + 18, step);
  return out + text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">step</text>\n",
                    (Plot::left + Plot::width - Plot::right) / 2, Plot::height - 10);
}

static std::string curve(const Plot &plot, const char *kind,
                         const std::vector<std::pair<double, double>> &points) {
  std::string out = text("<polyline class=\"%s\" points=\"", kind);
  for (auto [step, loss] : points)
    out += text("%.1f,%.1f ", plot.x(step),
                plot.y(std::clamp(loss, plot.losses.low, plot.losses.high)));
  return out + "\"/>\n";
}

/// At most so many points: the means of neighbouring steps.
static std::vector<std::pair<double, double>> thinned(const std::vector<StepRecord> &records,
                                                      size_t most) {
  std::vector<std::pair<double, double>> points;
  size_t each = (records.size() + most - 1) / most;
  for (size_t i = 0; i < records.size(); i += each) {
    double step = 0, loss = 0;
    size_t end = std::min(i + each, records.size());
    for (size_t j = i; j < end; ++j) {
      step += static_cast<double>(records[j].step);
      loss += records[j].loss;
    }
    points.emplace_back(step / static_cast<double>(end - i), loss / static_cast<double>(end - i));
  }
  return points;
}

/// The mean of each point and of as many neighbours on either side, so that it does not lag behind.
static std::vector<std::pair<double, double>>
smoothed(const std::vector<std::pair<double, double>> &points) {
  std::vector<std::pair<double, double>> out;
  size_t most = points.size() / 40;
  for (size_t i = 0; i < points.size(); ++i) {
    size_t reach = std::min({most, i, points.size() - 1 - i});
    double sum = 0;
    for (size_t j = i - reach; j <= i + reach; ++j)
      sum += points[j].second;
    out.emplace_back(points[i].first, sum / static_cast<double>(2 * reach + 1));
  }
  return out;
}

static std::string escaped(const std::string &plain) {
  std::string out;
  for (char c : plain)
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

// Colours that keep their distance on white and on black, also for colour-blind eyes; spelled out,
// since not every viewer knows CSS variables.
static constexpr char style[] =
    "<style>\n"
    ".ground { fill: #fff } text { font: 12px system-ui, sans-serif; fill: #222 }\n"
    ".title { font-size: 14px; font-weight: 600 } .grid { stroke: #ddd }\n"
    "polyline { fill: none; stroke-linejoin: round; stroke-width: 2 }\n"
    ".train, .raw { stroke: #0072b2 } .raw { opacity: .3; stroke-width: 1 }\n"
    ".validation { stroke: #d55e00 } circle { fill: #d55e00 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".ground { fill: #16181d } text { fill: #ddd } .grid { stroke: #333842 }\n"
    ".train, .raw { stroke: #56b4e9 } .validation { stroke: #f0a050 } circle { fill: #f0a050 }\n"
    "}\n</style>\n";

std::string weft::runtime::lossCurve(const std::vector<StepRecord> &records,
                                     const std::string &title) {
  if (records.empty())
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";
  std::vector<std::pair<double, double>> raw = thinned(records, 600), validation;
  double low = raw[0].second, high = low;
  for (auto [step, loss] : raw) {
    low = std::min(low, loss);
    high = std::max(high, loss);
  }
  for (const StepRecord &record : records)
    if (record.validation) {
      validation.emplace_back(static_cast<double>(record.step), *record.validation);
      low = std::min(low, *record.validation);
      high = std::max(high, *record.validation);
    }
  double margin = std::max((high - low) * 0.05, 1e-3);
  auto first = static_cast<double>(records.front().step),
       last = static_cast<double>(records.back().step);
  Plot plot({std::min(first, last - 1), last}, {std::max(0.0, low - margin), high + margin});
  std::string out = text(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
      "role=\"img\" aria-label=\"loss by step\">\n",
      Plot::width, Plot::height, Plot::width, Plot::height);
  out += style;
  out += text("<rect class=\"ground\" width=\"%g\" height=\"%g\"/>\n", Plot::width, Plot::height);
  out += text("<text class=\"title\" x=\"%g\" y=\"22\">%s</text>\n", Plot::left,
              escaped(title).c_str());
  out += axes(plot) + curve(plot, "raw", raw) + curve(plot, "train", smoothed(raw));
  double legend = Plot::width - Plot::right - 190;
  out += text(
      "<polyline class=\"train\" points=\"%g,18 %g,18\"/><text x=\"%g\" y=\"22\">training</text>\n",
      legend, legend + 18, legend + 24);
  if (!validation.empty()) {
    out += curve(plot, "validation", validation);
    for (auto [step, loss] : validation)
      out += text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", plot.x(step), plot.y(loss));
    out += text("<polyline class=\"validation\" points=\"%g,18 %g,18\"/><text x=\"%g\" "
                "y=\"22\">validation</text>\n",
                legend + 96, legend + 114, legend + 120);
  }
  return out + "</svg>\n";
}
