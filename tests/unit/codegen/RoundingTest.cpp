// Every op of the model rounds its result, whatever is computed beside it (docs/decisions/047).
#include "EveryIsa.h"

#include <cstring>

using namespace weft;
using namespace weft::test;

namespace {

class Rounding : public EveryIsa {
protected:
  /// A kernel of sums and differences of products; it yields those named.
  Kernel products(const std::vector<std::string> &yielded) {
    std::string names, types, layouts;
    for (const std::string &name : yielded) {
      names += (names.empty() ? "%" : ", %") + name;
      types += std::string(types.empty() ? "" : ", ") + "!model.tensor<f32, row" +
               (name == "highest" ? ">" : ", key>");
      layouts += name == "highest" ? ", #kernel.layout<row: \"1\">"
                                   : ", #kernel.layout<row: \"key\", key: \"1\">";
    }
    return kernel(
        R"mlir(
model.dim @row
model.dim @key
func.func @f(%x: !model.tensor<f32, row, key>, %y: !model.tensor<f32, row, key>, %z: !model.tensor<f32, row, key>) {
  %r:)mlir" +
        std::to_string(yielded.size()) +
        R"mlir( = kernel.fused rows "products" (%a = %x : !model.tensor<f32, row, key>, %b = %y : !model.tensor<f32, row, key>,
      %c = %z : !model.tensor<f32, row, key>)
      -> ()mlir" +
        types + R"mlir()
      attributes {layouts = [#kernel.layout<row: "key", key: "1">, #kernel.layout<row: "key", key: "1">,
                             #kernel.layout<row: "key", key: "1">)mlir" +
        layouts + R"mlir(]} {
    %product = model.mul %a, %b : !model.tensor<f32, row, key>, !model.tensor<f32, row, key>
    %again = model.mul %b, %a : !model.tensor<f32, row, key>, !model.tensor<f32, row, key>
    %highest = model.reduce_max ["key"] %product : !model.tensor<f32, row, key>
    %below = model.sub %product, %highest : !model.tensor<f32, row, key>, !model.tensor<f32, row>
    %nothing = model.sub %product, %again : !model.tensor<f32, row, key>, !model.tensor<f32, row, key>
    %moved = model.add %product, %c : !model.tensor<f32, row, key>, !model.tensor<f32, row, key>
    %grown = model.exp %c : !model.tensor<f32, row, key>
    %more = model.add %grown, %a : !model.tensor<f32, row, key>, !model.tensor<f32, row, key>
    kernel.yield )mlir" +
        names + " : " + types + R"mlir(
  }
  return
}
)mlir");
  }
};

bool sameBytes(const Tensor &a, const Tensor &b) {
  return a.data.size() == b.data.size() &&
         std::memcmp(a.data.data(), b.data.data(), a.data.size() * sizeof a.data[0]) == 0;
}

TEST_P(Rounding, WhatIsTakenAwayIsWhatWasCompared) {
  std::vector<std::string> all = {"product", "highest", "below", "nothing",
                                  "moved",   "grown",   "more"};
  Kernel together = products(all);
  ASSERT_TRUE(together.ok());
  for (int64_t key : {1, 3, 16, 37}) {
    Sizes sizes{{"row", 5}, {"key", key}};
    std::vector<Tensor> inputs;
    for (unsigned seed : {1, 2, 3})
      inputs.push_back(Tensor::normal({"row", "key"}, sizes, seed));
    std::vector<Tensor> got = together.run(sizes, inputs);
    for (size_t i = 0; i < got[0].data.size(); ++i) {
      auto x = float(inputs[0].data[i]), y = float(inputs[1].data[i]), z = float(inputs[2].data[i]);
      volatile float product = x * y;
      EXPECT_EQ(got[0].data[i], product);
      EXPECT_EQ(got[2].data[i], product - float(got[1].data[i / size_t(key)]));
      EXPECT_EQ(got[3].data[i], 0) << "x y - y x";
      EXPECT_EQ(got[4].data[i], product + z);
      EXPECT_EQ(got[6].data[i], float(got[5].data[i]) + x) << "exp rounds too";
    }
    // Alone, where nobody else reads the product.
    for (size_t i = 0; i < all.size(); ++i) {
      Kernel alone = products({all[i]});
      ASSERT_TRUE(alone.ok());
      EXPECT_TRUE(sameBytes(alone.run(sizes, inputs)[0], got[i])) << all[i] << ", " << key;
    }
  }
}

// A remainder is a loop of its own, also inside a tile of a product; it is exact, and so is the
// product of small whole numbers.
TEST_P(Rounding, RemaindersOfProducts) {
  Kernel k = kernel(R"mlir(
model.dim @m
model.dim @n
model.dim @k
func.func @f(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  %r = kernel.fused contraction "rest" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>)
      -> (!model.tensor<f32, m, n>) attributes {
        layouts = [#kernel.layout<m: "k", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                   #kernel.layout<m: "n", n: "1">] } {
    %by = model.constant 3.500000e+00 : f64
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    %d = model.mod %c, %by : !model.tensor<f32, m, n>, !model.tensor<f32>
    kernel.yield %d : !model.tensor<f32, m, n>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  Sizes sizes{{"m", 19}, {"n", 53}, {"k", 5}};
  Tensor x = Tensor::of({"m", "k"}, sizes, [](const Index &at) {
    return double(at.at("m") * 7 + at.at("k") * 3) - 40;
  });
  Tensor w = Tensor::of({"k", "n"}, sizes, [](const Index &at) {
    return double(at.at("n") * 5 % 23 + at.at("k")) - 9;
  });
  EXPECT_TRUE(close(k.run(sizes, {x, w})[0], k.interpret(sizes, {x, w})[0], 0));
}

INSTANTIATE_TEST_SUITE_P(Isa, Rounding, everyIsa(), isaName);

} // namespace
