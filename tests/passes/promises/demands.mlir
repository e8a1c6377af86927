// What bears a demand that is not kept, by its location.
// RUN: not weft-opt %s --weft-verify-stage=stage=model -split-input-file 2>&1 | FileCheck %s

// CHECK: internal error behind stage `model`: `model.softmax` was made where `@forbid(softmax)` forbids it
module attributes {model.demands = [{asks = "forbid", at = "a.weft:1:1", function = "f", fusion = "softmax", met}]} {
  model.dim @seq
  func.func @f(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
    %0 = model.softmax "seq" %x : !model.tensor<f32, seq> loc(fused<array<i64: 0>>[unknown])
    return %0 : !model.tensor<f32, seq>
  }
}

// -----

// CHECK: `model.neg` is held to a demand that the module does not list
module attributes {model.demands = [{asks = "forbid", at = "a.weft:1:1", function = "f", fusion = "softmax"}]} {
  model.dim @seq
  func.func @f(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
    %0 = model.neg %x : !model.tensor<f32, seq> loc(fused<array<i64: 1>>[unknown])
    return %0 : !model.tensor<f32, seq>
  }
}
