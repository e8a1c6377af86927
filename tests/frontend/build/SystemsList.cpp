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
Compared perBlock(std::string result, const std::string &before, const std::string &what,
                  int count) {
  Compared compared{std::move(result), {}};
  for (int i = 0; i < count; ++i)
    compared.recorded.push_back(fmt::format("out.{}block{}.{}", before, i, what));
  return compared;
}

const Results output = {{"output", {"out.output"}}};
const Results weighted = same({"output", "weights"});
const Results scored = same({"output", "weights", "scores"});

void attention(std::vector<System> &all) {
  auto add = [&](std::string name, std::string program, std::string entry, std::string file,
                 Results results = output) {
    all.push_back({name, program, entry, file, "", results});
  };
  add("000#sdpa", "attention", "inspected", "000-sdpa-seed42", scored);
  add("000#sdpa", "attention", "heads", "000-sdpa");
  add("000#sdpa", "attention", "heads", "000-sdpa-wide");
  for (const char *n : {"2", "3", "4"})
    add("000#expand-mask", "masks", fmt::format("mask{}d", n), fmt::format("000-sdpa-mask{}d", n));
  add("000#sdpa (-9e15)", "masks", "finite", "000-sdpa-maskedrow-finite");
  add("000#sdpa (-inf)", "masks", "infinite", "000-sdpa-maskedrow-inf");
  add("002#dot-product", "attention", "plain", "002-dot-product");
  add("002#dot-product", "attention", "plain", "002-dot-product-zeros");
  add("003#dot-product", "attention", "plain", "003-dot-product-none");
  add("003#bmm", "attention", "product", "003-bmm");
}

void lengths(std::vector<System> &all) {
  auto add = [&](std::string name, std::string entry, std::string file, Results results = output) {
    all.push_back({name, "lengths", entry, file, "", results});
  };
  add("003#masked-softmax", "softmax_none", "003-masked-softmax-none");
  add("003#masked-softmax", "softmax_1d", "003-masked-softmax-1d");
  add("003#masked-softmax", "softmax_2d", "003-masked-softmax-2d");
  add("003#masked-softmax", "softmax_1d", "003-masked-softmax-zero");
  add("003#dot-product", "dot_1d", "003-dot-product-1d", weighted);
  add("003#dot-product", "dot_2d", "003-dot-product-2d", weighted);
  add("003#dot-product", "dot_1d", "003-dot-product-zero", weighted);
  add("003#dot-product", "dropped", "003-dot-product-dropout");
}

void scoring(std::vector<System> &all) {
  std::vector<std::string> widths = {"dq", "dk"};
  all.push_back(
      {"002#bilinear", "scoring", "bilinear", "002-bilinear", "", output, "", false, {}, widths});
  for (auto [file, entry] :
       {std::pair("none", "additive"), {"1d", "additive_1d"}, {"2d", "additive_2d"}})
    all.push_back({"003#additive",
                   "scoring",
                   entry,
                   fmt::format("003-additive-{}", file),
                   "hidden=8",
                   output,
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
                 std::string clause = "seed") {
    all.push_back({name, "heads", entry, file, settings, results, clause, false, inputs, widths});
  };
  std::string small = "model=12,head=3", bare = small + ",linear=Project";
  add("002#mha", "attention", "002-mha", "model=100,head=5", weighted, x);
  add("002#mha", "attention", "002-mha-ones", "model=100,head=5", weighted, x);
  add("002#mha", "attention", "002-mha-cross", small, weighted, qkv);
  add("003#mha", "lengths_1d", "003-mha-1d", bare, output, qkk);
  add("003#mha", "lengths_2d", "003-mha-2d", bare, output, qkk);
  add("003#mha", "lengths_1d", "003-mha-bias", small, output, qkk);
  add("004#fused-mha", "causal", "004-fused-mha", small, weighted, {});
  add("004#fused-mha", "fused", "004-fused-mha-nomask", small, output, {});
  add("004#fused-mha", "causal", "004-fused-mha-64", "model=64,head=4", weighted, {});
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
  add("000#mha-shared", "shared-projection", "attention", "000-mha-shared", small);
  add("000#mha-shared", "shared-projection", "by_head_width", "000-mha-shared-sqrtd", small);
  add("000#mha-shared", "shared-projection", "masked", "000-mha-shared-masked", small);
  add("000#mha-shared", "shared-projection", "attention", "000-mha-shared-64", "model=64,head=4");
  for (int n : {1, 3})
    add(n == 1 ? "000#encoder-block" : "000#encoder", "shared-projection", "encoder",
        n == 1 ? "000-encoder-block" : "000-encoder",
        fmt::format("model=12,head=3,ff=20,layer={}", n),
        {output[0], perBlock("weights", "", "weights", n), perBlock("normed", "", "norm1", n)});
  add("002#encoder-block", "text-encoder", "block1", "002-encoder-block",
      "vocab=17,model=12,head=3,ff=10");
  add("002#encoder", "text-encoder", "encoder", "002-encoder",
      "vocab=17,model=12,head=3,ff=10,layer=3", {output[0], perBlock("weights", "", "weights", 3)});
  add("004#encoder", "fused-projection", "encoder", "004-encoder", "model=16,head=4,ff=32,layer=5");
}

void smallOnes(std::vector<System> &all) {
  for (const char *file : {"001-positions", "002-positions", "004-positions", "001-positions-odd"})
    all.push_back({std::string(file).substr(0, 3) + "#positions", "positions", "positions", file,
                   "", same({"output", "table"})});
  all.push_back({"001#embedding", "positions", "embedding", "001-embedding", "seq=11,d=8"});
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
                   output,
                   "last_two",
                   false,
                   {},
                   {"batch", "emb"}});
  all.push_back({"002#pooling", "pooling", "pooling", "002-pooling", "",
                 same({"output", "uniform", "onehot", "cone", "normalised"})});
}

