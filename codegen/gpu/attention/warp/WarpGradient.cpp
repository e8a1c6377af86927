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
  std::vector<cuda::GradientOwner> owners = cuda::gradientOwners(op, *form, emissions.device.dims);
  auto grid = [&](Frame frame) {
    return GradientGrid(frame, owners, schedule.getRows(), schedule.getColumns());
  };
  Value *cells = dynamicShared(b);
  grid(frame).emit(team.block(),
                   [&](const cuda::GradientOwner &owner, const GradientGrid::Place &at) {
                     AttentionBuffers buffers{frame, op, owner.form, at.position};
                     WarpGradientTile(owner.ofQueries ? Owner::queries : Owner::keys, buffers, team,
                                      schedule, cells, alignments)
                         .emit(at.row);
                   });
  return shell.finish([&](Frame frame) { return grid(frame).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
