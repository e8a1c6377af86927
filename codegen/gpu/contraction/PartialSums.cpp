// Sums of parts of a depth: where they lie, and how they are added.
#include "codegen/gpu/contraction/PartialSums.h"

#include "codegen/gpu/contraction/TileGrid.h"
#include "codegen/gpu/instructions/Kernel.h"
#include "ir/kernel/Walk.h"

using namespace llvm;

namespace weft::gpu {

static Value *stepsOf(Frame frame, const Term &term, int64_t deep) {
  IRBuilderBase &b = frame.builder;
  return ceilDiv(b, frame.extent(term.k), b.getInt64(deep));
}

Value *DepthParts::count(Frame frame, const ContractionForm &form) const {
  IRBuilderBase &b = frame.builder;
  if (!isCut())
    return b.getInt64(1);
  Value *longest = b.getInt64(1);
  for (const Segment &segment : form.segments)
    for (const Sum &sum : segment.sums)
      for (const Term &term : sum.terms)
        longest = maximum(b, longest, stepsOf(frame, term, deep));
  return minimum(b, longest, b.getInt64(most));
}

std::pair<Value *, Value *> DepthParts::steps(Frame frame, const Term &term, Value *count,
                                              Value *part) const {
  IRBuilderBase &b = frame.builder;
  Value *all = stepsOf(frame, term, deep);
  if (!isCut())
    return {b.getInt64(0), all};
  Value *each = ceilDiv(b, all, count);
  Value *first = minimum(b, b.CreateNSWMul(part, each, "first.step"), all);
  return {first, minimum(b, b.CreateNSWAdd(first, each, "end.step"), all)};
}

/// Floats of one sum.
static Value *elementsOf(Frame frame, const ContractionForm &form, const Segment &segment) {
  IRBuilderBase &b = frame.builder;
  return b.CreateNSWMul(b.CreateNSWMul(frame.extent(form.batch), frame.extent(form.rows)),
                        frame.extent(segment.columns));
}

static Value *elementsOf(Frame frame, const ContractionForm &form) {
  IRBuilderBase &b = frame.builder;
  Value *all = b.getInt64(0);
  for (const Segment &segment : form.segments)
    all = b.CreateNSWAdd(all, b.CreateNSWMul(elementsOf(frame, form, segment),
                                             b.getInt64(int64_t(segment.sums.size()))));
  return all;
}

PartialSums::PartialSums(Frame frame, const ContractionForm &form, Value *scratch, Value *parts)
    : frame(frame), b(frame.builder), form(form), scratch(scratch), parts(parts),
      ofPart(elementsOf(frame, form)) {}

/// In floats, of part 0.
Value *PartialSums::place(const Segment &segment, unsigned sum, Value *batch, Value *row,
                          Value *column) {
  Value *before = b.getInt64(0);
  for (const Segment &each : form.segments) {
    if (&each == &segment)
      break;
    before = b.CreateNSWAdd(before, b.CreateNSWMul(elementsOf(frame, form, each),
                                                   b.getInt64(int64_t(each.sums.size()))));
  }
  before = b.CreateNSWAdd(
      before, b.CreateNSWMul(elementsOf(frame, form, segment), b.getInt64(int64_t(sum))));
  Value *line = b.CreateNSWAdd(b.CreateNSWMul(batch, frame.extent(form.rows)), row);
  return b.CreateNSWAdd(
      before, b.CreateNSWAdd(b.CreateNSWMul(line, frame.extent(segment.columns)), column));
}

void PartialSums::put(const Segment &segment, Value *part, const ThreadTile &tile,
                      TileEpilogue::SumsAt sums) {
  Value *rows = frame.extent(form.rows), *columns = frame.extent(segment.columns);
  Value *own =
      b.CreateInBoundsGEP(b.getFloatTy(), scratch, b.CreateNSWMul(part, ofPart, "own.part"));
  const DimTable &table = frame.emission.dims;
  bool whole = isMultiple(table.folded(sizeOf(segment.columns)), tile.beside);
  for (const Segment &each : form.segments) // what is before it in scratch
    whole &= isMultiple(table.folded(sizeOf(each.columns)), tile.beside);
  int64_t together = whole ? tile.beside : 1;
  // Columns that lie side by side, by row.
  auto store = [&](Value *i, Value *row, Value *number, Value *column) {
    SmallVector<Values> values;
    for (int64_t k = 0; k < together; ++k)
      values.push_back(sums(i, b.CreateNSWAdd(number, b.getInt64(k))));
    for (unsigned sum = 0; sum < segment.sums.size(); ++sum) {
      Value *all = PoisonValue::get(FixedVectorType::get(b.getFloatTy(), unsigned(together)));
      for (auto [k, each] : enumerate(values))
        all = b.CreateInsertElement(all, each[sum], uint64_t(k));
      b.CreateAlignedStore(
          all,
          b.CreateInBoundsGEP(b.getFloatTy(), own, place(segment, sum, tile.batch, row, column)),
          Align(uint64_t(together) * sizeof(float)));
    }
  };
  loop(b, b.getInt64(tile.columns * tile.beside / together), [&](Value *j) {
    Value *number = b.CreateNSWMul(j, b.getInt64(together));
    Value *each = b.getInt64(tile.beside);
    Value *column = b.CreateNSWAdd(
        tile.firstColumn,
        b.CreateNSWAdd(b.CreateNSWMul(b.CreateUDiv(number, each), b.getInt64(tile.columnStep)),
                       b.CreateURem(number, each)));
    when(b, b.CreateICmpSLT(column, columns), [&] {
      for (int64_t i = 0; i < tile.rows; ++i) {
        Value *row = b.CreateNSWAdd(tile.firstRow, b.getInt64(i * tile.rowStep));
        when(b, b.CreateICmpSLT(row, rows), [&] { store(b.getInt64(i), row, number, column); });
      }
    });
  });
}

Values PartialSums::added(const Segment &segment, Value *batch, Value *row, Value *column) {
  constexpr int64_t together = 4; // reads under way
  Values places;
  for (unsigned number = 0; number < segment.sums.size(); ++number)
    places.push_back(
        b.CreateInBoundsGEP(b.getFloatTy(), scratch, place(segment, number, batch, row, column)));
  Values first;
  for (Value *each : places)
    first.push_back(b.CreateLoad(b.getFloatTy(), each));
  return carryingLoop(
      b, b.getInt64(1), parts, b.getInt64(1), first,
      [&](Value *part, ArrayRef<Value *> carried) {
        Value *from = b.CreateNSWMul(part, ofPart, "next.part");
        Values next;
        for (auto [each, sum] : zip(places, carried))
          next.push_back(b.CreateFAdd(
              sum, b.CreateLoad(b.getFloatTy(), b.CreateInBoundsGEP(b.getFloatTy(), each, from))));
        return next;
      },
      together);
}

/// What is launched behind products that are cut.
static DeviceKernel emitAdding(FusedOp op, const ContractionForm &form, const DepthParts &cut,
                               StringRef name, Emissions emissions) {
  constexpr int64_t rows = cuda::Adding::rows, columns = cuda::Adding::columns;
  constexpr int64_t down = cuda::Adding::threads / columns;
  KernelShell shell(op, (name + "_adding").str(), emissions, {.threads = cuda::Adding::threads});
  Frame frame = shell.frame();
  IRBuilderBase &b = frame.builder;
  PartialSums sums(frame, form, shell.scratch(), cut.count(frame, form));
  TileGrid grid(frame, form, rows, columns);
  Value *thread = b.CreateZExt(threadOf(b), b.getInt64Ty());
  grid.emit(b, form, b.CreateZExt(blockOf(b, 0), b.getInt64Ty()),
            [&](const Segment &segment, Value *batch, Value *rowTile, Value *columnTile) {
              ThreadTile tile = {batch,
                                 b.CreateNSWAdd(b.CreateNSWMul(rowTile, b.getInt64(rows)),
                                                b.CreateUDiv(thread, b.getInt64(columns))),
                                 b.CreateNSWAdd(b.CreateNSWMul(columnTile, b.getInt64(columns)),
                                                b.CreateURem(thread, b.getInt64(columns))),
                                 down,
                                 columns,
                                 rows / down,
                                 1};
              TileEpilogue epilogue(frame, op, form, segment);
              epilogue.emit(tile, [&](Value *i, Value *) {
                Value *row = b.CreateNSWAdd(tile.firstRow, b.CreateNSWMul(i, b.getInt64(down)));
                return sums.added(segment, batch, row, tile.firstColumn);
              });
            });
  return shell.finish([&](Frame frame) { return TileGrid(frame, form, rows, columns).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

DeviceKernel finishProducts(KernelShell &shell, FusedOp op, const ContractionForm &form,
                            const DepthParts &cut, StringRef name, Emissions emissions,
                            function_ref<Value *(Frame)> blocks) {
  DeviceKernel kernel = shell.finish(blocks, [&](Frame frame) -> Value * {
    IRBuilderBase &b = frame.builder;
    if (!cut.isCut())
      return b.getInt64(0);
    return b.CreateNSWMul(b.CreateNSWMul(cut.count(frame, form), elementsOf(frame, form)),
                          b.getInt64(sizeof(float)));
  });
  if (cut.isCut())
    kernel.then = std::make_shared<DeviceKernel>(emitAdding(op, form, cut, name, emissions));
  return kernel;
}

} // namespace weft::gpu
