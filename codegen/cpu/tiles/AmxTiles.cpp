// The shapes of AMX tiles, and when a task sets them.
#include "codegen/cpu/tiles/AmxTiles.h"

#include "codegen/emit/Loops.h"

#include "llvm/IR/IntrinsicsX86.h"

#include <algorithm>
#include <array>

using namespace llvm;

namespace weft::cpu {

/// Palette 1, then how many bytes a line of each tile has, and how many lines. Both panels have
/// their tiles: of a product of one, the others are not used.
static std::array<uint8_t, amx::shapeBytes> shapeFor(int64_t rows) {
  std::array<uint8_t, amx::shapeBytes> all{1};
  auto set = [&](int64_t tile, int64_t lines) {
    all[amx::lineBytesAt + tile * sizeof(uint16_t)] = lines > 0 ? amx::lineBytes : 0;
    all[amx::linesAt + tile] = uint8_t(lines);
  };
  for (int64_t down = 0; down < amx::rows / amx::lines; ++down) {
    int64_t lines = std::clamp<int64_t>(rows - down * amx::lines, 0, amx::lines);
    set(amx::leftTiles + down, lines);
    for (int64_t panel = 0; panel < amx::panels; ++panel)
      set(amx::panels * down + panel, lines);
  }
  for (int64_t panel = 0; panel < amx::panels; ++panel)
    set(amx::rightTiles + panel, amx::lines);
  return all;
}

/// Of 1 row, of 2, and so on.
GlobalVariable *AmxTiles::shapes() {
  constexpr const char *name = "tiles";
  if (GlobalVariable *known = emission.module.getNamedGlobal(name))
    return known;
  SmallVector<uint8_t> all;
  for (int64_t rows = 1; rows <= amx::rows; ++rows)
    append_range(all, shapeFor(rows));
  Constant *value = ConstantDataArray::get(emission.module.getContext(), all);
  auto *global = new GlobalVariable(emission.module, value->getType(), /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, value, name);
  global->setAlignment(Align(amx::shapeBytes));
  return global;
}

void keepTiles(Function *function) {
  function->addFnAttr("no-builtins");
}

void AmxTiles::enter(IRBuilderBase &b) {
  keepTiles(b.GetInsertBlock()->getParent());
  current = emit::stackSlot(b, b.getInt64Ty(), 1, alignof(int64_t));
  b.CreateStore(b.getInt64(0), current);
}

void AmxTiles::shape(IRBuilderBase &b, Value *rows) {
  emit::when(b, b.CreateICmpNE(b.CreateLoad(b.getInt64Ty(), current), rows), [&] {
    Value *place = b.CreateNSWMul(b.CreateNSWSub(rows, b.getInt64(1)), b.getInt64(amx::shapeBytes));
    b.CreateIntrinsic(Intrinsic::x86_ldtilecfg,
                      {b.CreateInBoundsGEP(b.getInt8Ty(), shapes(), place)});
    b.CreateStore(rows, current);
  });
}

void AmxTiles::leave(IRBuilderBase &b) {
  Value *isSet = b.CreateICmpNE(b.CreateLoad(b.getInt64Ty(), current), b.getInt64(0));
  emit::when(b, isSet, [&] { b.CreateIntrinsic(Intrinsic::x86_tilerelease, {}); });
}

} // namespace weft::cpu
