// RUN: weft-opt %s --weft-fuse-rows --weft-form-kernels --split-input-file | FileCheck %s

// A norm with its gain: one pass over rows.
// CHECK-LABEL: @norm
// CHECK: kernel.fused rows
// CHECK: model.add
// CHECK: model.normalize
// CHECK: model.mul
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.fused
func.func @norm(%x: !model.tensor<f32, seq, model>, %y: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model>)
    -> !model.tensor<f32, seq, model> {
  %0 = model.add %x, %y : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.normalize ["model"] %0 eps 1.0e-5 centered true : !model.tensor<f32, seq, model>
  %2 = model.mul %1, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model>
  return %2 : !model.tensor<f32, seq, model>
}

// -----

// A sum over outer dimensions is known only at the end, so nothing in its kernel may use it.
// CHECK-LABEL: @columns
// CHECK: kernel.fused rows
// CHECK: model.sum
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.sub
func.func @columns(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %0 = model.sum ["seq"] %x : !model.tensor<f32, seq, model>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, model>, !model.tensor<f32, model>
  return %1 : !model.tensor<f32, seq, model>
}

// -----

// Positions alone make a table, computed in f64; data does not join it.
// CHECK-LABEL: @table
// CHECK: kernel.fused table
// CHECK: model.sin
// CHECK: kernel.fused rows
// CHECK: model.add
func.func @table(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = model.index "seq"
  %1 = model.to_float %0 : !model.tensor<i64, seq>
  %2 = model.sin %1 : !model.tensor<f32, seq>
  %3 = model.add %x, %2 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return %3 : !model.tensor<f32, seq>
}
