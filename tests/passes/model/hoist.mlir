// RUN: weft-opt %s --loop-invariant-code-motion | FileCheck %s

model.dim @layer = <3>
model.dim @seq
model.parameter @scale : !model.tensor<f32, layer, seq> loops 1

// Positions and what follows from them leave the loop; a slice of a parameter and random numbers are new in every pass.
// CHECK-LABEL: @positions
// CHECK: model.index "seq"
// CHECK: model.to_float
// CHECK: model.cos
// CHECK: model.repeat "layer"
// CHECK-NOT: model.cos
// CHECK: model.param @scale
// CHECK: model.random
func.func @positions(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = model.repeat "layer" carry(%c = %x : <f32, seq>) -> !model.tensor<f32, seq> {
    %i = model.index "seq"
    %f = model.to_float %i : <index<seq>, seq>
    %t = model.cos %f : <f32, seq>
    %s = model.param @scale : <f32, seq>
    %r = model.random "drop" : <f32, seq>
    %a = model.mul %c, %t : <f32, seq>, <f32, seq>
    %b = model.mul %a, %s : <f32, seq>, <f32, seq>
    %d = model.mul %b, %r : <f32, seq>, <f32, seq>
    model.yield %d : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// So are those of a loop inside of it.
// CHECK-LABEL: @nested
// CHECK: model.repeat "layer"
// CHECK-NEXT: model.repeat "seq"
// CHECK-NEXT: model.random
func.func @nested() -> !model.tensor<f32, layer, seq> {
  %0 = model.repeat "layer" -> !model.tensor<f32, layer, seq> {
    %1 = model.repeat "seq" -> !model.tensor<f32, seq> {
      %r = model.random "drop" : <f32>
      model.yield %r : !model.tensor<f32>
    }
    model.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, layer, seq>
}
