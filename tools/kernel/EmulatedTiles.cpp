// AMX on machines that have none, for kernels on trial. What each instruction does is said in
// Intel's manual (Software Developer's Manual, volume 2, "LDTILECFG" to "TILESTORED").
#include "tools/kernel/EmulatedTiles.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace {

constexpr int rowsOfTile = 16, bytesOfRow = 64, tilesOfThread = 8;

struct Tiles {
  bool configured = false;
  uint8_t rows[tilesOfThread] = {};
  uint16_t bytes[tilesOfThread] = {};
  char data[tilesOfThread][rowsOfTile][bytesOfRow] = {};
};
thread_local Tiles tiles;
std::atomic<int64_t> configurations;

void need(bool holds, const char *what) {
  if (!holds)
    reportFatalInternalError(Twine("AMX: ") + what);
}

void needTile(uint8_t tile) {
  need(tiles.configured, "tiles are used before they are configured");
  need(tile < tilesOfThread && tiles.rows[tile] > 0, "a tile without rows is used");
}

void configure(const uint8_t *from) {
  need(reinterpret_cast<uintptr_t>(from) % 64 == 0, "the configuration is not aligned");
  need(from[0] == 1 && from[1] == 0, "only palette 1 is known");
  for (int i = 2; i < 64; ++i)
    need(from[i] == 0 || (i >= 16 && i < 32) || (i >= 48 && i < 56), "what is reserved is not 0");
  tiles = {};
  tiles.configured = true;
  ++configurations;
  for (int i = 0; i < tilesOfThread; ++i) {
    memcpy(&tiles.bytes[i], from + 16 + 2 * i, 2);
    tiles.rows[i] = from[48 + i];
    need(tiles.bytes[i] <= bytesOfRow && tiles.rows[i] <= rowsOfTile, "a tile is too large");
    need((tiles.bytes[i] > 0) == (tiles.rows[i] > 0), "a tile has rows or columns only");
  }
}

void release() {
  need(tiles.configured, "tiles are released that nobody configured");
  memset(static_cast<void *>(&tiles), 0xff, sizeof tiles);
  tiles.configured = false;
}

void loadTile(uint8_t tile, const char *from, int64_t stride) {
  needTile(tile);
  memset(tiles.data[tile], 0, sizeof tiles.data[tile]);
  for (int row = 0; row < tiles.rows[tile]; ++row)
    memcpy(tiles.data[tile][row], from + row * stride, tiles.bytes[tile]);
}

void storeTile(uint8_t tile, char *to, int64_t stride) {
  needTile(tile);
  for (int row = 0; row < tiles.rows[tile]; ++row)
    memcpy(to + row * stride, tiles.data[tile][row], tiles.bytes[tile]);
}

float half(const char *row, int number) {
  uint16_t bits;
  memcpy(&bits, row + 2 * number, 2);
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

void clearTile(uint8_t tile) {
  needTile(tile);
  memset(tiles.data[tile], 0, sizeof tiles.data[tile]);
}

/// The first terms of all pairs are added up, and the second ones, each from zero by fused
/// multiply-adds; then both sums, and that to what there was.
void addProducts(uint8_t sums, uint8_t left, uint8_t right) {
  for (uint8_t each : {sums, left, right})
    needTile(each);
  need(sums != left && sums != right && left != right, "a tile is an operand twice");
  need(tiles.rows[sums] == tiles.rows[left] && tiles.bytes[sums] == tiles.bytes[right] &&
           tiles.bytes[left] == 4 * tiles.rows[right],
       "shapes of tiles do not match");
  for (int row = 0; row < tiles.rows[sums]; ++row)
    for (int column = 0; column < tiles.bytes[sums] / 4; ++column) {
      float ofTerm[2] = {}, sum;
      for (int pair = 0; pair < tiles.rows[right]; ++pair)
        for (int term : {0, 1})
          ofTerm[term] = std::fma(half(tiles.data[left][row], 2 * pair + term),
                                  half(tiles.data[right][pair], 2 * column + term), ofTerm[term]);
      char *place = tiles.data[sums][row] + sizeof sum * column;
      memcpy(&sum, place, sizeof sum);
      sum += ofTerm[0] + ofTerm[1];
      memcpy(place, &sum, sizeof sum);
    }
}

struct Replacement {
  Intrinsic::ID instruction;
  const char *name;
  void *function;
};

ArrayRef<Replacement> replacements() {
  static const Replacement all[] = {
      {Intrinsic::x86_ldtilecfg, "weft_tiles_configure", reinterpret_cast<void *>(configure)},
      {Intrinsic::x86_tilerelease, "weft_tiles_release", reinterpret_cast<void *>(release)},
      {Intrinsic::x86_tileloadd64, "weft_tiles_load", reinterpret_cast<void *>(loadTile)},
      {Intrinsic::x86_tilestored64, "weft_tiles_store", reinterpret_cast<void *>(storeTile)},
      {Intrinsic::x86_tilezero, "weft_tiles_clear", reinterpret_cast<void *>(clearTile)},
      {Intrinsic::x86_tdpbf16ps, "weft_tiles_multiply", reinterpret_cast<void *>(addProducts)},
  };
  return all;
}

} // namespace

void weft::trial::replaceTiles(Module &module) {
  for (const Replacement &each : replacements()) {
    Function *instruction = Intrinsic::getDeclarationIfExists(&module, each.instruction);
    if (!instruction)
      continue;
    FunctionCallee instead = module.getOrInsertFunction(each.name, instruction->getFunctionType());
    for (User *user : make_early_inc_range(instruction->users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      builder.CreateCall(instead, SmallVector<Value *>(call->args()));
      call->eraseFromParent();
    }
    instruction->eraseFromParent();
  }
}

void weft::trial::defineTiles(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  for (const Replacement &each : replacements())
    symbols[jit.mangleAndIntern(each.name)] = {orc::ExecutorAddr::fromPtr(each.function),
                                               JITSymbolFlags::Exported};
  cantFail(jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
}

bool weft::trial::holdsTiles() {
  return tiles.configured;
}

int64_t weft::trial::tileConfigurations() {
  return configurations;
}
