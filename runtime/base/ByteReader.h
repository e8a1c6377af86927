// Numbers and strings out of the bytes of a file, never past their end.
#ifndef WEFT_RUNTIME_BASE_BYTEREADER_H
#define WEFT_RUNTIME_BASE_BYTEREADER_H

#include <cstdint>
#include <cstring>
#include <string_view>

namespace weft::runtime {

/// Once something is asked for that is not there, `whole()` is false and everything read is zero.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes), size(bytes.size()) {}
  bool whole() const { return good; }
  /// Whether that is because the bytes ended, the first time.
  bool endedEarly() const { return isShort; }
  bool atEnd() const { return rest.empty(); }
  size_t position() const { return size - rest.size(); }

  /// Little endian.
  template <class T> T number() {
    T value{};
    std::string_view from = bytes(sizeof(T));
    if (!from.empty())
      memcpy(&value, from.data(), from.size());
    return value;
  }
  std::string_view bytes(uint64_t count) {
    if (count > rest.size()) {
      isShort |= good;
      return fail();
    }
    std::string_view out = rest.substr(0, count);
    rest.remove_prefix(count);
    return out;
  }
  /// Seven bits a byte, the lowest first.
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      auto byte = number<unsigned char>();
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    fail();
    return 0;
  }
  /// What was read makes no sense.
  std::string_view fail() {
    good = false;
    rest = {};
    return {};
  }

private:
  std::string_view rest;
  size_t size;
  bool good = true, isShort = false;
};

} // namespace weft::runtime
#endif
