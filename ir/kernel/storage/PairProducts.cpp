// Which kernels multiply bfloat16 by bfloat16.
#include "ir/kernel/storage/PairProducts.h"

#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace mlir;

namespace weft::kernel {

static bool isNarrow(FusedOp op, unsigned number) {
  return storageOf(model::typeOf(op.getOperand(number)), op.getLayoutsAttr()[number]) ==
         model::StorageType::bfloat16;
}

static unsigned numberOf(Value value) {
  return cast<BlockArgument>(value).getArgNumber();
}

bool isPairTerm(FusedOp op, const Term &term) {
  return isNarrow(op, numberOf(term.left())) &&
         isPaired(op.getLayoutsAttr()[numberOf(term.right())]);
}

bool isScaledTerm(FusedOp op, const Term &term) {
  return isNarrow(op, numberOf(term.left())) &&
         weightFormatOf(op.getLayoutsAttr()[numberOf(term.right())]);
}

/// All terms of all sums, in order.
static SmallVector<const Term *> termsOf(const ContractionForm &form) {
  SmallVector<const Term *> terms;
  for (const Segment &segment : form.segments)
    for (const Sum &sum : segment.sums)
      for (const Term &term : sum.terms)
        terms.push_back(&term);
  return terms;
}

bool multipliesPairs(FusedOp op) {
  if (op.getFamily() == Family::attention || op.getFamily() == Family::attention_grad) {
    FailureOr<AttentionForm> form = readAttention(op);
    return succeeded(form) && isNarrow(op, form->q) && isNarrow(op, form->k);
  }
  if (op.getFamily() != Family::contraction)
    return false;
  FailureOr<ContractionForm> form = readContraction(op);
  return succeeded(form) &&
         llvm::all_of(termsOf(*form), [&](const Term *term) { return isPairTerm(op, *term); });
}

bool multipliesScaledPairs(FusedOp op) {
  if (op.getFamily() != Family::contraction)
    return false;
  FailureOr<ContractionForm> form = readContraction(op);
  if (failed(form))
    return false;
  SmallVector<const Term *> terms = termsOf(*form);
  auto isScaled = [&](const Term *term) { return isScaledTerm(op, *term); };
  return llvm::any_of(terms, isScaled) && llvm::all_of(terms, [&](const Term *term) {
           return isScaled(term) || isPairTerm(op, *term);
         });
}

} // namespace weft::kernel
