// What a program says of its kernels.
#include "codegen/host/KernelFacts.h"

#include "codegen/host/SizeFacts.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/kernel/work/Work.h"
#include "ir/model/SourceLines.h"
#include "ir/plan/Plan.h"

using namespace llvm;

namespace weft {

/// Whether instructions that add up two products of bfloat16 at once compute all products of a
/// contraction, or the scores of an attention.
static bool multipliesPairs(kernel::FusedOp op) {
  auto isNarrow = [&](unsigned number) {
    return kernel::storageOf(model::typeOf(op.getOperand(number)), op.getLayoutsAttr()[number]) ==
           model::StorageType::bfloat16;
  };
  auto number = [](mlir::Value value) { return cast<mlir::BlockArgument>(value).getArgNumber(); };
  if (op.getFamily() == kernel::Family::attention ||
      op.getFamily() == kernel::Family::attention_grad) {
    mlir::FailureOr<kernel::AttentionForm> form = kernel::readAttention(op);
    return succeeded(form) && isNarrow(form->q) && isNarrow(form->k);
  }
  if (op.getFamily() != kernel::Family::contraction)
    return false;
  mlir::FailureOr<kernel::ContractionForm> form = kernel::readContraction(op);
  return succeeded(form) && all_of(form->segments, [&](const kernel::Segment &segment) {
           return all_of(segment.sums, [&](const kernel::Sum &sum) {
             return all_of(sum.terms, [&](const kernel::Term &term) {
               return isNarrow(number(term.left())) &&
                      kernel::isPaired(op.getLayoutsAttr()[number(term.right())]);
             });
           });
         });
}

static json::Object factsOf(plan::KernelOp kernel, const kernel::DimTable &dims) {
  auto op = cast<kernel::FusedOp>(kernel.getBody().front().front());
  json::Array lines;
  for (unsigned line : model::linesOf(op.getBody()))
    lines.push_back(int64_t(line));
  json::Object result{{"name", kernel.getSymName()},
                      {"family", stringifyFamily(op.getFamily())},
                      {"lines", std::move(lines)}};
  if (auto [first, others] = op.getLabel().split(", "); !others.empty())
    result["dots"] = int64_t(first.count('.'));
  mlir::FailureOr<kernel::WorkFormula> work = kernel::workFormulaOf(op, dims);
  if (failed(work)) // whoever emits it says why
    return result;
  result["products"] = formulaOf(work->products, dims);
  result["others"] = formulaOf(work->others, dims);
  json::Array reads;
  for (const kernel::WorkFormula::Read &each : work->read)
    reads.push_back(json::Array{formulaOf(each.whole, dims), formulaOf(each.parts, dims)});
  result["reads"] = std::move(reads);
  result["writes"] = formulaOf(work->written, dims);
  if (work->isMasked())
    result["masked"] = true;
  if (multipliesPairs(op))
    result["pairs"] = true;
  return result;
}

json::Array kernelFacts(mlir::ModuleOp plan, const kernel::DimTable &dims) {
  json::Array result;
  for (auto kernel : plan.getOps<plan::KernelOp>())
    result.push_back(factsOf(kernel, dims));
  return result;
}

} // namespace weft
