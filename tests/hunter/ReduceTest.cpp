// Reducing: what goes on failing in the same way, and nothing else. The faults here are made up,
// for the compiler's own are mended.
#include "Survey.h"

#include "frontend/check/Checker.h"
#include "frontend/syntax/parse/Parser.h"
#include "runtime/machine/Isa.h"
#include "tests/unit/runtime/TemporaryFolder.h"
#include "tools/reduce/Child.h"
#include "tools/reduce/Shrink.h"
#include "tools/reduce/compiled/NativeCode.h"
#include "tools/reduce/subject/Repeat.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sys/wait.h>

using namespace weft;
using namespace weft::reduce;

namespace {

bool passes(const std::string &text) {
  SourceManager sources;
  Diagnostics diagnostics;
  ast::Program program = loadProgram("reduced.weft", text, sources, diagnostics);
  return check(program, diagnostics) && !diagnostics.hasErrors();
}

/// A fault of all programs that the checker passes and that say all of `words`.
auto faultOf(std::vector<std::string> words) {
  return [words](const Subject &subject) -> Verdict {
    for (const std::string &word : words)
      if (subject.text.find(word) == std::string::npos)
        return {};
    return passes(subject.text) ? Verdict{Kind::values, "run", "made up"}
                                : Verdict{Kind::invalid, "check", ""};
  };
}

constexpr char sixtyLines[] =
    R"(dim batch, seq, key = seq, head = 4, dh = 8, model = head * dh, ff = 4 * model, layer = 3, class = 5
option rate = 0.1, deep = true

fn twice(x: [..]) -> [..] = 2 * x
fn unused(x: [..]) -> [..] = x + 1

block Heads(x: [batch, seq, model]) -> [batch, seq, model] {
  q = Project[model, (head, dh)](x)
  k = Project[model, (head, dh)](x)[seq as key]
  v = Linear[model, (head, dh)](x)[seq as key]
  causal = index(key) <= index(seq)
  y = attend[seq, key, dh](q, k, v, mask = causal)
  out: Linear[(head, dh), model](y)
}

block FeedForward(x: [.., model]) -> [.., model] {
  h = gelu(up: Linear[model, ff](x))
  down: Linear[ff, model](h)
}

block Layer(x: [batch, seq, model]) -> [batch, seq, model] {
  normed = first: LayerNorm[model](x)
  x = x + heads: Heads(normed)
  if deep {
    y = twice(x)
    z = y - x
  } else {
    z = x
  }
  normed = second: LayerNorm[model](z)
  x + ffn: FeedForward(normed)
}

block Classifier(x: [batch, seq, model], keep: bool[batch, seq]) -> [batch, class] {
  repeat[layer] {
    x = layer: Layer(x)
  }
  x = last: LayerNorm[model](x)
  pooled = kept_mean[seq](x, keep)
  so_far = cumsum[seq](x)
  ends = so_far[seq = 0]
  sums = pooled + ends
  hidden = tanh(dense: Linear[model, model](sums))
  scores: Linear[model, class](hidden)
}

entry scores(x: [batch, seq, model], keep: bool[batch, seq]) -> [batch, class] = net: Classifier(x, keep)

entry best(x: [batch, seq, model], keep: bool[batch, seq]) -> class[batch] {
  scores = net: Classifier(x, keep)
  weighed = softmax[class](scores)
  argmax[class](weighed)
}

entry loss(x: [batch, seq, model], keep: bool[batch, seq], label: class[batch]) -> float {
  scores = net: Classifier(x, keep)
  mean[batch](cross_entropy[class](scores, label))
}

entry train = minimize(loss, adamw(rate = 0.001))
config small with batch = 2
)";

Shrunk shrunk(const std::string &text, std::vector<std::string> words) {
  Subject subject;
  subject.text = text;
  subject.sizes = {{{"batch", 4}, {"seq", 7}}, {{"batch", 1}, {"seq", 1}}};
  auto attempt = faultOf(std::move(words));
  ShrinkOptions options;
  options.attempt = attempt;
  return shrink(subject, attempt(subject), options);
}

