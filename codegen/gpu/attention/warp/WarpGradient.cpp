// The gradient of attention by matrix instructions: which block has which queries or keys.
#include "codegen/gpu/attention/warp/WarpGradient.h"

#include "codegen/gpu/attention/warp/WarpGradientTile.h"
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

namespace {

/// How many blocks there are, for all positions of the batch: at each first those of queries. i64.
struct GradientGrid {
  Value *queries, *each, *blocks;

  GradientGrid(Frame frame, const AttentionForm &form, cuda::MmaAttentionGradAttr schedule) {
    IRBuilderBase &b = frame.builder;
    auto tiles = [&](bool needed, const DimList &dims) -> Value * {
      return needed ? ceilDiv(b, frame.extent(dims), b.getInt64(schedule.getRows()))
                    : b.getInt64(0);
    };
    queries = tiles(!form.dq.empty(), form.rows);
    each = b.CreateNSWAdd(queries, tiles(!form.dk.empty() || !form.dv.empty(), form.keys));
    blocks = b.CreateNSWMul(frame.extent(form.batch), each);
  }
};

} // namespace

mlir::FailureOr<DeviceKernel> emitWarpGradient(kernel::FusedOp op,
                                               cuda::MmaAttentionGradAttr schedule, StringRef name,
                                               Emissions emissions, ArrayRef<unsigned> alignments) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  auto known = [&](const DimList &dims) {
    return emissions.device.known(sizeOf(dims)).value_or(0);
  };
  unsigned threads = unsigned(schedule.threads());
  unsigned shared = unsigned(schedule.sharedBytes(known(form->depth), known(form->values)));
  KernelShell shell(op, name, emissions, {.threads = threads, .shared = shared});
  Frame frame = shell.frame();
  IRBuilderBase &b = frame.builder;
  Team team(b, threads, threads);
  GradientGrid grid(frame, *form, schedule);
  AttentionBuffers buffers{frame, op, *form, b.CreateUDiv(team.block(), grid.each)};
  Value *number = b.CreateURem(team.block(), grid.each), *rows = b.getInt64(schedule.getRows());
  Value *cells = dynamicShared(b);
  auto emit = [&](Owner owner, Value *number) {
    WarpGradientTile(owner, buffers, team, schedule, cells, alignments)
        .emit(b.CreateNSWMul(number, rows));
    return Values();
  };
  choose(
      b, b.CreateICmpSLT(number, grid.queries), [&] { return emit(Owner::queries, number); },
      [&] { return emit(Owner::keys, b.CreateNSWSub(number, grid.queries)); });
  return shell.finish([&](Frame frame) { return GradientGrid(frame, *form, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
