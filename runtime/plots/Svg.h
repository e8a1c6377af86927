// What all drawings share: self-contained SVG, legible on light and on dark pages.
#ifndef WEFT_RUNTIME_PLOTS_SVG_H
#define WEFT_RUNTIME_PLOTS_SVG_H

#include "runtime/error/Text.h"

namespace weft::runtime {

/// `plain` as text of an SVG: `<`, `&` and what XML cannot hold are written otherwise.
std::string svgText(const std::string &plain);

/// The start of a picture: size in pixels, what it shows for those who cannot see it, and its
/// style. `style` holds rules besides those of the ground, of text and of titles; `dark` those that
/// differ on dark pages.
std::string svgStart(double width, double height, const std::string &label,
                     const std::string &style, const std::string &dark);

} // namespace weft::runtime
#endif
