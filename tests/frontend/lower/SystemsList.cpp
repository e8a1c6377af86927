// The systems of the record, one line each.
#include "Systems.h"

#include <fmt/format.h>

namespace weft::test {
namespace {

using Results = std::vector<Compared>;

Results same(std::vector<std::string> names) {
  Results results;
  for (std::string &name : names)
    results.push_back({name, {"out." + name}});
  return results;
}

/// `block0.<what>`, `block1.<what>`, … side by side.
Compared perBlock(std::string result, const std::string &before, const std::string &what, int count,
                  std::string type = "") {
  Compared compared{std::move(result), {}, std::move(type)};
  for (int i = 0; i < count; ++i)
    compared.recorded.push_back(fmt::format("out.{}block{}.{}", before, i, what));
  return compared;
}

/// The output, and by their paths what a function `output` or a block that it names computes
/// before.
Results withPaths(const std::string &path, const std::string &type,
                  const std::vector<std::string> &names = {"weights", "scores"}) {
  Results results = {{"output", {"out.output"}}};
  for (const std::string &name : names)
    results.push_back({path + name, {"out." + name}, type});
  return results;
}

const Results output = {{"output", {"out.output"}}};
const Results weighted = same({"output", "weights"});
const Results scored = same({"output", "weights", "scores"});
const std::string scoresOfHeads = "[batch, head, query, key]",
                  scoresOfBatch = "[batch, query, key]";
const Results heads4 = withPaths("output.", scoresOfHeads);
const Results batch3 = withPaths("output.", scoresOfBatch);

/// The same results and more.
Results with(Results results, Results more) {
  results.insert(results.end(), more.begin(), more.end());
  return results;
}

void attention(std::vector<System> &all) {
  auto add = [&](std::string name, std::string program, std::string entry, std::string file,
                 Results results = output) {
    all.push_back({name, program, entry, file, "", results});
  };
  add("000#sdpa", "attention", "inspected", "000-sdpa-seed42", scored);
  add("000#sdpa", "attention", "heads", "000-sdpa", heads4);
  add("000#sdpa", "attention", "heads", "000-sdpa-wide", heads4);
  for (const char *n : {"2", "3", "4"})
    add("000#expand-mask", "masks", fmt::format("mask{}d", n), fmt::format("000-sdpa-mask{}d", n),
        heads4);
  add("000#sdpa (-9e15)", "masks", "finite", "000-sdpa-maskedrow-finite",
      withPaths("output.", scoresOfBatch, {"weights"}));
  add("000#sdpa (-inf)", "masks", "infinite", "000-sdpa-maskedrow-inf",
      withPaths("output.", scoresOfBatch, {"weights"}));
  add("002#dot-product", "attention", "plain", "002-dot-product", batch3);
  add("002#dot-product", "attention", "plain", "002-dot-product-zeros", batch3);
  add("003#dot-product", "attention", "plain", "003-dot-product-none", batch3);
  add("003#bmm", "attention", "product", "003-bmm");
}

void lengths(std::vector<System> &all) {
  auto add = [&](std::string name, std::string entry, std::string file, Results results = output) {
    all.push_back({name, "lengths", entry, file, "", results});
  };
  const Results lengthScores = {{"output.scores", {"out.scores"}, scoresOfBatch}};
  add("003#masked-softmax", "softmax_none", "003-masked-softmax-none");
  add("003#masked-softmax", "softmax_1d", "003-masked-softmax-1d");
  add("003#masked-softmax", "softmax_2d", "003-masked-softmax-2d");
  add("003#masked-softmax", "softmax_1d", "003-masked-softmax-zero");
  add("003#dot-product", "dot_1d", "003-dot-product-1d", with(weighted, lengthScores));
  add("003#dot-product", "dot_2d", "003-dot-product-2d", with(weighted, lengthScores));
  add("003#dot-product", "dot_1d", "003-dot-product-zero", with(weighted, lengthScores));
  add("003#dot-product", "dropped", "003-dot-product-dropout",
      withPaths("", scoresOfBatch, {"weights", "dropped"}));
}

void scoring(std::vector<System> &all) {
  std::vector<std::string> widths = {"dq", "dk"};
  const Results pooled = {{"output", {"out.output"}},
                          {"output.weights", {"out.weights"}, scoresOfBatch},
                          {"score", {"out.scores"}, scoresOfBatch}};
  all.push_back(
      {"002#bilinear", "scoring", "bilinear", "002-bilinear", "", pooled, "", false, {}, widths});
  for (auto [file, entry] :
       {std::pair("none", "additive"), {"1d", "additive_1d"}, {"2d", "additive_2d"}})
    all.push_back({"003#additive",
                   "scoring",
                   entry,
                   fmt::format("003-additive-{}", file),
                   "hidden=8",
                   pooled,
                   "",
                   false,
                   {},
                   widths});
}

void heads(std::vector<System> &all) {
  std::vector<std::string> widths = {"qwidth", "kwidth", "vwidth"};
  std::map<std::string, std::string> x = {{"q", "in.x"}, {"k", "in.x"}, {"v", "in.x"}};
  std::map<std::string, std::string> qkv = {{"q", "in.query"}, {"k", "in.key"}, {"v", "in.value"}};
  std::map<std::string, std::string> qkk = {{"q", "in.query"}, {"k", "in.key"}, {"v", "in.key"}};
  auto add = [&](std::string name, std::string entry, std::string file, std::string settings,
                 Results results, std::map<std::string, std::string> inputs,
                 std::string clause = "torch") {
    all.push_back({name, "heads", entry, file, settings, results, clause, false, inputs, widths});
  };
  const Results headed = withPaths("attn.", scoresOfHeads),
                fused = withPaths("attn.", "[batch, head, seq, other]");
  const Results attended = with(weighted, {headed.back()}), causal = with(weighted, {fused.back()});
  std::string small = "model=12,head=3", bare = small + ",linear=Project";
  add("002#mha", "attention", "002-mha", "model=100,head=5", attended, x);
  add("002#mha", "attention", "002-mha-ones", "model=100,head=5", attended, x);
  add("002#mha", "attention", "002-mha-cross", small, attended, qkv);
  add("003#mha", "lengths_1d", "003-mha-1d", bare, headed, qkk);
  add("003#mha", "lengths_2d", "003-mha-2d", bare, headed, qkk);
  add("003#mha", "lengths_1d", "003-mha-bias", small, headed, qkk);
  add("004#fused-mha", "causal", "004-fused-mha", small, causal, {});
  add("004#fused-mha", "fused", "004-fused-mha-nomask", small, fused, {});
  add("004#fused-mha", "causal", "004-fused-mha-64", "model=64,head=4", causal, {});
  add("004#fused-mha", "fused", "004-fused-mha-layouts", small, output, {});
  add("004#fused-mha", "fused", "004-fused-mha-layouts", small, {{"output", {"out.output_common"}}},
      {}, "common");
}

void encoders(std::vector<System> &all) {
  auto add = [&](std::string name, std::string program, std::string entry, std::string file,
                 std::string settings, Results results = output) {
    all.push_back({name, program, entry, file, settings, results});
  };
  std::string small = "model=12,head=3";
  const std::string vectors = "[batch, seq, model]", stack = "[layer, batch, seq, model]";
  const Results seen = withPaths("attn.", "[batch, head, seq, key]");
  add("000#mha-shared", "shared-projection", "attention", "000-mha-shared", small, seen);
  add("000#mha-shared", "shared-projection", "by_head_width", "000-mha-shared-sqrtd", small, seen);
  add("000#mha-shared", "shared-projection", "masked", "000-mha-shared-masked", small, seen);
  add("000#mha-shared", "shared-projection", "attention", "000-mha-shared-64", "model=64,head=4",
      seen);
  for (int n : {1, 3})
    add(n == 1 ? "000#encoder-block" : "000#encoder", "shared-projection", "encoder",
        n == 1 ? "000-encoder-block" : "000-encoder",
        fmt::format("model=12,head=3,ff=20,layer={}", n),
        {output[0], perBlock("weights", "", "weights", n), perBlock("normed", "", "norm1", n),
         perBlock("layer.attn", "", "attn", n, stack),
         perBlock("layer.norm2", "", "out", n, stack)});
  add("002#encoder-block", "text-encoder", "layers", "002-encoder-block",
      "model=12,head=3,ff=10,layer=1",
      {output[0], perBlock("layer.norm1", "", "norm1", 1, stack),
       perBlock("layer.norm2", "", "out", 1, stack),
       perBlock("layer.attn.weights", "", "weights", 1, "[layer, batch, head, seq, key]")});
  add("002#encoder", "text-encoder", "encoder", "002-encoder",
      "vocab=17,model=12,head=3,ff=10,layer=3",
      {output[0],
       perBlock("weights", "", "weights", 3),
       {"embedded", {"out.embedded"}, vectors},
       perBlock("layer.norm1", "", "norm1", 3, stack),
       perBlock("layer.norm2", "", "out", 3, stack)});
  add("004#encoder", "fused-projection", "encoder", "004-encoder", "model=16,head=4,ff=32,layer=5",
      {output[0], perBlock("layer.norm2", "", "out", 5, stack)});
}

void smallOnes(std::vector<System> &all) {
  for (const char *file : {"001-positions", "002-positions", "004-positions", "001-positions-odd"})
    all.push_back({std::string(file).substr(0, 3) + "#positions", "positions", "positions", file,
                   "", same({"output", "table"})});
  all.push_back({"001#embedding", "positions", "embedding", "001-embedding", "vocab=11,d=8"});
  for (const char *file : {"", "-512", "-constant"})
    all.push_back({"001#layernorm-scalar", "norms", "scalar",
                   fmt::format("001-layernorm-scalar{}", file), "", same({"output", "std"}),
                   "scalar"});
  for (const char *file : {"", "-seed"})
    all.push_back({"004#layernorm-last-two",
                   "norms",
                   "last_two",
                   fmt::format("004-layernorm-last-two{}", file),
                   "",
                   same({"output", "mean", "std"}),
                   "last_two",
                   false,
                   {},
                   {"batch", "emb"}});
  all.push_back({"002#pooling", "pooling", "pooling", "002-pooling", "",
                 same({"output", "uniform", "onehot", "cone", "normalised"})});
}

/// What is recorded of the encoder and decoder of seq2seq.weft, which are at `path`.
Results insideEncoder(const std::string &path, int below) {
  return {perBlock(path + "encoder.below.norm2", "encoder.", "out", below,
                   "[below, batch, src, model]"),
          perBlock(path + "encoder.below.attn.weights", "encoder.", "weights", below,
                   "[below, batch, head, src, skey]")};
}
Results insideDecoder(const std::string &path, int above) {
  return {perBlock(path + "decoder.above.norm3", "decoder.", "out", above,
                   "[above, batch, tgt, model]"),
          perBlock(path + "decoder.above.attn.weights", "decoder.", "weights", above,
                   "[above, batch, head, tgt, tkey]"),
          perBlock(path + "decoder.above.cross.weights", "decoder.", "cross_weights", above,
                   "[above, batch, head, tgt, src]")};
}

void translation(std::vector<System> &all) {
  all.push_back({"001#outline", "transformer", "outline", "001-outline",
                 "svocab=13,tvocab=11,model=16,head=2,ff=64,below=6,above=6,norm=ScalarNorm",
                 same({"output", "memory"}), "outline"});
  std::string sizes = "svocab=17,tvocab=13,model=12,head=3,ff=10,";
  std::string two = sizes + "below=2,above=2";
  auto add = [&](std::string name, std::string entry, std::string file, std::string settings,
                 Results results) {
    all.push_back({name, "translation", entry, file, settings, results});
  };
  add("003#encoder", "memory", "003-encoder", two, with(output, insideEncoder("", 2)));
  all.back().inputs = {{"source", "in.ids"}};
  add("003#decoder", "decoder", "003-decoder", two,
      {output[0], perBlock("weights", "decoder.", "weights", 2),
       perBlock("cross", "decoder.", "cross_weights", 2), insideDecoder("", 2).front()});
  // The seed leaves the causal mask out where it does not train.
  add("003#decoder (no causal mask)", "decoder", "003-decoder", two,
      {{"output", {"out.logits_eval_leak"}}});
  all.back().edit = {"causal = index(tkey) <= index(tgt)", "causal = true"};
  for (auto [file, settings, below, above] :
       {std::tuple<std::string, std::string, int, int>("", two, 2, 2),
        {"-3-1", sizes + "below=3,above=1", 3, 1}}) {
    Results inside = with(insideEncoder("", below), insideDecoder("", above));
    inside.push_back({"memory", {"out.memory"}, "[batch, src, model]"});
    add("003#seq2seq", "logits", "003-seq2seq" + file, settings, with(output, inside));
    add("003#seq2seq", "loss", "003-seq2seq" + file, settings, {{"loss", {"loss"}}});
  }
}

void vision(std::vector<System> &all) {
  const std::string program = "vit-programs";
  all.push_back({"002#patcher", program, "patcher", "002-patcher", "ph=4,pw=4", output, "torch"});
  all.push_back(
      {"002#patcher", program, "patcher", "002-patcher-iota", "ph=2,pw=2", output, "torch"});
  std::string encoder = "channel=3,head=3,ff=10,layer=2,ph=2,pw=2,";
  const std::string stack = "[layer, batch, patch, model]";
  const Results blocks = {
      perBlock("layer.attn.weights", "", "weights", 2, "[layer, batch, head, patch, other]"),
      perBlock("layer.norm1", "", "norm1", 2, stack), perBlock("layer.norm2", "", "out", 2, stack)};
  all.push_back({"002#vit-encoder", program, "encoder", "002-vit-encoder",
                 encoder.substr(0, encoder.size() - 1), with(output, blocks), "torch"});
  all.back().compared.push_back({"embedded", {"out.embedded"}, "[batch, patch, model]"});
  Results running;
  for (const char *state : {"head0.norm.running_mean", "head0.norm.running_var",
                            "head1.norm.running_mean", "head1.norm.running_var"})
    running.push_back({state, {std::string("out.") + state}});
  const Results hidden = {{"head0", {"out.head0.out"}, "[batch, hidden1]"},
                          {"head1", {"out.head1.out"}, "[batch, hidden2]"}};
  std::string head = "channel=3,height=2,width=2,ph=2,pw=2,hidden1=7,hidden2=6,class=3";
  for (auto [act, file] : {std::pair("relu", "relu"),
                           {"tanh", "tanh"},
                           {"sigmoid", "sigmoid"},
                           {"silu", "silu"},
                           {"softplus", "softplus"},
                           {"leaky_relu", "leakyrelu"}}) {
    Results results = with(with(output, running), hidden);
    all.push_back({"002#vit-head", program, "head", fmt::format("002-vit-head-{}", file),
                   fmt::format("{},act={}", head, act), results, "torch", true});
  }
  all.push_back({"002#vit-head", program, "head", "002-vit-head-relu-eval", head,
                 with(output, hidden), "torch"});
  Results insideLogits = blocks;
  insideLogits.push_back({"layer.norm2", {"out.block0.out", "out.encoded"}, stack});
  std::string whole = encoder + "hidden1=9,hidden2=8,class=5,height=6,width=8";
  for (bool training : {true, false}) {
    // The encoder's result is that of its last block.
    Results results = with(with(output, insideLogits), hidden);
    std::string file = training ? "002-vit" : "002-vit-eval";
    for (auto &[entry, compared] :
         {std::pair("logits", training ? with(results, running) : results),
          std::pair("loss", Results{{"output", {"loss"}}})})
      all.push_back({"002#vit", program, entry, file, whole, compared, "torch", training});
  }
}

} // namespace

const std::vector<System> &systems() {
  static const std::vector<System> all = [] {
    std::vector<System> list;
    attention(list);
    lengths(list);
    scoring(list);
    heads(list);
    encoders(list);
    smallOnes(list);
    translation(list);
    vision(list);
    return list;
  }();
  return all;
}

} // namespace weft::test
