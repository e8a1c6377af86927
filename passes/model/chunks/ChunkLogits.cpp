// logits = x w; everything that reads them  ==>  repeat "batch" { the same, of one position }
//
// In training, logits and their gradient are the largest values there are, and each row of them is
// read by itself: by its loss, by its own gradient, and by two products that follow. In a loop
// there is one chunk of them at a time, and their memory is that of one. After the derivations and
// what folds them: the loop holds forward and backward pass alike.
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "passes/model/chunks/Chunks.h"

#include "ir/model/infer/Align.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_CHUNKLOGITS
#include "passes/Passes.h.inc"

namespace {
using namespace model;

constexpr RemarkTopic topic{"weft-chunk-logits", "chunks"};

/// The dimension along which `op` finds the largest number of a row of logits, or what stands for
/// that.
DimAttr classesOf(Operation &op) {
  if (auto max = dyn_cast<ReduceMaxOp>(op))
    return max.getOver().size() == 1 ? max.getOver().front() : DimAttr();
  if (isa<SoftmaxOp, LogSumExpOp>(op))
    if (SmallVector<DimAttr> over = cast<Reducing>(op).reduced(); over.size() == 1)
      return over.front();
  return {};
}

/// The product that `value` is made of, element by element.
ContractOp productOf(Value value, DimAttr classes) {
  SmallVector<Value> open{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!open.empty()) {
    Operation *made = open.pop_back_val().getDefiningOp();
    if (!made || !seen.insert(made).second)
      continue;
    if (auto product = dyn_cast<ContractOp>(made))
      return product;
    if (made->hasTrait<OpTrait::Elementwise>() || made->hasTrait<SameByName>())
      for (Value operand : llvm::reverse(made->getOperands()))
        if (hasDim(operand, classes))
          open.push_back(operand);
  }
  return {};
}

struct ChunkLogits : impl::ChunkLogitsBase<ChunkLogits> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<std::pair<ContractOp, DimAttr>> found;
      for (Operation &op : function.front())
        if (DimAttr classes = classesOf(op))
          if (ContractOp product = productOf(op.getOperand(0), classes))
            if (llvm::none_of(found, [&](auto &each) { return each.first == product; }))
              found.push_back({product, classes});
      while (!found.empty()) {
        auto [product, classes] = found.front();
        found.erase(found.begin());
        chunk(function, product, classes, found);
      }
    }
  }

  /// `others` are left, of which those go that are in the same loop.
  void chunk(func::FuncOp function, ContractOp product, DimAttr classes,
             SmallVectorImpl<std::pair<ContractOp, DimAttr>> &others) {
    Dims dims(getOperation());
    Chunks chunks(product, classes, dims);
    std::string name = nameOf(product.getLoc()).value_or("logits");
    if (const auto &refusal = chunks.refusal())
      return remarkMissed(refusal->op, topic, "`" + name + "` is computed whole: " + refusal->why);
    NamedTensorType type = typeOf(product.getResult());
    Size all = dims.bytes(type), one = dims.bytes(RepeatOp::sliceOf(type, chunks.along()));
    remarkCost(product.getLoc(), function, topic,
               "`" + name + "` is computed one position of `" + chunks.along().str() +
                   "` at a time, with all that reads it: " + one.str() + " bytes instead of " +
                   all.str());
    llvm::erase_if(others, [&](auto &other) { return chunks.takes(other.first); });
    chunks.form();
  }
};

} // namespace
} // namespace weft
