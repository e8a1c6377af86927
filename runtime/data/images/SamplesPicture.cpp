// Predictions as a picture: a grid of images, each with the class that was found.
#include "runtime/base/Base64.h"
#include "runtime/data/images/Predictions.h"
#include "runtime/plots/Svg.h"

#include <png.h>

#include <algorithm>
#include <cmath>

using namespace weft::runtime;

static constexpr double width = 720, margin = 20, side = 56, cell = 68, rowHeight = side + 56,
                        titleHeight = 28, top = 16;
static constexpr size_t columns = 10, most = 40;

// Colours as in the curves of a training.
static constexpr char style[] =
    ".found { font-weight: 600 } .wrong { fill: #b34a00 } .frame { fill: none; stroke: #bbb }\n"
    "image { image-rendering: pixelated }\n";
static constexpr char dark[] = ".wrong { fill: #f0a050 } .frame { stroke: #444b57 }\n";

/// An image as PNG: grey if it has one channel, colours if three; of others, the first.
static std::string pngOf(const ImageSet &set, int64_t number) {
  std::span<const uint8_t> planes = set.image(number);
  int64_t channels = set.size.channels == 3 ? 3 : 1, count = set.size.height * set.size.width;
  std::vector<uint8_t> values;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t channel = 0; channel < channels; ++channel)
      values.push_back(planes[static_cast<size_t>(channel * count + i)]);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(set.size.width);
  image.height = static_cast<png_uint_32>(set.size.height);
  image.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string out(bytes, '\0');
  png_image_write_to_memory(&image, out.data(), &bytes, 0, values.data(), 0, nullptr);
  out.resize(bytes);
  return out;
}

/// The name of a class, or its number.
static std::string className(const ImageSet &set, int32_t number) {
  auto at = static_cast<size_t>(number);
  return at < set.classes.size() ? set.classes[at] : text("%d", number);
}

static std::string sample(const ImageSet &set, const Prediction &prediction, double x, double y) {
  double scale = side / static_cast<double>(std::max(set.size.width, set.size.height)),
         wide = scale * static_cast<double>(set.size.width),
         high = scale * static_cast<double>(set.size.height), middle = x + side / 2;
  auto line = [&](const char *kind, double below, const std::string &words) {
    return text("<text class=\"%s\" x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", kind,
                middle, y + side + below, svgFitted(words, 12, cell - 4).c_str());
  };
  std::string box = text("x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"", x + (side - wide) / 2,
                         y + (side - high) / 2, wide, high);
  std::string out = text("<image %s href=\"data:image/png;base64,%s\"><title>%s</title></image>\n",
                         box.c_str(), toBase64(pngOf(set, prediction.image)).c_str(),
                         svgText(set.name(prediction.image)).c_str());
  out += text("<rect class=\"frame\" %s/>\n", box.c_str());
  const char *kind = prediction.right() ? "found" : "found wrong";
  out += line(kind, 15, className(set, prediction.found));
  out += line("likely", 29,
              std::isnan(prediction.probability) ? "NaN"
                                                 : text("%.0f %%", 100 * prediction.probability));
  if (!prediction.right())
    out += line("wrong", 43, "is " + className(set, prediction.label));
  return out;
}

/// How high a section with so many images is.
static double sectionHeight(size_t count) {
  return titleHeight + static_cast<double>((count + columns - 1) / columns) * rowHeight + 12;
}

/// A title and rows of images.
static std::string section(const ImageSet &set, const std::vector<Prediction> &shown,
                           const std::string &title, double y) {
  std::string out = text("<text class=\"title\" x=\"%g\" y=\"%g\">%s</text>\n", margin, y + 14,
                         svgFitted(title, 15, width - 2 * margin).c_str());
  for (size_t i = 0; i < shown.size(); ++i)
    out += sample(set, shown[i], margin + static_cast<double>(i % columns) * cell,
                  y + titleHeight + static_cast<double>(i / columns) * rowHeight);
  return out;
}

std::string weft::runtime::samplesPicture(const ImageSet &set,
                                          const std::vector<Prediction> &predictions,
                                          const std::string &title) {
  std::vector<Prediction> wrong;
  std::copy_if(predictions.begin(), predictions.end(), std::back_inserter(wrong),
               [](const Prediction &each) { return !each.right(); });
  auto sureness = [](const Prediction &each) {
    return std::isnan(each.probability) ? 0 : each.probability; // which has no order
  };
  std::sort(wrong.begin(), wrong.end(), [&](const Prediction &a, const Prediction &b) {
    return std::pair(-sureness(a), a.image) < std::pair(-sureness(b), b.image);
  });
  size_t count = predictions.size(), mistakes = wrong.size();
  std::vector<Prediction> some, surest(wrong.begin(), wrong.begin() + std::min(mistakes, most));
  for (size_t i = 0; i < std::min(count, most); ++i) // classes may lie one behind the other
    some.push_back(predictions[i * count / std::min(count, most)]);
  double below = top + sectionHeight(some.size()),
         height = below + (mistakes > 0 ? sectionHeight(surest.size()) : 0);
  std::string body = section(set, some,
                             text("%zu of %zu images: the class found, how likely it is; from %s",
                                  some.size(), count, title.c_str()),
                             top);
  if (mistakes > 0)
    body += section(set, surest,
                    text("%zu of %zu are wrong%s", mistakes, count,
                         mistakes > surest.size() ? text("; the %zu surest", surest.size()).c_str()
                                                  : ", the surest first"),
                    below);
  return svgStart(width, height, "predictions", style, dark) + body + "</svg>\n";
}
