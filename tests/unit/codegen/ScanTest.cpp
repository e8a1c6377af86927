// Running sums and the positions of the largest, against the interpreter.
#include "EveryIsa.h"

#include <cmath>
#include <limits>

using namespace weft;
using namespace weft::test;

namespace {

class Scan : public EveryIsa {
protected:
  /// A kernel of `op` on %a with dimensions batch, seq, model.
  Kernel of(const std::string &element, const std::string &op, const std::string &result,
            const std::string &strides) {
    std::string in = "!model.tensor<" + element + ", batch, seq, model>";
    return kernel("model.dim @batch\nmodel.dim @seq\nmodel.dim @model\nmodel.dim @k\n"
                  "func.func @f(%x: " +
                  in + ") {\n  %r = kernel.fused rows \"scan\" (%a = %x : " + in + ") -> (" +
                  result +
                  ")\n attributes {layouts = [#kernel.layout<batch: \"seq * model\", seq: "
                  "\"model\", model: \"1\">, "
                  "#kernel.layout<" +
                  strides + ">]} {\n    %s = " + op + " : " + in +
                  "\n    kernel.yield %s : " + result + "\n  }\n  return\n}\n");
  }
};

const int64_t odd[] = {1, 2, 7, 8, 9, 15, 16, 17, 33, 200};
const char *const floats = "!model.tensor<f32, batch, seq, model>";
const char *const dense = "batch: \"seq * model\", seq: \"model\", model: \"1\"";

TEST_P(Scan, RunningSums) {
  for (const char *op : {"model.cumsum \"seq\" %a", "model.cumsum \"seq\" reverse %a",
                         "model.cumsum \"model\" %a", "model.cumsum \"model\" reverse %a"}) {
    Kernel k = of("f32", op, floats, dense);
    ASSERT_TRUE(k.ok());
    for (int64_t model : odd) {
      Sizes sizes{{"batch", 3}, {"seq", 5}, {"model", model}, {"k", 1}};
      Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1);
      EXPECT_TRUE(close(k.run(sizes, {x})[0], k.interpret(sizes, {x})[0], 1e-7))
          << op << " " << model;
    }
  }
}

TEST_P(Scan, RunningSumsOfWholeNumbersInManyTasks) {
  Kernel k = of("i32", "model.cumsum \"seq\" %a", "!model.tensor<i32, batch, seq, model>", dense);
  ASSERT_TRUE(k.ok());
  Sizes sizes{{"batch", 300}, {"seq", 20}, {"model", 17}, {"k", 1}};
  EXPECT_GT(k.tasks(sizes), 3);
  Tensor x = Tensor::whole({"batch", "seq", "model"}, sizes, 100, 1);
  EXPECT_TRUE(close(k.run(sizes, {x})[0], k.interpret(sizes, {x})[0], 0));
}

// Equal values, zeros of both signs, infinities and NaN among them.
TEST_P(Scan, PositionsOfTheLargest) {
  Kernel k =
      of("f32", "model.top \"k\" of \"model\" %a", "!model.tensor<index<model>, batch, seq, k>",
         "batch: \"seq * k\", seq: \"k\", k: \"1\"");
  ASSERT_TRUE(k.ok());
  const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, 1, -1};
  for (int64_t model : odd)
    for (int64_t count : {int64_t(1), (model + 1) / 2, model}) {
      Sizes sizes{{"batch", 4}, {"seq", 3}, {"model", model}, {"k", count}};
      Tensor x = Tensor::normal({"batch", "seq", "model"}, sizes, 1);
      for (size_t i = 0; i < x.data.size(); i += 3)
        x.data[i] = special[i / 3 % std::size(special)];
      EXPECT_TRUE(close(k.run(sizes, {x})[0], k.interpret(sizes, {x})[0], 0))
          << count << " of " << model;
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Scan, everyIsa(), isaName);

} // namespace
