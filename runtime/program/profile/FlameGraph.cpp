// The parts of a model as nested bars.
#include "runtime/plots/Svg.h"
#include "runtime/program/profile/Report.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace weft::runtime;

namespace {
/// A part of a model, by its name between two dots; a kernel is one without parts.
struct Part {
  double seconds = 0;
  std::map<std::string, Part> parts;

  size_t depth() const {
    size_t most = 0;
    for (const auto &[name, part] : parts)
      most = std::max(most, part.depth());
    return most + 1;
  }
};

class Flames {
public:
  static constexpr double width = 960, left = 12, height = 22, top = 44;

  explicit Flames(double whole) : whole(whole) {}

  /// `name` and what it is made of, longest first, below it.
  void draw(const std::string &name, const std::string &path, const Part &part, double x,
            size_t level) {
    double wide = part.seconds / whole * (width - 2 * left);
    if (wide < 0.3)
      return;
    double y = top + static_cast<double>(level) * height;
    out += text("<g><title>%s: %.3f ms, %.1f %%</title><rect class=\"c%zu\" x=\"%.2f\" y=\"%.1f\" "
                "width=\"%.2f\" height=\"%g\" rx=\"2\"/>",
                svgText(path).c_str(), part.seconds * 1e3, 100 * part.seconds / whole, level % 4, x,
                y, std::max(wide - 1, 0.3), height - 2);
    if (wide > 24)
      out += text("<text x=\"%.1f\" y=\"%.1f\">%s</text>", x + 5, y + 14,
                  svgFitted(name, 12, wide - 10).c_str());
    out += "</g>\n";
    std::vector<const std::pair<const std::string, Part> *> order;
    for (const auto &each : part.parts)
      order.push_back(&each);
    std::stable_sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
      return a->second.seconds > b->second.seconds;
    });
    for (const auto *each : order) {
      draw(each->first, level == 0 ? each->first : path + "." + each->first, each->second, x,
           level + 1);
      x += each->second.seconds / whole * (width - 2 * left);
    }
  }

  std::string out;

private:
  double whole;
};
} // namespace

/// Of several that are one kernel (`attn.q_attn.k`) the first one's parts count: the last of them
/// has the other names.
static Part partsOf(const Profile &profile) {
  Part root{profile.seconds, {}};
  for (const KernelProfile &kernel : profile.kernels) {
    Part *at = &root;
    int64_t left = kernel.dots.value_or(std::numeric_limits<int64_t>::max());
    for (size_t begin = 0; begin <= kernel.name.size();) {
      size_t end = kernel.name.size();
      if (left-- > 0)
        end = std::min(kernel.name.find('.', begin), end);
      at = &at->parts[kernel.name.substr(begin, end - begin)];
      at->seconds += kernel.seconds;
      begin = end + 1;
    }
  }
  return root;
}

static constexpr char style[] =
    "rect { stroke: none } .c0 { fill: #d0d7de } .c1 { fill: #f4b183 } .c2 { fill: #ffd27f }\n"
    ".c3 { fill: #f7c6a3 } text { font-size: 12px }\n";
static constexpr char dark[] =
    ".c0 { fill: #3b434e } .c1 { fill: #8a4b20 } .c2 { fill: #8a6a1f } .c3 { fill: #7c5238 }\n";

std::string weft::runtime::flameGraph(const Profile &profile) {
  Part root = partsOf(profile);
  double height = Flames::top + static_cast<double>(root.depth()) * Flames::height + 12;
  std::string title = text("%s: %.3f ms, %s", profile.subject.c_str(), profile.seconds * 1e3,
                           profile.place.c_str());
  Flames flames(std::max(profile.seconds, profile.launched()));
  flames.draw(profile.subject, profile.subject, root, Flames::left, 0);
  return svgStart(Flames::width, height, "where the time of " + profile.subject + " goes", style,
                  dark) +
         text("<text class=\"title\" x=\"%g\" y=\"26\">%s</text>\n", Flames::left,
              svgFitted(title, 15, Flames::width - 2 * Flames::left).c_str()) +
         flames.out + "</svg>\n";
}
