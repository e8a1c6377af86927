// RUN: weft-opt %s --weft-form-contractions | FileCheck %s

// CHECK-LABEL: @product
// CHECK: model.contract ["model"]
// CHECK-NOT: model.sum
func.func @product(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = model.mul %x, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model, ff>
  return %1 : !model.tensor<f32, seq, ff>
}

// Both sides have all dimensions: a dot product of rows, which is a sum.
// CHECK-LABEL: @rows
// CHECK-NOT: model.contract
// CHECK: model.sum
func.func @rows(%x: !model.tensor<f32, seq, model>, %y: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq> {
  %0 = model.mul %x, %y : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  return %1 : !model.tensor<f32, seq>
}

// A constant factor waits until the contraction is done.
// CHECK-LABEL: @scaled
// CHECK: %[[C:.*]] = model.contract ["model"]
// CHECK: model.mul %[[C]]
func.func @scaled(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  %c = model.constant 2.0 : f64
  %0 = model.mul %x, %c : !model.tensor<f32, seq, model>, !model.tensor<f32>
  %1 = model.mul %0, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %2 = model.sum ["model"] %1 : !model.tensor<f32, seq, model, ff>
  return %2 : !model.tensor<f32, seq, ff>
}
