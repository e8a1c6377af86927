// Contractions against sums in f64: every tail, layout, epilogue and way to put products together.
#include "ContractionCase.h"
#include "EveryIsa.h"

#include "ir/reference/Random.h"

#include <fmt/format.h>

using namespace weft;
using namespace weft::test;

namespace {

class ContractionTest : public EveryIsa {};

TEST_P(ContractionTest, EveryTail) {
  Kernel kernel(GetParam(), plain({"m", "n", "k"}, ""));
  ASSERT_TRUE(kernel.ok());
  for (int64_t m = 1; m <= 18; ++m)
    checkPlain(kernel, m, 16 + m, 7);
  for (int64_t n : {1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 193})
    checkPlain(kernel, 9, n, 5);
  for (int64_t k : {0, 1, 2, 3, 4, 5, 8, 767, 768, 769})
    checkPlain(kernel, 7, 17, k);
  checkPlain(kernel, 97, 200, 33);
  checkPlain(kernel, 0, 5, 5);
  checkPlain(kernel, 5, 0, 5);
}

TEST_P(ContractionTest, ManyBlocks) {
  Kernel kernel(GetParam(), plain({"m", "n", "k"}, ", " + blocks(16, 96, 8)));
  ASSERT_TRUE(kernel.ok());
  for (int64_t k : {1, 8, 9, 16, 17, 31})
    checkPlain(kernel, 53, 333, k);
}

// Rows of 64 and 96 columns are whole cache lines; those of 72 and 333 are not, and are stored as
// always.
TEST_P(ContractionTest, PastTheCaches) {
  const std::string schedule = ", " + blocks(16, 96, 8, {.nonTemporal = true});
  Kernel kernel(GetParam(), plain({"m", "n", "k"}, schedule));
  ASSERT_TRUE(kernel.ok());
  EXPECT_NE(kernel.llvm().find("!nontemporal"), std::string::npos);
  EXPECT_NE(kernel.llvm().find("sfence"), std::string::npos);
  for (int64_t n : {1, 16, 17, 64, 72, 96, 112, 333})
    for (int64_t k : {0, 8, 31})
      checkPlain(kernel, 53, n, k);
  Kernel known(GetParam(), plain({"m", "n=112", "k=9"}, schedule));
  ASSERT_TRUE(known.ok());
  checkPlain(known, 33, 112, 9);
}

// Sums of blocks are added up, not single terms one after the other: those were 1e-4 off here, and
// 4% at 4,000,000.
TEST_P(ContractionTest, LongSumsKeepTheirDigits) {
  Kernel kernel(GetParam(), plain({"m", "n", "k"}, ""));
  ASSERT_TRUE(kernel.ok());
  Sizes sizes{{"m", 8}, {"n", 1}, {"k", 100000}};
  Tensor x = Tensor::of({"m", "k"}, sizes, [](const Index &) { return 0.1f; });
  Tensor w = Tensor::of({"k", "n"}, sizes, [](const Index &) { return 1; });
  std::vector<Tensor> got = kernel.run(sizes, {x, w});
  EXPECT_TRUE(close(got[0], product({"m", "n"}, {"k"}, x, w, sizes), 2e-5));
}

TEST_P(ContractionTest, StaticSizes) {
  Kernel kernel(GetParam(), plain({"m=12", "n=96", "k=40"}, ""));
  ASSERT_TRUE(kernel.ok());
  checkPlain(kernel, 12, 96, 40);
}

// gelu(x * w + bias) + residual, the residual's buffer taken by the result; products summed in
// several blocks.
TEST_P(ContractionTest, EpilogueInPlace) {
  Kernel kernel(GetParam(), module({"batch", "seq", "model=70", "out"}, R"(
!x = !model.tensor<f32, batch, seq, model>
!w = !model.tensor<f32, model, out>
!y = !model.tensor<f32, batch, seq, out>
!b = !model.tensor<f32, out>
!s = !model.tensor<f32>
func.func @f(%x: !x, %w: !w, %b: !b, %r: !y) {
  %o = kernel.fused contraction "mlp" (%a = %x : !x, %p = %w : !w, %bias = %b : !b, %rest = %r : !y) -> (!y) attributes {
      layouts = [#kernel.layout<batch: "seq * 70", seq: "70", model: "1">,
                 #kernel.panels<batch = [], rows = [model], columns = [out], width = 16>,
                 #kernel.layout<out: "1">, #kernel.layout<batch: "seq * out", seq: "out", out: "1">,
                 #kernel.layout<batch: "seq * out", seq: "out", out: "1">], SCHEDULE } {
    %c = model.contract ["model"] %a, %p : !x, !w
    %d = model.add %c, %bias : !y, !b
    %half = model.constant 0.5 : f64
    %root = model.constant 0.70710678118654752 : f64
    %one = model.constant 1.0 : f64
    %e = model.mul %d, %root : !y, !s
    %g = model.erf %e : !y
    %h = model.add %g, %one : !y, !s
    %i = model.mul %h, %half : !y, !s
    %j = model.mul %i, %d : !y, !y
    %k = model.add %j, %rest : !y, !y
    kernel.yield %k : !y
  }
  return
})",
                                   blocks(96, 192, 16)));
  ASSERT_TRUE(kernel.ok());
  for (int64_t out : {1, 16, 37, 130}) {
    Sizes sizes{{"batch", 3}, {"seq", 7}, {"model", 70}, {"out", out}};
    Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1),
           w = Tensor::normal({"model", "out"}, sizes, 2);
    Tensor bias = Tensor::normal({"out"}, sizes, 3),
           rest = Tensor::normal({"batch", "seq", "out"}, sizes, 4);
    Tensor want = product({"batch", "seq", "out"}, {"model"}, x, w, sizes);
    want = Tensor::of(want.dims, sizes, [&](const Index &at) {
      double c = want.at(at) + bias.at(at);
      return 0.5 * c * (1 + std::erf(c / std::sqrt(2.0))) + rest.at(at);
    });
    EXPECT_TRUE(close(kernel.run(sizes, {x, w, bias, rest}, {{0, 3}})[0], want, 2e-6)) << out;
  }
}

