// sum[a, b](x), a single number  ==>  sum[a](sum[b](x))
//
// A kernel of rows has one task for each group of rows, and a sum over everything has no rows. Cut
// in two, the first kernel sums long rows on all threads, the second what is left of them; in an
// order that no thread changes.
#include "ir/model/Dims.h"
#include "ir/model/Model.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_SPLITSUMS
#include "passes/Passes.h.inc"

namespace {
// Elements: a row must be worth a pass of vectors, and everything together more than one task.
constexpr int64_t shortestRow = 256, oneTask = 32768;

struct SplitSums : impl::SplitSumsBase<SplitSums> {
  void runOnOperation() override {
    model::Dims dims(getOperation());
    getOperation()->walk([&](Operation *op) {
      if (op->hasTrait<model::Associative>() && model::typeOf(op->getResult(0)).getDims().empty())
        split(op, dims);
    });
  }

  /// The dimensions that are left when the last ones have made up a row; none if one task may do
  /// everything.
  static ArrayRef<model::DimAttr> rowsOf(model::NamedTensorType type, const model::Dims &dims) {
    ArrayRef<model::DimAttr> rows = type.getDims();
    if (std::optional<int64_t> all = dims.size(rows).constant(); all && *all < oneTask)
      return {};
    for (int64_t row = 1; row < shortestRow && !rows.empty(); rows = rows.drop_back()) {
      std::optional<int64_t> size = dims.fixed(rows.back());
      if (!size)
        return {};
      row *= *size;
    }
    return rows;
  }

  static void split(Operation *op, const model::Dims &dims) {
    model::NamedTensorType type = model::typeOf(op->getOperand(0));
    ArrayRef<model::DimAttr> rows = rowsOf(type, dims);
    if (rows.empty())
      return;
    OpBuilder builder(op);
    Operation *inner = builder.clone(*op);
    inner->setAttr("over",
                   builder.getAttr<model::DimsAttr>(type.getDims().drop_front(rows.size())));
    inner->getResult(0).setType(
        model::NamedTensorType::get(op->getContext(), type.getElement(), rows));
    op->setAttr("over", builder.getAttr<model::DimsAttr>(rows));
    op->setOperand(0, inner->getResult(0));
  }
};
} // namespace
} // namespace weft
