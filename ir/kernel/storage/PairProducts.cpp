// Which kernels multiply bfloat16 by bfloat16.
#include "ir/kernel/storage/PairProducts.h"

#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace mlir;

namespace weft::kernel {

static bool isNarrow(FusedOp op, unsigned number) {
  return storageOf(model::typeOf(op.getOperand(number)), op.getLayoutsAttr()[number]) ==
         model::StorageType::bfloat16;
}

bool isPairTerm(FusedOp op, const Term &term) {
  auto number = [](Value value) { return cast<mlir::BlockArgument>(value).getArgNumber(); };
  return isNarrow(op, number(term.left())) && isPaired(op.getLayoutsAttr()[number(term.right())]);
}

bool multipliesPairs(FusedOp op) {
  if (op.getFamily() == Family::attention || op.getFamily() == Family::attention_grad) {
    FailureOr<AttentionForm> form = readAttention(op);
    return succeeded(form) && isNarrow(op, form->q) && isNarrow(op, form->k);
  }
  if (op.getFamily() != Family::contraction)
    return false;
  FailureOr<ContractionForm> form = readContraction(op);
  return succeeded(form) && llvm::all_of(form->segments, [&](const Segment &segment) {
           return llvm::all_of(segment.sums, [&](const Sum &sum) {
             return llvm::all_of(sum.terms, [&](const Term &term) { return isPairTerm(op, term); });
           });
         });
}

} // namespace weft::kernel
