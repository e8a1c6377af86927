// The frame of a drawing.
#include "runtime/plots/Svg.h"

using namespace weft::runtime;

std::string weft::runtime::svgText(const std::string &plain) {
  std::string out;
  for (char c : plain)
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n')
      out += "\u21b5"; // a return arrow
    else if (c == '\t')
      out += "\u21e5"; // an arrow to a bar
    else if (static_cast<unsigned char>(c) < ' ')
      out += "\ufffd";
    else
      out += c;
  return out;
}

// Colours are spelled out, since not every viewer knows CSS variables.
std::string weft::runtime::svgStart(double width, double height, const std::string &label,
                                    const std::string &style, const std::string &dark) {
  return text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
              "height=\"%g\" role=\"img\" aria-label=\"%s\">\n",
              width, height, width, height, svgText(label).c_str()) +
         "<style>\n"
         ".ground { fill: #fff } text { font: 12px system-ui, sans-serif; fill: #222 }\n"
         ".title { font-size: 14px; font-weight: 600 }\n" +
         style +
         "@media (prefers-color-scheme: dark) {\n"
         ".ground { fill: #16181d } text { fill: #ddd }\n" +
         dark + "}\n</style>\n" +
         text("<rect class=\"ground\" width=\"%g\" height=\"%g\"/>\n", width, height);
}
