// Products of matrices over named dimensions, by fused multiply-adds: a block computes a tile of
// the result, each of its threads rows and columns that lie apart.
#include "codegen/gpu/contraction/Contraction.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/contraction/PartialSums.h"
#include "codegen/gpu/contraction/StagedSide.h"
#include "codegen/gpu/contraction/TileEpilogue.h"
#include "codegen/gpu/contraction/TileGrid.h"

using namespace llvm;

namespace weft::gpu {

namespace {

class ContractionKernel {
public:
  ContractionKernel(KernelShell &shell, kernel::FusedOp op, const ContractionForm &form,
                    cuda::ContractionAttr schedule, const DepthParts &cut)
      : frame(shell.frame()), b(frame.builder), op(op), form(form), schedule(schedule), cut(cut),
        scratch(shell.scratch()), team(b, schedule.threads(), schedule.threads()),
        grid(frame, form, schedule.getRows(), schedule.getColumns()), parts(cut.count(frame, form)),
        left(staged(schedule.getRows())), right(staged(schedule.getColumns())) {
    down = b.CreateUDiv(team.lane(), b.getInt64(across()));
    beside = b.CreateURem(team.lane(), b.getInt64(across()));
  }

  void emit() {
    Value *block = team.block();
    if (cut.isCut()) {
      part = b.CreateUDiv(block, grid.blocks);
      block = b.CreateURem(block, grid.blocks);
    }
    grid.emit(b, form, block,
              [&](const Segment &segment, Value *batch, Value *rowTile, Value *columnTile) {
                emitSegment(segment, batch, b.CreateNSWMul(rowTile, b.getInt64(schedule.getRows())),
                            b.CreateNSWMul(columnTile, b.getInt64(schedule.getColumns())));
              });
  }

private:
  StagedSide staged(int64_t across) {
    StagedSide::Tile tile{unsigned(across), unsigned(schedule.getDepth())};
    return {frame, team, tile, team.cells(b.getInt8Ty(), 2 * tile.bytes())};
  }

  int64_t across() const { return schedule.getColumns() / schedule.getThreadColumns(); }

  void emitSegment(const Segment &segment, Value *batch, Value *row0, Value *column0) {
    SmallVector<Values> sums;
    for (const Sum &sum : segment.sums) {
      Values accumulators(schedule.getThreadRows() * schedule.getThreadColumns(),
                          ConstantFP::get(b.getFloatTy(), 0));
      for (const Term &term : sum.terms)
        accumulators = addTerm(segment, term, batch, row0, column0, accumulators);
      sums.push_back(accumulators);
    }
    ThreadTile own = {batch,
                      b.CreateNSWAdd(row0, down),
                      b.CreateNSWAdd(column0, beside),
                      schedule.getRows() / schedule.getThreadRows(),
                      across(),
                      schedule.getThreadRows(),
                      schedule.getThreadColumns(),
                      atOnce(schedule.getThreadRows())};
    inSlots(b, own, sums, [&](TileEpilogue::SumsAt sumsAt) {
      if (cut.isCut())
        PartialSums(frame, form, scratch, parts).put(segment, part, own, sumsAt);
      else
        TileEpilogue(frame, op, form, segment).emit(own, sumsAt);
    });
  }

  StagedSide::Matrix matrix(mlir::Value side, Value *batch, ArrayRef<DimAttr> across,
                            ArrayRef<DimAttr> depth, int64_t tile) {
    unsigned number = cast<mlir::BlockArgument>(side).getArgNumber();
    auto layout = cast<LayoutAttr>(op.getLayoutsAttr()[number]);
    const DimTable &table = frame.emission.dims;
    Value *offset =
        frame.emission.offset(b, walkOver(table, layout, form.batch), batch, frame.sizes);
    auto divides = [&](ArrayRef<DimAttr> dims, int64_t by) {
      std::optional<int64_t> count = frame.emission.known(sizeOf(dims));
      return count && *count % by == 0;
    };
    Stored element(b.getContext(), model::typeOf(side), layout);
    return {element,
            b.CreateInBoundsGEP(element.memory, frame.buffer(number), offset),
            walkOver(table, layout, across),
            walkOver(table, layout, depth),
            frame.extent(across),
            frame.extent(depth),
            divides(across, tile),
            divides(depth, schedule.getDepth()),
            kernel::factorsOf(op, form) == kernel::Factors::tf32};
  }

