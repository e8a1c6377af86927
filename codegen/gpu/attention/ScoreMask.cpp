// The mask of an attention: at a query and a key, and of a whole block.
#include "codegen/gpu/attention/ScoreMask.h"

#include "codegen/emit/Loops.h"

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

Value *ScoreMask::keeps(Value *batch, Value *row, Value *key) {
  IRBuilderBase &b = frame.builder;
  if (!form.mask)
    return b.getTrue();
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
  return kernel.evaluator.value(form.mask, here);
}

} // namespace weft::gpu
