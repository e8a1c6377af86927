// RUN: weft-opt %s --weft-form-kernels --weft-materialize-copies | FileCheck %s

model.dim @batch
model.dim @head = #model.size<2>
model.dim @dh = #model.size<3>
model.dim @both = #model.size<6>

// The heads do not lie together, so they are copied before they are one dimension.
// CHECK-LABEL: @merge
// CHECK: kernel.fused rows "copy"
// CHECK-SAME: -> (!model.tensor<f32, batch, head, dh>)
// CHECK: model.regroup
// CHECK: return
func.func @merge(%x: !model.tensor<f32, head, batch, dh>) -> !model.tensor<f32, batch, both> {
  %0 = model.regroup %x ["head", "dh"] as ["both"] : !model.tensor<f32, head, batch, dh>
  %1 = model.arrange %0 : !model.tensor<f32, both, batch> -> !model.tensor<f32, batch, both>
  return %1 : !model.tensor<f32, batch, both>
}

// An argument that is returned is copied; what a kernel computed is not.
// CHECK-LABEL: @argument
// CHECK-DAG: %[[COPY:.*]] = kernel.fused rows "copy"
// CHECK-DAG: %[[NEG:.*]] = kernel.fused rows "neg"
// CHECK-NOT: kernel.fused
// CHECK: return %[[COPY]], %[[NEG]]
func.func @argument(%x: !model.tensor<f32, batch>) -> (!model.tensor<f32, batch>, !model.tensor<f32, batch>) {
  %0 = model.neg %x : !model.tensor<f32, batch>
  return %x, %0 : !model.tensor<f32, batch>, !model.tensor<f32, batch>
}

// A constant that is returned has no place to be copied from.
// CHECK-LABEL: func.func @rate
// CHECK: %[[RATE:.*]] = kernel.fused table "copy" () -> (!model.tensor<f32>)
// CHECK-NEXT: model.constant 1.000000e-03
// CHECK: return %[[RATE]]
func.func @rate() -> !model.tensor<f32> {
  %0 = model.constant 0.001 : f64
  return %0 : !model.tensor<f32>
}
