// Panels of cells, runs of equal cells as one shape.
#include "runtime/plots/HeatMaps.h"

#include "runtime/plots/ColourScale.h"
#include "runtime/plots/Svg.h"

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

namespace {
constexpr int64_t most = 4'000'000; // cells in all
constexpr int64_t mostLabels = 64;  // of a side: beyond, positions at round distances
constexpr double least = 2, large = 22, side = 260; // pixels of a cell, and what a panel aims at
constexpr double margin = 16, head = 44, gap = 18;
constexpr double small = 10, longestLabel = 120; // a label's height, and its length at most

/// Sizes of the picture, in pixels but for counts.
struct Layout {
  int64_t rows, columns, across, down;
  double cell, rowRoom, columnRoom; // room for labels at the left of and above a panel
  bool upright;                     // whether labels above columns need not be turned
  double title, caption;            // what the title needs, and what stands below a panel
  double cellsWidth() const { return static_cast<double>(columns) * cell; }
  double cellsHeight() const { return static_cast<double>(rows) * cell; }
  double panelWidth() const { return rowRoom + std::max(cellsWidth(), caption); }
  double panelHeight() const { return columnRoom + cellsHeight() + 16; }
  double barLeft() const {
    return margin + static_cast<double>(across) * (panelWidth() + gap) + margin;
  }
  double width() const { return std::max(barLeft() + ColourScale::legendWidth, title); }
  double height() const {
    double panels = static_cast<double>(down) * (panelHeight() + gap);
    return head + std::max(panels, columnRoom + ColourScale::legendHeight) + margin;
  }
};

/// A token as people see it: spaces at its ends are part of it.
std::string visible(const std::string &token) {
  size_t begin = std::min(token.find_first_not_of(' '), token.size());
  size_t end = begin == token.size() ? token.size() : token.find_last_not_of(' ') + 1;
  std::string out;
  for (size_t i = 0; i < token.size(); ++i)
    out += i < begin || i >= end ? "\u2423" : std::string(1, token[i]);
  return out;
}

double longest(const std::vector<std::string> &labels, int64_t count) {
  double most = svgWidth(text("%lld", wide(count)), small);
  for (const std::string &label : labels)
    most = std::max(most, svgWidth(visible(label), small));
  return std::min(most, longestLabel);
}

/// "layer.attn.weights: query down, key across"
std::string titleOf(const HeatMaps &maps) {
  size_t rank = maps.dims.size();
  std::string rows = rank > 1 ? maps.dims[rank - 2] + " down, " : "";
  return maps.title + ": " + rows + maps.dims[rank - 1] + " across";
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
    layout.across = (all + layout.down - 1) / layout.down; // rows about equally long
  }
  bool written = !maps.rowLabels.empty() || !maps.columnLabels.empty();
  double wanted = side / static_cast<double>(std::max(layout.rows, layout.columns));
  double legible =
      written ? 12.0 / static_cast<double>(stepOf(std::max(layout.rows, layout.columns), true)) : 0;
  layout.cell = std::clamp(wanted, std::max(least, legible), large);
  layout.title = 2 * margin + 1.1 * svgWidth(titleOf(maps), 14); // it is bold
  layout.rowRoom = longest(maps.rowLabels, layout.rows) + 8;
  layout.upright = maps.columnLabels.empty() || longest(maps.columnLabels, 0) <= layout.cell;
  layout.columnRoom = (layout.upright ? small : longest(maps.columnLabels, 0)) + 10;
  int64_t last = layout.across * layout.down - 1; // its numbers are the longest
  layout.caption = last > 0 ? svgWidth(captionOf(maps, last), small) : 0;
  return layout;
}

/// One panel: its cells by level, each level one path of runs along the rows.
std::string cells(const float *values, const Layout &layout, const ColourScale &scale) {
  std::vector<std::string> paths(ColourScale::infinite + ColourScale::undefined + 1);
  for (int64_t row = 0; row < layout.rows; ++row)
    for (int64_t begin = 0, end = 0; begin < layout.columns; begin = end) {
      const float *line = values + row * layout.columns;
      int level = scale.levelOf(line[begin]);
      while (end < layout.columns && scale.levelOf(line[end]) == level)
        ++end;
      if (level != 0)
        paths[level + ColourScale::infinite] +=
            text("M%lld %lldh%lldv1h-%lldz", wide(begin), wide(row), wide(end - begin),
                 wide(end - begin));
    }
  std::string out;
  for (int level = -ColourScale::infinite; level <= ColourScale::undefined; ++level)
    if (const std::string &path = paths[level + ColourScale::infinite]; !path.empty())
      out += "<path " + ColourScale::paint(level) + " d=\"" + path + "\"/>\n";
  return out;
}

