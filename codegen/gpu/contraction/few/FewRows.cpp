// Products of few rows. All threads of a block have the same rows, some of its columns, and every
// so many-th piece of the depth; sums of warps meet in shared memory, where they are added in
// order.
#include "codegen/gpu/contraction/few/FewRows.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/contraction/TileEpilogue.h"
#include "codegen/gpu/contraction/TileGrid.h"
#include "codegen/gpu/contraction/few/DirectSide.h"
#include "codegen/gpu/instructions/Mma.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace weft::gpu {

namespace {

/// How the threads of a block stand: `across` of them have the columns, as many groups the depth.
struct Stand {
  unsigned across, deep;
  bool deepFirst; ///< neighbours along the depth are neighbours in a warp, else those across

  /// Threads of a warp that have the same columns.
  unsigned together() const {
    return deepFirst ? std::min(deep, lanesOfWarp)
                     : std::max(1u, lanesOfWarp / std::max(across, 1u));
  }
  /// Sums of a column that meet in shared memory.
  unsigned slices() const { return deep / together(); }
};

class FewRowsKernel {
public:
  FewRowsKernel(KernelShell &shell, kernel::FusedOp op, const ContractionForm &form,
                cuda::FewRowsAttr schedule, ArrayRef<unsigned> alignments)
      : frame(shell.frame()), b(frame.builder), op(op), form(form), schedule(schedule),
        alignments(alignments), grid(frame, form, schedule.getRows(), schedule.getColumns()),
        cells(dynamicShared(b)) {}

  void emit() {
    grid.emit(b, form, b.CreateZExt(blockOf(b, 0), b.getInt64Ty()),
              [&](const Segment &segment, Value *batch, Value *rowTile, Value *columnTile) {
                emitSegment(segment, batch,
                            b.CreateNSWMul(rowTile, b.getInt64(schedule.getRows()), "first.row"),
                            b.CreateNSWMul(columnTile, b.getInt64(schedule.getColumns())));
              });
  }

private:
  unsigned rows() const { return unsigned(schedule.getRows()); }
  unsigned columns() const { return unsigned(schedule.getColumns()); }

  void emitSegment(const Segment &segment, Value *batch, Value *row0, Value *column0) {
    // Neighbours in memory are read by neighbours, as most of the segment lies.
    const Term &term = segment.sums.front().terms.front();
    bool deepFirst = matrix(term.right(), batch, segment.columns, term.k, 1, 1).pieces.alongDepth;
    Stand stand = {unsigned(schedule.across()), unsigned(schedule.deep()), deepFirst};
    Value *thread = threadOf(b);
    auto quotient = [&](unsigned by) { return b.CreateUDiv(thread, b.getInt32(by)); };
    auto rest = [&](unsigned by) { return b.CreateURem(thread, b.getInt32(by)); };
    Value *group = deepFirst ? rest(stand.deep) : quotient(stand.across);
    Value *beside = deepFirst ? quotient(stand.deep) : rest(stand.across);
    Value *own = b.CreateMul(beside, b.getInt32(schedule.getThreadColumns()));
    for (auto [number, sum] : enumerate(segment.sums)) {
      Values sums(rows() * schedule.getThreadColumns(), ConstantFP::get(b.getFloatTy(), 0));
      for (const Term &term : sum.terms)
        sums = addTerm(segment, term, batch, row0, b.CreateNSWAdd(column0, wide(own)), group, sums);
      leave(stand, unsigned(number), sums, group, own);
    }
    barrier(b);
    finish(stand, segment, batch, row0, column0);
  }

  Value *wide(Value *number) { return b.CreateZExt(number, b.getInt64Ty()); }

  DirectSide::Matrix matrix(mlir::Value side, Value *batch, ArrayRef<DimAttr> across,
                            ArrayRef<DimAttr> depth, int64_t blockAcross, int64_t blockDeep) {
    unsigned number = cast<mlir::BlockArgument>(side).getArgNumber();
    auto layout = cast<LayoutAttr>(op.getLayoutsAttr()[number]);
    auto walk = [&](ArrayRef<DimAttr> dims) { return walkOver(frame.emission.dims, layout, dims); };
    auto divides = [&](ArrayRef<DimAttr> dims, int64_t by) {
      std::optional<int64_t> count = frame.emission.known(sizeOf(dims));
      return count && *count % by == 0;
    };
    Stored element(b.getContext(), model::typeOf(side), layout);
    auto bytes = unsigned(element.align().value());
    unsigned alignment = number < alignments.size() ? alignments[number] : bytes;
    Value *offset = frame.emission.offset(b, walk(form.batch), batch, frame.sizes);
    return {element,
            b.CreateInBoundsGEP(element.memory, frame.buffer(number), offset),
            walk(across),
            walk(depth),
            frame.extent(across),
            frame.extent(depth),
            piecesOf(walk(form.batch), walk(across), walk(depth), bytes, alignment),
            divides(across, blockAcross),
            divides(depth, blockDeep)};
  }

  SmallVector<Values> read(DirectSide &side, Value *k) {
    SmallVector<Values> all = side.read(k);
    if (kernel::factorsOf(op, form) == kernel::Factors::tf32)
      for (Values &line : all)
        for (Value *&each : line)
          each = asTf32(b, each);
    return all;
  }