TEST(Reduce, SixtyLinesBecomeAHandful) {
  std::string text = sixtyLines;
  std::erase(text, '\0');
  ASSERT_GE(lineCount(text), 60u);
  text.erase(text.find("config small")); // batch comes with the data
  ASSERT_TRUE(passes(text));
  Shrunk small = shrunk(text, {"argmax["});
  EXPECT_TRUE(small.finished);
  EXPECT_LE(lineCount(small.subject.text), 8u) << small.subject.text;
  EXPECT_TRUE(passes(small.subject.text));
  EXPECT_NE(small.subject.text.find("argmax["), std::string::npos);
}

TEST(Reduce, WhatBelongsTogetherStays) {
  std::string text = sixtyLines;
  text.erase(text.find("config small"));
  Shrunk small = shrunk(text, {"repeat[", "cumsum[", "LayerNorm["});
  EXPECT_LE(lineCount(small.subject.text), 14u) << small.subject.text;
  for (const char *word : {"repeat[", "cumsum[", "LayerNorm["})
    EXPECT_NE(small.subject.text.find(word), std::string::npos) << small.subject.text;
  EXPECT_EQ(small.subject.sizes.size(), 1u) << "one run is enough";
}

TEST(Reduce, DemandsGoAloneAndWithTheirStatements) {
  Shrunk small =
      shrunk("dim b, t = 2\n@forbid(softmax)\nfn f(x: [b]) -> [b] = exp(x)\n"
             "@forbid(attention) @forbid(softmax)\nentry run(x: [b]) -> [b] {\n"
             "  @forbid(normalize)\n  y = f(x)\n"
             "  @forbid(logsumexp) repeat[t] {\n    @forbid(softmax)\n    x = x + 1\n  }\n"
             "  tanh(x)\n}\n",
             {"tanh", "@forbid(attention)"});
  EXPECT_EQ(small.subject.text.find("softmax"), std::string::npos) << small.subject.text;
  EXPECT_EQ(small.subject.text.find("repeat"), std::string::npos) << small.subject.text;
  EXPECT_EQ(small.subject.text.find("fn "), std::string::npos) << small.subject.text;
  EXPECT_NE(small.subject.text.find("@forbid(attention)"), std::string::npos);
}

TEST(Reduce, AnotherFaultIsNotTakenForIt) {
  Subject subject;
  subject.text = "dim b\nentry run(x: [b]) -> [b] {\n  y = tanh(x)\n  exp(y)\n}\n";
  ShrinkOptions options;
  options.attempt = [](const Subject &tried) -> Verdict {
    bool whole = tried.text.find("tanh") != std::string::npos;
    return {whole ? Kind::values : Kind::gradient, "run", ""};
  };
  Shrunk small = shrink(subject, options.attempt(subject), options);
  EXPECT_NE(small.subject.text.find("tanh"), std::string::npos);
}

TEST(Reduce, SignaturesForgetNamesAndNumbers) {
  Verdict a{Kind::internal, "lower", "internal error: `net.x1` at 12 reads 0x7f12ab\nmore"};
  Verdict b{Kind::internal, "lower", "internal error: `other` at 7 reads 0x11\nless"};
  Verdict c{Kind::internal, "lower", "internal error: `other` writes"};
  EXPECT_EQ(a.signature(), b.signature());
  EXPECT_NE(a.signature(), c.signature());
}

TEST(Reduce, HeadersAreReadAgain) {
  Subject subject = hunter::generate(7);
  subject.chunks = true;
  TemporaryFolder folder;
  std::string path = folder / "header.weft";
  std::ofstream(path) << withHeader(subject, {Kind::values, "run", "`y` is 1\nmore"}, "seed 7");
  std::vector<Subject> again;
  ASSERT_EQ(readSubjects(path, again), "");
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(optionsOf(again[0]), optionsOf(subject));
  EXPECT_EQ(again[0].sizes, subject.sizes);
  EXPECT_EQ(again[0].text, subject.text);
}

