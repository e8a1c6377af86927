// Cores of AMX whose right side is whole numbers that share scales, as pairs of bfloat16
// (ScaledPairs.h): of a group, which is as deep as a tile, the products are added up by one
// instruction, and take their scale once.
#include "codegen/cpu/tiles/AmxTiles.h"
#include "codegen/cpu/tiles/CoreFrame.h"
#include "codegen/cpu/tiles/ScaledPairs.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace weft::cpu {

namespace {

static_assert(amx::depth == model::groups::length, "a group is one product of tiles");

/// Sums of 16 rows of a panel are in registers of vectors, for scales differ from column to column:
/// a tile of products leaves its registers with each group. So panels are gone through one by one.
class AmxScaledCore : CoreFrame {
public:
  using CoreFrame::CoreFrame;

  void build() {
    keepTiles(builder.GetInsertBlock()->getParent());
    products = stackSlot(builder, builder.getFloatTy(), amx::lines * panelWidth, amx::lineBytes);
    rest = stackSlot(builder, builder.getInt16Ty(), amx::lines * amx::depth, amx::lineBytes);
    Value *depth = builder.getInt64(amx::depth);
    groups = builder.CreateUDiv(k, depth);
    last = builder.CreateURem(k, depth);
    for (int64_t down = 0; down * amx::lines < tile.rows; ++down)
      for (int64_t panel = 0; panel < tile.panels; ++panel)
        multiply(down, panel);
    builder.CreateRetVoid();
  }

private:
  void call(Intrinsic::ID name, ArrayRef<Value *> arguments) {
    builder.CreateIntrinsic(name, arguments);
  }
  Value *number(int64_t tile) { return builder.getInt8(uint8_t(tile)); }
  Value *bytesFrom(Value *base, Value *bytes) {
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, bytes);
  }
  Value *halves(Value *base, Value *index) {
    return builder.CreateInBoundsGEP(builder.getInt16Ty(), base, index);
  }
  Type *line() const { return emission.vector(); }

  void multiply(int64_t down, int64_t panel) {
    const int64_t rows = std::min(tile.rows - down * amx::lines, amx::lines);
    Value *from =
        halves(left, builder.CreateNSWMul(leftStride, builder.getInt64(down * amx::lines)));
    Value *stride = builder.CreateNSWMul(leftStride, builder.getInt64(sizeof(int16_t)));
    Value *numbers = bytesFrom(right, builder.CreateNSWMul(rightStride, builder.getInt64(panel)));
    Values zeros(rows, Constant::getNullValue(line()));
    Values sums = carryingLoop(
        builder, builder.getInt64(0), groups, builder.getInt64(1), zeros,
        [&](Value *group, ArrayRef<Value *> carried) {
          Value *here = halves(from, builder.CreateNSWMul(group, builder.getInt64(amx::depth)));
          return plusGroup(carried, down, panel, here, stride, groupAt(numbers, group));
        });
    sums = choose(
        builder, builder.CreateICmpNE(last, builder.getInt64(0)),
        [&] {
          copyRest(from, rows);
          return plusGroup(sums, down, panel, rest, builder.getInt64(amx::lineBytes),
                           groupAt(numbers, groups));
        },
        [&] { return sums; });
    write(sums, down, panel);
  }

  Value *groupAt(Value *numbers, Value *group) {
    return bytesFrom(numbers,
                     builder.CreateNSWMul(group, builder.getInt64(ScaledPairs::groupBytes)));
  }

  /// Plus the products of one group, times its scales; `stride` in bytes.
  Values plusGroup(ArrayRef<Value *> sums, int64_t down, int64_t panel, Value *from, Value *stride,
                   Value *group) {
    Value *lineBytes = builder.getInt64(amx::lineBytes);
    Value *sum = number(amx::panels * down + panel), *rows = number(amx::leftTiles + down),
          *columns = number(amx::rightTiles + panel);
    Value *words = bytesFrom(group, builder.getInt64(ScaledPairs::lineBytes));
    call(Intrinsic::x86_tilezero, {sum});
    call(Intrinsic::x86_tileloadd64, {rows, from, stride});
    call(Intrinsic::x86_tileloadd64, {columns, words, lineBytes});
    call(Intrinsic::x86_tdpbf16ps, {sum, rows, columns});
    call(Intrinsic::x86_tilestored64, {sum, products, lineBytes});
    Value *scales = load(line(), group);
    Values next;
    for (auto [i, before] : enumerate(sums)) {
      Value *found = load(line(), at(builder.getFloatTy(), products, int64_t(i) * panelWidth));
      next.push_back(builder.CreateIntrinsic(line(), Intrinsic::fma, {found, scales, before}));
    }
    return next;
  }

  /// The last positions along k, with zeros behind them.
  void copyRest(Value *from, int64_t rows) {
    auto *type = FixedVectorType::get(builder.getInt16Ty(), amx::depth);
    Value *mask = firstLanes(builder, last, amx::depth);
    Value *first = builder.CreateNSWMul(groups, builder.getInt64(amx::depth));
    for (int64_t row = 0; row < rows; ++row) {
      Value *start = builder.CreateNSWMul(leftStride, builder.getInt64(row));
      Value *found =
          builder.CreateMaskedLoad(type, halves(from, builder.CreateNSWAdd(start, first)), Align(2),
                                   mask, Constant::getNullValue(type));
      builder.CreateAlignedStore(found, at(builder.getInt16Ty(), rest, row * amx::depth),
                                 Align(amx::lineBytes));
    }
  }

  void write(ArrayRef<Value *> sums, int64_t down, int64_t panel) {
    auto placeOf = [&](size_t row) {
      Value *start =
          builder.CreateNSWMul(outStride, builder.getInt64(down * amx::lines + int64_t(row)));
      return at(builder.getFloatTy(), at(out, start), panel * panelWidth);
    };
    Values all = choose(
        builder, accumulate,
        [&] {
          Values added;
          for (auto [row, sum] : enumerate(sums))
            added.push_back(builder.CreateFAdd(load(line(), placeOf(row)), sum));
          return added;
        },
        [&] { return Values(sums); });
    for (auto [row, sum] : enumerate(all))
      builder.CreateAlignedStore(sum, placeOf(row), Align(4));
  }

  Value *products = nullptr, *rest = nullptr; // lines of a tile: of sums, and of the left side
  Value *groups = nullptr, *last = nullptr;   // whole ones, and how many rows the last one has
};

} // namespace

void buildAmxScaledCore(Emission &emission, Core core, Tile tile, Function *function) {
  AmxScaledCore(emission, core, tile, function).build();
}

} // namespace weft::cpu
