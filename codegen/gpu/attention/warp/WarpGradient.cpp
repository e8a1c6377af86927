// The gradient of attention by matrix instructions: which block has which queries or keys.
#include "codegen/gpu/attention/warp/WarpGradient.h"

#include "codegen/gpu/attention/GradientGrid.h"
#include "codegen/gpu/attention/warp/WarpGradientTile.h"
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

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
  GradientGrid grid(frame, *form, schedule.getRows());
  AttentionBuffers buffers{frame, op, *form, grid.batch(b, team.block())};
  Value *cells = dynamicShared(b);
  grid.emit(b, team.block(), [&](Owner owner, Value *first) {
    WarpGradientTile(owner, buffers, team, schedule, cells, alignments).emit(first);
  });
  return shell.finish(
      [&](Frame frame) { return GradientGrid(frame, *form, schedule.getRows()).blocks; },
      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
