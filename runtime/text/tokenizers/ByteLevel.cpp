// The table is computed, as Radford et al. 2019 did.
#include "runtime/text/tokenizers/ByteLevel.h"

#include "runtime/base/Utf8.h"

using namespace weft::runtime;

constexpr int32_t visibleCount = 188;

const std::vector<unsigned char> &weft::runtime::bytesById() {
  static const std::vector<unsigned char> order = [] {
    std::vector<unsigned char> out;
    auto visible = [](int byte) {
      return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    };
    for (bool wanted : {true, false})
      for (int byte = 0; byte < 256; ++byte)
        if (visible(byte) == wanted)
          out.push_back(static_cast<unsigned char>(byte));
    return out;
  }();
  return order;
}

const std::vector<int32_t> &weft::runtime::idsByByte() {
  static const std::vector<int32_t> ids = [] {
    std::vector<int32_t> out(256);
    for (int32_t id = 0; id < 256; ++id)
      out[bytesById()[static_cast<size_t>(id)]] = id;
    return out;
  }();
  return ids;
}

std::string weft::runtime::spelledAsCharacters(std::string_view bytes) {
  std::string out;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    int32_t id = idsByByte()[byte];
    out += toUtf8(id < visibleCount ? byte : 0x100u + static_cast<uint32_t>(id - visibleCount));
  }
  return out;
}

std::optional<std::string> weft::runtime::bytesSpelled(std::string_view characters) {
  std::string bytes;
  while (!characters.empty()) {
    CodePoint point = nextCodePoint(characters);
    characters.remove_prefix(static_cast<size_t>(point.length));
    uint32_t c = point.value;
    bool shifted = c >= 0x100 && c < 0x100u + 256 - visibleCount;
    if (!shifted && (c > 255 || idsByByte()[c] >= visibleCount))
      return std::nullopt;
    bytes += static_cast<char>(shifted ? bytesById()[c - 0x100 + visibleCount] : c);
  }
  return bytes;
}
