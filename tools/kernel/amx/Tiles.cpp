// What AMX does, for kernels on trial on machines that have none. What each instruction does is
// said in Intel's manual (Software Developer's Manual, volume 2, "LDTILECFG" to "TILESTORED").
#include "tools/kernel/amx/Tiles.h"

#include "runtime/machine/Denormals.h"

#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

namespace weft::trial::tiles {

namespace {

constexpr int rowsOfTile = 16, bytesOfRow = 64, tilesOfThread = 8;

struct Tiles {
  bool configured = false;
  uint8_t rows[tilesOfThread] = {};
  uint16_t bytes[tilesOfThread] = {};
  char data[tilesOfThread][rowsOfTile][bytesOfRow] = {};
};
thread_local Tiles own;
std::atomic<int64_t> configured;

void need(bool holds, const char *what) {
  if (!holds)
    llvm::reportFatalInternalError(llvm::Twine("AMX: ") + what);
}

void needTile(uint8_t tile) {
  need(own.configured, "tiles are used before they are configured");
  need(tile < tilesOfThread && own.rows[tile] > 0, "a tile without rows is used");
}

float half(const char *row, int number) {
  uint16_t bits;
  memcpy(&bits, row + 2 * number, 2);
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

} // namespace

void configure(const uint8_t *from) {
  need(reinterpret_cast<uintptr_t>(from) % 64 == 0, "the configuration is not aligned");
  need(from[0] == 1 && from[1] == 0, "only palette 1 is known");
  for (int i = 2; i < 64; ++i)
    need(from[i] == 0 || (i >= 16 && i < 32) || (i >= 48 && i < 56), "what is reserved is not 0");
  own = {};
  own.configured = true;
  ++configured;
  for (int i = 0; i < tilesOfThread; ++i) {
    memcpy(&own.bytes[i], from + 16 + 2 * i, 2);
    own.rows[i] = from[48 + i];
    need(own.bytes[i] <= bytesOfRow && own.rows[i] <= rowsOfTile, "a tile is too large");
    need((own.bytes[i] > 0) == (own.rows[i] > 0), "a tile has rows or columns only");
  }
}

void release() {
  need(own.configured, "tiles are released that nobody configured");
  memset(static_cast<void *>(&own), 0xff, sizeof own);
  own.configured = false;
}

void load(uint8_t tile, const char *from, int64_t stride) {
  needTile(tile);
  memset(own.data[tile], 0, sizeof own.data[tile]);
  for (int row = 0; row < own.rows[tile]; ++row)
    memcpy(own.data[tile][row], from + row * stride, own.bytes[tile]);
}

void store(uint8_t tile, char *to, int64_t stride) {
  needTile(tile);
  for (int row = 0; row < own.rows[tile]; ++row)
    memcpy(to + row * stride, own.data[tile][row], own.bytes[tile]);
}

void clear(uint8_t tile) {
  needTile(tile);
  memset(own.data[tile], 0, sizeof own.data[tile]);
}

void multiply(uint8_t sums, uint8_t left, uint8_t right) {
  for (uint8_t each : {sums, left, right})
    needTile(each);
  need(sums != left && sums != right && left != right, "a tile is an operand twice");
  need(own.rows[sums] == own.rows[left] && own.bytes[sums] == own.bytes[right] &&
           own.bytes[left] == 4 * own.rows[right],
       "shapes of tiles do not match");
  runtime::DenormalsIgnored ignored;
  for (int row = 0; row < own.rows[sums]; ++row)
    for (int column = 0; column < own.bytes[sums] / 4; ++column) {
      float ofTerm[2] = {}, sum;
      for (int pair = 0; pair < own.rows[right]; ++pair)
        for (int term : {0, 1})
          ofTerm[term] = std::fma(half(own.data[left][row], 2 * pair + term),
                                  half(own.data[right][pair], 2 * column + term), ofTerm[term]);
      char *place = own.data[sums][row] + sizeof sum * column;
      memcpy(&sum, place, sizeof sum);
      sum += ofTerm[0] + ofTerm[1];
      memcpy(place, &sum, sizeof sum);
    }
}

bool held() {
  return own.configured;
}

int64_t configurations() {
  return configured;
}

} // namespace weft::trial::tiles
