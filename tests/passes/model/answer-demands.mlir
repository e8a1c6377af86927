// What is required and was made is met; the rest is refused with the reason. tests/tools/require.test has it from the source.
// RUN: not weft-opt %s --weft-form-softmax --weft-answer-demands -split-input-file 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=SAID

// CHECK: model.demands = [{asks = "require", at = "a.weft:1:1", function = "f", fusion = "softmax", met}, {asks = "forbid", at = "a.weft:2:1", function = "f", fusion = "softmax"}]
module attributes {model.demands = [{asks = "require", at = "a.weft:1:1", function = "f", fusion = "softmax"},
                                    {asks = "forbid", at = "a.weft:2:1", function = "f", fusion = "softmax"}]} {
  model.dim @seq
  func.func @f(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
    %0 = model.softmax "seq" %x : !model.tensor<f32, seq> loc(fused<array<i64: 0>>[unknown])
    return %0 : !model.tensor<f32, seq>
  }
}

// -----

// A place is not met by another one.
// SAID: a.weft:1:1{{.*}}E0530: `softmax` is required, but softmax is not fused: the maximum along `seq` is not subtracted before `exp`, which may overflow
// SAID: in `f`
// SAID: help: subtract max(x)
module attributes {model.demands = [{asks = "require", at = "a.weft:1:1", function = "f", fusion = "softmax"},
                                    {asks = "require", at = "a.weft:1:1", function = "f", fusion = "softmax"}]} {
  model.dim @seq
  func.func @f(%x: !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>, !model.tensor<f32, seq>) {
    %0 = model.softmax "seq" %x : !model.tensor<f32, seq> loc(fused<array<i64: 0>>[unknown])
    %1 = model.exp %x : !model.tensor<f32, seq>
    %2 = model.sum ["seq"] %1 : !model.tensor<f32, seq>
    %3 = model.div %1, %2 : !model.tensor<f32, seq>, !model.tensor<f32> loc(fused<array<i64: 1>>[unknown])
    return %0, %3 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  }
}

// -----

// Nothing bears it, or nothing that bears it is one.
// SAID: a.weft:1:1{{.*}}E0530: `attention` is required, but no op here says that it comes of the code behind this
// SAID: a.weft:2:1{{.*}}E0530: `attention` is required, but there is no attention in the code behind this
module attributes {model.demands = [{asks = "require", at = "a.weft:1:1", function = "f", fusion = "attention"},
                                    {asks = "require", at = "a.weft:2:1", function = "f", fusion = "attention"}]} {
  model.dim @seq
  func.func @f(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
    %0 = model.softmax "seq" %x : !model.tensor<f32, seq> loc(fused<array<i64: 1>>[unknown])
    return %0 : !model.tensor<f32, seq>
  }
}

// -----

// SAID: error: 'model.demands' lists what is demanded: each has `asks`
module attributes {model.demands = [{asks = "want", at = "a.weft:1:1", function = "f", fusion = "attention"}]} {}
