// The gradient of attention: its blocks.
#include "codegen/gpu/attention/AttentionGrad.h"

#include "codegen/gpu/attention/GradientGrid.h"
#include "codegen/gpu/attention/GradientTile.h"
#include "codegen/gpu/base/KernelShell.h"

using namespace llvm;

namespace weft::gpu {

/// Blocks that go through positions keep the addresses of all that a thread brings from one to the
/// next: there are so few threads that each may have 128 registers, which is enough for these.
static unsigned residentOf(ArrayRef<cuda::GradientOwner> owners, unsigned threads) {
  constexpr unsigned most = 512;
  bool sums = any_of(owners, [](const auto &owner) { return !owner.form.summed.empty(); });
  return sums ? std::max(most / threads, 1u) : 1;
}

mlir::FailureOr<DeviceKernel> emitAttentionGrad(kernel::FusedOp op,
                                                cuda::AttentionGradAttr schedule, StringRef name,
                                                Emissions emissions) {
  mlir::FailureOr<AttentionForm> form = readAttention(op);
  if (failed(form))
    return mlir::failure();
  std::vector<cuda::GradientOwner> owners = cuda::gradientOwners(op, *form, emissions.device.dims);
  KernelShell shell(
      op, name, emissions,
      {.threads = schedule.threads(), .resident = residentOf(owners, schedule.threads())});
  Frame frame = shell.frame();
  IRBuilderBase &b = frame.builder;
  auto known = [&](const DimList &dims) {
    return emissions.device.known(sizeOf(dims)).value_or(0);
  };
  Team team(b, schedule.threads(), schedule.threads());
  Value *cells = team.cells(
      b.getInt8Ty(), unsigned(schedule.sharedBytes(known(form->depth), known(form->values))));
  auto grid = [&](Frame frame) {
    return GradientGrid(frame, owners, schedule.getRows(), schedule.getColumns());
  };
  grid(frame).emit(team.block(),
                   [&](const cuda::GradientOwner &owner, const GradientGrid::Place &at) {
                     GradientTile(owner, frame, op, at, team, schedule, cells).emit();
                   });
  return shell.finish([&](Frame frame) { return grid(frame).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
