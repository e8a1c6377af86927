// Equal ops become one, and what is demanded of either is demanded of it, whichever stands first.
// RUN: weft-opt %s --weft-cse --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

module attributes {model.demands = [{asks = "require", at = "a.weft:1:1", function = "f", fusion = "softmax"},
                                    {asks = "forbid", at = "a.weft:2:1", function = "f", fusion = "attention"}]} {
  model.dim @seq

  // CHECK-LABEL: @f
  // CHECK: model.softmax {{.*}} loc(fused<array<i64: 0>>["a.weft":3:1])
  // CHECK-NOT: model.softmax
  // CHECK: model.neg {{.*}} loc(fused<array<i64: 0>>[fused<array<i64: 1>>["a.weft":6:1]])
  // CHECK-NOT: model.neg
  // CHECK: return
  func.func @f(%x: !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>, !model.tensor<f32, seq>, !model.tensor<f32, seq>, !model.tensor<f32, seq>) {
    %0 = model.softmax "seq" %x : !model.tensor<f32, seq> loc("a.weft":3:1)
    %1 = model.softmax "seq" %x : !model.tensor<f32, seq> loc(fused<array<i64: 0>>["a.weft":4:1])
    %2 = model.neg %0 : !model.tensor<f32, seq> loc(fused<array<i64: 1>>["a.weft":6:1])
    %3 = model.neg %1 : !model.tensor<f32, seq> loc(callsite(fused<array<i64: 1>>["a.weft":7:1] at fused<array<i64: 0>>["a.weft":8:1]))
    return %0, %1, %2, %3 : !model.tensor<f32, seq>, !model.tensor<f32, seq>, !model.tensor<f32, seq>, !model.tensor<f32, seq>
  }
}
