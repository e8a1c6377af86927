// At which addresses the buffers of a kernel begin.
#include "codegen/gpu/Alignments.h"

#include "codegen/gpu/contraction/Pieces.h"

using namespace llvm;

namespace weft::gpu {

/// What an address may be off by: a layer's slice, a part, rows of a cache.
static unsigned alignmentOf(mlir::Value buffer, const kernel::DimTable &dims) {
  unsigned alignment = ofBuffers;
  while (auto offset = buffer.getDefiningOp<plan::OffsetOp>()) {
    Size bytes = dims.folded(offset.getBytes().getValue());
    while (alignment > 1 && !kernel::isMultiple(bytes, alignment))
      alignment /= 2;
    buffer = offset.getBuffer();
  }
  if (auto reuse = buffer.getDefiningOp<plan::ReuseOp>())
    return std::min(alignment, alignmentOf(reuse.getBuffer(), dims));
  return alignment;
}

StringMap<SmallVector<unsigned>> alignmentsOf(mlir::ModuleOp plan, const kernel::DimTable &dims) {
  StringMap<SmallVector<unsigned>> all;
  plan.walk([&](plan::LaunchOp launch) {
    auto [entry, isFirst] = all.try_emplace(launch.getKernel());
    SmallVector<unsigned> &known = entry->second;
    for (auto [i, buffer] : enumerate(launch.getBuffers())) {
      unsigned alignment = alignmentOf(buffer, dims);
      if (isFirst)
        known.push_back(alignment);
      else
        known[i] = std::min(known[i], alignment);
    }
  });
  return all;
}

} // namespace weft::gpu
