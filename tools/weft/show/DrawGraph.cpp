// A graph as SVG.
#include "tools/weft/show/Graph.h"

#include "runtime/plots/Svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weft {
namespace {

constexpr double width = 430, gap = 20, inset = 16, margin = 20, head = 44;
constexpr double frameHead = 20, laneGap = 9;
constexpr double small = 10.5, bold = 13; // heights of text; bold is as wide as a size more

constexpr char style[] = ".small { font-size: 10.5px; fill: #555 } .name { font-weight: 600 }\n"
                         ".box { fill: #f4f5f7; stroke: #9aa1ad } .frame { fill: none; stroke: "
                         "#9aa1ad; stroke-dasharray: 4 3 }\n"
                         ".contraction { fill: #e3edfb } .attention { fill: #fbe6d8 } .input, "
                         ".output { fill: #e6f3e6 }\n"
                         ".edge { fill: none; stroke: #444; stroke-width: 1.2 } .skip { fill: "
                         "none; stroke: #b3541e; stroke-width: 1.2 }\n"
                         ".tip { fill: #444 } .skiptip { fill: #b3541e }\n";
constexpr char dark[] =
    ".small { fill: #a9b0bd } .box { fill: #22262e; stroke: #5d6675 } .frame { stroke: #5d6675 }\n"
    ".contraction { fill: #1d2f49 } .attention { fill: #472a17 } .input, .output { fill: #1c3a22 "
    "}\n"
    ".edge { stroke: #bbb } .tip { fill: #bbb } .skip { stroke: #f0a050 } .skiptip { fill: #f0a050 "
    "}\n";

/// Where things are, from top to bottom.
class Picture {
public:
  explicit Picture(const Graph &graph) : graph(graph), top(graph.nodes.size()) {
    double y = head;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const GraphLoop &loop : graph.loops)
        y += loop.first == i ? frameHead : 0;
      top[i] = y;
      y += heightOf(i) + gap;
      for (const GraphLoop &loop : graph.loops)
        y += loop.last == i ? inset / 2 : 0;
    }
    height = y + margin - gap;
    for (const GraphNode &node : graph.nodes)
      deepest = std::max(deepest, node.depth);
    chooseLanes();
  }

  std::string draw(const std::string &title) const {
    double lanesWidth = laneGap * static_cast<double>(lanes.size() + 1);
    std::string out = runtime::svgStart(right() + lanesWidth + margin, height, title, style, dark);
    out += fmt::format("<text class=\"title\" x=\"{}\" y=\"26\">{}</text>\n", margin,
                       runtime::svgText(title));
    for (const GraphLoop &loop : graph.loops)
      out += frame(loop);
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      out += box(i);
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      for (unsigned from : graph.nodes[i].inputs)
        out += from + 1 == i ? straight(i) : arc(from, i);
    return out + "</svg>\n";
  }

