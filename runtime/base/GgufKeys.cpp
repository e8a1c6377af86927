// Walks the values of a GGUF file, and passes over those that nobody asks for.
#include "runtime/base/GgufKeys.h"

#include "runtime/base/Text.h"

#include <iterator>

using namespace weft::runtime;

/// How many bytes a value of each type has; 0 for those of no fixed size.
static constexpr uint64_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

std::string_view weft::runtime::ggufString(ByteReader &in) {
  return in.bytes(in.number<uint64_t>());
}

static void passOver(ByteReader &in, GgufType type) {
  auto sizeOf = [](GgufType each) {
    auto number = static_cast<size_t>(each);
    return number < std::size(sizes) ? sizes[number] : 0;
  };
  if (type == GgufType::String) {
    ggufString(in);
  } else if (type == GgufType::Array) {
    GgufType element{in.number<uint32_t>()};
    auto count = in.number<uint64_t>();
    if (element == GgufType::String)
      for (uint64_t i = 0; i < count && in.whole(); ++i)
        ggufString(in);
    else if (uint64_t size = sizeOf(element); size == 0 || count > UINT64_MAX / size)
      in.fail();
    else
      in.bytes(count * size);
  } else if (uint64_t size = sizeOf(type)) {
    in.bytes(size);
  } else {
    in.fail();
  }
}

Result<uint64_t>
weft::runtime::readGgufKeys(ByteReader &in,
                            const std::function<bool(std::string_view, GgufType)> &use) {
  in.bytes(4); // the magic
  auto version = in.number<uint32_t>();
  if (in.whole() && version != 2 && version != 3)
    return Error{Code::Value, text("its version is %u, expected 2 or 3", version)};
  auto tensors = in.number<uint64_t>(), count = in.number<uint64_t>();
  for (uint64_t i = 0; i < count && in.whole(); ++i) {
    std::string_view key = ggufString(in);
    GgufType type{in.number<uint32_t>()};
    size_t place = in.position();
    if (!use(key, type))
      passOver(in, type);
    if (!in.whole())
      return Error{Code::Value,
                   text("the value of `%.*s` at byte %zu is not whole",
                        static_cast<int>(std::min<size_t>(key.size(), 60)), key.data(), place)};
  }
  if (!in.whole())
    return Error{Code::Value, "its header is broken off"};
  return tensors;
}
