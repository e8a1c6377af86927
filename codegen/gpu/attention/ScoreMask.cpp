// The mask of an attention, its cap, its bias and its dropout.
#include "codegen/gpu/attention/ScoreMask.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/math/VectorMath.h"

using namespace llvm;

namespace weft::gpu {

static RowProgram programOf(kernel::FusedOp op) {
  RowProgram program;
  program.op = op;
  program.yielded = SmallVector<mlir::Value>(op.getBody().front().getTerminator()->getOperands());
  return program;
}

ScoreMask::ScoreMask(Frame frame, kernel::FusedOp op, const AttentionForm &form)
    : frame(frame), form(form), program(programOf(op)), kernel(program, DimAttr(), frame) {}

// One pass: a loop, for that is a scope, outside of which the mask's sizes are known.
void ScoreMask::scope(function_ref<void()> body) {
  IRBuilderBase &b = frame.builder;
  kernel.scopes.loop(b.getInt64(0), b.getInt64(1), b.getInt64(1), [&](Value *) { body(); });
}

MaskBounds::Verdict ScoreMask::judge(const TaskRange &block) const {
  return MaskBounds(frame.builder, frame.emission, frame.sizes, form.scores(), form.mask)
      .judge(block);
}

/// Beyond the last query or key, at these.
rows::RowFrame ScoreMask::at(Value *batch, Value *row, Value *key) {
  IRBuilderBase &b = frame.builder;
  auto within = [&](Value *index, ArrayRef<DimAttr> dims) {
    return minimum(b, index, b.CreateNSWSub(frame.extent(dims), b.getInt64(1)));
  };
  rows::RowFrame here = kernel.loops.row(form.batch, batch);
  auto add = [&](ArrayRef<DimAttr> dims, Value *index) {
    rows::RowFrame part = kernel.loops.row(dims, within(index, dims));
    for (DimAttr dim : dims)
      here = here.with(dim, part.find(dim));
  };
  add(form.rows, row);
  add(form.keys, key);
  return here;
}

Value *ScoreMask::keeps(Value *batch, Value *row, Value *key) {
  if (!form.mask)
    return frame.builder.getTrue();
  return kernel.evaluator.value(form.mask, at(batch, row, key));
}

ScoreMask::Score ScoreMask::score(Value *batch, Value *row, Value *key, Value *product) {
  IRBuilderBase &b = frame.builder;
  auto number = [&](double value) { return ConstantFP::get(b.getFloatTy(), value); };
  Value *bias = form.bias ? kernel.evaluator.value(form.bias, at(batch, row, key)) : nullptr;
  Value *score = product, *slope = nullptr;
  if (bias && form.cappedBias)
    score = b.CreateFAdd(score, bias);
  if (form.cap != 0) {
    Value *capped = math::tanh(b, b.CreateFMul(score, number(1 / form.cap)));
    slope = b.CreateFSub(number(1), b.CreateFMul(capped, capped));
    score = b.CreateFMul(capped, number(form.cap));
  }
  if (bias && !form.cappedBias)
    score = b.CreateFAdd(score, bias);
  return {score, slope};
}

Values ScoreMask::dropped(Value *batch, Value *row, Value *key, ArrayRef<Value *> of) {
  Values result(of);
  if (!form.keep)
    return result;
  IRBuilderBase &b = frame.builder;
  Value *on = kernel.evaluator.value(form.keep, at(batch, row, key));
  Value *factor = ConstantFP::get(b.getFloatTy(), form.keepFactor),
        *none = ConstantFP::get(b.getFloatTy(), 0);
  for (Value *&each : result)
    each = b.CreateSelect(on, b.CreateFMul(each, factor), none);
  return result;
}

} // namespace weft::gpu
