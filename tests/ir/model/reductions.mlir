// Reductions: text, and the dimensions that are left.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t
// RUN: weft-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=TYPE

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: !model.tensor<f32, a, b, c>, %n: !model.tensor<i32, a, b>) {
  // CHECK: model.sum ["c", "a"] %{{.*}} : <f32, a, b, c>
  // TYPE: "model.sum"({{.*}}) {{.*}} -> !model.tensor<f32, b>
  %0 = model.sum ["c", "a"] %x : !model.tensor<f32, a, b, c>
  // CHECK: model.sum [] %{{.*}} : <i32, a, b>
  // TYPE: "model.sum"({{.*}}) {{.*}} -> !model.tensor<i32, a, b>
  %1 = model.sum [] %n : !model.tensor<i32, a, b>
  // CHECK: model.reduce_max ["b"] %{{.*}} : <f32, a, b, c>
  // TYPE: "model.reduce_max"({{.*}}) {{.*}} -> !model.tensor<f32, a, c>
  %2 = model.reduce_max ["b"] %x : !model.tensor<f32, a, b, c>
  // CHECK: model.reduce_min ["a", "b"] %{{.*}} : <i32, a, b>
  // TYPE: "model.reduce_min"({{.*}}) {{.*}} -> !model.tensor<i32>
  %3 = model.reduce_min ["a", "b"] %n : !model.tensor<i32, a, b>
  // CHECK: model.argmax ["b"] %{{.*}} : <f32, a, b, c>
  // TYPE: "model.argmax"({{.*}}) {{.*}} -> !model.tensor<index<b>, a, c>
  %4 = model.argmax ["b"] %x : !model.tensor<f32, a, b, c>
  // CHECK: model.top "k" of "a" %{{.*}} : <f32, a, b, c>
  // TYPE: "model.top"({{.*}}) {{.*}} -> !model.tensor<index<a>, b, c, k>
  %5 = model.top "k" of "a" %x : !model.tensor<f32, a, b, c>
  // CHECK: model.cumsum "b" %{{.*}} : <f32, a, b, c>
  // TYPE: "model.cumsum"({{.*}}) {{.*}} -> !model.tensor<f32, a, b, c>
  %6 = model.cumsum "b" %x : !model.tensor<f32, a, b, c>
  // CHECK: model.cumsum "b" reverse %{{.*}} : <i32, a, b>
  %7 = model.cumsum "b" reverse %n : !model.tensor<i32, a, b>
  return
}
