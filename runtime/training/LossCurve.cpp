// The curves of a training as SVG: a panel for the loss, and one for each metric.
#include "runtime/plots/Svg.h"
#include "runtime/training/TrainingLog.h"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace weft::runtime;

namespace {
using Points = std::vector<std::pair<double, double>>; // step and value

struct Range {
  double low, high;
};

/// From steps and values to places in the picture; `above` is where the panel begins.
class Plot {
public:
  Plot(Range steps, Range values, double above) : steps(steps), values(values), above(above) {}
  static constexpr double width = 720, left = 64, right = 20, top = 44, bottom = 48;
  static constexpr double height = 400;
  double x(double step) const {
    return left + (step - steps.low) / (steps.high - steps.low) * (width - left - right);
  }
  double y(double value) const {
    return above + height - bottom -
           (value - values.low) / (values.high - values.low) * (height - top - bottom);
  }
  Range steps, values;
  double above;
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

/// With as many places as tell a tick from the next.
static std::string tickLabel(double value, double distance) {
  int places = std::max(0, static_cast<int>(-std::floor(std::log10(distance) + 1e-9)));
  if (std::fabs(value) >= 1e6 || places > 5)
    return text("%.4g", value);
  return text("%.*f", places, std::fabs(value) < distance / 2 ? 0 : value);
}

static std::string axes(const Plot &plot) {
  std::string out;
  double distance = tickDistance(plot.values, 6);
  for (double value = std::ceil(plot.values.low / distance) * distance; value <= plot.values.high;
       value += distance)
    out += text("<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                Plot::left, plot.y(value), Plot::width - Plot::right, plot.y(value), Plot::left - 8,
                plot.y(value) + 4, tickLabel(value, distance).c_str());
  distance = std::max(1.0, tickDistance(plot.steps, 7));
  double floor = plot.above + Plot::height;
  for (double step = std::ceil(plot.steps.low / distance) * distance; step <= plot.steps.high;
       step += distance)
    out += text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n", plot.x(step),
                floor - Plot::bottom + 18, step);
  return out + text("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">step</text>\n",
                    (Plot::left + Plot::width - Plot::right) / 2, floor - 10);
}

static std::string curve(const Plot &plot, const char *kind, const Points &points) {
  std::string out = text("<polyline class=\"%s\" points=\"", kind);
  for (auto [step, value] : points)
    out += text("%.1f,%.1f ", plot.x(step),
                plot.y(std::clamp(value, plot.values.low, plot.values.high)));
  return out + "\"/>\n";
}

/// At most so many points: the means of neighbouring ones.
static Points thinned(const Points &all, size_t most) {
  Points points;
  size_t each = (all.size() + most - 1) / most;
  for (size_t i = 0; i < all.size(); i += each) {
    double step = 0, value = 0;
    size_t end = std::min(i + each, all.size());
    for (size_t j = i; j < end; ++j) {
      step += all[j].first;
      value += all[j].second;
    }
    points.emplace_back(step / static_cast<double>(end - i), value / static_cast<double>(end - i));
  }
  return points;
}

/// The mean of each point and of as many neighbours on either side, so that it does not lag behind.
static Points smoothed(const Points &points) {
  Points out;
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

// Colours that keep their distance on white and on black, also for colour-blind eyes.
static constexpr char style[] =
    ".grid { stroke: #ddd } polyline { fill: none; stroke-linejoin: round; stroke-width: 2 }\n"
    ".train, .raw { stroke: #0072b2 } .raw { opacity: .3; stroke-width: 1 }\n"
    ".validation { stroke: #d55e00 } circle { fill: #d55e00 } .only { fill: #0072b2 }\n";
static constexpr char dark[] =
    ".grid { stroke: #333842 } .train, .raw { stroke: #56b4e9 } .validation { stroke: #f0a050 }\n"
    "circle { fill: #f0a050 } .only { fill: #56b4e9 }\n";

namespace {
/// One thing that was measured, by step.
struct Series {
  std::string title;
  Points training, validation; // finite
};
} // namespace

static Series seriesOf(const std::vector<StepRecord> &records, const std::string &title,
                       const std::function<double(const Measures &)> &value) {
  Series series{title, {}, {}};
  auto add = [&](Points &points, const StepRecord &record, const Measures &measures) {
    if (double measured = value(measures); std::isfinite(measured))
      points.emplace_back(static_cast<double>(record.step), measured);
  };
  for (const StepRecord &record : records) {
    add(series.training, record, record.training);
    if (record.validation)
      add(series.validation, record, *record.validation);
  }
  series.training = thinned(series.training, 600);
  return series;
}

/// From the lowest to the highest value, with room on both sides; what is never negative stays so.
static Range rangeOf(const Series &series) {
  bool any = !series.training.empty() || !series.validation.empty();
  Range range = any ? Range{HUGE_VAL, -HUGE_VAL} : Range{0, 1};
  for (const Points &points : {series.training, series.validation})
    for (auto [step, value] : points) {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  double span = range.high - range.low, most = std::max(std::fabs(range.low), range.high);
  double margin = span > most * 1e-6 ? span * 0.05 : most > 0 ? most * 0.05 : 1e-3;
  double least = range.low >= 0 ? 0 : -HUGE_VAL;
  return {std::max(least, range.low - margin), range.high + margin};
}

static std::string panel(const Series &series, Range steps, double above) {
  Plot plot(steps, rangeOf(series), above);
  double legend = Plot::width - Plot::right - 190;
  std::string out = text("<text class=\"title\" x=\"%g\" y=\"%g\">%s</text>\n", Plot::left,
                         above + 22, svgFitted(series.title, 15, legend - Plot::left - 12).c_str());
  out += axes(plot) + curve(plot, "raw", series.training) +
         curve(plot, "train", smoothed(series.training));
  auto key = [&](const char *kind, double x) {
    return text(
        "<polyline class=\"%s\" points=\"%g,%g %g,%g\"/><text x=\"%g\" y=\"%g\">%s</text>\n", kind,
        x, above + 18, x + 18, above + 18, x + 24, above + 22,
        kind[0] == 't' ? "training" : "validation");
  };
  out += key("train", legend);
  if (series.training.size() == 1) // which is no line
    out += text("<circle class=\"only\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n",
                plot.x(series.training[0].first), plot.y(series.training[0].second));
  if (series.validation.empty())
    return out;
  out += curve(plot, "validation", series.validation);
  for (auto [step, value] : series.validation)
    out += text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", plot.x(step), plot.y(value));
  return out + key("validation", legend + 96);
}

std::string weft::runtime::lossCurve(const std::vector<StepRecord> &records,
                                     const std::vector<std::string> &metrics,
                                     const std::string &title) {
  if (records.empty())
    return "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n";
  std::vector<Series> all = {seriesOf(records, title, [](const Measures &m) { return m.loss; })};
  for (size_t i = 0; i < metrics.size(); ++i)
    all.push_back(seriesOf(records, metrics[i], [i](const Measures &m) { return m.metrics[i]; }));
  auto first = static_cast<double>(records.front().step),
       last = static_cast<double>(records.back().step);
  double height = Plot::height * static_cast<double>(all.size());
  std::string out =
      svgStart(Plot::width, height, metrics.empty() ? "loss by step" : "loss and metrics by step",
               style, dark);
  for (size_t i = 0; i < all.size(); ++i)
    out += panel(all[i], {std::min(first, last - 1), last}, Plot::height * static_cast<double>(i));
  return out + "</svg>\n";
}
