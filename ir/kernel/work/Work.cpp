// What a kernel has to do at least.
#include "ir/kernel/work/Work.h"

#include "ir/kernel/InPlace.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/work/MaskShare.h"
#include "ir/model/Dims.h"
#include "ir/model/Traits.h"

#include <cmath>

using namespace mlir;

namespace weft::kernel {

namespace {

class Counting {
public:
  Counting(FusedOp op, const DimTable &table) : op(op), table(table) {}

  FailureOr<WorkFormula> all() {
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
  static Size elements(Value value) { return sizeOf(model::dimsOf(value)); }

  /// Bytes of a buffer's elements; what is constant along a dimension is there once.
  Size bytesOf(unsigned buffer, Value value) {
    Attribute layout = op.getLayoutsAttr()[buffer];
    auto strided = dyn_cast<LayoutAttr>(layout);
    DimList dims = llvm::filter_to_vector(
        model::dimsOf(value), [&](DimAttr dim) { return !strided || strided.stride(dim); });
    return inBytes(sizeOf(dims), buffer, value);
  }
  Size inBytes(const Size &elements, unsigned buffer, Value value) {
    double each = averageBytes(model::typeOf(value), op.getLayoutsAttr()[buffer]);
    if (std::optional<int64_t> known = table.known(elements))
      return Size::number(int64_t(std::ceil(double(*known) * each)));
    constexpr int64_t shares = model::groups::length; // of a scale: each has one
    return elements * Size::number(int64_t(each * shares)) / Size::number(shares);
  }

  /// Of an operand that ops read in part (a gather, a slice), no more than these give.
  void countBytes() {
    for (auto [number, argument] : llvm::enumerate(op.getBody().front().getArguments())) {
      Size parts;
      for (Operation *user : argument.getUsers())
        parts =
            parts + (isa<model::Moving>(user) ? elements(user->getResult(0)) : elements(argument));
      work.read.push_back({bytesOf(number, argument), inBytes(parts, number, argument)});
    }
    Size &written = work.written.whole;
    for (auto [number, result] : llvm::enumerate(op.getResults()))
      written = written + bytesOf(op.getNumOperands() + number, result);
    work.written.parts = written;
  }

  bool isNarrow(unsigned buffer) {
    Type storage = storageIn(op.getLayoutsAttr()[buffer]);
    return storage && storage.isBF16();
  }

  FailureOr<WorkFormula> contraction() {
    FailureOr<ContractionForm> form = readContraction(op);
    if (failed(form))
      return op.emitOpError("cannot be read as a contraction");
    work.factors = factorsOf(op, *form);
    Size rows = sizeOf(form->batch) * sizeOf(form->rows);
    for (const Segment &segment : form->segments)
      for (const Sum &sum : segment.sums)
        for (const Term &term : sum.terms)
          work.products =
              work.products + Size::number(2) * rows * sizeOf(segment.columns) * sizeOf(term.k);
    countOps(op);
    return work;
  }

  /// Scores and sums of values are a product each; a gradient makes the first again, and has one
  /// for the gradients of weights, queries, keys and values.
  FailureOr<WorkFormula> attention() {
    FailureOr<AttentionForm> form = readAttention(op);
    if (failed(form))
      return failure();
    Size scores = sizeOf(form->batch) * sizeOf(form->rows) * sizeOf(form->keys);
    Size depth = sizeOf(form->depth), values = sizeOf(form->values);
    bool gradient = op.getFamily() == Family::attention_grad;
    if (isNarrow(form->q) && isNarrow(form->k) && isNarrow(form->v))
      work.factors = Factors::bf16;
    work.products =
        Size::number(2) * scores *
        (gradient ? Size::number(3) * depth + Size::number(2) * values : depth + values);
    // An exponential each; a tangent of a cap, a number that is drawn.
    bool draws = !op.getBody().front().getOps<model::RandomOp>().empty();
    work.heavy = scores * Size::number(1 + (form->cap != 0) + draws);
    // Of each score: scaled, brought below the highest, added up; of its gradient besides, which a
    // bias may have too.
    work.others = scores * Size::number((gradient ? 6 : 5) + (form->bias ? 1 : 0) +
                                        (form->dbias.empty() ? 0 : 1) + (form->cap != 0 ? 3 : 0) +
                                        (form->keep ? 2 : 0));
    work.attention = std::move(*form);
    return work;
  }

  FailureOr<WorkFormula> scatter() {
    FailureOr<ScatterForm> form = readScatter(op);
    if (failed(form))
      return failure();
    work.others = elements(form->input);
    // In the place of what they are added to, rows that get nothing are neither read nor written.
    std::optional<unsigned> onto = form->onto();
    if (onto && mayWriteInPlace(op, 0, *onto)) {
      work.read[*onto].parts = inBytes(work.others, *onto, form->base);
      work.written.parts = inBytes(work.others, op.getNumOperands(), op.getResult(0));
    }
    return work;
  }

  /// A running sum adds each element; the largest are found without arithmetic.
  FailureOr<WorkFormula> scan() {
    FailureOr<ScanForm> form = readScan(op);
    if (failed(form))
      return failure();
    if (isa<model::CumSumOp>(form->op))
      work.others = elements(form->op->getOperand(0));
    return work;
  }

  FailureOr<WorkFormula> rows() {
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
      Size count = elements(isReduction(&each) ? each.getOperand(0) : each.getResult(0));
      work.others = work.others + count;
      if (each.hasTrait<model::Heavy>())
        work.heavy = work.heavy + count;
    }
  }

  FusedOp op;
  const DimTable &table;
  WorkFormula work;
};
} // namespace

FailureOr<WorkFormula> workFormulaOf(FusedOp op, const DimTable &table) {
  return Counting(op, table).all();
}

FailureOr<Work> workOf(FusedOp op, const DimTable &table, const SizesAt &sizes) {
  FailureOr<WorkFormula> formula = workFormulaOf(op, table);
  if (failed(formula))
    return failure();
  Work work;
  if (formula->attention)
    work.shown = maskShare(*formula->attention, sizes);
  work.products = double(sizes(formula->products)) * work.shown;
  work.others = double(sizes(formula->others)) * work.shown;
  work.heavy = double(sizes(formula->heavy)) * work.shown;
  auto least = [&](const WorkFormula::Bytes &of) {
    return double(std::min(sizes(of.whole), sizes(of.parts)));
  };
  for (const WorkFormula::Bytes &each : formula->read)
    work.read += least(each);
  work.written = least(formula->written);
  work.factors = formula->factors;
  return work;
}

} // namespace weft::kernel
