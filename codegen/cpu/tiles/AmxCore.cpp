// Cores of AMX: tiles of 16 rows of words, both sides stored as bfloat16.
#include "codegen/cpu/tiles/CoreFrame.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// tile[rows][panels * 16] of at most 32 x 32, in four tiles of sums; two have rows of the left
/// side, as they lie, and two have panels, of which 16 pairs of rows are a tile.
class AmxCore : CoreFrame {
public:
  AmxCore(Emission &emission, Core core, Tile tile, Function *function)
      : CoreFrame(emission, core, tile, function) {
    assert(core.left == Core::Left::matrix && tile.rows <= 32 && tile.panels <= 2 &&
           "what four tiles hold");
  }

  void build() {
    call(Intrinsic::x86_ldtilecfg, {configuration()}); // which clears all tiles
    Value *whole = builder.CreateAnd(k, builder.getInt64(-depth));
    loop(builder, builder.getInt64(0), whole, builder.getInt64(depth), [&](Value *index) {
      Value *pairs = builder.CreateNSWMul(index, builder.getInt64(panelWidth));
      multiply(halves(left, index), leftStride, halves(right, pairs), rightStride);
    });
    when(builder, builder.CreateICmpSLT(whole, k), [&] { multiplyLast(whole); });
    choose(
        builder, accumulate, [&] { return addToTile(), Values(); },
        [&] { return store(out, outStride), Values(); });
    call(Intrinsic::x86_tilerelease, {});
    builder.CreateRetVoid();
  }

private:
  static constexpr int64_t tileRows = 16, tileBytes = 64; // of a row
  static constexpr int64_t depth = 32;                    // positions along k of a tile
  // Numbers of tiles: sums [2][2], then left and right sides.
  static constexpr int64_t leftTiles = 4, rightTiles = 6;

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
  int64_t downwards() const { return divideCeil(tile.rows, tileRows); }
  int64_t rowsOf(int64_t down) const { return std::min(tileRows, tile.rows - down * tileRows); }

  /// The operand of `ldtilecfg`: palette 1, then bytes of a row and rows of each tile.
  Constant *configuration() {
    constexpr unsigned size = 64, firstBytes = 16, firstRows = 48;
    SmallVector<uint8_t> all(size);
    all[0] = 1;
    auto set = [&](int64_t which, int64_t rows) {
      all[firstBytes + 2 * which] = tileBytes;
      all[firstRows + which] = uint8_t(rows);
    };
    for (int64_t down = 0; down < downwards(); ++down) {
      set(leftTiles + down, rowsOf(down));
      for (int64_t panel = 0; panel < tile.panels; ++panel)
        set(2 * down + panel, rowsOf(down));
    }
    for (int64_t panel = 0; panel < tile.panels; ++panel)
      set(rightTiles + panel, tileRows);
    Constant *value = ConstantDataArray::get(builder.getContext(), all);
    auto *global = new GlobalVariable(emission.module, value->getType(), /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage, value, "tiles");
    global->setAlignment(Align(size));
    return global;
  }

  /// sums += left * right; strides in elements, from a row or a panel to the next.
  void multiply(Value *a, Value *aStride, Value *b, Value *bStride) {
    for (int64_t down = 0; down < downwards(); ++down) {
      Value *from = halves(a, builder.CreateNSWMul(aStride, builder.getInt64(down * tileRows)));
      call(Intrinsic::x86_tileloadd64, {number(leftTiles + down), from, bytes(aStride, 2)});
    }
    for (int64_t panel = 0; panel < tile.panels; ++panel) {
      Value *from = halves(b, builder.CreateNSWMul(bStride, builder.getInt64(panel)));
      call(Intrinsic::x86_tileloadd64,
           {number(rightTiles + panel), from, builder.getInt64(tileBytes)});
    }
    for (int64_t down = 0; down < downwards(); ++down)
      for (int64_t panel = 0; panel < tile.panels; ++panel)
        call(Intrinsic::x86_tdpbf16ps,
             {number(2 * down + panel), number(leftTiles + down), number(rightTiles + panel)});
  }

