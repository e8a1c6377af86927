// Which tile of a kernel's products a block computes.
#include "codegen/gpu/contraction/TileGrid.h"

#include "codegen/emit/Loops.h"
#include "ir/kernel/RowProgram.h"

using namespace llvm;

namespace weft::gpu {

/// As they lie in the layout of this operand or result.
static void order(DimList &dims, kernel::FusedOp op, unsigned number) {
  auto layout = cast<LayoutAttr>(op.getLayoutsAttr()[number]);
  stable_sort(dims, [&](DimAttr x, DimAttr y) {
    ArrayRef<DimAttr> all = layout.getDims();
    return find(all, x) < find(all, y);
  });
}

mlir::FailureOr<ContractionForm> contractionInOrder(kernel::FusedOp op) {
  std::string why;
  mlir::FailureOr<ContractionForm> form = readContraction(op, &why);
  if (failed(form))
    return op.emitOpError("cannot be built as a contraction: ") << why;
  if (failed(checkStrided(op)))
    return mlir::failure();
  for (Segment &segment : form->segments) {
    unsigned result = op.getNumOperands() + segment.results[0];
    order(segment.columns, op, result);
    if (&segment == form->segments.begin()) {
      order(form->batch, op, result);
      order(form->rows, op, result);
    }
    for (Sum &sum : segment.sums)
      for (Term &term : sum.terms)
        order(term.k, op, cast<mlir::BlockArgument>(term.right()).getArgNumber());
  }
  return form;
}

TileGrid::TileGrid(Frame frame, const ContractionForm &form, int64_t rows, int64_t columns) {
  IRBuilderBase &b = frame.builder;
  auto tilesOf = [&](ArrayRef<DimAttr> dims, int64_t tile) {
    return ceilDiv(b, frame.extent(dims), b.getInt64(tile));
  };
  rowTiles = tilesOf(form.rows, rows);
  columnTiles = b.getInt64(0);
  for (const Segment &segment : form.segments) {
    columnTiles = b.CreateNSWAdd(columnTiles, tilesOf(segment.columns, columns));
    ends.push_back(columnTiles);
  }
  blocks = b.CreateNSWMul(frame.extent(form.batch), b.CreateNSWMul(rowTiles, columnTiles));
}

void TileGrid::emit(IRBuilderBase &b, const ContractionForm &form, Value *block, Body body) const {
  // Neighbouring blocks have the same columns: of the larger side less is read at a time.
  Value *tiles = b.CreateNSWMul(rowTiles, columnTiles);
  Value *tile = b.CreateURem(block, tiles), *batch = b.CreateUDiv(block, tiles);
  Value *rowTile = b.CreateURem(tile, rowTiles), *columnTile = b.CreateUDiv(tile, rowTiles);
  Value *begin = b.getInt64(0);
  for (auto [segment, end] : zip(form.segments, ends)) {
    auto emit = [&, begin = begin, &segment = segment] {
      body(segment, batch, rowTile, b.CreateNSWSub(columnTile, begin));
    };
    if (form.segments.size() == 1)
      emit();
    else
      when(b, b.CreateAnd(b.CreateICmpSGE(columnTile, begin), b.CreateICmpSLT(columnTile, end)),
           emit);
    begin = end;
  }
}

} // namespace weft::gpu
