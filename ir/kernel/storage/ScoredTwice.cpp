// Which gradients compute scores of which attention again.
#include "ir/kernel/storage/ScoredTwice.h"

#include "ir/kernel/AttentionForm.h"

using namespace mlir;
using namespace weft;
using namespace weft::kernel;

namespace {
/// The number of the operand that a value of a kernel's body is, if it is one.
std::optional<unsigned> operandOf(Value inside) {
  auto argument = dyn_cast_if_present<BlockArgument>(inside);
  return argument ? std::optional(argument.getArgNumber()) : std::nullopt;
}

ScoredTwice pairOf(FusedOp attention, const AttentionForm &first, FusedOp gradient,
                   const AttentionForm &second) {
  ScoredTwice pair{attention, gradient, {{first.q, second.q}, {first.k, second.k}}};
  std::optional<unsigned> one = operandOf(first.bias), other = operandOf(second.bias);
  if (one && other)
    pair.operands.push_back({*one, *other});
  return pair;
}
} // namespace

SmallVector<ScoredTwice> kernel::scoredTwice(ModuleOp module, const Places &places,
                                             const SharedStorage &shared) {
  auto leader = [&](Value value) -> Value {
    std::optional<Place> place = places.of(value);
    return shared.leader(place ? place->root : value);
  };
  llvm::DenseMap<Value, std::vector<std::pair<FusedOp, AttentionForm>>> leaving;
  module.walk([&](FusedOp op) {
    if (op.getFamily() != Family::attention)
      return;
    if (FailureOr<AttentionForm> form = readAttention(op); succeeded(form))
      for (unsigned lse : form->lse)
        leaving[leader(op.getResult(lse - op.getNumOperands()))].push_back({op, *form});
  });
  SmallVector<ScoredTwice> all;
  module.walk([&](FusedOp op) {
    if (op.getFamily() != Family::attention_grad)
      return;
    if (FailureOr<AttentionForm> form = readAttention(op); succeeded(form))
      for (unsigned lse : form->lse)
        for (auto &[attention, first] : leaving.lookup(leader(op.getInputs()[lse])))
          all.push_back(pairOf(attention, first, op, *form));
  });
  return all;
}

std::optional<unsigned> kernel::storedOtherwise(ScoredTwice scores) {
  for (auto [one, other] : scores.operands)
    if (storageIn(scores.attention.getLayoutsAttr()[one]) !=
        storageIn(scores.gradient.getLayoutsAttr()[other]))
      return other;
  return std::nullopt;
}
