// What all drawings share: self-contained SVG, legible on light and on dark pages.
#ifndef WEFT_RUNTIME_PLOTS_SVG_H
#define WEFT_RUNTIME_PLOTS_SVG_H

#include "runtime/base/Text.h"

namespace weft::runtime {

/// `plain` as text of an SVG, valid whatever it holds: `<`, `&` and control characters are written
/// otherwise, bytes that are no UTF-8 as \xc3.
std::string svgText(std::string_view plain);

/// About how many pixels `plain` takes in a font of `size` pixels: rather more than less, since
/// fonts differ.
double svgWidth(std::string_view plain, double size);

/// svgText() of as much as fits into `width` pixels, then dots.
std::string svgFitted(std::string_view plain, double size, double width);

/// The start of a picture: size in pixels, what it shows for those who cannot see it, and its
/// style. `style` holds rules besides those of the ground, of text and of titles; `dark` those that
/// differ on dark pages.
std::string svgStart(double width, double height, const std::string &label,
                     const std::string &style, const std::string &dark);

} // namespace weft::runtime
#endif
