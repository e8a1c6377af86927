// Which kernels multiply bfloat16 by bfloat16.
#include "ir/kernel/storage/PairProducts.h"

#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/storage/PairedPanels.h"

using namespace mlir;

namespace weft::kernel {

bool multipliesPairs(FusedOp op) {
  auto isNarrow = [&](unsigned number) {
    return storageOf(model::typeOf(op.getOperand(number)), op.getLayoutsAttr()[number]) ==
           model::StorageType::bfloat16;
  };
  auto number = [](Value value) { return cast<mlir::BlockArgument>(value).getArgNumber(); };
  if (op.getFamily() == Family::attention || op.getFamily() == Family::attention_grad) {
    FailureOr<AttentionForm> form = readAttention(op);
    return succeeded(form) && isNarrow(form->q) && isNarrow(form->k);
  }
  if (op.getFamily() != Family::contraction)
    return false;
  FailureOr<ContractionForm> form = readContraction(op);
  return succeeded(form) && llvm::all_of(form->segments, [&](const Segment &segment) {
           return llvm::all_of(segment.sums, [&](const Sum &sum) {
             return llvm::all_of(sum.terms, [&](const Term &term) {
               return isNarrow(number(term.left())) &&
                      isPaired(op.getLayoutsAttr()[number(term.right())]);
             });
           });
         });
}

} // namespace weft::kernel
