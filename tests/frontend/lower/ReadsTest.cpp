// Which settings each entry reads, and with which values: what a checkpoint is held against.
#include "Built.h"

#include "ir/model/Model.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;

namespace {

const char *const source = R"(
dim batch, model, inner, head, dh = inner / head, window, side = 2 * window
option act = relu, gate = tanh, rate = 0.1, peak = 0.01, most = 1.0, limit = most / 2, spread = 0.02
option width = 4, scale = 1 / width, warm = 2.0, noisy = true

fn scaled(x: [..], by = 1.0, unused = 0.0) -> [..] = x * by
fn noise(x: [..], p = 0.5) -> [..] {
  if training and p > 0 { dropout(x, p) } else { x }
}
block Gate(x: [.., model]) -> [.., model] = gate(x)
block Model(x: [batch, model]) -> [batch, model] {
  param w: [model, inner] = normal(spread)
  y = sum[model](noise(x, rate) * w)[inner as (head, dh)]
  z = sum[(head, dh)](act(y) * w[inner as (head, dh)])
  if noisy { scaled(z, by = scale, unused = warm) } else { z * warm }
}
entry logits(x: [batch, model]) -> [batch, model] = Model(x)
entry gated(x: [batch, model]) -> [batch, model] = Gate(x)
entry wide(x: [batch, model]) -> float = sum[(batch, model)](x) / size(side)
entry loss(x: [batch, model]) -> float = mean[(batch, model)](Model(x) ^ 2)
entry train = minimize(loss, sgd(rate = peak), clip = limit)
)";

/// `name=value` of all that `entry` of `program` reads.
std::string reads(const std::string &entry, const std::string &settings,
                  const std::string &program) {
  Built built(program, optionsFrom("--set " + settings));
  EXPECT_TRUE(built.module) << built.errors();
  if (!built.module)
    return "";
  mlir::DictionaryAttr found;
  for (auto each : built.module->getOps<model::ReadsOp>())
    if (each.getEntry() == entry)
      found = each.getValues();
  EXPECT_TRUE(found) << entry;
  std::string text;
  for (mlir::NamedAttribute each : found) {
    llvm::raw_string_ostream stream(text);
    stream << (text.empty() ? "" : " ") << each.getName().getValue() << '=';
    each.getValue().print(stream, /*elideType=*/true);
  }
  return text;
}

std::string reads(const std::string &entry, const std::string &settings = "") {
  return reads(entry, "model=4,inner=8,head=2,window=3," + settings, source);
}

TEST(Reads, BlocksThatOnlyOneEntryUses) {
  EXPECT_EQ(reads("gated"), R"(gate="tanh")");
  EXPECT_EQ(reads("logits"), R"(act="relu" head=2 inner=8 noisy=true scale=2.500000e-01)");
}

TEST(Reads, WhatIsSet) {
  EXPECT_EQ(reads("gated", "gate=sigmoid"), R"(gate="sigmoid")");
  EXPECT_EQ(reads("logits", "head=4,act=tanh,width=2"),
            R"(act="tanh" head=4 inner=8 noisy=true scale=5.000000e-01)");
}

/// An option counts with its value, whatever that was made of: `scale=0.5` is what `width=2` is.
TEST(Reads, OptionsMadeOfOthers) {
  EXPECT_EQ(reads("logits", "width=2"), reads("logits", "scale=0.5,width=7"));
}

/// In `logits` nothing is dropped out, no gradient is clipped, nothing starts anew. An argument
/// that nobody uses is not read where it is given.
TEST(Reads, WhatTrainingAloneReads) {
  EXPECT_EQ(reads("train.gradient"),
            R"(act="relu" head=2 inner=8 noisy=true rate=1.000000e-01 scale=2.500000e-01)");
  EXPECT_EQ(reads("train"),
            R"(act="relu" head=2 inner=8 limit=5.000000e-01 noisy=true peak=1.000000e-02 )"
            "rate=1.000000e-01 scale=2.500000e-01");
  EXPECT_EQ(reads("loss"), reads("logits"));
  EXPECT_EQ(reads("logits", "rate=0.3,peak=1.0,most=7.0,spread=0.5,warm=9.0"), reads("logits"));
}

/// What uses the model in one way or another, for those who do not know yet.
TEST(Reads, AnyUse) {
  EXPECT_EQ(reads("*"),
            R"(act="relu" gate="tanh" head=2 inner=8 noisy=true scale=2.500000e-01 window=3)");
}

TEST(Reads, BranchesThatAreTaken) {
  EXPECT_EQ(reads("logits", "noisy=false"),
            R"(act="relu" head=2 inner=8 noisy=false warm=2.000000e+00)");
}

/// What comes with the data is no setting of the model: of `x` only its size is the caller's.
TEST(Reads, SizesThatInputsHave) {
  EXPECT_EQ(reads("wide"), "window=3");
  EXPECT_EQ(reads("wide", "batch=5"), "window=3");
}

TEST(Reads, WhatIsDecoded) {
  const std::string program = R"(
dim batch, position, seq <= position, key = seq, vocab, model
option act = relu, start = 0, most = 8
block Scores(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(1)
  x = act(table[vocab = tokens])
  y = attend[seq, key, model](x, x[seq as key], x[seq as key], mask = index(key) <= index(seq))
  sum[model](y * table)
}
entry logits(tokens: vocab[batch, seq]) -> [batch, seq, vocab] = Scores(tokens)
entry generate = decode[seq](logits, start = start, max = most)
)";
  const std::string settings = "vocab=5,position=7,model=4";
  EXPECT_EQ(reads("generate", settings, program), R"(act="relu" model=4 vocab=5)");
  EXPECT_EQ(reads("generate", settings, program), reads("logits", settings, program));
}

/// JSON has no word for an infinity; its text still tells it from a number.
TEST(Reads, Infinities) {
  EXPECT_EQ(reads("logits", "scale=inf"), R"(act="relu" head=2 inner=8 noisy=true scale="inf")");
}

TEST(States, AreWrittenByTrainingAlone) {
  const std::string program =
      "dim batch, model\n"
      "block Counter(x: [batch, model]) -> [batch, model] {\n"
      "  param gain: [model] = 1\n"
      "  state count: int = -1\n"
      "  count = count + 1\n"
      "  gain * x * count\n"
      "}\n"
      "entry run(x: [batch, model]) -> [batch, model] = Counter(x)\n"
      "entry loss(x: [batch, model]) -> float = sum[batch, model](Counter(x))\n"
      "entry train = minimize(loss, sgd())\n";
  std::string text = Built("# weft build --set model=4\n" + program).text();
  auto part = [&](const std::string &entry) {
    size_t at = text.find("func.func @" + entry);
    EXPECT_NE(at, text.npos) << text;
    return text.substr(at, text.find("return", at) - at);
  };
  EXPECT_EQ(part("run(").find("model.assign"), std::string::npos);
  EXPECT_EQ(part("loss(").find("model.assign"), std::string::npos);
  EXPECT_NE(part("train.loss").find("model.assign @count"), std::string::npos);
  EXPECT_NE(text.find("model.parameter @count"), std::string::npos);
}

} // namespace
