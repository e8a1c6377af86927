// RUN: weft-opt %s --weft-form-kernels --weft-materialize-copies | FileCheck %s

model.dim @batch
model.dim @known
model.dim @new
model.dim @room
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

// What a kernel of rows computes for one user only, it computes in the order that merges.
// CHECK-LABEL: func.func @stacked
// CHECK: kernel.fused rows "stack"
// CHECK-SAME: -> (!model.tensor<f32, batch, head, dh>)
// CHECK: model.arrange {{.*}} -> <f32, batch, head, dh>
// CHECK: model.regroup
// CHECK-NOT: "copy"
// CHECK: kernel.fused rows "neg"
func.func @stacked(%a: !model.tensor<f32, batch, dh>, %b: !model.tensor<f32, batch, dh>) -> !model.tensor<f32, batch, both> {
  %0 = model.stack "head" %a, %b : !model.tensor<f32, batch, dh>, !model.tensor<f32, batch, dh>
  %1 = model.regroup %0 ["head", "dh"] as ["both"] : !model.tensor<f32, batch, dh, head>
  %2 = model.neg %1 : !model.tensor<f32, batch, both>
  return %2 : !model.tensor<f32, batch, both>
}

// Rows of a cache are written there by their kernel, also if their dimensions are merged on the way.
// CHECK-LABEL: func.func @cached
// CHECK: kernel.fused rows "stack"
// CHECK-NOT: "copy"
// CHECK: model.insert_part
func.func @cached(%a: !model.tensor<f32, new, dh>, %b: !model.tensor<f32, new, dh>,
                  %cache: !model.tensor<f32, room, both> {model.cache = "k"}) -> (!model.tensor<f32, room, both> {model.cache = "k"}) {
  %0 = model.stack "head" %a, %b : !model.tensor<f32, new, dh>, !model.tensor<f32, new, dh>
  %1 = model.regroup %0 ["head", "dh"] as ["both"] : !model.tensor<f32, new, dh, head>
  %2 = model.insert_part %1 into %cache "room" as "new" at <known> : !model.tensor<f32, new, both>, !model.tensor<f32, room, both> -> !model.tensor<f32, room, both>
  return %2 : !model.tensor<f32, room, both>
}
