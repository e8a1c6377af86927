// Predictions as a picture: a grid of images, each with the class that was found.
#include "runtime/images/Predictions.h"

#include <png.h>

#include <algorithm>

using namespace weft::runtime;

static constexpr double width = 720, margin = 20, side = 56, cell = 68, rowHeight = side + 56,
                        titleHeight = 28, top = 16;
static constexpr size_t columns = 10, most = 40;

// Colours as in the curves of a training.
static constexpr char style[] =
    "<style>\n"
    ".ground { fill: #fff } text { font: 12px system-ui, sans-serif; fill: #222 }\n"
    ".title { font-size: 14px; font-weight: 600 } .found { font-weight: 600 }\n"
    ".wrong { fill: #b34a00 } .frame { fill: none; stroke: #bbb }\n"
    "image { image-rendering: pixelated }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ".ground { fill: #16181d } text { fill: #ddd } .wrong { fill: #f0a050 } .frame { stroke: "
    "#444b57 }\n"
    "}\n</style>\n";

static std::string escaped(const std::string &plain) {
  std::string out;
  for (char c : plain)
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

static std::string base64(const std::vector<uint8_t> &bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t three = static_cast<uint32_t>(bytes[i]) << 16;
    if (count > 1)
      three |= static_cast<uint32_t>(bytes[i + 1]) << 8;
    if (count > 2)
      three |= bytes[i + 2];
    for (size_t digit = 0; digit < 4; ++digit)
      out += digit <= count ? digits[three >> (18 - 6 * digit) & 63] : '=';
  }
  return out;
}

/// An image as PNG: grey if it has one channel, colours if three; of others, the first.
static std::vector<uint8_t> pngOf(const ImageSet &set, int64_t number) {
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
  std::vector<uint8_t> out(bytes);
  png_image_write_to_memory(&image, out.data(), &bytes, 0, values.data(), 0, nullptr);
  out.resize(bytes);
  return out;
}

/// The name of a class, or its number; shortened to fit.
static std::string className(const ImageSet &set, int32_t number) {
  auto at = static_cast<size_t>(number);
  std::string name = at < set.classes.size() ? set.classes[at] : text("%d", number);
  return escaped(name.size() > 10 ? name.substr(0, 9) + "…" : name);
}

static std::string sample(const ImageSet &set, const Prediction &prediction, double x, double y) {
  double scale = side / static_cast<double>(std::max(set.size.width, set.size.height)),
         wide = scale * static_cast<double>(set.size.width),
         high = scale * static_cast<double>(set.size.height), middle = x + side / 2;
  auto line = [&](const char *kind, double below, const std::string &words) {
    return text("<text class=\"%s\" x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", kind,
                middle, y + side + below, words.c_str());
  };
  std::string box = text("x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"", x + (side - wide) / 2,
                         y + (side - high) / 2, wide, high);
  std::string out = text("<image %s href=\"data:image/png;base64,%s\"><title>%s</title></image>\n",
                         box.c_str(), base64(pngOf(set, prediction.image)).c_str(),
                         escaped(set.name(prediction.image)).c_str());
  out += text("<rect class=\"frame\" %s/>\n", box.c_str());
  const char *kind = prediction.right() ? "found" : "found wrong";
  out += line(kind, 15, className(set, prediction.found));
  out += line("likely", 29, text("%.0f %%", 100 * prediction.probability));
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
  std::string out =
      text("<text class=\"title\" x=\"%g\" y=\"%g\">%s</text>\n", margin, y + 14, title.c_str());
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
  std::sort(wrong.begin(), wrong.end(), [](const Prediction &a, const Prediction &b) {
    return std::pair(-a.probability, a.image) < std::pair(-b.probability, b.image);
  });
  size_t count = predictions.size(), mistakes = wrong.size();
  std::vector<Prediction> some, surest(wrong.begin(), wrong.begin() + std::min(mistakes, most));
  for (size_t i = 0; i < std::min(count, most); ++i) // classes may lie one behind the other
    some.push_back(predictions[i * count / std::min(count, most)]);
  double below = top + sectionHeight(some.size()),
         height = below + (mistakes > 0 ? sectionHeight(surest.size()) : 0);
  std::string body = section(set, some,
                             text("%zu of %zu images of %s: the class found, how likely it is",
                                  some.size(), count, escaped(title).c_str()),
                             top);
  if (mistakes > 0)
    body += section(set, surest,
                    text("%zu of %zu are wrong%s", mistakes, count,
                         mistakes > surest.size() ? text("; the %zu surest", surest.size()).c_str()
                                                  : ", the surest first"),
                    below);
  return text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
              "height=\"%g\" role=\"img\" aria-label=\"predictions\">\n",
              width, height, width, height) +
         style + text("<rect class=\"ground\" width=\"%g\" height=\"%g\"/>\n", width, height) +
         body + "</svg>\n";
}
