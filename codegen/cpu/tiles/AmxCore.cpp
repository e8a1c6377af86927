// Cores of AMX: tiles of 16 rows of words, both sides stored as bfloat16.
#include "codegen/cpu/tiles/AmxTiles.h"
#include "codegen/cpu/tiles/CoreFrame.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// tile[rows][panels * 16] of at most 32 x 32, in four tiles of sums; two have rows of the left
/// side, as they lie, and two have panels, of which 16 pairs of rows are a tile. The task has
/// shaped them for as many rows (AmxTiles.h).
class AmxCore : CoreFrame {
public:
  AmxCore(Emission &emission, Core core, Tile tile, Function *function)
      : CoreFrame(emission, core, tile, function) {
    assert(core.left == Core::Left::matrix && tile.rows <= amx::rows &&
           tile.panels <= amx::panels && "what four tiles hold");
  }

  void build() {
    keepTiles(builder.GetInsertBlock()->getParent());
    choose(
        builder, accumulate, [&] { return loadSums(), Values(); },
        [&] { return clearSums(), Values(); });
    Value *whole = builder.CreateAnd(k, builder.getInt64(-amx::depth));
    loop(builder, builder.getInt64(0), whole, builder.getInt64(amx::depth), [&](Value *index) {
      Value *pairs = builder.CreateNSWMul(index, builder.getInt64(panelWidth));
      multiply(halves(left, index), leftStride, halves(right, pairs), rightStride);
    });
    when(builder, builder.CreateICmpSLT(whole, k), [&] { multiplyLast(whole); });
    storeSums();
    builder.CreateRetVoid();
  }

private:
  void call(Intrinsic::ID name, ArrayRef<Value *> arguments) {
    builder.CreateIntrinsic(name, arguments);
  }
  Value *number(int64_t tile) { return builder.getInt8(uint8_t(tile)); }
  Value *bytes(Value *elements, int64_t each) {
    return builder.CreateNSWMul(elements, builder.getInt64(each));
  }
  Value *halves(Value *base, Value *index) {
    return builder.CreateInBoundsGEP(builder.getInt16Ty(), base, index);
  }
  int64_t downwards() const { return divideCeil(tile.rows, amx::lines); }
  void forEachSum(function_ref<void(int64_t down, int64_t panel)> body) const {
    for (int64_t down = 0; down < downwards(); ++down)
      for (int64_t panel = 0; panel < tile.panels; ++panel)
        body(down, panel);
  }
  Value *sumTile(int64_t down, int64_t panel) { return number(amx::panels * down + panel); }

  /// sums += left * right; strides in elements, from a row or a panel to the next. Tiles are loaded
  /// where they are first multiplied, so that products begin before all of them are there.
  void multiply(Value *a, Value *aStride, Value *b, Value *bStride) {
    for (int64_t down = 0; down < downwards(); ++down) {
      Value *from = halves(a, builder.CreateNSWMul(aStride, builder.getInt64(down * amx::lines)));
      call(Intrinsic::x86_tileloadd64, {number(amx::leftTiles + down), from, bytes(aStride, 2)});
      for (int64_t panel = 0; panel < tile.panels; ++panel) {
        if (down == 0)
          loadPanel(panel, halves(b, builder.CreateNSWMul(bStride, builder.getInt64(panel))));
        call(Intrinsic::x86_tdpbf16ps, {sumTile(down, panel), number(amx::leftTiles + down),
                                        number(amx::rightTiles + panel)});
      }
    }
  }

  /// Each line is read once for 32 rows: the first cache is for what is read again.
  void loadPanel(int64_t panel, Value *from) {
    call(Intrinsic::x86_tileloaddt164,
         {number(amx::rightTiles + panel), from, builder.getInt64(amx::lineBytes)});
  }

  /// What is left along k, by copies that are filled up with zeros.
  void multiplyLast(Value *first) {
    Type *half = builder.getInt16Ty();
    auto *line = FixedVectorType::get(builder.getInt32Ty(), panelWidth);
    Value *a = stackSlot(builder, half, tile.rows * amx::depth, amx::lineBytes);
    Value *b = stackSlot(builder, half, tile.panels * panelWidth * amx::depth, amx::lineBytes);
    Value *count = builder.CreateNSWSub(k, first);
    Value *pairs = builder.CreateLShr(builder.CreateNSWAdd(count, builder.getInt64(1)), 1);
    Value *zero = Constant::getNullValue(line);
    auto lineOf = [&](Value *base, Value *row) {
      return halves(base, builder.CreateNSWMul(row, builder.getInt64(amx::depth)));
    };
    auto *ofLeft = FixedVectorType::get(half, amx::depth);
    Value *mask = firstLanes(builder, count, amx::depth);
    loop(builder, builder.getInt64(tile.rows), [&](Value *row) {
      Value *from =
          halves(left, builder.CreateNSWAdd(builder.CreateNSWMul(row, leftStride), first));
      Value *rest =
          builder.CreateMaskedLoad(ofLeft, from, Align(2), mask, Constant::getNullValue(ofLeft));
      builder.CreateAlignedStore(rest, lineOf(a, row), Align(amx::lineBytes));
    });
    for (int64_t panel = 0; panel < tile.panels; ++panel) {
      Value *start = halves(right, builder.CreateNSWMul(rightStride, builder.getInt64(panel)));
      Value *from = halves(start, builder.CreateNSWMul(first, builder.getInt64(panelWidth)));
      Value *to = halves(b, builder.getInt64(panel * panelWidth * amx::depth));
      loop(builder, pairs, [&](Value *row) {
        builder.CreateAlignedStore(load(line, lineOf(from, row)), lineOf(to, row),
                                   Align(amx::lineBytes));
      });
      loop(builder, pairs, builder.getInt64(amx::lines), builder.getInt64(1), [&](Value *row) {
        builder.CreateAlignedStore(zero, lineOf(to, row), Align(amx::lineBytes));
      });
    }
    multiply(a, builder.getInt64(amx::depth), b, builder.getInt64(panelWidth * amx::depth));
  }

  void clearSums() {
    forEachSum([&](int64_t down, int64_t panel) {
      call(Intrinsic::x86_tilezero, {sumTile(down, panel)});
    });
  }
  void loadSums() { forEachPlace(Intrinsic::x86_tileloadd64); }
  void storeSums() { forEachPlace(Intrinsic::x86_tilestored64); }

  /// Of all sums, from or to where the tile lies.
  void forEachPlace(Intrinsic::ID move) {
    forEachSum([&](int64_t down, int64_t panel) {
      Value *row = at(out, builder.CreateNSWMul(outStride, builder.getInt64(down * amx::lines)));
      call(move, {sumTile(down, panel), at(builder.getFloatTy(), row, panel * panelWidth),
                  bytes(outStride, sizeof(float))});
    });
  }
};

} // namespace

void buildAmxCore(Emission &emission, Core core, Tile tile, Function *function) {
  AmxCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