TEST(Reduce, EachLineIsASubject) {
  TemporaryFolder folder;
  std::string path = folder / "lines.weft";
  std::ofstream(path) << "# Why.\n# try: --seed 3 --isa amx\n# try: --seed 4 --quick\ndim b\n";
  std::vector<Subject> all;
  ASSERT_EQ(readSubjects(path, all), "");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(optionsOf(all[0]), "--seed 3 --isa amx");
  EXPECT_EQ(optionsOf(all[1]), "--seed 4 --quick");
  for (const Subject &each : all)
    EXPECT_EQ(each.text, "dim b\n");
}

/// The same seed is the same program, and most programs are right to the checker.
TEST(Hunter, ProgramsAreOfTheirSeeds) {
  unsigned right = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Subject subject = hunter::generate(seed);
    EXPECT_EQ(subject.text, hunter::generate(seed).text) << seed;
    right += passes(subject.text);
  }
  EXPECT_GE(right, 85u);
}

/// An analysis that has become more careful refuses more of the same programs.
TEST(Hunter, NoMoreIsRefused) {
  hunter::Refusals refused = hunter::refusals(1, 500);
  for (const std::string &wrong : refused.wrong)
    ADD_FAILURE() << wrong;
  const std::map<std::string, unsigned> most = {
      {"E0310", 13}, {"E0609", 2}, {"E0613", 2}, {"E0510", 4}};
  for (auto &[code, number] : refused.codes) {
    ASSERT_TRUE(most.count(code)) << code;
    EXPECT_LE(number, most.at(code)) << code;
  }
}

// A set that is not run here is never left out silently, and the best one is tried last.
TEST(Reduce, SaysWhichSetsAreNotRun) {
  const bool hasTiles = runtime::machineRuns(WEFT_ISA_AMX);
  EXPECT_EQ(whyNotThose({"x86-64-v3"}), "");
  EXPECT_EQ(whyNotThose({"x86-64-v3", "amx"}),
            hasTiles ? "" : "this machine does not run amx: " + runtime::whyNot(WEFT_ISA_AMX));
  EXPECT_EQ(whyNotThose({"sm_80"}), "this machine does not run sm_80: it is for devices");
  std::vector<std::string> all = setsOfMachine(cpuTarget());
  EXPECT_EQ(llvm::is_contained(all, "amx"), hasTiles);
  EXPECT_EQ(all.back() == "amx", hasTiles); // what gains most comes last
  EXPECT_EQ(setsToTry(cpuTarget(), {}), all);
  EXPECT_EQ(setsToTry(cpuTarget(), {"amx"}), std::vector<std::string>{"amx"});
  EXPECT_EQ(setsToTry(cpuTarget(), {"sm_80"}), all);
}

int exitOf(const std::string &command) {
  int status = std::system((command + " > /dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WeftReduce, SaysWhatDoesNotFail) {
  TemporaryFolder folder;
  std::string path = folder / "right.weft", weft = WEFT_TOOL;
  std::ofstream(path) << "dim b\nentry run(x: [b]) -> float = sum[b](x)\n";
  EXPECT_EQ(exitOf(weft + " reduce " + path + " --quick --size b=3"), 1);
  EXPECT_EQ(exitOf(weft + " reduce " + path + " --size b"), 2);
  EXPECT_EQ(exitOf(weft + " reduce " + path + " --without weft-none"), 2);
  EXPECT_EQ(exitOf(weft + " reduce " + path + " -o " + path), 2);
  EXPECT_EQ(exitOf(weft + " reduce /nowhere.weft"), 1);
}

} // namespace
