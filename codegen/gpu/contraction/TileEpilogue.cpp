// What a kernel makes of the sums of its products, element by element.
#include "codegen/gpu/contraction/TileEpilogue.h"

using namespace llvm;

namespace weft::gpu {

using namespace weft::kernel;
using namespace weft::emit;
using rows::RowFrame;

/// A program that gives the kernel's results. What follows from sums is known only where they are.
RowProgram TileEpilogue::programOf(FusedOp op, const Segment &segment) {
  RowProgram program;
  program.op = op;
  mlir::Block &body = op.getBody().front();
  program.yielded = SmallVector<mlir::Value>(body.getTerminator()->getOperands());
  for (const Sum &sum : segment.sums)
    program.pass[sum.value] = 1;
  for (mlir::Operation &each : body.without_terminator())
    if (any_of(each.getOperands(), [&](mlir::Value of) { return program.pass.lookup(of); }))
      for (mlir::Value result : each.getResults())
        program.pass[result] = 1;
  return program;
}

TileEpilogue::TileEpilogue(Frame frame, FusedOp op, const ContractionForm &form,
                           const Segment &segment)
    : frame(frame), form(form), segment(segment), program(programOf(op, segment)),
      kernel(program, DimAttr(), frame) {}

RowFrame TileEpilogue::at(ArrayRef<DimAttr> dims, Value *index, RowFrame result) {
  IRBuilderBase &b = frame.builder;
  for (DimAttr dim : reverse(dims)) {
    bool last = dim == dims.front();
    Value *extent = kernel.evaluator.extent(dim);
    result = result.with(dim, kernel.loops.at(last ? index : b.CreateURem(index, extent), dim));
    if (!last)
      index = b.CreateUDiv(index, extent);
  }
  return result;
}

void TileEpilogue::emitElement(const RowFrame &here, ArrayRef<Value *> sums) {
  kernel.evaluator.rowLevel = kernel.scopes.innermost();
  for (auto [sum, value] : zip(segment.sums, sums))
    kernel.evaluator.define(sum.value.getDefiningOp(), here, value);
  // All values before the first store: a result may be stored in place of an operand.
  for (unsigned result : segment.results)
    kernel.evaluator.value(program.yielded[result], here);
  for (unsigned result : segment.results)
    kernel.evaluator.store(result, here);
}

// Sums are indexed by loops, so that there is one copy of the epilogue.
void TileEpilogue::emit(const ThreadTile &tile, SumsAt sums) {
  IRBuilderBase &b = frame.builder;
  Value *zero = b.getInt64(0), *one = b.getInt64(1);
  auto along = [&](Value *first, int64_t step, int64_t count, ArrayRef<DimAttr> dims,
                   function_ref<void(Value * number, Value * index)> body) {
    Value *end = frame.extent(dims);
    kernel.scopes.loop(zero, b.getInt64(count), one, [&](Value *number) {
      Value *index = b.CreateNSWAdd(first, b.CreateNSWMul(number, b.getInt64(step)));
      // A condition as a loop, for that is a scope.
      kernel.scopes.loop(zero, b.CreateZExt(b.CreateICmpSLT(index, end), b.getInt64Ty()), one,
                         [&](Value *) { body(number, index); });
    });
  };
  along(tile.firstColumn, tile.columnStep, tile.columns, segment.columns,
        [&](Value *j, Value *column) {
          RowFrame beside = at(segment.columns, column, at(form.batch, tile.batch, RowFrame()));
          along(tile.firstRow, tile.rowStep, tile.rows, form.rows,
                [&](Value *i, Value *row) { emitElement(at(form.rows, row, beside), sums(i, j)); });
        });
}

void inSlots(IRBuilderBase &b, const ThreadTile &tile, ArrayRef<Values> sums,
             function_ref<void(TileEpilogue::SumsAt)> body) {
  SmallVector<Value *> slots;
  for (const Values &each : sums) {
    slots.push_back(stackSlot(b, b.getFloatTy(), each.size(), sizeof(float)));
    for (auto [i, value] : enumerate(each))
      b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getFloatTy(), slots.back(), i));
  }
  body([&](Value *i, Value *j) {
    Value *number = b.CreateNSWAdd(b.CreateNSWMul(i, b.getInt64(tile.columns)), j);
    Values values;
    for (Value *slot : slots)
      values.push_back(
          b.CreateLoad(b.getFloatTy(), b.CreateInBoundsGEP(b.getFloatTy(), slot, number)));
    return values;
  });
}

} // namespace weft::gpu
