// RUN: weft-opt %s --weft-form-kernels | FileCheck %s

// Every op has a kernel; views and parameters stay outside, constants go in.
// CHECK-LABEL: @each
// CHECK: kernel.fused rows
// CHECK: model.constant
// CHECK: model.mul
// CHECK: model.regroup
// CHECK: kernel.fused contraction
func.func @each(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, m2, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = model.constant 2.0 : f64
  %1 = model.mul %x, %0 : !model.tensor<f32, seq, model>, !model.tensor<f32>
  %2 = model.regroup %1 ["model"] as ["m2"] : !model.tensor<f32, seq, model>
  %3 = model.contract ["m2"] %2, %w : !model.tensor<f32, seq, m2>, !model.tensor<f32, m2, ff>
  return %3 : !model.tensor<f32, seq, ff>
}
