// What an attention kernel or its gradient computes, read from its region.
#include "ir/kernel/AttentionForm.h"

#include "ir/model/infer/Align.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace weft::kernel {

namespace {

class Reader {
public:
  explicit Reader(FusedOp op) : op(op) {}

  FailureOr<AttentionForm> read() {
    mlir::Block &body = op.getBody().front();
    if (auto found = body.getOps<model::AttentionOp>(); hasSingleElement(found))
      return readForward(*found.begin());
    if (auto found = body.getOps<model::AttentionGradOp>(); hasSingleElement(found))
      return readGradient(*found.begin());
    return op.emitOpError("needs one attention in its region");
  }

private:
  FailureOr<AttentionForm> readForward(model::AttentionOp attention) {
    if (failed(readOperands(attention)))
      return failure();
    form.output = resultsOf(attention.getOutput());
    form.lse = resultsOf(attention.getLse());
    return finish(form.output.size() + form.lse.size());
  }

  FailureOr<AttentionForm> readGradient(model::AttentionGradOp attention) {
    if (attention.getDbias())
      form.dbias = resultsOf(attention.getDbias());
    if (failed(readOperands(attention)))
      return failure();
    FailureOr<unsigned> output = operand(attention.getOutput()), lse = operand(attention.getLse()),
                        gradient = operand(attention.getGradient());
    if (failed(output) || failed(lse) || failed(gradient))
      return failure();
    form.output = {*output};
    form.lse = {*lse};
    form.gradient = *gradient;
    form.dq = resultsOf(attention.getDq());
    form.dk = resultsOf(attention.getDk());
    form.dv = resultsOf(attention.getDv());
    return finish(form.dq.size() + form.dk.size() + form.dv.size() + form.dbias.size());
  }

  template <typename Op> LogicalResult readOperands(Op attention) {
    FailureOr<unsigned> q = operand(attention.getQ()), k = operand(attention.getK()),
                        v = operand(attention.getV());
    if (failed(q) || failed(k) || failed(v))
      return failure();
    form.q = *q;
    form.k = *k;
    form.v = *v;
    form.mask = attention.getMask();
    form.scale = attention.getScale().convertToDouble();
    form.bias = attention.getBias();
    form.cap = attention.getCap().convertToDouble();
    form.cappedBias = attention.getCappedBias();
    form.keep = attention.getKeep();
    form.keepFactor = attention.getKeepFactor().convertToDouble();
    form.narrowWeights = attention.getNarrowWeights();
    sortDims(attention.getDepth(), attention.getKeyAttr(), dims(attention.getQ()),
             dims(attention.getK()), dims(attention.getV()));
    return success();
  }

  static ArrayRef<DimAttr> dims(mlir::Value value) {
    return cast<model::NamedTensorType>(value.getType()).getDims();
  }

  void sortDims(ArrayRef<DimAttr> over, DimAttr key, ArrayRef<DimAttr> q, ArrayRef<DimAttr> k,
                ArrayRef<DimAttr> v) {
    form.keys = {key};
    for (DimAttr dim : q)
      if (is_contained(over, dim))
        form.depth.push_back(dim);
    DimList scores;
    for (ArrayRef<DimAttr> side : {q, k})
      for (DimAttr dim : side)
        if (dim != key && !is_contained(over, dim) && !is_contained(scores, dim))
          scores.push_back(dim);
    for (DimAttr dim : scores) {
      if (!is_contained(k, dim) && !is_contained(v, dim)) {
        form.rows.push_back(dim);
        continue;
      }
      bool everywhere = is_contained(q, dim) && is_contained(k, dim) && is_contained(v, dim) &&
                        (form.dbias.empty() || is_contained(dims(form.bias), dim));
      (everywhere ? form.shared : form.summed).push_back(dim);
    }
    form.batch = form.shared;
    form.batch.append(form.summed);
    if (form.mask) {
      auto masked = make_filter_range(
          form.rows, [&](DimAttr dim) { return is_contained(dims(form.mask), dim); });
      SetVector<DimAttr> rows(masked.begin(), masked.end());
      rows.insert(form.rows.begin(), form.rows.end());
      form.rows.assign(rows.begin(), rows.end());
    }
    for (DimAttr dim : v)
      if (dim != key && !is_contained(scores, dim))
        form.values.push_back(dim);
  }

  FailureOr<unsigned> operand(mlir::Value value) {
    auto argument = dyn_cast<mlir::BlockArgument>(model::bare(value));
    if (!argument)
      return op.emitOpError("cannot compute what its attention is of; it has to be an operand");
    if (!isa<LayoutAttr>(op.getLayoutsAttr()[argument.getArgNumber()]))
      return op.emitOpError("reads a packed operand");
    return argument.getArgNumber();
  }

  SmallVector<unsigned> resultsOf(mlir::Value value) {
    SmallVector<unsigned> numbers;
    for (auto [i, yielded] : enumerate(op.getBody().front().getTerminator()->getOperands()))
      if (model::bare(yielded) == value)
        numbers.push_back(op.getNumOperands() + i);
    return numbers;
  }

  FailureOr<AttentionForm> finish(size_t results) {
    if (results != op.getNumResults())
      return op.emitOpError("yields something else than its attention");
    return form;
  }

  FusedOp op;
  AttentionForm form;
};

} // namespace

FailureOr<AttentionForm> readAttention(FusedOp op) {
  return Reader(op).read();
}

bool multipliesNarrow(FusedOp op) {
  FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return false;
  SmallVector<unsigned> multiplied = {form->q, form->k, form->v};
  if (op.getFamily() == Family::attention_grad)
    multiplied.push_back(form->gradient);
  return all_of(multiplied, [&](unsigned operand) {
    mlir::Type storage = storageIn(op.getLayoutsAttr()[operand]);
    return storage && storage.isBF16();
  });
}

} // namespace weft::kernel
