// Kernels of rows: maps, gathers, reductions along rows and along columns, against loops in double.
#include "EveryIsa.h"

#include "ir/reference/Random.h"

#include <cmath>
#include <limits>

using namespace weft;
using namespace weft::test;

namespace {

class Rows : public EveryIsa {};

// Sizes around the 8 and 16 lanes, and around what one task does.
const int64_t odd[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 200};

const char *const bias = R"mlir(
model.dim @batch
model.dim @model
func.func @f(%x: !model.tensor<f32, batch, model>, %w: !model.tensor<f32, model>) {
  %r = kernel.fused rows "bias" (%a = %x : !model.tensor<f32, batch, model>, %b = %w : !model.tensor<f32, model>)
      -> (!model.tensor<f32, batch, model>)
      attributes {layouts = [#kernel.layout<batch: "model", model: "1">, #kernel.layout<model: "1">,
                             #kernel.layout<batch: "model", model: "1">]} {
    %s = model.add %a, %b : !model.tensor<f32, batch, model>, !model.tensor<f32, model>
    kernel.yield %s : !model.tensor<f32, batch, model>
  }
  return
}
)mlir";

TEST_P(Rows, MapWithAnOperandThatLacksADimension) {
  Kernel k = kernel(bias);
  ASSERT_TRUE(k.ok());
  for (int64_t model : odd)
    for (int64_t batch : {1, 2, 5}) {
      Sizes sizes{{"batch", batch}, {"model", model}};
      Tensor x = Tensor::normal({"batch", "model"}, sizes, 1),
             w = Tensor::normal({"model"}, sizes, 2);
      Tensor want =
          Tensor::of({"batch", "model"}, sizes, [&](const Index &i) { return x.at(i) + w.at(i); });
      EXPECT_TRUE(close(k.run(sizes, {x, w})[0], want, 1e-7)) << batch << " x " << model;
      EXPECT_TRUE(close(k.run(sizes, {x, w}, {{0, 0}})[0], want, 1e-7)) << "in place";
    }
}

TEST_P(Rows, ManyTasks) {
  Kernel k = kernel(bias);
  for (const Sizes &sizes :
       {Sizes{{"batch", 3}, {"model", 30011}}, Sizes{{"batch", 30011}, {"model", 3}}}) {
    EXPECT_GT(k.tasks(sizes), 3);
    Tensor x = Tensor::normal({"batch", "model"}, sizes, 1),
           w = Tensor::normal({"model"}, sizes, 2);
    Tensor want =
        Tensor::of({"batch", "model"}, sizes, [&](const Index &i) { return x.at(i) + w.at(i); });
    EXPECT_TRUE(close(k.run(sizes, {x, w})[0], want, 1e-7));
  }
}

TEST_P(Rows, EmptyTensors) {
  Kernel k = kernel(bias);
  for (const Sizes &sizes :
       {Sizes{{"batch", 0}, {"model", 5}}, Sizes{{"batch", 5}, {"model", 0}}}) {
    Tensor x({"batch", "model"}, sizes), w({"model"}, sizes);
    EXPECT_TRUE(k.run(sizes, {x, w})[0].data.empty());
  }
}

// The results of one map may have fewer dimensions than its loops, down to none.
TEST_P(Rows, ResultsThatLackDimensionsOfTheLoops) {
  Kernel k = kernel(R"mlir(
model.dim @batch
model.dim @model
func.func @f(%x: !model.tensor<f32, batch, model>, %w: !model.tensor<f32, model>, %b: !model.tensor<f32, batch>, %s: !model.tensor<f32>) {
  %r:4 = kernel.fused rows "scaled" (%p = %x : !model.tensor<f32, batch, model>, %q = %w : !model.tensor<f32, model>,
                                     %c = %b : !model.tensor<f32, batch>, %d = %s : !model.tensor<f32>)
      -> (!model.tensor<f32, batch, model>, !model.tensor<f32, model>, !model.tensor<f32, batch>, !model.tensor<f32>)
      attributes {layouts = [#kernel.layout<batch: "model", model: "1">, #kernel.layout<model: "1">, #kernel.layout<batch: "1">,
                             #kernel.layout<>, #kernel.layout<batch: "model", model: "1">, #kernel.layout<model: "1">,
                             #kernel.layout<batch: "1">, #kernel.layout<>]} {
    %e = model.mul %d, %d : !model.tensor<f32>, !model.tensor<f32>
    %f = model.mul %q, %e : !model.tensor<f32, model>, !model.tensor<f32>
    %g = model.mul %c, %e : !model.tensor<f32, batch>, !model.tensor<f32>
    %h = model.add %p, %f : !model.tensor<f32, batch, model>, !model.tensor<f32, model>
    %i = model.add %h, %g : !model.tensor<f32, batch, model>, !model.tensor<f32, batch>
    kernel.yield %i, %f, %g, %e : !model.tensor<f32, batch, model>, !model.tensor<f32, model>, !model.tensor<f32, batch>, !model.tensor<f32>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t model : {1, 7, 16, 33, 65, 30011}) {
    Sizes sizes{{"batch", 3}, {"model", model}};
    Tensor x = Tensor::normal({"batch", "model"}, sizes, 1),
           w = Tensor::normal({"model"}, sizes, 2), b = Tensor::normal({"batch"}, sizes, 3),
           s({}, sizes);
    s.data[0] = 1.5;
    std::vector<Tensor> got = k.run(sizes, {x, w, b, s});
    auto wide = [&](const Index &i) { return x.at(i) + (w.at(i) + b.at(i)) * 2.25; };
    EXPECT_TRUE(close(got[0], Tensor::of(x.dims, sizes, wide), 1e-6)) << model;
    EXPECT_TRUE(close(
        got[1], Tensor::of(w.dims, sizes, [&](const Index &i) { return w.at(i) * 2.25; }), 1e-6));
    EXPECT_TRUE(close(
        got[2], Tensor::of(b.dims, sizes, [&](const Index &i) { return b.at(i) * 2.25; }), 1e-6));
    EXPECT_EQ(got[3].data[0], 2.25);
  }
}

const char *const layerNorm = R"mlir(
model.dim @batch
model.dim @seq
model.dim @model
func.func @f(%x: !model.tensor<f32, batch, seq, model>, %w: !model.tensor<f32, model>, %v: !model.tensor<f32, model>) {
  %r = kernel.fused rows "norm" (%a = %x : !model.tensor<f32, batch, seq, model>, %b = %w : !model.tensor<f32, model>,
                                 %c = %v : !model.tensor<f32, model>)
      -> (!model.tensor<f32, batch, seq, model>)
      attributes {layouts = [#kernel.layout<batch: "seq * model", seq: "model", model: "1">, #kernel.layout<model: "1">,
                             #kernel.layout<model: "1">,
                             #kernel.layout<batch: "seq * model", seq: "model", model: "1">]} {
    %n = model.normalize ["model"] %a eps 1.000000e-05 centered true : !model.tensor<f32, batch, seq, model>
    %m = model.mul %n, %b : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>
    %s = model.add %m, %c : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>
    kernel.yield %s : !model.tensor<f32, batch, seq, model>
  }
  return
}
)mlir";

TEST_P(Rows, LayerNorm) {
  Kernel k = kernel(layerNorm);
  ASSERT_TRUE(k.ok());
  for (int64_t model : odd)
    for (int64_t seq : {1, 3}) {
      Sizes sizes{{"batch", 2}, {"seq", seq}, {"model", model}};
      Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1);
      Tensor w = Tensor::normal({"model"}, sizes, 2), v = Tensor::normal({"model"}, sizes, 3);
      Tensor want(x.dims, sizes);
      everywhere({"batch", "seq"}, sizes, [&](Index i) {
        double mean = 0, square = 0;
        for (i["model"] = 0; i["model"] < model; ++i["model"])
          mean += x.at(i) / double(model);
        for (i["model"] = 0; i["model"] < model; ++i["model"])
          square += (x.at(i) - mean) * (x.at(i) - mean) / double(model);
        for (i["model"] = 0; i["model"] < model; ++i["model"])
          want.at(i) = (x.at(i) - mean) / std::sqrt(square + 1e-5) * w.at(i) + v.at(i);
      });
      EXPECT_TRUE(close(k.run(sizes, {x, w, v})[0], want, 1e-6)) << seq << " x " << model;
      EXPECT_TRUE(close(k.run(sizes, {x, w, v}, {{0, 0}})[0], want, 1e-6)) << "in place";
    }
}

// exp(-inf - -inf) is NaN; what a mask empties is 0.
TEST_P(Rows, SoftmaxOfInfinities) {
  Kernel k = kernel(R"mlir(
model.dim @row
model.dim @key
func.func @f(%x: !model.tensor<f32, row, key>, %m: !model.tensor<i1, row, key>) {
  %r:2 = kernel.fused rows "softmax" (%a = %x : !model.tensor<f32, row, key>, %b = %m : !model.tensor<i1, row, key>)
      -> (!model.tensor<f32, row, key>, !model.tensor<f32, row, key>)
      attributes {layouts = [#kernel.layout<row: "key", key: "1">, #kernel.layout<row: "key", key: "1">,
                             #kernel.layout<row: "key", key: "1">, #kernel.layout<row: "key", key: "1">]} {
    %p = model.softmax "key" %a : !model.tensor<f32, row, key>
    %q = model.softmax "key" %a mask %b : !model.tensor<f32, row, key>, !model.tensor<i1, row, key>
    kernel.yield %p, %q : !model.tensor<f32, row, key>, !model.tensor<f32, row, key>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t key : {1, 3, 16, 33}) {
    Sizes sizes{{"row", 8}, {"key", key}};
    // Finite; nothing but -inf; some -inf; one +inf. The mask empties the first four rows.
    Tensor x = Tensor::of({"row", "key"}, sizes, [](const Index &at) {
      int64_t row = at.at("row") % 4, place = at.at("key");
      bool low = row == 1 || (row == 2 && place % 2), high = row == 3 && place == 0;
      return low ? -INFINITY : high ? INFINITY : 0.1 * double(place);
    });
    Tensor kept = Tensor::of({"row", "key"}, sizes, [](const Index &at) {
      return at.at("row") >= 4 && at.at("key") != 2;
    });
    std::vector<Tensor> got = k.run(sizes, {x, kept}), want = k.interpret(sizes, {x, kept});
    EXPECT_TRUE(close(got[0], want[0], 1e-6)) << "without a mask, " << key;
    EXPECT_TRUE(close(got[1], want[1], 1e-6)) << "with a mask, " << key;
  }
}

TEST_P(Rows, EmbeddingOfTokensAndPositions) {
  Kernel k = kernel(R"mlir(
model.dim @batch
model.dim @seq bound <position>
model.dim @vocab
model.dim @position
model.dim @model
func.func @f(%t: !model.tensor<i32, batch, seq>, %e: !model.tensor<f32, vocab, model>, %p: !model.tensor<f32, position, model>) {
  %r = kernel.fused rows "embed" (%a = %t : !model.tensor<i32, batch, seq>, %b = %e : !model.tensor<f32, vocab, model>,
                                  %c = %p : !model.tensor<f32, position, model>)
      -> (!model.tensor<f32, batch, seq, model>)
      attributes {layouts = [#kernel.layout<batch: "seq", seq: "1">, #kernel.layout<vocab: "model", model: "1">,
                             #kernel.layout<position: "model", model: "1">,
                             #kernel.layout<batch: "seq * model", seq: "model", model: "1">]} {
    %x = model.gather %b "vocab" = %a : !model.tensor<f32, vocab, model>, !model.tensor<i32, batch, seq>
    %i = model.index "seq"
    %y = model.gather %c "position" = %i : !model.tensor<f32, position, model>, !model.tensor<index<seq>, seq>
    %s = model.add %x, %y : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, seq, model>
    kernel.yield %s : !model.tensor<f32, batch, seq, model>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t model : odd) {
    Sizes sizes{{"batch", 2}, {"seq", 5}, {"vocab", 11}, {"position", 9}, {"model", model}};
    Tensor t = Tensor::whole({"batch", "seq"}, sizes, 11, 1),
           e = Tensor::normal({"vocab", "model"}, sizes, 2),
           p = Tensor::normal({"position", "model"}, sizes, 3);
    Tensor want = Tensor::of({"batch", "seq", "model"}, sizes, [&](const Index &i) {
      Index j = i;
      j["vocab"] = int64_t(t.at(i));
      j["position"] = i.at("seq");
      return e.at(j) + p.at(j);
    });
    EXPECT_TRUE(close(k.run(sizes, {t, e, p})[0], want, 1e-7)) << model;
  }
}

// Cross-entropy of each position: the logits' logsumexp less the target's logit, both from one
// kernel.
TEST_P(Rows, CrossEntropy) {
  Kernel k = kernel(R"mlir(
model.dim @seq
model.dim @vocab
func.func @f(%x: !model.tensor<f32, seq, vocab>, %t: !model.tensor<i32, seq>) {
  %r:2 = kernel.fused rows "loss" (%a = %x : !model.tensor<f32, seq, vocab>, %b = %t : !model.tensor<i32, seq>)
      -> (!model.tensor<f32, seq>, !model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "vocab", vocab: "1">, #kernel.layout<seq: "1">,
                             #kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %l = model.logsumexp "vocab" %a : !model.tensor<f32, seq, vocab>
    %g = model.gather %a "vocab" = %b : !model.tensor<f32, seq, vocab>, !model.tensor<i32, seq>
    %s = model.sub %l, %g : !model.tensor<f32, seq>, !model.tensor<f32, seq>
    kernel.yield %l, %s : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t vocab : {1, 2, 15, 16, 17, 33, 500, 5003}) {
    Sizes sizes{{"seq", 7}, {"vocab", vocab}};
    Tensor x = Tensor::normal({"seq", "vocab"}, sizes, 1),
           t = Tensor::whole({"seq"}, sizes, vocab, 2);
    for (double &logit : x.data)
      logit = float(logit * 20 + 60);
    Tensor lse({"seq"}, sizes), loss({"seq"}, sizes);
    everywhere({"seq"}, sizes, [&](Index i) {
      double largest = -INFINITY, sum = 0;
      for (i["vocab"] = 0; i["vocab"] < vocab; ++i["vocab"])
        largest = std::max(largest, x.at(i));
      for (i["vocab"] = 0; i["vocab"] < vocab; ++i["vocab"])
        sum += std::exp(x.at(i) - largest);
      lse.at(i) = std::log(sum) + largest;
      i["vocab"] = int64_t(t.at(i));
      loss.at(i) = lse.at(i) - x.at(i);
    });
    std::vector<Tensor> got = k.run(sizes, {x, t});
    EXPECT_TRUE(close(got[0], lse, 3e-7)) << vocab;
    EXPECT_TRUE(close(got[1], loss, 1e-6)) << vocab;
  }
}

const char *const dropout = R"mlir(
model.dim @batch
model.dim @model
func.func @f(%x: !model.tensor<f32, batch, model>) {
  %r:2 = kernel.fused rows "dropout" (%a = %x : !model.tensor<f32, batch, model>) -> (!model.tensor<f32, batch, model>, !model.tensor<f32, batch>)
      attributes {layouts = [#kernel.layout<batch: "model", model: "1">, #kernel.layout<batch: "model", model: "1">, #kernel.layout<batch: "1">]} {
    %keep = model.constant 0.75 : f64
    %zero = model.constant 0.0 : f64
    %u = model.random "layer.drop" : !model.tensor<f32, batch, model>
    %v = model.random "row" : !model.tensor<f32, batch>
    %c = model.compare lt %u, %keep : !model.tensor<f32, batch, model>, !model.tensor<f32>
    %s = model.div %a, %keep : !model.tensor<f32, batch, model>, !model.tensor<f32>
    %d = model.where %c, %s, %zero : !model.tensor<i1, batch, model>, !model.tensor<f32, batch, model>, !model.tensor<f32>
    %e = model.add %d, %u : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
    kernel.yield %e, %v : !model.tensor<f32, batch, model>, !model.tensor<f32, batch>
  }
  return
}
)mlir";

TEST_P(Rows, RandomNumbersAreTheInterpreters) {
  Kernel k = kernel(dropout);
  ASSERT_TRUE(k.ok());
  for (int64_t model : odd)
    for (RandomKey key : {RandomKey{0, 0}, RandomKey{0x123456789abcdef0, 7}}) {
      k.setRandom(key);
      Sizes sizes{{"batch", 3}, {"model", model}};
      Tensor x = Tensor::normal({"batch", "model"}, sizes, 1);
      std::vector<Tensor> got = k.run(sizes, {x}), want = k.interpret(sizes, {x});
      EXPECT_TRUE(close(got[0], want[0], 1e-7)) << model;
      EXPECT_TRUE(close(got[1], want[1], 0)) << model;
    }
}

// Loops around a kernel count too: their part of the index comes with the key.
TEST_P(Rows, RandomNumbersOfAPass) {
  Kernel k = kernel(dropout);
  Sizes sizes{{"batch", 5}, {"model", 1}};
  uint64_t first = 3 * reference::randomStride("layer");
  k.setRandom({11, 2, first});
  Tensor want = Tensor::of({"batch"}, sizes, [&](const Index &i) {
    uint64_t index = first + uint64_t(i.at("batch")) * reference::randomStride("batch");
    return reference::randomUnit(11, 2, reference::randomPath("row"), index);
  });
  EXPECT_TRUE(close(k.run(sizes, {Tensor::normal({"batch", "model"}, sizes, 1)})[1], want, 0));
}

INSTANTIATE_TEST_SUITE_P(Isa, Rows, everyIsa(), isaName);

} // namespace
