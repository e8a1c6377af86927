// Reading idx files.
#include "runtime/data/images/formats/Idx.h"

#include "runtime/base/files/Folder.h"
#include "runtime/data/images/formats/Gzip.h"

using namespace weft::runtime;

namespace {
struct IdxHeader {
  std::vector<int64_t> shape;
  Bytes data;
};
} // namespace

static std::string hexadecimal(Bytes bytes) {
  std::string out;
  for (std::byte byte : bytes)
    out += text(out.empty() ? "%02x" : " %02x", static_cast<unsigned>(byte));
  return out.empty() ? "nothing" : out;
}

/// The header of unsigned bytes in `dimensions` dimensions; `what` is one record.
static Result<IdxHeader> readHeader(Bytes bytes, const std::string &path, size_t dimensions,
                                    const char *what) {
  constexpr size_t magic = 4, number = 4;
  auto at = [&](size_t i) { return static_cast<uint32_t>(bytes[i]); };
  if (bytes.size() < magic || at(0) != 0 || at(1) != 0)
    return Error{Code::Value,
                 text("%s: is no idx file: it begins with %s, not with 00 00", path.c_str(),
                      hexadecimal(bytes.first(std::min(bytes.size(), magic))).c_str())};
  if (at(2) != 8)
    return Error{Code::Type, text("%s: holds elements of idx type %02x, expected 08 (bytes)",
                                  path.c_str(), at(2))};
  if (at(3) != dimensions)
    return Error{Code::Size, text("%s: has %u dimensions, expected %zu: a file of %ss",
                                  path.c_str(), at(3), dimensions, what)};
  if (bytes.size() < magic + dimensions * number)
    return Error{Code::Value,
                 text("%s: is cut off inside its header, at byte %zu", path.c_str(), bytes.size())};
  IdxHeader header;
  int64_t each = 1;
  for (size_t i = 0; i < dimensions; ++i) {
    size_t from = magic + i * number;
    int64_t size = at(from) << 24 | at(from + 1) << 16 | at(from + 2) << 8 | at(from + 3);
    header.shape.push_back(size);
    if (i > 0 && __builtin_mul_overflow(each, size, &each))
      each = INT64_MAX;
  }
  header.data = bytes.subspan(magic + dimensions * number);
  int64_t there = static_cast<int64_t>(header.data.size()), count = header.shape[0], needed = 0;
  if (count == 0 || each == 0)
    return Error{Code::Value, text("%s: holds no %ss", path.c_str(), what)};
  bool beyond = __builtin_mul_overflow(count, each, &needed);
  if (beyond || there < needed)
    return Error{Code::Value, text("%s: is cut off: %s %lld of %lld is incomplete", path.c_str(),
                                   what, wide(there / each), wide(count))};
  if (there > needed)
    return Error{Code::Value, text("%s: has %lld bytes more than its %lld %ss", path.c_str(),
                                   wide(there - needed), wide(count), what)};
  return header;
}

Result<ImageSet> weft::runtime::parseIdx(Bytes images, const std::string &imagesPath, Bytes labels,
                                         const std::string &labelsPath) {
  Result<IdxHeader> pictures = readHeader(images, imagesPath, 3, "image");
  if (!pictures)
    return pictures.error();
  Result<IdxHeader> classes = readHeader(labels, labelsPath, 1, "label");
  if (!classes)
    return classes.error();
  if (pictures->shape[0] != classes->shape[0])
    return Error{Code::Size,
                 text("%s: has %lld labels, %s has %lld images", labelsPath.c_str(),
                      wide(classes->shape[0]), imagesPath.c_str(), wide(pictures->shape[0]))};
  const auto *pixels = reinterpret_cast<const uint8_t *>(pictures->data.data()),
             *label = reinterpret_cast<const uint8_t *>(classes->data.data());
  return ImageSet{.path = imagesPath,
                  .size = {1, pictures->shape[1], pictures->shape[2]},
                  .pixels = {pixels, pixels + pictures->data.size()},
                  .labels = {label, label + classes->data.size()},
                  .files = {},
                  .classes = {}};
}

/// `…images-idx3-ubyte(.gz)`  ==>  `…labels-idx1-ubyte`, packed or not, whichever is there.
static std::string labelsBeside(const std::string &images) {
  std::string path = images;
  size_t at = path.rfind("images-idx3");
  if (at == std::string::npos)
    return "";
  path.replace(at, 11, "labels-idx1");
  if (fileExists(path))
    return path;
  bool packed = path.ends_with(".gz");
  std::string other = packed ? path.substr(0, path.size() - 3) : path + ".gz";
  return fileExists(other) ? other : path;
}

Result<ImageSet> weft::runtime::readIdx(const std::string &imagesPath) {
  std::string labelsPath = labelsBeside(imagesPath);
  if (labelsPath.empty())
    return Error{Code::Name,
                 text("%s: its labels are looked for beside `…images-idx3…`, and it has "
                      "another name",
                      imagesPath.c_str())};
  Result<std::vector<std::byte>> images = readUnpacked(imagesPath),
                                 labels = readUnpacked(labelsPath);
  if (!images || !labels)
    return !images ? images.error() : labels.error();
  return parseIdx(*images, imagesPath, *labels, labelsPath);
}