private:
  /// Two lines, and a third where there are weights.
  double heightOf(size_t number) const { return graph.nodes[number].weights.empty() ? 43 : 56; }
  double bottom(size_t number) const { return top[number] + heightOf(number); }
  double left(unsigned depth) const { return margin + inset * depth; }
  double right() const { return margin + width + 2 * inset * deepest; }
  double rightOf(unsigned depth) const { return right() - inset * depth; }

  std::string frame(const GraphLoop &loop) const {
    double x = left(loop.depth) + inset / 2, y = top[loop.first] - frameHead;
    return fmt::format(
        "<rect class=\"frame\" rx=\"6\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n"
        "<text class=\"small\" x=\"{}\" y=\"{}\">each {}</text>\n",
        x, y, rightOf(loop.depth) - inset / 2 - x, bottom(loop.last) + inset / 2 - y, x + 8, y + 13,
        runtime::svgText(loop.name));
  }

  std::string box(size_t number) const {
    const GraphNode &node = graph.nodes[number];
    double x = left(node.depth), y = top[number], w = rightOf(node.depth) - x;
    auto line = [&](const char *kind, double dx, double dy, const char *anchor, double size,
                    double room, const std::string &text) {
      return fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                         kind, x + dx, y + dy, anchor, runtime::svgFitted(text, size, room));
    };
    double room = w - 20, shape = std::min(runtime::svgWidth(node.shape, small), room / 2);
    std::string full = node.details + (node.weights.empty() ? "" : "; weights " + node.weights);
    std::string out =
        fmt::format("<g><title>{}</title>\n<rect class=\"box {}\" rx=\"5\" x=\"{}\" y=\"{}\" "
                    "width=\"{}\" height=\"{}\"/>\n",
                    runtime::svgText(full), node.kind, x, y, w, heightOf(number));
    out += line("name", 10, 18, "start", bold, room - shape - 10, node.name);
    out += line("small", w - 10, 18, "end", small, shape, node.shape);
    out += line("small", 10, 34, "start", small, room,
                node.details.empty() ? node.kind : node.kind + ": " + node.details);
    if (!node.weights.empty())
      out += line("small", w - 10, 48, "end", small, room, "weights " + node.weights);
    return out + "</g>\n";
  }

  static std::string tip(const char *kind, double x, double y, bool down) {
    return down ? fmt::format("<path class=\"{}\" d=\"M{} {}l-4 -7h8z\"/>\n", kind, x, y)
                : fmt::format("<path class=\"{}\" d=\"M{} {}l7 -4v8z\"/>\n", kind, x, y);
  }

  std::string straight(size_t number) const {
    double x = (margin + right()) / 2, y = top[number]; // beside what frames are called
    return fmt::format("<path class=\"edge\" d=\"M{} {}V{}\"/>\n", x, bottom(number - 1), y - 5) +
           tip("tip", x, y, true);
  }

  std::string arc(unsigned from, unsigned to) const {
    double lane = right() + laneGap * static_cast<double>(laneOf.at({from, to}) + 1);
    double x1 = rightOf(graph.nodes[from].depth), y1 = top[from] + heightOf(from) * 0.65;
    double x2 = rightOf(graph.nodes[to].depth), y2 = top[to] + heightOf(to) * 0.35;
    return fmt::format("<path class=\"skip\" d=\"M{} {}H{}q5 0 5 5V{}q0 5 -5 5H{}\"/>\n", x1, y1,
                       lane - 5, y2 - 5, x2 + 5) +
           tip("skiptip", x2, y2, false);
  }

  /// Arcs that overlap stand in lanes of their own, the short ones inside. Arcs from one node that
  /// nest share a lane.
  void chooseLanes() {
    std::vector<std::pair<unsigned, unsigned>> arcs;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
      for (unsigned from : graph.nodes[i].inputs)
        if (from + 1 != i)
          arcs.emplace_back(from, i);
    std::sort(arcs.begin(), arcs.end(), [](auto a, auto b) {
      return std::pair(a.second - a.first, a.first) < std::pair(b.second - b.first, b.first);
    });
    for (auto arc : arcs) {
      size_t lane = 0;
      while (lane < lanes.size() && std::any_of(
                                        lanes[lane].begin(), lanes[lane].end(),
                                        [&](auto other) {
                                          return other.first != arc.first &&
                                                 other.first < arc.second &&
                                                 arc.first < other.second;
                                        }))
        ++lane;
      if (lane == lanes.size())
        lanes.emplace_back();
      lanes[lane].push_back(arc);
      laneOf[arc] = lane;
    }
  }

  const Graph &graph;
  std::vector<double> top;
  double height = 0;
  unsigned deepest = 0;
  std::vector<std::vector<std::pair<unsigned, unsigned>>> lanes;
  std::map<std::pair<unsigned, unsigned>, size_t> laneOf;
};

} // namespace

std::string drawGraph(const Graph &graph, const std::string &title) {
  return Picture(graph).draw(title);
}

} // namespace weft
