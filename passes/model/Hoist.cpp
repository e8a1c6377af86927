// What is the same in every pass of a loop is computed once before it: tables of angles, masks,
// what crosses from another loop. Before the derivations, so that gradients and caches find it
// outside too.
#include "passes/Passes.h"

#include "ir/model/Model.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_HOIST
#include "passes/Passes.h.inc"

namespace {
/// Every pass of a loop draws its own numbers, also in a loop inside of it.
bool draws(Operation *op) {
  return op->walk([](model::RandomOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

struct Hoist : impl::HoistBase<Hoist> {
  void runOnOperation() override {
    // Inner loops first, so that what leaves one may leave the next.
    getOperation()->walk([](model::RepeatOp loop) {
      moveLoopInvariantCode(
          &loop.getBody(),
          [&](Value value, Region *) {
            return !loop->isAncestor(value.getParentRegion()->getParentOp());
          },
          [](Operation *op, Region *) { return isMemoryEffectFree(op) && !draws(op); },
          [&](Operation *op, Region *) { op->moveBefore(loop); });
    });
  }
};
} // namespace
} // namespace weft