void translation(std::vector<System> &all) {
  all.push_back({"001#outline", "transformer", "outline", "001-outline",
                 "svocab=13,tvocab=11,model=16,head=2,ff=64,below=6,above=6,norm=ScalarNorm",
                 same({"output", "memory"}), "outline"});
  std::string sizes = "svocab=17,tvocab=13,model=12,head=3,ff=10,";
  std::string two = sizes + "below=2,above=2";
  all.push_back({"003#encoder",
                 "translation",
                 "memory",
                 "003-encoder",
                 two,
                 output,
                 "",
                 false,
                 {{"source", "in.ids"}}});
  all.push_back({"003#decoder",
                 "translation",
                 "decoder",
                 "003-decoder",
                 two,
                 {output[0], perBlock("weights", "decoder.", "weights", 2),
                  perBlock("cross", "decoder.", "cross_weights", 2)}});
  for (const auto &[file, settings] :
       {std::pair<std::string, std::string>("", two), {"-3-1", sizes + "below=3,above=1"}})
    for (auto [entry, recorded] : {std::pair("logits", "out.output"), {"loss", "loss"}})
      all.push_back({"003#seq2seq",
                     "translation",
                     entry,
                     "003-seq2seq" + file,
                     settings,
                     {{"output", {recorded}}}});
}

void vision(std::vector<System> &all) {
  const std::string program = "vit-programs";
  all.push_back({"002#patcher", program, "patcher", "002-patcher", "ph=4,pw=4", output, "seed"});
  all.push_back(
      {"002#patcher", program, "patcher", "002-patcher-iota", "ph=2,pw=2", output, "seed"});
  std::string encoder = "channel=3,head=3,ff=10,layer=2,ph=2,pw=2,";
  all.push_back({"002#vit-encoder", program, "encoder", "002-vit-encoder",
                 encoder + "width=8,height=6", output, "seed"});
  all.back().settings = encoder.substr(0, encoder.size() - 1);
  std::string head = "hidden1=7,hidden2=6,class=3,feature=12";
  for (auto [act, file] : {std::pair("relu", "relu"),
                           {"tanh", "tanh"},
                           {"sigmoid", "sigmoid"},
                           {"silu", "silu"},
                           {"softplus", "softplus"},
                           {"leaky_relu", "leakyrelu"}}) {
    Results results = output;
    for (const char *state : {"head0.norm.running_mean", "head0.norm.running_var",
                              "head1.norm.running_mean", "head1.norm.running_var"})
      results.push_back({state, {std::string("out.") + state}});
    all.push_back({"002#vit-head", program, "head", fmt::format("002-vit-head-{}", file),
                   fmt::format("{},act={}", head, act), results, "seed", true});
  }
  all.push_back({"002#vit-head", program, "head", "002-vit-head-relu-eval", head, output, "seed"});
  std::string whole = encoder + "hidden1=9,hidden2=8,class=5,height=6,width=8";
  for (bool training : {true, false})
    for (auto [entry, recorded] : {std::pair("logits", "out.output"), {"loss", "loss"}})
      all.push_back({"002#vit",
                     program,
                     entry,
                     training ? "002-vit" : "002-vit-eval",
                     whole,
                     {{"output", {recorded}}},
                     "seed",
                     training});
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
