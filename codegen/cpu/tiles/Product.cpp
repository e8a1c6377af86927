// A product of matrices that lie in scratch, over register tiles.
#include "codegen/cpu/tiles/Product.h"

#include "codegen/emit/Loops.h"
#include "ir/kernel/storage/PairedPanels.h"

#include <numeric>

using namespace llvm;

namespace weft::cpu {

void takeHalves(IRBuilderBase &b, Product &product, Value *tile, Value *first, int64_t width) {
  constexpr int64_t ofFloat = sizeof(float) / sizeof(int16_t);
  product.left = b.CreateInBoundsGEP(b.getInt16Ty(), tile, first);
  product.leftStride = b.getInt64(width * ofFloat);
}

void emitProduct(IRBuilderBase &b, Emission &emission, const Product &product) {
  const Tile tile = product.core.set.most;
  Type *number = b.getFloatTy();
  auto at = [&](Value *base, Value *index) { return b.CreateInBoundsGEP(number, base, index); };
  Value *perPanel = product.core.right == Core::Right::panels
                        ? product.rightStride
                        : static_cast<Value *>(b.getInt64(panelWidth));
  const bool pairs = product.core.dots != PairProducts::none;
  const bool tiles = product.core.dots == PairProducts::tiles;
  Value *perRow = product.core.left == Core::Left::matrix
                      ? product.leftStride
                      : static_cast<Value *>(b.getInt64(pairs ? kernel::rowsOfPair : 1));

  auto block = [&](Value *panel, int64_t width, Value *row, int64_t height) {
    CoreCall call{};
    call.rows = b.getInt64(height);
    call.panels = b.getInt64(width);
    call.k = product.k;
    call.left = b.CreateInBoundsGEP(pairs ? b.getInt16Ty() : number, product.left,
                                    b.CreateNSWMul(row, perRow));
    call.leftStride = product.leftStride;
    Type *right = product.core.narrow || product.core.paired ? b.getInt16Ty() : number;
    call.right = b.CreateInBoundsGEP(right, product.right, b.CreateNSWMul(panel, perPanel));
    call.rightStride = product.rightStride;
    call.tile = at(at(product.out, b.CreateNSWMul(panel, b.getInt64(panelWidth))),
                   b.CreateNSWMul(row, product.outStride));
    call.tileStride = product.outStride;
    call.accumulate = product.accumulate;
    callCore(b, emission, product.core, call);
  };
  Value *height = b.getInt64(tile.rows);
  Value *exact = product.rowUnit ? b.CreateNSWSub(product.rows, b.CreateURem(product.rows, height))
                                 : product.rows;
  auto columns = [&](Value *panel, int64_t width) {
    auto whole = [&] {
      loop(b, b.getInt64(0), exact, height,
           [&](Value *row) { block(panel, width, row, tile.rows); });
      return Values();
    };
    // One row, as in decoding token by token: a whole tile would be several times the work.
    auto single = [&] {
      block(panel, width, b.getInt64(0), 1);
      return Values();
    };
    if (product.core.left == Core::Left::matrix && !tiles) // those have their shape already
      choose(b, b.CreateICmpEQ(product.rows, b.getInt64(1)), single, whole);
    else
      whole();
    if (!product.rowUnit)
      return;
    int64_t unit = std::gcd(product.rowUnit, tile.rows);
    Value *rest = b.CreateNSWSub(product.rows, exact);
    for (int64_t rows = unit; rows < tile.rows; rows += unit)
      when(b, b.CreateICmpEQ(rest, b.getInt64(rows)), [&] { block(panel, width, exact, rows); });
  };
  Value *rest = b.CreateURem(product.panels, b.getInt64(tile.panels));
  Value *last = b.CreateNSWSub(product.panels, rest);
  loop(b, b.getInt64(0), last, b.getInt64(tile.panels),
       [&](Value *panel) { columns(panel, tile.panels); });
  for (int64_t width = 1; width < tile.panels; ++width)
    when(b, b.CreateICmpEQ(rest, b.getInt64(width)), [&] { columns(last, width); });
}

} // namespace weft::cpu
