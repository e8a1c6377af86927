// What a training of the translation keeps of scores: nothing. Its attentions drop weights at a
// rate of 0.2, forwards and backwards, where they draw.
#include "tests/frontend/lower/Built.h"

#include "ir/kernel/Kernel.h"
#include "passes/Pipeline.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace weft;
using weft::test::Built;

namespace {

struct Counted {
  unsigned attentions = 0, gradients = 0, drops = 0; ///< kernels
  unsigned pairs = 0; ///< values of kernels that have a number for each query and key
};

Counted count(llvm::StringRef function, llvm::ArrayRef<llvm::StringRef> without) {
  Built program(Built::File{WEFT_SOURCE "/examples/translation/translation.weft"},
                test::optionsFrom("--config full --set svocab=200,tvocab=180"));
  EXPECT_TRUE(program.module) << program.errors();
  static const bool registered = (registerPipeline(), true);
  mlir::PassManager manager(&program.context);
  EXPECT_TRUE(registered && succeeded(addStage(manager, "model", {without, {}})) &&
              succeeded(addStage(manager, "fused")));
  EXPECT_TRUE(succeeded(manager.run(*program.module)));
  Counted counted;
  auto isPair = [](mlir::Value value) {
    std::set<std::string> has;
    for (model::DimAttr dim : model::typeOf(value).getDims())
      has.insert(dim.str());
    return (has.contains("src") && (has.contains("skey") || has.contains("tgt"))) ||
           (has.contains("tgt") && has.contains("tkey"));
  };
  program.module->lookupSymbol(function)->walk([&](kernel::FusedOp op) {
    mlir::Block &body = op.getBody().front();
    counted.attentions += op.getFamily() == kernel::Family::attention;
    counted.gradients += op.getFamily() == kernel::Family::attention_grad;
    for (mlir::Operation &inner : body) {
      auto keeps = [](auto attention) { return attention && attention.getKeep(); };
      counted.drops += keeps(dyn_cast<model::AttentionOp>(inner)) ||
                       keeps(dyn_cast<model::AttentionGradOp>(inner));
    }
    for (mlir::Value result : op.getResults())
      counted.pairs += isPair(result);
  });
  return counted;
}

// Two loops: an attention in each block of the encoder, two in each of the decoder.
TEST(Scores, OfATrainingWithDropoutLieInNoMemory) {
  Counted fused = count("train.gradient", {});
  EXPECT_EQ(fused.attentions, 3u);
  EXPECT_EQ(fused.gradients, 3u);
  EXPECT_EQ(fused.drops, 6u);
  EXPECT_EQ(fused.pairs, 0u);
}

/// What is counted is what the pass does.
TEST(Scores, LieInMemoryWithoutTheIdiom) {
  Counted apart = count("train.gradient", {"weft-form-attention"});
  EXPECT_EQ(apart.attentions, 0u);
  EXPECT_GE(apart.pairs, 6u);
}

} // namespace
