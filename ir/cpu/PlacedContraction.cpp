// Reads a contraction kernel whose operands have layouts.
#include "ir/cpu/PlacedContraction.h"

#include "ir/cpu/Tile.h"

using namespace llvm;

namespace weft::cpu {

using namespace weft::kernel;

unsigned operandNumber(mlir::Value side) {
  return cast<mlir::BlockArgument>(side).getArgNumber();
}

namespace {

bool sameSet(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b) {
  return a.size() == b.size() && model::contains(a, b) && model::contains(b, a);
}

class Reader {
public:
  explicit Reader(FusedOp op) : op(op) {}

  FailureOr<ContractionForm> read() {
    std::string why;
    FailureOr<ContractionForm> read = readContraction(op, &why);
    if (failed(read))
      return refuse() << why;
    form = std::move(*read);
    for (Segment &segment : form.segments)
      for (Sum &sum : segment.sums)
        for (Term &term : sum.terms)
          if (failed(place(segment, term, term.op == segment.sums.front().terms.front().op)))
            return failure();
    return form;
  }

private:
  mlir::InFlightDiagnostic refuse() { return op.emitOpError("cannot be built as a contraction: "); }

  mlir::Attribute layout(mlir::Value side) { return readAs(op, operandNumber(side)); }

  /// The first panels of a kernel say how its batch is ordered, the first of a segment how its
  /// columns are.
  LogicalResult place(Segment &segment, Term &term, bool first) {
    auto panels = dyn_cast<PanelsAttr>(layout(term.right()));
    if (!panels || !isa<LayoutAttr>(layout(term.left())))
      return refuse() << "of the factors of a product one is strided and one in panels";
    if (panels.getWidth() != panelWidth)
      return refuse() << "panels are " << panelWidth << " wide, not " << panels.getWidth();
    if (!sameSet(term.k, panels.getRows()))
      return refuse() << "the rows of the panels are not what the product is summed over";
    if (!sameSet(segment.columns, panels.getColumns()) || !sameSet(form.batch, panels.getBatch()))
      return refuse() << "the panels have other columns than the product";
    if (first && &segment == form.segments.begin())
      form.batch.assign(panels.getBatch().begin(), panels.getBatch().end());
    if (first)
      segment.columns.assign(panels.getColumns().begin(), panels.getColumns().end());
    if (ArrayRef(segment.columns) != panels.getColumns() ||
        ArrayRef(form.batch) != panels.getBatch())
      return refuse() << "panels that belong together have their dimensions in different orders";
    term.k.assign(panels.getRows().begin(), panels.getRows().end());
    return success();
  }

  FusedOp op;
  ContractionForm form;
};

} // namespace

FailureOr<ContractionForm> readPlaced(FusedOp op) {
  return Reader(op).read();
}

} // namespace weft::cpu
