// The frame of a drawing, and text in it.
#include "runtime/plots/Svg.h"

#include "runtime/base/Utf8.h"

using namespace weft::runtime;

/// A character as SVG has it: escaped where XML cannot hold it, by a visible sign where it is
/// invisible.
static std::string written(CodePoint point, std::string_view bytes) {
  switch (point.value) {
  case '<':
    return "&lt;";
  case '&':
    return "&amp;";
  case '"':
    return "&quot;";
  case '\n':
    return "\u21b5"; // a return arrow
  case '\t':
    return "\u21e5"; // an arrow to a bar
  case CodePoint::invalid:
    return text("\\x%02x", static_cast<unsigned char>(bytes[0]));
  }
  bool none = point.value < ' ' || point.value == 0x7f || (point.value & 0xfffe) == 0xfffe;
  return none ? "\ufffd" : std::string(bytes);
}

std::string weft::runtime::svgText(std::string_view plain) {
  std::string out;
  for (size_t i = 0; i < plain.size();) {
    CodePoint point = nextCodePoint(plain.substr(i));
    out += written(point, plain.substr(i, static_cast<size_t>(point.length)));
    i += static_cast<size_t>(point.length);
  }
  return out;
}

/// How wide a character is where `m` is 1: as wide as the widest of the usual sans-serif fonts.
static double widthOf(uint32_t character) {
  if (character == CodePoint::invalid)
    return 2.3; // written as \xc3
  if ((character >= 0x300 && character < 0x370) || (character >= 0x200b && character < 0x2010))
    return 0; // accents of their own, and what joins or parts
  if (character >= 0x1100 && (character < 0x2000 || character >= 0x2e80))
    return 1.05;
  if (character >= 0x80)
    return 0.7;
  std::string_view narrow = "!'(),.:;I[]fijlrt| `/\\-", wide = "MWmw@%";
  auto is = [&](std::string_view kind) {
    return kind.find(static_cast<char>(character)) != std::string_view::npos;
  };
  return is(narrow) ? 0.4 : is(wide) ? 1 : 0.65;
}

double weft::runtime::svgWidth(std::string_view plain, double size) {
  double width = 0;
  for (size_t i = 0; i < plain.size();) {
    CodePoint point = nextCodePoint(plain.substr(i));
    width += widthOf(point.value) * size;
    i += static_cast<size_t>(point.length);
  }
  return width;
}

std::string weft::runtime::svgFitted(std::string_view plain, double size, double width) {
  if (svgWidth(plain, size) <= width)
    return svgText(plain);
  size_t end = 0;
  for (double taken = size; end < plain.size();) { // with room for the dots
    CodePoint point = nextCodePoint(plain.substr(end));
    taken += widthOf(point.value) * size;
    if (taken > width)
      break;
    end += static_cast<size_t>(point.length);
  }
  return svgText(plain.substr(0, end)) + "\u2026";
}

// Colours are spelled out, since not every viewer knows CSS variables.
std::string weft::runtime::svgStart(double width, double height, const std::string &label,
                                    const std::string &style, const std::string &dark) {
  return text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.6g %.6g\" width=\"%.6g\" "
              "height=\"%.6g\" role=\"img\" aria-label=\"%s\">\n",
              width, height, width, height, svgText(label).c_str()) +
         "<style>\n"
         ".ground { fill: #fff } text { font: 12px system-ui, sans-serif; fill: #222 }\n"
         ".title { font-size: 14px; font-weight: 600 }\n" +
         style +
         "@media (prefers-color-scheme: dark) {\n"
         ".ground { fill: #16181d } text { fill: #ddd }\n" +
         dark + "}\n</style>\n" +
         text("<rect class=\"ground\" width=\"%.6g\" height=\"%.6g\"/>\n", width, height);
}
