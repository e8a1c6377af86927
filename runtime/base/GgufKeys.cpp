// Walks the values of a GGUF file, and passes over those that nobody asks for.
#include "runtime/base/GgufKeys.h"

#include "runtime/base/Text.h"
#include "runtime/base/Utf8.h"

#include <iterator>
#include <set>

using namespace weft::runtime;

/// How many bytes a value of each type has; 0 for those of no fixed size.
static constexpr uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

std::string_view weft::runtime::ggufString(ByteReader &in) {
  return in.bytes(in.number<uint64_t>());
}

std::string weft::runtime::shownGgufName(std::string_view name) {
  constexpr size_t most = 80;
  std::string_view start = name.substr(0, most);
  return printable(start.substr(0, validUtf8Length(start))) + (name.size() > most ? "…" : "");
}

static uint64_t sizeOf(GgufType type) {
  auto number = static_cast<size_t>(type);
  return number < std::size(sizes) ? sizes[number] : 0;
}

static Error unread(std::string_view key, GgufType type) {
  return {Code::Value, text("the value of `%s` is of a type that is not read (%u)",
                            shownGgufName(key).c_str(), static_cast<unsigned>(type))};
}

static Status passOver(ByteReader &in, std::string_view key, GgufType type) {
  if (type == GgufType::String) {
    ggufString(in);
  } else if (type == GgufType::Array) {
    GgufType element{in.number<uint32_t>()};
    auto count = in.number<uint64_t>();
    if (!in.whole())
      return {};
    if (element == GgufType::String)
      for (uint64_t i = 0; i < count && in.whole(); ++i)
        ggufString(in);
    else if (sizeOf(element) == 0)
      return unread(key, element);
    else
      in.bytes(count > UINT64_MAX / 8 ? UINT64_MAX : count * sizeOf(element));
  } else if (sizeOf(type) == 0) {
    return unread(key, type);
  } else {
    in.bytes(sizeOf(type));
  }
  return {};
}

Result<uint64_t>
weft::runtime::readGgufKeys(ByteReader &in,
                            const std::function<bool(std::string_view, GgufType)> &use) {
  constexpr uint64_t most = 1 << 16; // what a damaged file may cost
  in.bytes(4);                       // the magic
  auto version = in.number<uint32_t>();
  if (in.whole() && version != 2 && version != 3)
    return Error{Code::Value, version == 0x02000000 || version == 0x03000000
                                  ? "it is big-endian, and only files that are not are read"
                                  : text("its version is %u, expected 2 or 3", version)};
  auto tensors = in.number<uint64_t>(), count = in.number<uint64_t>();
  if (tensors > most || count > most)
    return Error{Code::Value, text("it says that it has %llu tensors and %llu values, more than "
                                   "%llu",
                                   static_cast<unsigned long long>(tensors),
                                   static_cast<unsigned long long>(count),
                                   static_cast<unsigned long long>(most))};
  std::set<std::string_view> known;
  for (uint64_t i = 0; i < count && in.whole(); ++i) {
    std::string_view key = ggufString(in);
    GgufType type{in.number<uint32_t>()};
    size_t place = in.position();
    if (in.whole() && !known.insert(key).second)
      return Error{Code::Value, text("`%s` stands in it twice", shownGgufName(key).c_str())};
    if (!use(key, type))
      if (Status status = passOver(in, key, type); !status)
        return status.error();
    if (!in.whole())
      return Error{Code::Value, text("the value of `%s` at byte %zu is not whole",
                                     shownGgufName(key).c_str(), place)};
  }
  if (!in.whole())
    return Error{Code::Value, "its header is broken off"};
  return tensors;
}
