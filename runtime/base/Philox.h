// Counter-based random numbers: the value is a pure function of key and counter, so no thread or
// order changes it.
#ifndef WEFT_RUNTIME_BASE_PHILOX_H
#define WEFT_RUNTIME_BASE_PHILOX_H

#include <array>
#include <cstdint>
#include <string_view>

namespace weft::runtime {

/// Philox4x32-10. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
/// 3", SC 2011.
inline std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                                      std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53) * counter[0], b = uint64_t(0xCD9E8D57) * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// FNV-1a, 64 bits: turns the name of a stream into half of its counter. `hash` is of what stands
/// before.
constexpr uint64_t streamNamed(std::string_view name, uint64_t hash = 0xcbf29ce484222325) {
  for (char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Numbers by seed, stream and index. The counter is (index, stream), the key the seed, low halves
/// first.
class RandomStream {
public:
  RandomStream(uint64_t seed, uint64_t stream) : seed(seed), stream(stream) {}
  std::array<uint32_t, 4> at(uint64_t index) const {
    return philox({static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
                   static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32)},
                  {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  }
  /// A whole number in [0, count), by the high half of a 64-bit product; its bias is below count /
  /// 2^64.
  uint64_t below(uint64_t count, uint64_t index) const {
    std::array<uint32_t, 4> draw = at(index);
    uint64_t wide = static_cast<uint64_t>(draw[1]) << 32 | draw[0];
    return static_cast<uint64_t>(static_cast<unsigned __int128>(wide) * count >> 64);
  }
  /// A number in [0, 1), 53 bits.
  double unit(uint64_t index) const {
    std::array<uint32_t, 4> draw = at(index);
    return static_cast<double>((static_cast<uint64_t>(draw[1]) << 32 | draw[0]) >> 11) * 0x1p-53;
  }

private:
  uint64_t seed, stream;
};

} // namespace weft::runtime
#endif
