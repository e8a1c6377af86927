// What is projected under several names is projected at once: the translation's self-attentions
// take x and x renamed, forwards and backwards, in training, scoring and decoding.
#include "tests/frontend/lower/Built.h"
#include "tests/passes/fused/ParametersOf.h"

#include "passes/Pipeline.h"

#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <map>

using namespace weft;
using weft::test::Built;

namespace {

using Weights = std::set<std::string>;
/// By function: which of the weights q, k and v of an attention are read together, kernel by
/// kernel.
using Kernels = std::map<std::string, std::multiset<Weights>>;

class Renamed : public testing::Test {
protected:
  void SetUp() override {
    BuildOptions options = test::optionsFrom("--config full --set svocab=200,tvocab=180");
    program.emplace(Built::File{WEFT_SOURCE "/examples/translation/translation.weft"}, options);
    ASSERT_TRUE(program->module) << program->errors();
  }

  void lower(llvm::ArrayRef<llvm::StringRef> without = {}) {
    static const bool registered = (registerPipeline(), true);
    mlir::PassManager manager(&program->context);
    ASSERT_TRUE(registered && succeeded(addStage(manager, "model", {without, {}})) &&
                succeeded(addStage(manager, "fused")));
    ASSERT_TRUE(succeeded(manager.run(*program->module)));
  }

  /// In the loops over layers that go this way.
  Kernels of(const std::string &attention, bool backwards = false) {
    Kernels found;
    program->module->walk([&](model::RepeatOp loop) {
      if (loop.getReverse() != backwards)
        return;
      loop.walk([&](kernel::FusedOp op) {
        Weights read, all = test::parametersOf(op);
        for (const char *name : {"q", "k", "v"})
          if (all.contains(attention + "." + name + ".weight"))
            read.insert(name);
        if (!read.empty())
          found[loop->getParentOfType<mlir::func::FuncOp>().getName().str()].insert(read);
      });
    });
    return found;
  }

  std::optional<Built> program;
};

const Weights query = {"q"}, stored = {"k", "v"}, all = {"q", "k", "v"};

TEST_F(Renamed, SelfAttentionIsOneProjection) {
  lower();
  EXPECT_EQ(of("encoder.below.attn"), (Kernels{{"logits", {all}},
                                               {"translate.begin", {all}},
                                               {"loss", {all}},
                                               {"memory", {all}},
                                               {"train.gradient", {all}}}));
  EXPECT_EQ(of("decoder.above.attn"), (Kernels{{"logits", {all}},
                                               {"translate.advance", {all}},
                                               {"loss", {all}},
                                               {"decoder", {all}},
                                               {"train.gradient", {all}}}));
}

/// Keys and values of what the encoder gave are there before decoding starts.
TEST_F(Renamed, CrossAttentionIsTwo) {
  lower();
  EXPECT_EQ(of("decoder.above.cross"), (Kernels{{"logits", {query, stored}},
                                                {"translate.begin", {stored}},
                                                {"translate.advance", {query}},
                                                {"loss", {query, stored}},
                                                {"decoder", {query, stored}},
                                                {"train.gradient", {query, stored}}}));
}

/// The activation's gradient is the sum of three products, which is one.
TEST_F(Renamed, BackwardsToo) {
  lower();
  EXPECT_EQ(of("encoder.below.attn", true), (Kernels{{"train.gradient", {all}}}));
  EXPECT_EQ(of("decoder.above.attn", true), (Kernels{{"train.gradient", {all}}}));
}

/// What is counted is what the pass does.
TEST_F(Renamed, WithoutThePassThereAreMore) {
  lower({"weft-sink-renames"});
  EXPECT_EQ(of("encoder.below.attn")["logits"], (std::multiset<Weights>{query, stored}));
  EXPECT_EQ(of("decoder.above.attn")["train.gradient"], (std::multiset<Weights>{query, stored}));
}

} // namespace