// Three products of one left side with columns of their own, each laid out as its reader wants it.
TEST_P(ContractionTest, Segments) {
  Kernel kernel(GetParam(), module({"batch", "seq", "model=24", "head", "dh=20", "group=2"}, R"(
!x = !model.tensor<f32, batch, seq, model>
!w = !model.tensor<f32, model, head, dh>
!v = !model.tensor<f32, model, group, dh>
!b = !model.tensor<f32, head, dh>
!q = !model.tensor<f32, batch, seq, head, dh>
!g = !model.tensor<f32, batch, group, seq, dh>
func.func @f(%x: !x, %w1: !w, %b1: !b, %w2: !v, %w3: !v) {
  %o:3 = kernel.fused contraction "qkv" (%a = %x : !x, %p = %w1 : !w, %bias = %b1 : !b, %r = %w2 : !v, %s = %w3 : !v)
      -> (!q, !g, !g) attributes {
      layouts = [#kernel.layout<batch: "seq * 24", seq: "24", model: "1">,
                 #kernel.panels<batch = [], rows = [model], columns = [head, dh], width = 16>,
                 #kernel.layout<head: "20", dh: "1">,
                 #kernel.panels<batch = [], rows = [model], columns = [group, dh], width = 16>,
                 #kernel.panels<batch = [], rows = [model], columns = [group, dh], width = 16>,
                 #kernel.layout<batch: "seq * head * 20", seq: "head * 20", head: "20", dh: "1">,
                 #kernel.layout<batch: "seq * 40", seq: "20", group: "seq * 20", dh: "1">,
                 #kernel.layout<batch: "40", seq: "batch * 40", group: "1", dh: "2">] } {
    %c = model.contract ["model"] %a, %p : !x, !w
    %d = model.add %c, %bias : !q, !b
    %e = model.contract ["model"] %a, %r : !x, !v
    %f = model.contract ["model"] %a, %s : !x, !v
    %h = model.arrange %e : !model.tensor<f32, batch, seq, group, dh> -> !g
    %i = model.arrange %f : !model.tensor<f32, batch, seq, group, dh> -> !g
    kernel.yield %d, %h, %i : !q, !g, !g
  }
  return
})"));
  ASSERT_TRUE(kernel.ok());
  for (int64_t head : {1, 3}) {
    Sizes sizes{{"batch", 2}, {"seq", 9}, {"model", 24}, {"head", head}, {"dh", 20}, {"group", 2}};
    Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1);
    Tensor q = Tensor::normal({"model", "head", "dh"}, sizes, 2),
           b = Tensor::normal({"head", "dh"}, sizes, 3);
    Tensor k = Tensor::normal({"model", "group", "dh"}, sizes, 4),
           v = Tensor::normal({"model", "group", "dh"}, sizes, 5);
    std::vector<Tensor> got = kernel.run(sizes, {x, q, b, k, v});
    Tensor first = product({"batch", "seq", "head", "dh"}, {"model"}, x, q, sizes);
    Tensor biased =
        Tensor::of(first.dims, sizes, [&](const Index &at) { return first.at(at) + b.at(at); });
    EXPECT_TRUE(close(got[0], biased, 1e-6));
    EXPECT_TRUE(
        close(got[1], product({"batch", "group", "seq", "dh"}, {"model"}, x, k, sizes), 1e-6));
    EXPECT_TRUE(
        close(got[2], product({"batch", "group", "seq", "dh"}, {"model"}, x, v, sizes), 1e-6));
  }
}

// x * gate where it is positive, times x * up: two products that meet in the epilogue.
TEST_P(ContractionTest, ProductsMeet) {
  Kernel kernel(GetParam(), module({"m", "k", "n"}, R"(
!x = !model.tensor<f32, m, k>
!w = !model.tensor<f32, k, n>
!y = !model.tensor<f32, m, n>
!s = !model.tensor<f32>
func.func @f(%x: !x, %w1: !w, %w2: !w) {
  %o:2 = kernel.fused contraction "gated" (%a = %x : !x, %p = %w1 : !w, %q = %w2 : !w) -> (!y, !y) attributes {
      layouts = [#kernel.layout<m: "k", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                 #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>, #kernel.layout<m: "n", n: "1">,
                 #kernel.layout<m: "n", n: "1">], SCHEDULE } {
    %c = model.contract ["k"] %a, %p : !x, !w
    %d = model.contract ["k"] %a, %q : !x, !w
    %zero = model.constant 0.0 : f64
    %e = model.max %c, %zero : !y, !s
    %f = model.mul %e, %d : !y, !y
    kernel.yield %f, %d : !y, !y
  }
  return
})",
                                   blocks(96, 192, 12)));
  ASSERT_TRUE(kernel.ok());
  Sizes sizes{{"m", 21}, {"k", 50}, {"n", 77}};
  Tensor x = Tensor::normal({"m", "k"}, sizes, 1);
  Tensor w1 = Tensor::normal({"k", "n"}, sizes, 2), w2 = Tensor::normal({"k", "n"}, sizes, 3);
  Tensor gate = product({"m", "n"}, {"k"}, x, w1, sizes),
         up = product({"m", "n"}, {"k"}, x, w2, sizes);
  std::vector<Tensor> got = kernel.run(sizes, {x, w1, w2});
  EXPECT_TRUE(close(got[1], up, 1e-6));
  EXPECT_TRUE(
      close(got[0],
            Tensor::of(up.dims, sizes,
                       [&](const Index &at) { return std::max(gate.at(at), 0.0) * up.at(at); }),
            2e-6));
}

// dq * wq + dk * wk + dv * wv: one sum over three left sides; each has its own dimensions to sum
// over.
TEST_P(ContractionTest, SumsOfProducts) {
  Kernel kernel(GetParam(), module({"m", "n", "head=2", "dh=9", "role=2"}, R"(
!x = !model.tensor<f32, m, head, dh>
!w = !model.tensor<f32, head, dh, n>
!z = !model.tensor<f32, role, m, dh>
!v = !model.tensor<f32, dh, role, n>
!y = !model.tensor<f32, m, n>
func.func @f(%x1: !x, %x2: !z, %x3: !x, %w1: !w, %w2: !v, %w3: !w, %r: !y) {
  %o = kernel.fused contraction "dx" (%a = %x1 : !x, %b = %x2 : !z, %c = %x3 : !x, %p = %w1 : !w, %q = %w2 : !v, %s = %w3 : !w,
      %t = %r : !y) -> (!y) attributes {
      layouts = [#kernel.layout<m: "18", head: "9", dh: "1">, #kernel.layout<role: "m * 9", m: "9", dh: "1">,
                 #kernel.layout<m: "18", head: "9", dh: "1">,
                 #kernel.panels<batch = [], rows = [head, dh], columns = [n], width = 16>,
                 #kernel.panels<batch = [], rows = [role, dh], columns = [n], width = 16>,
                 #kernel.panels<batch = [], rows = [head, dh], columns = [n], width = 16>,
                 #kernel.layout<m: "n", n: "1">, #kernel.layout<m: "n", n: "1">], SCHEDULE } {
    %d = model.contract ["head", "dh"] %a, %p : !x, !w
    %e = model.contract ["role", "dh"] %b, %q : !z, !v
    %f = model.contract ["head", "dh"] %c, %s : !x, !w
    %g = model.add %d, %e : !y, !y
    %h = model.add %g, %f : !y, !y
    %i = model.add %h, %t : !y, !y
    kernel.yield %i : !y
  }
  return
})",
                                   blocks(96, 192, 8)));
  ASSERT_TRUE(kernel.ok());
  Sizes sizes{{"m", 30}, {"n", 50}, {"head", 2}, {"dh", 9}, {"role", 2}};
  Tensor x1 = Tensor::normal({"m", "head", "dh"}, sizes, 1),
         x3 = Tensor::normal({"m", "head", "dh"}, sizes, 2);
  Tensor x2 = Tensor::normal({"role", "m", "dh"}, sizes, 3),
         w2 = Tensor::normal({"dh", "role", "n"}, sizes, 4);
  Tensor w1 = Tensor::normal({"head", "dh", "n"}, sizes, 5),
         w3 = Tensor::normal({"head", "dh", "n"}, sizes, 6);
  Tensor rest = Tensor::normal({"m", "n"}, sizes, 7);
  Tensor a = product({"m", "n"}, {"head", "dh"}, x1, w1, sizes),
         c = product({"m", "n"}, {"head", "dh"}, x3, w3, sizes);
  Tensor b = product({"m", "n"}, {"role", "dh"}, x2, w2, sizes);
  EXPECT_TRUE(close(
      kernel.run(sizes, {x1, x2, x3, w1, w2, w3, rest})[0],
      Tensor::of({"m", "n"}, sizes,
                 [&](const Index &at) { return a.at(at) + b.at(at) + c.at(at) + rest.at(at); }),
      1e-6));
}

// The gradient of a weight: summed over batch and sequence, so the left side is contiguous along
// its rows. Where sizes are known to be whole tiles, the code for others is left out.
TEST_P(ContractionTest, RowsContiguous) {
  struct Case {
    std::string model, out;
    std::vector<int64_t> models, outs;
  };
  const Case cases[] = {{"model", "out", {1, 5, 8, 51}, {1, 70}},
                        {"model=96", "out=192", {96}, {192}},
                        {"model=96", "out=200", {96}, {200}},
                        {"model=97", "out=192", {97}, {192}}};
  for (const Case &one : cases)
    for (bool rowsFirst : {false, true}) {
      Kernel kernel(GetParam(), module({"batch", "seq", one.model, one.out}, R"(
!x = !model.tensor<f32, batch, seq, model>
!y = !model.tensor<f32, batch, seq, out>
!w = !model.tensor<f32, model, out>
func.func @f(%x: !x, %y: !y) {
  %o = kernel.fused contraction "dw" (%a = %x : !x, %b = %y : !y) -> (!w) attributes {
      layouts = [#kernel.layout<batch: "seq * model", seq: "model", model: "1">,
                 #kernel.panels<batch = [], rows = [batch, seq], columns = [out], width = 16>,
                 #kernel.layout<model: "out", out: "1">], SCHEDULE } {
    %c = model.contract ["batch", "seq"] %a, %b : !x, !y
    kernel.yield %c : !w
  }
  return
})",
                                       blocks(24, 96, 32, {.rowsFirst = rowsFirst})));
      ASSERT_TRUE(kernel.ok());
      for (int64_t model : one.models)
        for (int64_t out : one.outs) {
          Sizes sizes{{"batch", 3}, {"seq", 29}, {"model", model}, {"out", out}};
          Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1),
                 y = Tensor::normal({"batch", "seq", "out"}, sizes, 2);
          EXPECT_TRUE(close(kernel.run(sizes, {x, y})[0],
                            product({"model", "out"}, {"batch", "seq"}, x, y, sizes), 1e-6));
        }
    }
}

