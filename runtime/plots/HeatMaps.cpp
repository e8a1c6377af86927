// Panels of cells, runs of equal cells as one shape.
#include "runtime/plots/HeatMaps.h"

#include "runtime/plots/Svg.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

namespace {
constexpr int levels = 32;          // of colour
constexpr int64_t most = 4'000'000; // cells in all
constexpr int64_t mostLabels = 64;  // of a side: beyond, positions at round distances
constexpr double least = 2, large = 22, side = 260; // pixels of a cell, and what a panel aims at
constexpr double margin = 16, head = 44, gap = 18, bar = 70, barHeight = 120;

/// Sizes of the picture, in pixels but for counts.
struct Layout {
  int64_t rows, columns, across, down;
  double cell, rowRoom, columnRoom; // room for labels at the left of and above a panel
  double title;                     // what the title needs
  double panelWidth() const { return rowRoom + static_cast<double>(columns) * cell; }
  double panelHeight() const { return columnRoom + static_cast<double>(rows) * cell + 16; }
  double width() const {
    return 2 * margin + static_cast<double>(across) * (panelWidth() + gap) + bar;
  }
  double height() const {
    return head + static_cast<double>(down) * (panelHeight() + gap) + margin;
  }
};

/// Pixels of a text of 10 pixels height, about.
double lengthOf(const std::string &label) {
  int64_t characters = std::count_if(label.begin(), label.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  return 6.0 * static_cast<double>(characters);
}

double longest(const std::vector<std::string> &labels) {
  double most = 18;
  for (const std::string &label : labels)
    most = std::max(most, lengthOf(label));
  return std::min(most, 120.0);
}

/// "layer.attn.weights: query down, key across"
std::string titleOf(const HeatMaps &maps) {
  size_t rank = maps.dims.size();
  std::string rows = rank > 1 ? maps.dims[rank - 2] + " down, " : "";
  return maps.title + ": " + rows + maps.dims[rank - 1] + " across";
}

Layout layoutOf(const HeatMaps &maps) {
  size_t rank = maps.shape.size();
  Layout layout{};
  layout.columns = maps.shape[rank - 1];
  layout.rows = rank > 1 ? maps.shape[rank - 2] : 1;
  layout.across = rank > 2 ? maps.shape[rank - 3] : 1;
  layout.down = 1;
  for (size_t i = 0; i + 3 < rank; ++i)
    layout.down *= maps.shape[i];
  if (rank == 3) { // a row of many panels is broken
    int64_t all = layout.across;
    layout.across =
        std::min<int64_t>(all, std::max<int64_t>(1, std::llround(std::ceil(std::sqrt(all * 1.6)))));
    layout.down = (all + layout.across - 1) / layout.across;
  }
  bool written = !maps.rowLabels.empty() || !maps.columnLabels.empty();
  double wanted = side / static_cast<double>(std::max(layout.rows, layout.columns));
  layout.cell = std::clamp(wanted, written ? 12.0 : least, large);
  layout.title = 2 * margin + 1.4 * lengthOf(titleOf(maps));
  layout.rowRoom = longest(maps.rowLabels) + 8;
  layout.columnRoom = (maps.columnLabels.empty() ? 14 : longest(maps.columnLabels)) + 8;
  return layout;
}

/// How strong a cell is: -levels to levels; NaN beyond.
int levelOf(float value, float largest) {
  if (std::isnan(value))
    return levels + 1;
  if (std::isinf(value))
    return value > 0 ? levels : -levels;
  return largest > 0 ? static_cast<int>(std::lround(value / largest * levels)) : 0;
}

/// One panel: its cells by level, each level one path of runs along the rows.
std::string cells(const float *values, const Layout &layout, float largest) {
  std::vector<std::string> paths(2 * levels + 2);
  for (int64_t row = 0; row < layout.rows; ++row)
    for (int64_t begin = 0, end = 0; begin < layout.columns; begin = end) {
      const float *line = values + row * layout.columns;
      int level = levelOf(line[begin], largest);
      while (end < layout.columns && levelOf(line[end], largest) == level)
        ++end;
      if (level != 0)
        paths[level + levels] += text("M%lld %lldh%lldv1h-%lldz", wide(begin), wide(row),
                                      wide(end - begin), wide(end - begin));
    }
  std::string out;
  for (int level = -levels; level <= levels + 1; ++level)
    if (const std::string &path = paths[level + levels]; !path.empty())
      out += text("<path class=\"%s\" opacity=\"%.3g\" d=\"",
                  level > levels ? "nan"
                  : level < 0    ? "below"
                                 : "above",
                  level > levels ? 1 : std::abs(level) / static_cast<double>(levels)) +
             path + "\"/>\n";
  return out;
}

/// Which positions of so many are written beside the cells.
int64_t stepOf(int64_t count, bool written) {
  if (written && count <= mostLabels)
    return 1;
  for (int64_t step : {1, 2, 5, 10, 20, 50, 100, 200, 500})
    if (count / step <= (written ? mostLabels : 8))
      return step;
  return 1000;
}

std::string labelAt(const std::vector<std::string> &labels, int64_t at) {
  return at < static_cast<int64_t>(labels.size()) ? svgText(labels[at]) : text("%lld", wide(at));
}

std::string labels(const HeatMaps &maps, const Layout &layout) {
  std::string out;
  bool rows = !maps.rowLabels.empty(), columns = !maps.columnLabels.empty();
  for (int64_t i = 0; i < layout.rows; i += stepOf(layout.rows, rows))
    out += text("<text class=\"small\" x=\"-5\" y=\"%.1f\" text-anchor=\"end\">",
                (static_cast<double>(i) + 0.5) * layout.cell + 3.5) +
           labelAt(maps.rowLabels, i) + "</text>\n";
  for (int64_t i = 0; i < layout.columns; i += stepOf(layout.columns, columns)) {
    double x = (static_cast<double>(i) + 0.5) * layout.cell;
    out +=
        (columns
             ? text("<text class=\"small\" transform=\"translate(%.1f -5) rotate(-90)\">", x + 3.5)
             : text("<text class=\"small\" x=\"%.1f\" y=\"-5\" text-anchor=\"middle\">", x)) +
        labelAt(maps.columnLabels, i) + "</text>\n";
  }
  return out;
}

/// "layer 0, head 3": where a panel is.
std::string captionOf(const HeatMaps &maps, int64_t panel) {
  std::string caption;
  for (size_t i = maps.shape.size() - std::min<size_t>(2, maps.shape.size()); i-- > 0;) {
    std::string one = text("%s %lld", maps.dims[i].c_str(), wide(panel % maps.shape[i]));
    caption = caption.empty() ? one : one + ", " + caption;
    panel /= maps.shape[i];
  }
  return caption;
}

/// From no colour to full, with what that stands for.
std::string scaleOf(const Layout &layout, float low, float largest) {
  double x = layout.width() - bar, y = head + layout.columnRoom, height = barHeight;
  std::string out;
  double span = low < 0 ? 2 * levels : levels;
  for (int level = low < 0 ? -levels : 0; level <= levels; ++level)
    out += text(
        "<rect class=\"%s\" opacity=\"%.3g\" x=\"%g\" y=\"%.2f\" width=\"14\" height=\"%.2f\"/>\n",
        level < 0 ? "below" : "above", std::abs(level) / static_cast<double>(levels), x,
        y + (levels - level) / span * height, height / span + 0.2);
  out += text("<text class=\"small\" x=\"%g\" y=\"%g\">%.3g</text>\n", x + 20, y + 5, largest);
  out += text("<text class=\"small\" x=\"%g\" y=\"%g\">%.3g</text>\n", x + 20, y + height + 5,
              low < 0 ? -largest : 0.0);
  return out;
}

constexpr char style[] =
    ".small { font-size: 10px } .above { fill: #c1121f } .below { fill: #1d5fa8 }\n"
    ".frame { fill: none; stroke: #999 } .nan { fill: #888 }\n";
constexpr char dark[] =
    ".above { fill: #ff7b6b } .below { fill: #6db3ff } .frame { stroke: #667 }\n";
} // namespace

Result<std::string> weft::runtime::drawHeatMaps(const HeatMaps &maps) {
  int64_t count = 1;
  for (int64_t size : maps.shape)
    count *= size;
  if (count > most || maps.shape.empty())
    return Error{Code::Size, text("%s has %lld elements: a picture shows 1 to %lld; pick positions",
                                  maps.title.c_str(), wide(count), wide(most))};
  float largest = 0, low = 0;
  for (float value : maps.values)
    if (std::isfinite(value)) {
      largest = std::max(largest, std::fabs(value));
      low = std::min(low, value);
    }
  Layout layout = layoutOf(maps);
  std::string out = svgStart(layout.width(), layout.height(), maps.title, style, dark);
  out += text("<text class=\"title\" x=\"%g\" y=\"24\">", margin) + svgText(titleOf(maps)) +
         "</text>\n";
  int64_t panels = count / std::max<int64_t>(1, layout.rows * layout.columns);
  for (int64_t panel = 0; panel < panels; ++panel) {
    double x = margin + static_cast<double>(panel % layout.across) * (layout.panelWidth() + gap) +
               layout.rowRoom;
    double y = head + static_cast<double>(panel / layout.across) * (layout.panelHeight() + gap) +
               layout.columnRoom;
    double width = static_cast<double>(layout.columns) * layout.cell,
           height = static_cast<double>(layout.rows) * layout.cell;
    out += text("<g transform=\"translate(%.1f %.1f)\">\n<g transform=\"scale(%.4g)\" "
                "shape-rendering=\"crispEdges\">\n",
                x, y, layout.cell);
    out += cells(maps.values.data() + panel * layout.rows * layout.columns, layout, largest) +
           "</g>\n";
    out += text("<rect class=\"frame\" width=\"%.1f\" height=\"%.1f\"/>\n", width, height);
    out += labels(maps, layout);
    out += text("<text class=\"small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", width / 2,
                height + 14) +
           svgText(captionOf(maps, panel)) + "</text>\n</g>\n";
  }
  return out + scaleOf(layout, low, largest) + "</svg>\n";
}
