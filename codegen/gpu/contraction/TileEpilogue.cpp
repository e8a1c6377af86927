// What a kernel makes of the sums of its products, element by element.
#include "codegen/gpu/contraction/TileEpilogue.h"

#include "codegen/gpu/instructions/Assembly.h"
#include "codegen/gpu/rows/ThreadLanes.h"
#include "ir/cuda/rows/RowPieces.h"
#include "ir/kernel/Walk.h"

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
  if (!segment.columns.empty())
    program.lanes = {segment.columns.back()};
  for (const Sum &sum : segment.sums)
    program.pass[sum.value] = 1;
  for (mlir::Operation &each : body.without_terminator())
    if (any_of(each.getOperands(), [&](mlir::Value of) { return program.pass.lookup(of); }))
      for (mlir::Value result : each.getResults())
        program.pass[result] = 1;
  return program;
}

TileEpilogue::TileEpilogue(Frame frame, FusedOp op, const ContractionForm &form,
                           const Segment &segment, ArrayRef<unsigned> alignments)
    : frame(frame), form(form), segment(segment), program(programOf(op, segment)),
      kernel(program, DimAttr(), frame, Numbers{false, narrowed}), alignments(alignments),
      flat(isFlat()) {}

/// Whether rows lie at equal distances in all buffers, however many dimensions they are of, and
/// nothing depends on positions but where elements lie.
bool TileEpilogue::isFlat() {
  mlir::Block &body = program.op.getBody().front();
  for (mlir::Operation &each : body.without_terminator())
    if (isa<model::Moving, model::IndexOp, model::RandomOp>(each))
      return false;
  const DimTable &table = frame.emission.dims;
  auto isOnlyMultiplied = [](mlir::Value value) {
    return all_of(value.getUsers(),
                  [](mlir::Operation *user) { return isa<model::ContractOp>(user); });
  };
  return all_of(enumerate(program.op.getLayoutsAttr()), [&](auto each) {
    if (each.index() < body.getNumArguments() &&
        isOnlyMultiplied(body.getArgument(unsigned(each.index()))))
      return true;
    auto layout = cast<LayoutAttr>(each.value());
    auto stride = [&](DimAttr dim) {
      return table.folded(layout.stride(dim).value_or(Size::number(0)));
    };
    for (size_t i = 1; i < form.rows.size(); ++i) {
      Size inner = Size::dim(form.rows[i].getValue());
      if (stride(form.rows[i - 1]) != table.folded(stride(form.rows[i]) * inner))
        return false;
    }
    return true;
  });
}

/// Whether there are no fewer of columns that begin at a multiple of `beside`.
bool TileEpilogue::comeWhole(int64_t beside) const {
  const DimTable &table = frame.emission.dims;
  return beside == 1 ||
         (!segment.columns.empty() &&
          isMultiple(table.folded(Size::dim(segment.columns.back().getValue())), beside));
}

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

/// A row of several dimensions that is flat has its number along the last of them: to divide would
/// take longer than what is made of an element.
RowFrame TileEpilogue::inRow(Value *row, RowFrame result) {
  if (!flat)
    return at(form.rows, row, result);
  for (DimAttr dim : form.rows)
    result = result.with(dim, dim == form.rows.back() ? kernel.loops.at(row, dim)
                                                      : kernel.loops.start(dim));
  return result;
}

/// All values before the first store: a result may be stored in place of an operand, and reads that
/// wait for each other would each take as long as memory does.
void TileEpilogue::emitElements(ArrayRef<Elements> all) {
  IRBuilderBase &b = frame.builder;
  Value *zero = b.getInt64(0), *one = b.getInt64(1);
  kernel.evaluator.rowLevel = kernel.scopes.innermost();
  for (const Elements &each : all)
    for (auto [frame, values] : zip_equal(each.frames, each.sums))
      for (auto [sum, value] : zip(segment.sums, values))
        kernel.evaluator.define(sum.value.getDefiningOp(), frame, value);
  for (const Elements &each : all)
    for (unsigned result : segment.results)
      for (const RowFrame &frame : each.frames)
        kernel.evaluator.value(program.yielded[result], frame);
  // A condition as a loop, for that is a scope.
  for (const Elements &each : all)
    kernel.scopes.loop(zero, b.CreateZExt(each.areThere, b.getInt64Ty()), one, [&](Value *) {
      for (unsigned result : segment.results)
        kernel.evaluator.store(result, each.frames);
    });
}