  /// What is left along k, by copies that are filled up with zeros.
  void multiplyLast(Value *first) {
    Type *half = builder.getInt16Ty();
    auto *line = FixedVectorType::get(builder.getInt32Ty(), panelWidth);
    Value *a = stackSlot(builder, half, tile.rows * depth, tileBytes);
    Value *b = stackSlot(builder, half, tile.panels * panelWidth * depth, tileBytes);
    Value *count = builder.CreateNSWSub(k, first);
    Value *pairs = builder.CreateLShr(builder.CreateNSWAdd(count, builder.getInt64(1)), 1);
    Value *zero = Constant::getNullValue(line);
    auto lineOf = [&](Value *base, Value *row) {
      return halves(base, builder.CreateNSWMul(row, builder.getInt64(depth)));
    };
    loop(builder, builder.getInt64(tile.rows), [&](Value *row) {
      Value *to = lineOf(a, row);
      Value *from =
          halves(left, builder.CreateNSWAdd(builder.CreateNSWMul(row, leftStride), first));
      builder.CreateAlignedStore(zero, to, Align(tileBytes));
      loop(builder, count, [&](Value *i) {
        builder.CreateStore(builder.CreateAlignedLoad(half, halves(from, i), Align(2)),
                            halves(to, i));
      });
    });
    for (int64_t panel = 0; panel < tile.panels; ++panel) {
      Value *start = halves(right, builder.CreateNSWMul(rightStride, builder.getInt64(panel)));
      Value *from = halves(start, builder.CreateNSWMul(first, builder.getInt64(panelWidth)));
      Value *to = halves(b, builder.getInt64(panel * panelWidth * depth));
      loop(builder, pairs, [&](Value *row) {
        builder.CreateAlignedStore(load(line, lineOf(from, row)), lineOf(to, row),
                                   Align(tileBytes));
      });
      loop(builder, pairs, builder.getInt64(tileRows), builder.getInt64(1), [&](Value *row) {
        builder.CreateAlignedStore(zero, lineOf(to, row), Align(tileBytes));
      });
    }
    multiply(a, builder.getInt64(depth), b, builder.getInt64(panelWidth * depth));
  }

  /// Writes the sums; `stride` is that of floats.
  void store(Value *to, Value *stride) {
    for (int64_t down = 0; down < downwards(); ++down)
      for (int64_t panel = 0; panel < tile.panels; ++panel) {
        Value *row = at(to, builder.CreateNSWMul(stride, builder.getInt64(down * tileRows)));
        call(Intrinsic::x86_tilestored64,
             {number(2 * down + panel), at(builder.getFloatTy(), row, panel * panelWidth),
              bytes(stride, sizeof(float))});
      }
  }

  void addToTile() {
    auto *line = FixedVectorType::get(builder.getFloatTy(), panelWidth);
    Value *width = builder.getInt64(tile.width());
    Value *sums = stackSlot(builder, builder.getFloatTy(), tile.rows * tile.width(), tileBytes);
    store(sums, width);
    loop(builder, builder.getInt64(tile.rows), [&](Value *row) {
      Value *from = at(sums, builder.CreateNSWMul(row, width));
      Value *to = at(out, builder.CreateNSWMul(row, outStride));
      for (int64_t panel = 0; panel < tile.panels; ++panel) {
        Value *place = at(builder.getFloatTy(), to, panel * panelWidth);
        Value *more = load(line, at(builder.getFloatTy(), from, panel * panelWidth));
        builder.CreateAlignedStore(builder.CreateFAdd(load(line, place), more), place, Align(4));
      }
    });
  }
};

} // namespace

void buildAmxCore(Emission &emission, Core core, Tile tile, Function *function) {
  AmxCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
