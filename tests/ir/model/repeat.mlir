// Loops: carried values, slices, stacked values, both directions.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t

// CHECK-LABEL: func.func @loops
func.func @loops(%x: !model.tensor<f32, seq>, %w: !model.tensor<f32, seq, layer>) {
  // CHECK: model.repeat "layer" carry(%[[H:.*]] = %{{.*}} : <f32, seq>) slices(%[[S:.*]] = %{{.*}} : <f32, seq, layer>) -> (!model.tensor<f32, seq>, !model.tensor<f32, layer, seq>) {
  // CHECK-NEXT: %[[NEXT:.*]] = model.mul %[[H]], %[[S]] : <f32, seq>, <f32, seq>
  // CHECK-NEXT: model.yield %[[NEXT]], %[[H]] : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  %last, %all = model.repeat "layer" carry(%h = %x : !model.tensor<f32, seq>) slices(%s = %w : !model.tensor<f32, seq, layer>)
      -> (!model.tensor<f32, seq>, !model.tensor<f32, layer, seq>) {
    %next = model.mul %h, %s : !model.tensor<f32, seq>, !model.tensor<f32, seq>
    model.yield %next, %h : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  }
  // CHECK: model.repeat "layer" reverse carry(%{{.*}} = %{{.*}} : <f32, seq>, %{{.*}} = %{{.*}} : <f32, seq>) -> (!model.tensor<f32, seq>, !model.tensor<f32, seq>) attributes {note = "kept"} {
  %a, %b = model.repeat "layer" reverse carry(%h = %x : !model.tensor<f32, seq>, %i = %last : !model.tensor<f32, seq>)
      -> (!model.tensor<f32, seq>, !model.tensor<f32, seq>) attributes {note = "kept"} {
    model.yield %i, %h : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  }
  // Nothing carried, nothing given: the yield may be left out.
  // CHECK: model.repeat "layer" {
  model.repeat "layer" {
  }
  return
}