  /// The thread's pieces of the depth, one after the other.
  Values addTerm(const Segment &segment, const Term &term, Value *batch, Value *row0, Value *column,
                 Value *group, ArrayRef<Value *> before) {
    auto deep = unsigned(schedule.getThreadDepth()), each = unsigned(schedule.getThreadColumns());
    DirectSide left(frame, matrix(term.left(), batch, form.rows, term.k, rows(), deep), rows(),
                    deep);
    // Blocks of columns divide their count only if the block's threads' do.
    DirectSide right(frame, matrix(term.right(), batch, segment.columns, term.k, columns(), deep),
                     each, deep);
    left.enter(row0);
    right.enter(column);
    Value *first = b.CreateNSWMul(wide(group), b.getInt64(deep), "first.depth");
    return carryingLoop(b, first, frame.extent(term.k), b.getInt64(schedule.deep() * deep), before,
                        [&](Value *k, ArrayRef<Value *> carried) {
                          SmallVector<Values> ofRight = read(right, k), ofLeft = read(left, k);
                          Values sums(carried);
                          for (unsigned d = 0; d < deep; ++d)
                            for (unsigned i = 0; i < rows(); ++i)
                              for (unsigned j = 0; j < each; ++j) {
                                Value *&sum = sums[i * each + j];
                                sum = b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                                                        {ofLeft[i][d], ofRight[j][d], sum});
                              }
                          return sums;
                        });
  }

  /// A warp's sums, added up in a butterfly, in shared memory.
  void leave(const Stand &stand, unsigned number, MutableArrayRef<Value *> sums, Value *group,
             Value *column) {
    unsigned apart = stand.deepFirst ? 1 : stand.across; // lanes from one group to the next
    for (unsigned by = 1; by < stand.together(); by *= 2)
      for (Value *&sum : sums)
        sum = b.CreateFAdd(
            sum, b.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_bfly_f32,
                                   {b.getInt32(-1), sum, b.getInt32(by * apart), b.getInt32(31)}));
    Value *isFirst =
        b.CreateICmpEQ(b.CreateURem(group, b.getInt32(stand.together())), b.getInt32(0));
    Value *slice = b.CreateUDiv(group, b.getInt32(stand.together()), "slice");
    slice = b.CreateAdd(slice, b.getInt32(number * stand.slices()));
    auto each = unsigned(schedule.getThreadColumns());
    when(b, isFirst, [&] {
      for (unsigned i = 0; i < rows(); ++i)
        for (unsigned j = 0; j < each; ++j)
          b.CreateStore(sums[i * each + j],
                        cell(slice, b.getInt32(i), b.CreateAdd(column, b.getInt32(j))));
    });
  }

  /// i32, of the block's rows and columns.
  Value *cell(Value *slice, Value *row, Value *column) {
    Value *line = b.CreateAdd(b.CreateMul(slice, b.getInt32(rows())), row);
    return b.CreateInBoundsGEP(b.getFloatTy(), cells,
                               b.CreateAdd(b.CreateMul(line, b.getInt32(columns())), column));
  }

  /// What is made of the sums, by threads that have columns side by side.
  void finish(const Stand &stand, const Segment &segment, Value *batch, Value *row0,
              Value *column0) {
    auto threads = unsigned(schedule.getThreads());
    unsigned down = std::min(rows(), threads / columns());
    Value *thread = threadOf(b);
    Value *below = b.CreateUDiv(thread, b.getInt32(columns()));
    Value *beside = b.CreateURem(thread, b.getInt32(columns()));
    when(b, b.CreateICmpULT(below, b.getInt32(down)), [&] {
      TileEpilogue epilogue(frame, op, form, segment);
      epilogue.emit({batch, b.CreateNSWAdd(row0, wide(below)),
                     b.CreateNSWAdd(column0, wide(beside)), down, columns(), rows() / down, 1},
                    [&](Value *i, Value *) {
                      Value *row = b.CreateAdd(
                          below, b.CreateMul(b.CreateTrunc(i, b.getInt32Ty()), b.getInt32(down)));
                      Values values;
                      for (unsigned number = 0; number < segment.sums.size(); ++number)
                        values.push_back(added(stand, number, row, beside));
                      return values;
                    });
    });
  }

  /// The sums of all slices, in their order.
  Value *added(const Stand &stand, unsigned number, Value *row, Value *column) {
    Value *sum = nullptr;
    for (unsigned slice = 0; slice < stand.slices(); ++slice) {
      Value *each = b.CreateLoad(b.getFloatTy(),
                                 cell(b.getInt32(number * stand.slices() + slice), row, column));
      sum = sum ? b.CreateFAdd(sum, each) : each;
    }
    return sum;
  }

  Frame frame;
  IRBuilderBase &b;
  kernel::FusedOp op;
  const ContractionForm &form;
  cuda::FewRowsAttr schedule;
  ArrayRef<unsigned> alignments;
  TileGrid grid;
  Value *cells;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitFewRows(kernel::FusedOp op, cuda::FewRowsAttr schedule,
                                          StringRef name, Emissions emissions,
                                          ArrayRef<unsigned> alignments) {
  mlir::FailureOr<ContractionForm> form = contractionInOrder(op);
  if (failed(form))
    return mlir::failure();
  size_t sums = 1;
  for (const Segment &segment : form->segments)
    sums = std::max(sums, segment.sums.size());
  KernelShell shell(op, name, emissions,
                    {.threads = unsigned(schedule.getThreads()),
                     .shared = unsigned(schedule.sharedBytes(int64_t(sums)))});
  FewRowsKernel(shell, op, *form, schedule, alignments).emit();
  return shell.finish(
      [&](Frame frame) {
        return TileGrid(frame, *form, schedule.getRows(), schedule.getColumns()).blocks;
      },
      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
