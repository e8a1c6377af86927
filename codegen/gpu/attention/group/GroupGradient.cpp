// The gradient of attention over named dimensions by wgmma: which block has which queries or keys.
#include "codegen/gpu/attention/group/GroupGradient.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/attention/group/GradientBlock.h"
#include "codegen/gpu/attention/group/RowProducts.h"
#include "codegen/gpu/contraction/TensorTiles.h"

using namespace llvm;

namespace weft::gpu {

namespace {

/// Of each position of the batch, blocks of keys and then of queries: what multiplies more comes
/// first. i64.
struct Grid {
  Value *down, *parts; ///< blocks of queries of a part
  Value *keys, *each, *blocks;

  Grid(Frame frame, const AttentionForm &form, const cuda::GradientTensors &tensors,
       unsigned rows) {
    IRBuilderBase &b = frame.builder;
    auto tiles = [&](bool needed, const DimList &dims) -> Value * {
      return needed ? ceilDiv(b, frame.extent(dims), b.getInt64(rows)) : b.getInt64(0);
    };
    down = tiles(!form.dq.empty(), tensors.rows);
    parts = frame.extent(tensors.apart);
    keys = tiles(!form.dk.empty() || !form.dv.empty(), form.keys);
    each = b.CreateNSWAdd(keys, b.CreateNSWMul(down, parts));
    blocks = b.CreateNSWMul(frame.extent(form.batch), each);
  }
};

/// A thread's registers while it copies or looks at queries, and while it multiplies: together what
/// the block began with.
constexpr unsigned producerRegisters = 24, consumerRegisters = 240;

/// What `role` is to do, for what the block owns.
void emitOwner(const GroupGradientKernel &kernel, function_ref<void(GradientBlock &block)> role) {
  IRBuilderBase &b = kernel.frame.builder;
  const GroupGradientTiles &tiles = kernel.tiles;
  Grid grid(kernel.frame, kernel.form, kernel.tensors, tiles.rows());
  Value *block = b.CreateZExt(blockOf(b, 0), b.getInt64Ty());
  Value *batch = b.CreateUDiv(block, grid.each), *inBatch = b.CreateURem(block, grid.each);
  auto first = [&](Value *tile) {
    return b.CreateTrunc(b.CreateNSWMul(tile, b.getInt64(tiles.rows())), b.getInt32Ty());
  };
  choose(
      b, b.CreateICmpSLT(inBatch, grid.keys),
      [&]() -> Values {
        GradientBlock own(kernel, {Owner::keys, batch, first(inBatch), b.getInt64(0)});
        role(own);
        return {};
      },
      [&]() -> Values {
        Value *number = b.CreateNSWSub(inBatch, grid.keys);
        // What has most keys to go through comes first where a mask is causal.
        Value *fromLast = b.CreateUDiv(number, grid.parts);
        Value *tile = b.CreateNSWSub(b.CreateNSWSub(grid.down, b.getInt64(1)), fromLast);
        Value *part = b.CreateURem(number, grid.parts);
        GradientBlock own(kernel, {Owner::queries, batch, first(tile), part});
        role(own);
        return {};
      });
}

/// Roles come before owners: each takes its registers in one place, else ptxas takes none.
void emitBlocks(const GroupGradientKernel &kernel) {
  IRBuilderBase &b = kernel.frame.builder;
  Value *warp = warpOf(b);
  when(b, b.CreateICmpEQ(threadOf(b), b.getInt32(0)), [&] { GradientBlock::makeBarriers(kernel); });
  barrier(b);
  Value *group = b.CreateLShr(warp, Log2_32(warpsOfGroup));
  choose(
      b, b.CreateICmpEQ(group, b.getInt32(0)),
      [&]() -> Values {
        shrinkRegisters(b, producerRegisters);
        emitOwner(kernel, [&](GradientBlock &block) { block.bring(warp); });
        return {};
      },
      [&]() -> Values {
        growRegisters(b, consumerRegisters);
        emitOwner(kernel,
                  [&](GradientBlock &block) { block.multiply(b.CreateSub(group, b.getInt32(1))); });
        return {};
      });
}

} // namespace

mlir::FailureOr<std::optional<DeviceKernel>>
emitGroupGradient(kernel::FusedOp op, cuda::WgmmaAttentionGradAttr schedule, StringRef name,
                  Emissions emissions, ArrayRef<unsigned> alignments) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  unsigned output = form->output.front();
  for (unsigned operand : {form->q, form->k, form->v, form->gradient, output})
    if (!beginsTensor(alignments, operand))
      return std::optional<DeviceKernel>();
  std::string why;
  auto tensors = cuda::gradientTensorsOf({op, emissions.device.dims}, *form, why);
  assert(tensors && "the schedule was checked");
  int64_t depth = *emissions.device.known(sizeOf(form->depth)),
          values = *emissions.device.known(sizeOf(form->values));
  GroupGradientTiles tiles;
  tiles.depth = unsigned(schedule.wide(depth));
  tiles.values = unsigned(schedule.wide(values));
  tiles.columns = unsigned(schedule.getColumns());
  tiles.stages = unsigned(schedule.getStages());
  tiles.parts = form->narrowWeights ? 1 : 2;
  assert(tiles.sharedBytes() == unsigned(schedule.sharedBytes(depth, values)) &&
         "both say what a block shares");
  KernelShell shell(op, name, emissions,
                    {.threads = tiles.threads(),
                     .shared = tiles.sharedBytes(),
                     .maps = GroupGradientKernel::maps});
  emitBlocks({shell.frame(), shell, op, *form, *tensors, tiles, alignments});
  shell.describe([&](Frame frame) -> SmallVector<TensorOfMap> {
    std::pair<unsigned, unsigned> box = {panelColumns, groupRows};
    return {tensorOf(frame, form->q, tensors->queries, box),
            tensorOf(frame, form->k, tensors->keys, box),
            tensorOf(frame, form->v, tensors->values, box),
            tensorOf(frame, form->gradient, tensors->gradient, box)};
  });
  DeviceKernel products = emitRowProducts(op, *form, (name + "_products").str(), emissions);
  products.then = std::make_shared<const DeviceKernel>(
      shell.finish([&](Frame frame) { return Grid(frame, *form, *tensors, tiles.rows()).blocks; },
                   [](Frame frame) { return frame.builder.getInt64(0); }));
  return std::optional(products);
}

} // namespace weft::gpu
