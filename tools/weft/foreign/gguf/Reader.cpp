// Reads the header of a GGUF file.
#include "tools/weft/foreign/gguf/Reader.h"

#include "runtime/base/GgufKeys.h"
#include "runtime/base/Utf8.h"
#include "tools/weft/foreign/gguf/Config.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

using runtime::ByteReader;
using runtime::Code;
using runtime::ElementType;
using runtime::Error;
using runtime::GgufType;
using runtime::Json;
using runtime::Result;

namespace {

/// Types of tensors whose elements stand for themselves, by their numbers.
struct PlainType {
  uint32_t number;
  ElementType type;
};
constexpr PlainType plain[] = {{0, ElementType::F32},  {1, ElementType::F16},
                               {24, ElementType::I8},  {25, ElementType::I16},
                               {26, ElementType::I32}, {27, ElementType::I64},
                               {28, ElementType::F64}, {30, ElementType::BF16}};

class HeaderReader {
public:
  HeaderReader(std::string_view start, uint64_t size) : in(start), size(size) {}

  Result<GgufFile> read() {
    auto count = runtime::readGgufKeys(
        in, [&](std::string_view key, GgufType type) { return use(key, type); });
    if (!count)
      return bad(count.error().message);
    if (!problem.empty())
      return bad(problem);
    GgufFile file;
    for (uint64_t i = 0; i < *count; ++i)
      if (!tensor(file))
        return bad(problem.empty() ? "its header is broken off" : problem);
    if (!place(file) || !describe(file))
      return bad(problem);
    return file;
  }

private:
  Error bad(const std::string &why) const {
    return {in.endedEarly() && problem.empty() ? Code::Size : Code::File,
            "is no GGUF file: " + why};
  }

  /// Tensors lie one behind the other, so that no wrong offset makes one of another's numbers.
  bool place(GgufFile &file) {
    if (alignment == 0 || alignment > 1 << 20)
      return wrong("its alignment makes no sense");
    auto aligned = [&](uint64_t at) { return (at + alignment - 1) / alignment * alignment; };
    std::vector<GgufTensor *> inOrder;
    for (GgufTensor &each : file.tensors)
      inOrder.push_back(&each);
    std::ranges::sort(inOrder, {}, [](const GgufTensor *each) {
      return std::pair(each->stored.begin, each->stored.end);
    });
    uint64_t begin = aligned(in.position()), next = 0;
    for (GgufTensor *each : inOrder) {
      runtime::StoredTensor &stored = each->stored;
      if (stored.begin != next)
        return wrong(shown(stored) + " does not begin where the one before it ends");
      if (begin > size || stored.end > size - begin)
        return wrong(shown(stored) + " ends behind the file");
      next = aligned(stored.end);
      stored.begin += begin;
      stored.end += begin;
    }
    return true;
  }

  bool describe(GgufFile &file) {
    std::map<std::string, Json> own;
    for (auto &[key, value] : values)
      if (!architecture.empty() && key.starts_with(architecture + "."))
        own.emplace(key.substr(architecture.size() + 1), std::move(value));
      else if (architecture.empty() && !key.starts_with("split."))
        return wrong("it says no `general.architecture`, so nobody knows what `" +
                     runtime::shownGgufName(key) + "` is");
    if (architecture.empty())
      return true;
    Result<Json> config = ggufConfig(architecture, own);
    if (!config)
      return wrong(config.error().message);
    file.config = std::move(*config);
    return true;
  }

  static std::string shown(const runtime::StoredTensor &tensor) {
    return "`" + runtime::shownGgufName(tensor.name) + "`";
  }

  /// Single values, and arrays of numbers, but those of vocabularies.
  bool use(std::string_view key, GgufType type) {
    if (key == "general.alignment" && type == GgufType::Uint32) {
      alignment = in.number<uint32_t>();
      return true;
    }
    if (key == "general.architecture") {
      architecture = type == GgufType::String ? runtime::ggufString(in) : "";
      if (in.whole() && !isName(architecture))
        wrong("its `general.architecture` is no name");
      return type == GgufType::String;
    }
    if (key.starts_with("general.") || key.starts_with("tokenizer."))
      return false;
    if (in.whole() && !isName(key))
      return wrong("`" + runtime::shownGgufName(key) + "` is no name of a value");
    ByteReader start = in;
    std::optional<Json> value = type == GgufType::Array ? array() : number(type);
    bool isRead = value.has_value();
    if (!isRead) {
      in = start;
      value = Json("values that are not read");
    } else if (in.whole() && value->is_null()) {
      wrong("`" + runtime::shownGgufName(key) + "` is no finite number, or text that is no UTF-8");
    }
    values[std::string(key)] = std::move(*value);
    return isRead;
  }

  /// Whether it can be shown as it is.
  static bool isName(std::string_view text) {
    return !text.empty() && runtime::isUtf8(text) && runtime::printable(text) == text;
  }

