// Sizes of a run: from the inputs, derived, bounded; contradictions name tensor, dimension and both
// sizes.
#include "runtime/model/EntryRun.h"

#include <gtest/gtest.h>

using namespace weft::runtime;

namespace {
class SizesTest : public testing::Test {
protected:
  SizesTest() : facts(*readFacts({weft_program.json, weft_program.json_size})) {}
  /// The message of solving `entry` with these shapes of its inputs; "" if it works.
  std::string solve(const char *name, const std::vector<std::vector<int64_t>> &shapes,
                    int64_t known = 0) {
    const Entry &entry = facts.entries[facts.entry(name)];
    Sizes sizes(facts);
    for (size_t i = 0; i < shapes.size(); ++i)
      if (Status status = sizes.bind(entry.inputs[i], shapes[i], "input " + entry.inputs[i].name);
          !status)
        return status.error().message;
    if (known > 0)
      if (Status status = sizes.set(facts.dimension("known"), known, "--set"); !status)
        return status.error().message;
    Status status = sizes.resolve(facts.entry(name));
    return status ? "" : status.error().message;
  }
  Facts facts;
};
} // namespace

TEST_F(SizesTest, FromInputs) {
  EXPECT_EQ(solve("logits", {{2, 5}}), "");
  EXPECT_EQ(solve("loss", {{64, 32}, {64, 32}}), "");
  EXPECT_EQ(
      solve("loss", {}),
      "the size of batch is not known: `tokens` [batch, seq] needs it; say it with --set batch=N");
}

TEST_F(SizesTest, Contradictions) {
  EXPECT_EQ(solve("loss", {{2, 5}, {2, 6}}),
            "input next: seq is 6, but input tokens has seq = 5 (bigram.weft:2)");
  EXPECT_EQ(solve("logits", {{2, 5, 1}}),
            "input tokens: has shape [2, 5, 1], expected 2 dimensions: [batch, seq]");
  EXPECT_EQ(solve("train.update", {{128, 64}}),
            "input table: vocab is 64, but this build has vocab = 128 (bigram.weft:3); build with "
            "--set vocab=64 for another size");
  EXPECT_EQ(solve("logits", {{0, 5}}), "input tokens: batch is 0, expected at least 1");
}

TEST_F(SizesTest, BoundsAndObligations) {
  EXPECT_EQ(solve("logits", {{2147483648, 4}}),
            "input tokens: batch is 2147483648, but the largest size is 2147483647");
  EXPECT_EQ(solve("logits", {{2, 33}}),
            "input tokens: seq is 33, this build allows seq <= 32 (bigram.weft:2)");
  EXPECT_EQ(
      solve("generate.advance", {{1, 4}, {1, 8, 128}}, 6),
      "generate.advance: `known + new` is 10, but `capacity` is 8; known = 6 comes from --set, "
      "new = 4 comes from input tokens, capacity = 8 comes from input rows");
  EXPECT_EQ(solve("logits", {{1, 4}}, 40), ""); // what another entry asks is not asked of this one
  EXPECT_EQ(solve("generate.advance", {{1, 2}, {1, 8, 128}}, 6), "");
}