/// Rows from `firstRow` on, of which there is the first; those behind the end are the last one
/// again, and not stored.
void TileEpilogue::emitRows(const ThreadTile &tile, Value *firstRow, ArrayRef<RowFrame> beside,
                            function_ref<Values(unsigned row, unsigned column)> sums) {
  IRBuilderBase &b = frame.builder;
  Value *end = frame.extent(form.rows), *last = b.CreateNSWSub(end, b.getInt64(1));
  SmallVector<Elements> all;
  for (unsigned i = 0; i < tile.rowsAtOnce; ++i) {
    Value *row = b.CreateNSWAdd(firstRow, b.getInt64(int64_t(i) * tile.rowStep));
    Elements elements{{}, b.CreateICmpSLT(row, end), {}};
    RowFrame own = inRow(i == 0 ? row : minimum(b, row, last), RowFrame());
    for (auto [number, frame] : enumerate(beside)) {
      RowFrame both = frame;
      for (DimAttr dim : form.rows)
        both = both.with(dim, own.find(dim));
      elements.frames.push_back(both);
      elements.sums.push_back(sums(i, unsigned(number)));
    }
    all.push_back(elements);
  }
  emitElements(all);
}

void TileEpilogue::emit(const ThreadTile &tile, SumsAt sums) {
  IRBuilderBase &b = frame.builder;
  Value *zero = b.getInt64(0), *one = b.getInt64(1);
  auto when = [&](Value *condition, function_ref<void()> body) {
    kernel.scopes.loop(zero, b.CreateZExt(condition, b.getInt64Ty()), one,
                       [&](Value *) { body(); });
  };
  auto emitColumns = [&](ArrayRef<RowFrame> beside, Value *firstNumber) {
    kernel.scopes.loop(zero, b.getInt64(tile.rows / tile.rowsAtOnce), one, [&](Value *part) {
      Value *i = b.CreateNSWMul(part, b.getInt64(tile.rowsAtOnce));
      Value *row = b.CreateNSWAdd(tile.firstRow, b.CreateNSWMul(i, b.getInt64(tile.rowStep)));
      when(b.CreateICmpSLT(row, frame.extent(form.rows)), [&] {
        emitRows(tile, row, beside, [&](unsigned number, unsigned column) {
          return sums(b.CreateNSWAdd(i, b.getInt64(number)),
                      b.CreateNSWAdd(firstNumber, b.getInt64(column)));
        });
      });
    });
  };
  Value *end = frame.extent(segment.columns);
  kernel.scopes.loop(zero, b.getInt64(tile.columns), one, [&](Value *j) {
    Value *column =
        b.CreateNSWAdd(tile.firstColumn, b.CreateNSWMul(j, b.getInt64(tile.columnStep)));
    Value *number = b.CreateNSWMul(j, b.getInt64(tile.beside));
    RowFrame batch = at(form.batch, tile.batch, RowFrame());
    auto together = [&] {
      emitColumns(besideEachOther(at(segment.columns, column, batch), tile.beside), number);
    };
    if (comeWhole(tile.beside))
      return when(b.CreateICmpSLT(column, end), together);
    Value *whole = b.getFalse();
    if (segment.columns.size() == 1) { // all but the last ones
      whole = b.CreateICmpSLE(b.CreateNSWAdd(column, b.getInt64(tile.beside)), end);
      when(whole, together);
    }
    when(b.CreateNot(whole), [&] {
      kernel.scopes.loop(zero, b.getInt64(tile.beside), one, [&](Value *further) {
        Value *own = b.CreateNSWAdd(column, further);
        when(b.CreateICmpSLT(own, end), [&] {
          emitColumns(at(segment.columns, own, batch), b.CreateNSWAdd(number, further));
        });
      });
    });
  });
}

/// Elements from the one of `first` on, along the last dimension of the columns.
SmallVector<RowFrame> TileEpilogue::besideEachOther(const RowFrame &first, int64_t count) {
  if (count == 1)
    return {first};
  DimAttr dim = segment.columns.back();
  ThreadLanes along(frame.builder, dim, kernel.scopes.innermost());
  cuda::RowPieces pieces = cuda::piecesFromStart(program, frame.emission.dims, alignments, count);
  for (auto [buffer, beside] : enumerate(pieces.beside))
    kernel.evaluator.comesTogether(unsigned(buffer), beside, /*inOwnRow=*/false);
  SmallVector<RowFrame> frames;
  Value *from = first.find(dim)->base;
  const rows::Place *leader = nullptr;
  for (int64_t number = 0; number < count; ++number) {
    const rows::Place *place =
        along.beside(kernel.evaluator, from, leader, count, unsigned(number));
    leader = leader ? leader : place;
    frames.push_back(first.with(dim, place));
  }
  return frames;
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
