// Why two kernels are not one.
#include "passes/fused/Refusals.h"

#include "ir/model/Dims.h"
#include "passes/Remarks.h"
#include "passes/fused/Outline.h"

#include <set>

using namespace mlir;
using namespace weft;

void Refusals::report(const Groups &groups, StringRef pass) const {
  std::map<int64_t, std::string> labels;
  auto label = [&](Operation *op) {
    std::optional<int64_t> group = Groups::of(op);
    if (!group)
      return model::nameOf(op->getLoc()).value_or(op->getName().stripDialect().str());
    std::string &known = labels[*group];
    if (known.empty()) {
      SmallVector<Operation *> ops(groups.members(*group).getArrayRef());
      llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
      known = labelOf(ops);
    }
    return known;
  };
  std::set<std::string> reported;
  for (const Refusal &refusal : refusals) {
    std::optional<int64_t> from = Groups::of(refusal.producer), to = Groups::of(refusal.user);
    if (from && from == to)
      continue;
    std::string producer = "`" + label(refusal.producer) + "`",
                user = "`" + label(refusal.user) + "`";
    if (producer == user) { // their ops tell them apart
      producer += " (" + refusal.producer->getName().stripDialect().str() + ")";
      user += " (" + refusal.user->getName().stripDialect().str() + ")";
    }
    std::string text = producer + " and " + user + " are two kernels: " + refusal.why;
    if (!reported.insert(text).second)
      continue;
    remarkMissed(refusal.user, {pass, "apart"}, text);
  }
}
