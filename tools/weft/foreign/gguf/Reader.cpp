// Reads the header of a GGUF file.
#include "tools/weft/foreign/gguf/Reader.h"

#include "runtime/base/GgufKeys.h"
#include "runtime/base/Utf8.h"
#include "tools/weft/foreign/gguf/Config.h"

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
    GgufFile file;
    for (uint64_t i = 0; i < *count; ++i)
      if (!tensor(file))
        return bad(problem.empty() ? "its header is broken off" : problem);
    uint64_t begin = in.position();
    if (alignment == 0 || alignment > 1 << 20)
      return bad("its alignment makes no sense");
    begin += (alignment - begin % alignment) % alignment;
    for (GgufTensor &each : file.tensors) {
      runtime::StoredTensor &stored = each.stored;
      if (stored.begin % alignment != 0 || stored.end > size - std::min(begin, size))
        return bad(runtime::text("`%s` lies beyond its end, or not at a multiple of %u",
                                 stored.name.c_str(), alignment));
      stored.begin += begin;
      stored.end += begin;
    }
    if (!architecture.empty()) {
      std::map<std::string, Json> own;
      for (auto &[key, value] : values)
        if (key.starts_with(architecture + "."))
          own.emplace(key.substr(architecture.size() + 1), std::move(value));
      file.config = ggufConfig(own);
    }
    return file;
  }

private:
  Error bad(const std::string &why) const {
    return {!in.whole() && problem.empty() ? Code::Size : Code::File, "is no GGUF file: " + why};
  }

  /// Single values, but those of vocabularies.
  bool use(std::string_view key, GgufType type) {
    if (key == "general.alignment" && type == GgufType::Uint32)
      alignment = in.number<uint32_t>();
    else if (key == "general.architecture" && type == GgufType::String)
      architecture = runtime::ggufString(in);
    else if (key.starts_with("general.") || key.starts_with("tokenizer.") || !runtime::isUtf8(key))
      return false;
    else if (std::optional<Json> value = number(type))
      values[std::string(key)] = std::move(*value);
    else
      return false;
    return true;
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
      return Json(static_cast<double>(in.number<float>()));
    case GgufType::Float64:
      return Json(in.number<double>());
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

  static Json whole(int64_t value) {
    return value < 0 ? Json(value) : Json(static_cast<uint64_t>(value));
  }

  bool tensor(GgufFile &file) {
    GgufTensor found;
    runtime::StoredTensor &stored = found.stored;
    stored.name = runtime::ggufString(in);
    auto rank = in.number<uint32_t>();
    constexpr uint32_t most = 4; // of ggml, and no more than a damaged file should cost
    if (!in.whole())
      return false;
    if (rank > most || stored.name.empty() || !runtime::isUtf8(stored.name))
      return wrong("a tensor has no name, or more than four axes");
    uint64_t count = 1;
    for (uint32_t i = 0; i < rank; ++i) {
      auto length = in.number<uint64_t>();
      if (length > uint64_t(std::numeric_limits<int64_t>::max()) ||
          __builtin_mul_overflow(count, length, &count))
        return wrong("`" + stored.name + "` has more numbers than a file can");
      stored.shape.insert(stored.shape.begin(), static_cast<int64_t>(length));
    }
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
        return wrong(runtime::text("`%s` is of ggml's type %u; of blocks Weft reads %s",
                                   stored.name.c_str(), type, blockFormatNames()));
      unit = found.blocks->bytes;
      per = static_cast<uint64_t>(found.blocks->elements);
    }
    uint64_t row = stored.shape.empty() ? 1 : static_cast<uint64_t>(stored.shape.back()), bytes = 0;
    if (row % per != 0)
      return wrong("`" + stored.name + "` has rows that are no whole blocks");
    if (__builtin_mul_overflow(count / per, unit, &bytes) ||
        __builtin_add_overflow(stored.begin, bytes, &stored.end) || stored.end > size)
      return wrong("`" + stored.name + "` ends behind the file");
    file.tensors.push_back(std::move(found));
    return true;
  }

  bool wrong(std::string why) {
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
