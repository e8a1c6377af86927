// Tables: values of positions and sizes alone, computed in double and rounded once.
#include "EveryIsa.h"
#include "ir/model/FloatFunctions.h"

using namespace weft;
using namespace weft::test;

namespace {

class Table : public EveryIsa {};

// Far positions: in single precision the angle alone would be off by a thousandth.
TEST_P(Table, AnglesOfRotaryPositions) {
  Kernel k = kernel(R"mlir(
model.dim @seq
model.dim @freq
func.func @f() {
  %r:2 = kernel.fused table "rope" () -> (!model.tensor<f32, seq, freq>, !model.tensor<f32, seq, freq>)
      attributes {layouts = [#kernel.layout<seq: "freq", freq: "1">, #kernel.layout<seq: "freq", freq: "1">]} {
    %i = model.index "freq"
    %base = model.constant 1.000000e+04 : f64
    %s = model.index "seq"
    %n = model.extent <freq>
    %a = model.to_float %i : !model.tensor<index<freq>, freq>
    %b = model.to_float %n : !model.tensor<i32>
    %c = model.div %a, %b : !model.tensor<f32, freq>, !model.tensor<f32>
    %d = model.pow %base, %c : !model.tensor<f32>, !model.tensor<f32, freq>
    %e = model.to_float %s : !model.tensor<index<seq>, seq>
    %g = model.div %e, %d : !model.tensor<f32, seq>, !model.tensor<f32, freq>
    %h = model.cos %g : !model.tensor<f32, seq, freq>
    %j = model.sin %g : !model.tensor<f32, seq, freq>
    kernel.yield %h, %j : !model.tensor<f32, seq, freq>, !model.tensor<f32, seq, freq>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (Sizes sizes : {Sizes{{"seq", 1}, {"freq", 1}}, Sizes{{"seq", 5}, {"freq", 33}},
                      Sizes{{"seq", 20011}, {"freq", 3}}}) {
    std::vector<Tensor> got = k.run(sizes, {}), want = k.interpret(sizes, {});
    EXPECT_TRUE(close(got[0], want[0], 6e-8)) << sizes["seq"];
    EXPECT_TRUE(close(got[1], want[1], 6e-8)) << sizes["seq"];
  }
}

TEST_P(Table, WholeNumbersAndSwitches) {
  Kernel k = kernel(R"mlir(
model.dim @seq
model.dim @model
func.func @f() {
  %r:3 = kernel.fused table "mask" () -> (!model.tensor<i1, seq, model>, !model.tensor<i32, seq, model>, !model.tensor<f32>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">, #kernel.layout<seq: "model", model: "1">, #kernel.layout<>]} {
    %s = model.index "seq"
    %m = model.index "model"
    %seven = model.constant 7 : i64
    %a = model.mul %s, %m : !model.tensor<index<seq>, seq>, !model.tensor<index<model>, model>
    %b = model.sub %seven, %a : !model.tensor<i32>, !model.tensor<i32, seq, model>
    %c = model.mod %b, %seven : !model.tensor<i32, seq, model>, !model.tensor<i32>
    %d = model.compare le %c, %s : !model.tensor<i32, seq, model>, !model.tensor<index<seq>, seq>
    %n = model.extent <seq * model + 1>
    %o = model.to_float %n : !model.tensor<i32>
    %q = model.sqrt %o : !model.tensor<f32>
    kernel.yield %d, %c, %q : !model.tensor<i1, seq, model>, !model.tensor<i32, seq, model>, !model.tensor<f32>
  }
  return
}
)mlir");
  ASSERT_TRUE(k.ok());
  for (int64_t model : {1, 7, 17, 9001}) {
    Sizes sizes{{"seq", 5}, {"model", model}};
    std::vector<Tensor> got = k.run(sizes, {}), want = k.interpret(sizes, {});
    EXPECT_TRUE(close(got[0], want[0], 0)) << model;
    EXPECT_TRUE(close(got[1], want[1], 0)) << model;
    EXPECT_TRUE(close(got[2], want[2], 6e-8)) << model;
  }
}

// Rounded once, from what is exact to 1.7e-16: the interpreter's number, but for ties.
TEST_P(Table, EveryFunction) {
  std::string ops, results;
  const std::string type = "!model.tensor<f32, seq>";
  auto add = [&](std::string_view name, const std::string &operands) {
    ops += "%" + std::string(name) + " = model." + std::string(name) + " " + operands + "\n";
    results += (results.empty() ? "%" : ", %") + std::string(name);
  };
  for (const model::FloatFunction &function : model::floatFunctions)
    add(function.name, "%x : " + type);
  add("pow", "%x, %y : " + type + ", " + type);
  add("mod", "%y, %x : " + type + ", " + type);
  const size_t count = std::size(model::floatFunctions) + 2;
  auto times = [&](const std::string &text) {
    std::string all = text;
    for (size_t i = 1; i < count; ++i)
      all += ", " + text;
    return all;
  };
  Kernel k = kernel("model.dim @seq\nfunc.func @f() {\n  %r:" + std::to_string(count) +
                    " = kernel.fused table \"all\" () -> (" + times(type) +
                    ") attributes {layouts = [" + times("#kernel.layout<seq: \"1\">") + R"mlir(]} {
    %s = model.index "seq"
    %f = model.to_float %s : !model.tensor<index<seq>, seq>
    %step = model.constant 1.370000e-01 : f64
    %start = model.constant 3.000000e-03 : f64
    %m = model.mul %f, %step : !model.tensor<f32, seq>, !model.tensor<f32>
    %x = model.add %m, %start : !model.tensor<f32, seq>, !model.tensor<f32>
    %minus = model.constant -3.700000e-01 : f64
    %y = model.mul %f, %minus : !model.tensor<f32, seq>, !model.tensor<f32>
)mlir" + ops + "kernel.yield " +
                    results + " : " + times(type) + "\n  }\n  return\n}\n");
  ASSERT_TRUE(k.ok());
  std::vector<Tensor> got = k.run({{"seq", 601}}, {}), want = k.interpret({{"seq", 601}}, {});
  for (size_t i = 0; i < count; ++i)
    EXPECT_TRUE(close(got[i], want[i], 6e-8)) << i;
}

INSTANTIATE_TEST_SUITE_P(Isa, Table, everyIsa(), isaName);

} // namespace
