// Tables: values of positions and sizes alone, computed in double and rounded once.
#include "EveryIsa.h"

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

INSTANTIATE_TEST_SUITE_P(Isa, Table, everyIsa(), isaName);

} // namespace
