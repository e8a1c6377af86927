// The gradient of attention: which block has which queries or keys.
#include "codegen/gpu/attention/AttentionGrad.h"

#include "codegen/gpu/attention/GradientGrid.h"
#include "codegen/gpu/attention/GradientTile.h"
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

mlir::FailureOr<DeviceKernel> emitAttentionGrad(kernel::FusedOp op,
                                                cuda::AttentionGradAttr schedule, StringRef name,
                                                Emissions emissions) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  KernelShell shell(op, name, emissions, {.threads = schedule.threads()});
  Frame frame = shell.frame();
  IRBuilderBase &b = frame.builder;
  auto known = [&](const DimList &dims) {
    return emissions.device.known(sizeOf(dims)).value_or(0);
  };
  Team team(b, schedule.threads(), schedule.threads());
  Value *cells = team.cells(
      b.getInt8Ty(), unsigned(schedule.sharedBytes(known(form->depth), known(form->values))));
  GradientGrid grid(frame, *form, schedule.getRows());
  AttentionBuffers buffers{frame, op, *form, grid.batch(b, team.block())};
  grid.emit(b, team.block(), [&](Owner owner, Value *first) {
    GradientTile(owner, buffers, team, schedule, cells).emit(first);
  });
  return shell.finish(
      [&](Frame frame) { return GradientGrid(frame, *form, schedule.getRows()).blocks; },
      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