  /// While a tile is multiplied, the next one is fetched.
  Values addTerm(const Segment &segment, const Term &term, Value *batch, Value *row0,
                 Value *column0, Values accumulators) {
    left.enter(matrix(term.left(), batch, form.rows, term.k, schedule.getRows()), row0);
    right.enter(matrix(term.right(), batch, segment.columns, term.k, schedule.getColumns()),
                column0);
    Value *zero = b.getInt64(0), *depth = b.getInt64(schedule.getDepth());
    Value *first = zero, *count = frame.extent(term.k), *firstHalf = zero;
    auto halfOf = [&](Value *k) { return b.CreateAnd(b.CreateUDiv(k, depth), b.getInt64(1)); };
    if (cut.isCut()) {
      auto [begin, end] = cut.steps(frame, term, parts, part);
      // A part may have no step, and then nothing is read behind the end.
      Value *some = b.CreateICmpSLT(begin, end);
      first = b.CreateSelect(some, b.CreateNSWMul(begin, depth), zero);
      count = b.CreateSelect(some, minimum(b, count, b.CreateNSWMul(end, depth)), zero);
      firstHalf = halfOf(first);
    }
    team.barrier(); // what came before has been read
    left.put(left.fetch(first), firstHalf);
    right.put(right.fetch(first), firstHalf);
    team.barrier();
    Values carried =
        carryingLoop(b, first, count, depth, accumulators, [&](Value *k, ArrayRef<Value *> sums) {
          Value *half = halfOf(k);
          Value *following = b.CreateNSWAdd(k, depth);
          Values nextLeft, nextRight;
          Value *more = b.CreateICmpSLT(following, count);
          auto none = [&](size_t size) { return Values(size, ConstantFP::get(b.getFloatTy(), 0)); };
          Values fetched = choose(
              b, more,
              [&] {
                Values both(left.fetch(following));
                leftCount = both.size();
                append_range(both, right.fetch(following));
                all = both.size();
                return both;
              },
              [&] { return none(all); });
          Values next = multiply(half, Values(sums));
          when(b, more, [&] {
            Value *other = b.CreateXor(half, b.getInt64(1));
            left.put(ArrayRef(fetched).take_front(leftCount), other);
            right.put(ArrayRef(fetched).drop_front(leftCount), other);
          });
          team.barrier();
          return next;
        });
    return carried;
  }

  /// The products of a tile of both sides; each sum runs along the depth in order.
  Values multiply(Value *half, Values sums) {
    int64_t rows = schedule.getThreadRows(), columns = schedule.getThreadColumns();
    int64_t rowStep = schedule.getRows() / rows;
    return carryingLoop(
        b, b.getInt64(0), b.getInt64(schedule.getDepth()), b.getInt64(1), sums,
        [&](Value *k, ArrayRef<Value *> carried) {
          auto read = [&](StagedSide &side, Value *first, int64_t step, int64_t count) {
            Values values;
            for (int64_t i = 0; i < count; ++i)
              values.push_back(
                  b.CreateLoad(b.getFloatTy(),
                               side.place(half, k, b.CreateNSWAdd(first, b.getInt64(i * step)))));
            return values;
          };
          Values ofLeft = read(left, down, rowStep, rows),
                 ofRight = read(right, beside, across(), columns), next;
          for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j)
              next.push_back(b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                               {ofLeft[i], ofRight[j], carried[i * columns + j]}));
          return next;
        },
        schedule.getUnroll());
  }

  Frame frame;
  IRBuilderBase &b;
  kernel::FusedOp op;
  const ContractionForm &form;
  cuda::ContractionAttr schedule;
  DepthParts cut;
  Value *scratch;
  Team team;
  TileGrid grid;
  Value *parts, *part = nullptr;
  StagedSide left, right;
  Value *down, *beside; // the first row and column of the thread in a tile
  size_t leftCount = 0, all = 0;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitContraction(kernel::FusedOp op, cuda::ContractionAttr schedule,
                                              StringRef name, Emissions emissions) {
  mlir::FailureOr<ContractionForm> form = contractionInOrder(op);
  if (failed(form))
    return mlir::failure();
  KernelShell shell(op, name, emissions, {.threads = schedule.threads()});
  DepthParts cut = {schedule.getSplits(), schedule.getDepth()};
  ContractionKernel(shell, op, *form, schedule, cut).emit();
  return finishProducts(shell, op, *form, cut, name, emissions, [&](Frame frame) {
    TileGrid grid(frame, *form, schedule.getRows(), schedule.getColumns());
    return frame.builder.CreateNSWMul(grid.blocks, cut.count(frame, *form));
  });
}

} // namespace weft::gpu
