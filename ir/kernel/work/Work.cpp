// What a kernel has to do at least.
#include "ir/kernel/work/Work.h"

#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/work/MaskShare.h"
#include "ir/model/Dims.h"
#include "ir/model/Traits.h"

using namespace mlir;

namespace weft::kernel {

namespace {

class Counting {
public:
  Counting(FusedOp op, const DimTable &table, const SizesAt &sizes)
      : op(op), table(table), sizes(sizes) {}

  FailureOr<Work> all() {
    countBytes();
    switch (op.getFamily()) {
    case Family::contraction:
      return contraction();
    case Family::attention:
    case Family::attention_grad:
      return attention();
    case Family::pack:
      return work;
    case Family::scatter:
      return scatter();
    case Family::rows:
    case Family::table:
      return isScan(op) ? scan() : rows();
    }
    llvm_unreachable("no other families");
  }

private:
  double elements(Value value) { return double(sizes(sizeOf(model::dimsOf(value)))); }

  /// Bytes of a buffer's elements; what is constant along a dimension is there once.
  double bytesOf(unsigned buffer, Value value) {
    Attribute layout = op.getLayoutsAttr()[buffer];
    auto strided = dyn_cast<LayoutAttr>(layout);
    DimList dims = llvm::filter_to_vector(
        model::dimsOf(value), [&](DimAttr dim) { return !strided || strided.stride(dim); });
    return double(sizes(sizeOf(dims))) * elementBytes(buffer, value);
  }
  double elementBytes(unsigned buffer, Value value) {
    return averageBytes(model::typeOf(value), op.getLayoutsAttr()[buffer]);
  }

  /// Of an operand that ops read in part (a gather, a slice), no more than these give.
  void countBytes() {
    for (auto [number, argument] : llvm::enumerate(op.getBody().front().getArguments())) {
      double whole = bytesOf(number, argument), parts = 0;
      for (Operation *user : argument.getUsers())
        parts += isa<model::Moving>(user) ? elements(user->getResult(0)) : elements(argument);
      work.read += std::min(whole, parts * elementBytes(number, argument));
    }
    for (auto [number, result] : llvm::enumerate(op.getResults()))
      work.written += bytesOf(op.getNumOperands() + number, result);
  }

  bool isNarrow(unsigned buffer) { return bool(storageIn(op.getLayoutsAttr()[buffer])); }

  FailureOr<Work> contraction() {
    FailureOr<ContractionForm> form = readContraction(op);
    if (failed(form))
      return op.emitOpError("cannot be read as a contraction");
    work.factors = factorsOf(op, *form);
    double rows = double(sizes(sizeOf(form->batch))) * double(sizes(sizeOf(form->rows)));
    for (const Segment &segment : form->segments)
      for (const Sum &sum : segment.sums)
        for (const Term &term : sum.terms)
          work.products +=
              2 * rows * double(sizes(sizeOf(segment.columns))) * double(sizes(sizeOf(term.k)));
    countOps(op);
    return work;
  }

  /// Scores and sums of values are a product each; a gradient makes the first again, and has one
  /// for the gradients of weights, queries, keys and values.
  FailureOr<Work> attention() {
    FailureOr<AttentionForm> form = readAttention(op);
    if (failed(form))
      return failure();
    auto count = [&](ArrayRef<DimAttr> dims) { return double(sizes(sizeOf(dims))); };
    work.shown = maskShare(*form, sizes);
    double scores = count(form->batch) * count(form->rows) * count(form->keys) * work.shown;
    double depth = count(form->depth), values = count(form->values);
    bool gradient = op.getFamily() == Family::attention_grad;
    if (isNarrow(form->q) && isNarrow(form->k) && isNarrow(form->v))
      work.factors = Factors::bf16;
    work.products = 2 * scores * (gradient ? 3 * depth + 2 * values : depth + values);
    // An exponential each; a tangent of a cap, a number that is drawn.
    bool draws = !op.getBody().front().getOps<model::RandomOp>().empty();
    work.heavy = scores * (1 + (form->cap != 0) + draws);
    // Of each score: scaled, brought below the highest, added up; of its gradient besides.
    work.others = scores * ((gradient ? 6 : 5) + (form->bias ? 1 : 0) + (form->cap != 0 ? 3 : 0) +
                            (form->keep ? 2 : 0));
    return work;
  }

  FailureOr<Work> scatter() {
    FailureOr<ScatterForm> form = readScatter(op);
    if (failed(form))
      return failure();
    work.others = elements(form->input);
    return work;
  }

  /// A running sum adds each element; the largest are found without arithmetic.
  FailureOr<Work> scan() {
    FailureOr<ScanForm> form = readScan(op);
    if (failed(form))
      return failure();
    if (isa<model::CumSumOp>(form->op))
      work.others = elements(form->op->getOperand(0));
    return work;
  }

  FailureOr<Work> rows() {
    FailureOr<ExpandedRows> expanded = expandRows(op, table);
    if (failed(expanded))
      return failure();
    countOps(*expanded->op);
    return work;
  }

  /// Of an op's elements, or of those that it adds up, each is one operation.
  void countOps(FusedOp from) {
    for (Operation &each : from.getBody().front()) {
      bool none = isa<YieldOp, model::ContractOp, model::Moving>(each) ||
                  each.hasTrait<model::Free>() || each.getNumResults() == 0;
      if (none || !model::typeOf(each.getResult(0)).isFloat())
        continue;
      double count = elements(each.getResult(0));
      if (isReduction(&each))
        count = elements(each.getOperand(0));
      work.others += count;
      if (each.hasTrait<model::Heavy>())
        work.heavy += count;
    }
  }

  FusedOp op;
  const DimTable &table;
  const SizesAt &sizes;
  Work work;
};
} // namespace

FailureOr<Work> workOf(FusedOp op, const DimTable &table, const SizesAt &sizes) {
  return Counting(op, table, sizes).all();
}

} // namespace weft::kernel
