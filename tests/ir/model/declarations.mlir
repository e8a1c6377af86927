// Dimensions, parameters and accesses: what is printed can be read back and prints the same.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t

// CHECK: model.dim @batch{{$}}
model.dim @batch
// CHECK: model.dim @layer = <12>
model.dim @layer = <12>
// CHECK: model.dim @position = <1024>
model.dim @position = <1024>
// CHECK: model.dim @seq bound <position>
model.dim @seq bound <position>
// CHECK: model.dim @class = <1>
model.dim @class = <1>
// CHECK: model.dim @token = <seq + 1> parts ["class", "seq"]
model.dim @token = <1 + seq> parts ["class", "seq"]
// CHECK: model.dim @half = <position / 2>
model.dim @half = <position / 2>
// CHECK: model.dim @"odd name"
model.dim @"odd name"

// CHECK: model.parameter @table : !model.tensor<f32, position, half>{{$}}
model.parameter @table : !model.tensor<f32, position, half>
// CHECK: model.parameter @layer.weight : !model.tensor<f32, layer, half> loops 1 init normal value 2.000000e-02
model.parameter @layer.weight : !model.tensor<f32, layer, half> loops 1 init normal value 2.0e-02
// CHECK: model.parameter @layer.weight.m : !model.tensor<f32, layer, half> loops 1 kind optimizer of @layer.weight
model.parameter @layer.weight.m : !model.tensor<f32, layer, half> loops 1 kind optimizer of @layer.weight
// CHECK: model.parameter @average : !model.tensor<f32> kind state init uniform value 1.000000e+00 {weft.note = "kept"}
model.parameter @average : !model.tensor<f32> kind state init uniform value 1.0 {weft.note = "kept"}

// CHECK-LABEL: func.func @access
func.func @access(%x: !model.tensor<f32, "odd name">) -> !model.tensor<f32, position, half> {
  // CHECK: model.param @table : <f32, position, half>
  %0 = model.param @table : !model.tensor<f32, position, half>
  // CHECK: %[[MEAN:.*]] = model.sum ["odd name"] %{{.*}} : <f32, "odd name">
  %1 = model.sum ["odd name"] %x : !model.tensor<f32, "odd name">
  // CHECK: model.assign @average, %[[MEAN]] : <f32>
  model.assign @average, %1 : !model.tensor<f32>
  // The slice of a pass has not the dimension of its loop.
  // CHECK: model.repeat "layer" {
  // CHECK:   %[[SLICE:.*]] = model.param @layer.weight : <f32, half>
  // CHECK:   model.assign @layer.weight, %[[SLICE]] : <f32, half>
  model.repeat "layer" {
    %2 = model.param @layer.weight : !model.tensor<f32, half>
    model.assign @layer.weight, %2 : !model.tensor<f32, half>
  }
  return %0 : !model.tensor<f32, position, half>
}