std::string labelAt(const std::vector<std::string> &labels, int64_t at) {
  return at < static_cast<int64_t>(labels.size())
             ? svgFitted(visible(labels[at]), small, longestLabel)
             : text("%lld", wide(at));
}

std::string labels(const HeatMaps &maps, const Layout &layout) {
  std::string out;
  bool rows = !maps.rowLabels.empty(), columns = !maps.columnLabels.empty();
  for (int64_t i = 0; i < layout.rows && maps.shape.size() > 1; i += stepOf(layout.rows, rows))
    out += text("<text class=\"small\" x=\"-5\" y=\"%.1f\" text-anchor=\"end\">",
                (static_cast<double>(i) + 0.5) * layout.cell + 3.5) +
           labelAt(maps.rowLabels, i) + "</text>\n";
  for (int64_t i = 0; i < layout.columns; i += stepOf(layout.columns, columns)) {
    double x = (static_cast<double>(i) + 0.5) * layout.cell;
    out +=
        (!layout.upright
             ? text("<text class=\"small\" transform=\"translate(%.1f -5) rotate(-90)\">", x + 3.5)
             : text("<text class=\"small\" x=\"%.1f\" y=\"-5\" text-anchor=\"middle\">", x)) +
        labelAt(maps.columnLabels, i) + "</text>\n";
  }
  return out;
}

/// The caption of a panel, in its middle if there is room.
std::string below(const HeatMaps &maps, const Layout &layout, int64_t panel) {
  bool fits = layout.caption <= layout.cellsWidth();
  return text("<text class=\"small\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
              fits ? layout.cellsWidth() / 2 : 0, layout.cellsHeight() + 14,
              fits ? "middle" : "start") +
         svgText(captionOf(maps, panel)) + "</text>\n";
}

constexpr char style[] = ".small { font-size: 10px } .frame { fill: none; stroke: #999 }\n";
constexpr char dark[] = ".frame { stroke: #667 }\n";
} // namespace

Result<std::string> weft::runtime::drawHeatMaps(const HeatMaps &maps) {
  int64_t count = 1;
  for (int64_t size : maps.shape)
    count *= size;
  if (count > most || maps.shape.empty())
    return Error{Code::Size, text("%s has %lld elements: a picture shows 1 to %lld; pick positions",
                                  maps.title.c_str(), wide(count), wide(most))};
  ColourScale scale(maps.values);
  Layout layout = layoutOf(maps);
  std::string out =
      svgStart(layout.width(), layout.height(), maps.title, std::string(style) + ColourScale::style,
               std::string(dark) + ColourScale::dark);
  out += text("<text class=\"title\" x=\"%.6g\" y=\"24\">", margin) + svgText(titleOf(maps)) +
         "</text>\n";
  int64_t panels = count / std::max<int64_t>(1, layout.rows * layout.columns);
  for (int64_t panel = 0; panel < panels; ++panel) {
    double x = margin + static_cast<double>(panel % layout.across) * (layout.panelWidth() + gap) +
               layout.rowRoom;
    double y = head + static_cast<double>(panel / layout.across) * (layout.panelHeight() + gap) +
               layout.columnRoom;
    out += text("<g transform=\"translate(%.1f %.1f)\">\n<g transform=\"scale(%.4g)\" "
                "shape-rendering=\"crispEdges\">\n",
                x, y, layout.cell);
    out +=
        cells(maps.values.data() + panel * layout.rows * layout.columns, layout, scale) + "</g>\n";
    out += text("<rect class=\"frame\" width=\"%.1f\" height=\"%.1f\"/>\n", layout.cellsWidth(),
                layout.cellsHeight());
    out += labels(maps, layout);
    out += panels > 1 ? below(maps, layout, panel) + "</g>\n" : "</g>\n";
  }
  return out + scale.legend(layout.barLeft(), head + layout.columnRoom) + "</svg>\n";
}
