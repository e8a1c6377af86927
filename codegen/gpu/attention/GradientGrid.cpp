// Which block of a gradient of attention has which queries or keys.
#include "codegen/gpu/attention/GradientGrid.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::gpu {

GradientGrid::GradientGrid(Frame frame, const AttentionForm &form, int64_t rows) : rows(rows) {
  IRBuilderBase &b = frame.builder;
  auto tiles = [&](bool needed, const DimList &dims) -> Value * {
    return needed ? ceilDiv(b, frame.extent(dims), b.getInt64(rows)) : b.getInt64(0);
  };
  queries = tiles(!form.dq.empty(), form.rows);
  each = b.CreateNSWAdd(queries, tiles(!form.dk.empty() || !form.dv.empty(), form.keys));
  blocks = b.CreateNSWMul(frame.extent(form.batch), each);
}

Value *GradientGrid::batch(IRBuilderBase &b, Value *block) const {
  return b.CreateUDiv(block, each);
}

void GradientGrid::emit(IRBuilderBase &b, Value *block,
                        function_ref<void(Owner, Value *)> tile) const {
  Value *number = b.CreateURem(block, each);
  auto own = [&](Owner owner, Value *which) {
    tile(owner, b.CreateNSWMul(which, b.getInt64(rows)));
    return Values();
  };
  choose(
      b, b.CreateICmpSLT(number, queries), [&] { return own(Owner::queries, number); },
      [&] { return own(Owner::keys, b.CreateNSWSub(number, queries)); });
}

} // namespace weft::gpu
