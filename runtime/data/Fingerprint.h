// A hash of data, to notice that a training goes on with others.
#ifndef WEFT_RUNTIME_DATA_FINGERPRINT_H
#define WEFT_RUNTIME_DATA_FINGERPRINT_H

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace weft::runtime {

/// Depends on every part, on where one ends and the next begins, and on their order. Words of 8
/// bytes are taken by multiplication and rotation in four lanes, as xxHash64 takes them
/// (https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md); it is no defence against forgers.
class Fingerprint {
public:
  /// More of the part that is being taken.
  void add(std::string_view bytes) {
    length += bytes.size();
    for (; held > 0 && held < sizeof block && !bytes.empty(); bytes.remove_prefix(1))
      block[held++] = bytes.front();
    if (held == sizeof block)
      takeBlock(block);
    for (; bytes.size() >= sizeof block; bytes.remove_prefix(sizeof block))
      takeBlock(bytes.data());
    for (; !bytes.empty(); bytes.remove_prefix(1))
      block[held++] = bytes.front();
  }
  /// Ends the part: the length says where.
  void endPart() {
    if (held > 0) {
      memset(block + held, 0, sizeof block - held);
      takeBlock(block);
    }
    take(0, length);
    length = 0;
  }
  void addPart(std::string_view bytes) {
    add(bytes);
    endPart();
  }
  /// "2:" and 16 hexadecimal digits; hashes of earlier versions are the digits alone.
  std::string text() const;

private:
  static constexpr uint64_t first = 0x9E3779B185EBCA87, second = 0xC2B2AE3D27D4EB4F;
  void take(int lane, uint64_t word) {
    uint64_t mixed = lanes[lane] + word * second;
    lanes[lane] = (mixed << 31 | mixed >> 33) * first;
  }
  void takeBlock(const char *from) {
    for (int lane = 0; lane < 4; ++lane) {
      uint64_t word;
      memcpy(&word, from + lane * sizeof word, sizeof word);
      take(lane, word);
    }
    held = 0;
  }
  uint64_t lanes[4] = {first + second, second, 0, 0 - first};
  uint64_t length = 0; // of the part
  char block[32];
  size_t held = 0;
};

} // namespace weft::runtime
#endif
