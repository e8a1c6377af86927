// max[d](x) + log(sum[d](exp(x - max[d](x))))  ==>  logsumexp[d](x)
#include "ir/model/Align.h"
#include "passes/Passes.h"
#include "passes/model/DeadOps.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FORMLOGSUMEXP
#include "passes/Passes.h.inc"

namespace {

struct FormLogSumExp : impl::FormLogSumExpBase<FormLogSumExp> {
  /// The x of log(sum[d](exp(x - top))), if `top` is its maximum over the same dimension.
  static Value match(Value logarithm, Value top) {
    auto log = bare(logarithm).getDefiningOp<LogOp>();
    auto max = bare(top).getDefiningOp<ReduceMaxOp>();
    auto sum = log ? bare(log.getInput()).getDefiningOp<SumOp>() : nullptr;
    if (!sum || !max || max.getOver() != sum.getOver() || sum.getOver().size() != 1)
      return nullptr;
    auto exp = sum.getInput().getDefiningOp<ExpOp>();
    auto shifted = exp ? exp.getInput().getDefiningOp<SubOp>() : nullptr;
    if (!shifted || bare(shifted.getRhs()) != max.getResult() ||
        bare(shifted.getLhs()) != bare(max.getInput()) ||
        !hasDim(shifted.getLhs(), cast<StringAttr>(sum.getOver()[0])))
      return nullptr;
    return shifted.getLhs();
  }

  void runOnOperation() override {
    getOperation().walk([](AddOp add) {
      for (auto [log, top] : bothWays(add)) {
        Value input = match(log, top);
        if (!input)
          continue;
        auto over = cast<StringAttr>(bare(top).getDefiningOp<ReduceMaxOp>().getOver()[0]);
        OpBuilder builder(add);
        return replaceOp(add, LogSumExpOp::create(builder, add.getLoc(), over, input));
      }
    });
    eraseDead(getOperation());
  }
};

} // namespace
} // namespace weft
