// How many kernels a layer of GPT-2 is. Forward: at most seven, one of which makes q, k and v, and
// none of which is a mask, a scale, a bias, an activation or a residual alone. Backwards: sixteen.
#include "tests/frontend/lower/Built.h"
#include "tests/passes/fused/ParametersOf.h"

#include "passes/Pipeline.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

using namespace weft;
using weft::test::Built;

namespace {

/// A function of a program with the kernels of its layers, from the outside in.
struct Layer {
  std::string function;
  std::vector<kernel::FusedOp> kernels;

  std::string list() const {
    std::string text = function + ":";
    for (kernel::FusedOp op : kernels)
      text += "\n  " + stringifyFamily(op.getFamily()).str() + " \"" + op.getLabel().str() + "\"";
    return text;
  }
};

/// The loops over layers that go forward, or those that go backwards.
std::vector<Layer> layers(mlir::ModuleOp module, bool backwards = false) {
  std::vector<Layer> found;
  module.walk([&](model::RepeatOp loop) {
    if (loop.getDim().getValue() != "layer" || loop.getReverse() != backwards)
      return;
    Layer layer{loop->getParentOfType<mlir::func::FuncOp>().getName().str(), {}};
    loop.walk([&](kernel::FusedOp op) { layer.kernels.push_back(op); });
    found.push_back(layer);
  });
  return found;
}

/// Whether a kernel does what a layer is made of; everything else should be part of such a kernel.
bool isMain(kernel::FusedOp op) {
  bool found = false;
  op.walk([&](mlir::Operation *inner) {
    found |= isa<model::ContractOp, model::AttentionOp, model::NormalizeOp>(inner);
  });
  return found;
}

class Structure : public testing::TestWithParam<const char *> {
protected:
  /// examples/gpt at the fused stage.
  void build(llvm::ArrayRef<llvm::StringRef> without = {}) {
    BuildOptions options = test::optionsFrom(std::string("--config ") + GetParam());
    program.emplace(Built::File{WEFT_SOURCE "/examples/gpt/gpt.weft"}, options);
    ASSERT_TRUE(program->module) << program->errors();
    static const bool registered = (registerPipeline(), true);
    mlir::PassManager manager(&program->context);
    ASSERT_TRUE(registered && succeeded(addStage(manager, "model")) &&
                succeeded(addStage(manager, "fused", {without, {}})));
    ASSERT_TRUE(succeeded(manager.run(*program->module)));
  }
  std::optional<Built> program;
};

TEST_P(Structure, ALayerIsSevenKernels) {
  build();
  std::set<std::string> functions;
  for (const Layer &forward : layers(*program->module)) {
    functions.insert(forward.function);
    SCOPED_TRACE(forward.list());
    EXPECT_LE(forward.kernels.size(), 7u);
    int projections = 0;
    for (kernel::FusedOp op : forward.kernels) {
      EXPECT_TRUE(isMain(op)) << "\"" << op.getLabel().str() << "\" stands alone";
      std::set<std::string> read = test::parametersOf(op);
      for (const char *name : {"q", "k", "v"})
        if (read.contains(std::string("layer.attn.") + name + ".weight")) {
          EXPECT_EQ(op.getFamily(), kernel::Family::contraction);
          EXPECT_TRUE(read.contains("layer.attn.q.weight") &&
                      read.contains("layer.attn.k.weight") && read.contains("layer.attn.v.weight"))
              << "\"" << op.getLabel().str() << "\" has not all of q, k and v";
          projections += name[0] == 'q';
        }
    }
    EXPECT_EQ(projections, 1);
  }
  EXPECT_EQ(functions,
            (std::set<std::string>{"generate.advance", "logits", "loss", "train.gradient"}))
      << "the functions that go through the layers";
}

/// Eight of contractions (each weight's gradient and each activation's, those of q, k and v
/// together), the attention's, the activation computed again, one over the rows of each norm, and
/// four of sums down columns: the gradients of biases and gains.
TEST_P(Structure, ALayerBackwardsIsSixteenKernels) {
  build();
  std::vector<Layer> all = layers(*program->module, /*backwards=*/true);
  ASSERT_EQ(all.size(), 1u);
  SCOPED_TRACE(all[0].list());
  EXPECT_LE(all[0].kernels.size(), 16u);
  int norms = 0, sums = 0;
  for (kernel::FusedOp op : all[0].kernels) {
    mlir::Block &body = op.getBody().front();
    if (body.getOps<model::NormalizeGradOp>().empty()) {
      sums += op.getFamily() == kernel::Family::rows && !body.getOps<model::SumOp>().empty();
      continue;
    }
    ++norms;
    EXPECT_FALSE(body.getOps<model::NormalizeOp>().empty()) << "the rows are read twice";
  }
  EXPECT_EQ(norms, 2);
  EXPECT_LE(sums, 4);
}

/// What is counted is what the passes do.
TEST_P(Structure, WithoutFusionThereAreMore) {
  build({"weft-fuse-projections", "weft-fuse-epilogues", "weft-fuse-rows"});
  for (const Layer &forward : layers(*program->module)) {
    EXPECT_GT(forward.kernels.size(), 7u) << forward.function;
    EXPECT_FALSE(llvm::all_of(forward.kernels, isMain)) << forward.function;
  }
}

INSTANTIATE_TEST_SUITE_P(Gpt, Structure, testing::Values("tiny", "demo", "gpt2_124m"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
