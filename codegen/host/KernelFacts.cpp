// What a program says of its kernels.
#include "codegen/host/KernelFacts.h"

#include "codegen/host/SizeFacts.h"
#include "ir/kernel/storage/PairProducts.h"
#include "ir/kernel/work/Work.h"
#include "ir/model/SourceLines.h"
#include "ir/plan/Plan.h"

using namespace llvm;

namespace weft {

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
  for (const kernel::WorkFormula::Bytes &each : work->read)
    reads.push_back(json::Array{formulaOf(each.whole, dims), formulaOf(each.parts, dims)});
  result["reads"] = std::move(reads);
  result["writes"] = formulaOf(work->written.whole, dims);
  if (work->written.parts != work->written.whole)
    result["writes_parts"] = formulaOf(work->written.parts, dims);
  if (work->isMasked())
    result["masked"] = true;
  if (kernel::multipliesPairs(op))
    result["pairs"] = true;
  if (kernel::multipliesScaledPairs(op))
    result["scaled_pairs"] = true;
  return result;
}

json::Array kernelFacts(mlir::ModuleOp plan, const kernel::DimTable &dims) {
  json::Array result;
  for (auto kernel : plan.getOps<plan::KernelOp>())
    result.push_back(factsOf(kernel, dims));
  return result;
}

} // namespace weft