  /// Nothing where it is long, or not of numbers.
  std::optional<Json> array() {
    GgufType element{in.number<uint32_t>()};
    auto count = in.number<uint64_t>();
    constexpr uint64_t most = 4096; // layers
    if (count > most || element == GgufType::String || element == GgufType::Array)
      return std::nullopt;
    Json all = runtime::parseJson("[]");
    for (uint64_t i = 0; i < count && in.whole(); ++i) {
      std::optional<Json> value = number(element);
      if (!value)
        return std::nullopt;
      if (value->is_null())
        return Json();
      all.push_back(std::move(*value));
    }
    return all;
  }

  std::optional<Json> number(GgufType type) {
    switch (type) {
    case GgufType::Uint8:
      return Json(in.number<uint8_t>());
    case GgufType::Int8:
      return whole(in.number<int8_t>());
    case GgufType::Uint16:
      return Json(in.number<uint16_t>());
    case GgufType::Int16:
      return whole(in.number<int16_t>());
    case GgufType::Uint32:
      return Json(in.number<uint32_t>());
    case GgufType::Int32:
      return whole(in.number<int32_t>());
    case GgufType::Uint64:
      return Json(in.number<uint64_t>());
    case GgufType::Int64:
      return whole(in.number<int64_t>());
    case GgufType::Float32:
      return finite(in.number<float>());
    case GgufType::Float64:
      return finite(in.number<double>());
    case GgufType::Bool:
      return Json(in.number<uint8_t>() != 0);
    case GgufType::String: {
      std::string value(runtime::ggufString(in));
      return runtime::isUtf8(value) ? Json(std::move(value)) : Json();
    }
    case GgufType::Array:
      break;
    }
    return std::nullopt;
  }

  static Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

  static Json whole(int64_t value) {
    return value < 0 ? Json(value) : Json(static_cast<uint64_t>(value));
  }

  bool tensor(GgufFile &file) {
    GgufTensor found;
    runtime::StoredTensor &stored = found.stored;
    stored.name = runtime::ggufString(in);
    auto rank = in.number<uint32_t>();
    constexpr uint32_t most = 4, longest = 255; // ggml's are 4 and 63
    if (!in.whole())
      return false;
    if (rank > most || stored.name.empty() || stored.name.size() > longest ||
        !runtime::isUtf8(stored.name))
      return wrong(shown(stored) + " is no name of a tensor, or it has more than four axes");
    int64_t count = 1;
    bool isEmpty = false; // the others have to be possible all the same
    for (uint32_t i = 0; i < rank; ++i) {
      auto length = in.number<uint64_t>();
      isEmpty |= length == 0;
      if (length > uint64_t(std::numeric_limits<int64_t>::max()) ||
          __builtin_mul_overflow(count, std::max<int64_t>(int64_t(length), 1), &count))
        return wrong(shown(stored) + " has more numbers than a file can");
      stored.shape.insert(stored.shape.begin(), static_cast<int64_t>(length));
    }
    count = isEmpty ? 0 : count;
    auto type = in.number<uint32_t>();
    stored.begin = in.number<uint64_t>();
    if (!in.whole())
      return false;
    uint64_t unit = 0, per = 1;
    for (const PlainType &each : plain)
      if (each.number == type) {
        stored.type = each.type;
        unit = runtime::elementBytes(each.type);
      }
    if (unit == 0) {
      found.blocks = blockFormat(type);
      if (!found.blocks)
        return wrong(runtime::text("%s is of ggml's type %u; of blocks Weft reads %s",
                                   shown(stored).c_str(), type, blockFormatNames().c_str()));
      unit = found.blocks->bytes;
      per = static_cast<uint64_t>(found.blocks->elements);
    }
    uint64_t row = stored.shape.empty() ? 1 : static_cast<uint64_t>(stored.shape.back()), bytes = 0;
    if (row % per != 0)
      return wrong(shown(stored) + " has rows that are no whole blocks");
    if (__builtin_mul_overflow(uint64_t(count) / per, unit, &bytes) ||
        __builtin_add_overflow(stored.begin, bytes, &stored.end) || stored.end > size)
      return wrong(shown(stored) + " ends behind the file");
    file.tensors.push_back(std::move(found));
    return true;
  }

  /// The first one counts.
  bool wrong(std::string why) {
    if (problem.empty())
      problem = std::move(why);
    return false;
  }

  ByteReader in;
  uint64_t size;
  uint32_t alignment = 32;
  std::string architecture, problem;
  std::map<std::string, Json> values;
};

} // namespace

bool isGguf(std::span<const std::byte> start) {
  return start.size() >= 4 && memcmp(start.data(), "GGUF", 4) == 0;
}

Result<GgufFile> readGguf(std::span<const std::byte> start, uint64_t size) {
  return HeaderReader({reinterpret_cast<const char *>(start.data()), start.size()}, size).read();
}

} // namespace weft