// A product per head, rows and sums that no single stride walks through, and a mask from positions
// in the epilogue.
TEST_P(ContractionTest, BatchAndPositions) {
  Kernel kernel(GetParam(), module({"head", "query", "key", "dh=6", "part=2", "batch"}, R"(
!q = !model.tensor<f32, batch, head, query, part, dh>
!k = !model.tensor<f32, head, dh, part, key>
!y = !model.tensor<f32, batch, head, query, key>
!s = !model.tensor<f32>
!m = !model.tensor<i1, query, key>
!n = !model.tensor<i1, batch, key>
!i = !model.tensor<index<query>, query>
!j = !model.tensor<index<key>, key>
!p = !model.tensor<f32, head, query>
func.func @f(%q: !q, %k: !k, %keep: !n, %scale: !p) {
  %o = kernel.fused contraction "scores" (%a = %q : !q, %b = %k : !k, %c = %keep : !n, %e = %scale : !p) -> (!y) attributes {
      layouts = [#kernel.layout<batch: "6", head: "query * 12 * batch", query: "batch * 12", part: "batch * 6 * query * head * 2", dh: "1">,
                 #kernel.panels<batch = [head], rows = [part, dh], columns = [key], width = 16>,
                 #kernel.layout<batch: "key", key: "1">, #kernel.layout<head: "1", query: "head">,
                 #kernel.layout<batch: "head * query * key", head: "query * key", query: "key", key: "1">] } {
    %d = model.contract ["part", "dh"] %a, %b : !q, !k
    %i = model.index "query"
    %j = model.index "key"
    %m = model.compare ge %i, %j : !i, !j
    %n = model.and %m, %c : !m, !n
    %zero = model.constant 0.0 : f64
    %f = model.mul %d, %e : !y, !p
    %w = model.where %n, %f, %zero : !model.tensor<i1, query, key, batch>, !y, !s
    kernel.yield %w : !y
  }
  return
})"));
  ASSERT_TRUE(kernel.ok());
  for (int64_t key : {1, 16, 35}) {
    Sizes sizes{{"batch", 3}, {"head", 2}, {"query", 13}, {"key", key}, {"dh", 6}, {"part", 2}};
    Tensor q = Tensor::normal({"batch", "head", "query", "part", "dh"}, sizes, 1);
    Tensor k = Tensor::normal({"head", "dh", "part", "key"}, sizes, 2);
    Tensor keep = Tensor::whole({"batch", "key"}, sizes, 2, 3),
           scale = Tensor::normal({"head", "query"}, sizes, 4);
    Tensor want = product({"batch", "head", "query", "key"}, {"part", "dh"}, q, k, sizes);
    want = Tensor::of(want.dims, sizes, [&](const Index &at) {
      return at.at("key") <= at.at("query") && keep.at(at) != 0 ? want.at(at) * scale.at(at) : 0;
    });
    EXPECT_TRUE(close(kernel.run(sizes, {q, k, keep, scale})[0], want, 1e-6)) << key;
  }
}

// Numbers are drawn by names: rows and columns may be of several dimensions, in a pass of a loop.
TEST_P(ContractionTest, DrawnWhereTheyAreUsed) {
  Kernel kernel(GetParam(), module({"batch", "seq", "head", "dh=5", "model"}, R"(
!x = !model.tensor<f32, batch, seq, model>
!w = !model.tensor<f32, model, head, dh>
!y = !model.tensor<f32, batch, seq, head, dh>
!s = !model.tensor<f32>
func.func @f(%x: !x, %w: !w) {
  %o = kernel.fused contraction "dropout" (%a = %x : !x, %b = %w : !w) -> (!y) attributes {
      layouts = [#kernel.layout<batch: "seq * model", seq: "model", model: "1">,
                 #kernel.panels<batch = [], rows = [model], columns = [head, dh], width = 16>,
                 #kernel.layout<batch: "seq * head * 5", seq: "head * 5", head: "5", dh: "1">] } {
    %d = model.contract ["model"] %a, %b : !x, !w
    %r = model.random "layer.drop" : !y
    %rate = model.constant 0.3 : f64
    %zero = model.constant 0.0 : f64
    %m = model.compare lt %r, %rate : !y, !s
    %z = model.where %m, %zero, %d : !model.tensor<i1, batch, seq, head, dh>, !s, !y
    kernel.yield %z : !y
  }
  return
})"));
  ASSERT_TRUE(kernel.ok());
  const RandomKey key{0x123456789abcdef0, 7, 3 * reference::randomStride("layer")};
  kernel.setRandom(key);
  const uint32_t path = reference::randomPath("layer.drop");
  for (int64_t seq : {1, 13})
    for (int64_t head : {1, 3, 7}) {
      Sizes sizes{{"batch", 2}, {"seq", seq}, {"head", head}, {"dh", 5}, {"model", 9}};
      Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1);
      Tensor w = Tensor::normal({"model", "head", "dh"}, sizes, 2);
      Tensor want = product({"batch", "seq", "head", "dh"}, {"model"}, x, w, sizes);
      int64_t dropped = 0;
      want = Tensor::of(want.dims, sizes, [&](const Index &at) {
        uint64_t index = key.first;
        for (const auto &[name, position] : at)
          index += uint64_t(position) * reference::randomStride(name);
        bool isDropped = reference::randomUnit(key.seed, key.step, path, index) < 0.3;
        dropped += isDropped;
        return isDropped ? 0 : want.at(at);
      });
      EXPECT_TRUE(close(kernel.run(sizes, {x, w})[0], want, 1e-6)) << seq << ' ' << head;
      EXPECT_GT(dropped, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, ContractionTest, everyIsa(), isaName);

} // namespace
