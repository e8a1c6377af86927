// RUN: weft-opt %s --weft-choose-layouts --weft-choose-schedules=machines=cuda --weft-join-launches | FileCheck %s
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-schedules=machines=cpu --weft-join-launches | FileCheck %s --check-prefix=CPU
// On a CPU each kernel is a launch.
// CPU-NOT: together

model.dim @n = <600>
model.dim @m = <40>
model.dim @k = <3000>
model.parameter @a : !model.tensor<f32, n>
model.parameter @b : !model.tensor<f32, m>

// What needs nothing of each other comes side by side: two norms, then two steps. The product is no part of a launch.
// CHECK-LABEL: func.func @update
// CHECK: model.param @a
// CHECK: kernel.fused rows "first"
// CHECK-SAME: together = 1 : i64
// CHECK: kernel.fused rows "second"
// CHECK-SAME: together = 1 : i64
// CHECK: kernel.fused rows "step"
// CHECK-SAME: together = 2 : i64
// CHECK: kernel.fused rows "other"
// CHECK-SAME: together = 2 : i64
// CHECK: model.assign @a
// CHECK: model.assign @b
func.func @update(%x: !model.tensor<f32, n>, %y: !model.tensor<f32, m>) attributes {model.entry = "update", model.kind = "update"} {
  %a = model.param @a : !model.tensor<f32, n>
  %1 = kernel.fused rows "first" (%p = %x : !model.tensor<f32, n>) -> (!model.tensor<f32>) {
    %s = model.sum ["n"] %p : !model.tensor<f32, n>
    kernel.yield %s : !model.tensor<f32>
  }
  %2 = kernel.fused rows "step" (%p = %1 : !model.tensor<f32>, %q = %a : !model.tensor<f32, n>) -> (!model.tensor<f32, n>) {
    %s = model.mul %q, %p : !model.tensor<f32, n>, !model.tensor<f32>
    kernel.yield %s : !model.tensor<f32, n>
  }
  model.assign @a, %2 : !model.tensor<f32, n>
  %b = model.param @b : !model.tensor<f32, m>
  %3 = kernel.fused rows "second" (%p = %y : !model.tensor<f32, m>, %q = %b : !model.tensor<f32, m>) -> (!model.tensor<f32>) {
    %t = model.mul %p, %q : !model.tensor<f32, m>, !model.tensor<f32, m>
    %s = model.sum ["m"] %t : !model.tensor<f32, m>
    kernel.yield %s : !model.tensor<f32>
  }
  %4 = kernel.fused rows "other" (%p = %3 : !model.tensor<f32>, %q = %b : !model.tensor<f32, m>) -> (!model.tensor<f32, m>) {
    %s = model.mul %q, %p : !model.tensor<f32, m>, !model.tensor<f32>
    kernel.yield %s : !model.tensor<f32, m>
  }
  model.assign @b, %4 : !model.tensor<f32, m>
  return
}

// Both read `a`, and one writes it: that one comes behind, so that it may be written in its place.
// CHECK-LABEL: func.func @reads
// CHECK: kernel.fused rows "reader"
// CHECK-NOT: together
// CHECK: kernel.fused rows "writer"
// CHECK-NOT: together
func.func @reads() -> !model.tensor<f32, n> attributes {model.entry = "reads", model.kind = "update"} {
  %a = model.param @a : !model.tensor<f32, n>
  %1 = kernel.fused rows "reader" (%q = %a : !model.tensor<f32, n>) -> (!model.tensor<f32, n>) {
    %s = model.exp %q : !model.tensor<f32, n>
    kernel.yield %s : !model.tensor<f32, n>
  }
  %2 = kernel.fused rows "writer" (%q = %a : !model.tensor<f32, n>) -> (!model.tensor<f32, n>) {
    %s = model.neg %q : !model.tensor<f32, n>
    kernel.yield %s : !model.tensor<f32, n>
  }
  model.assign @a, %2 : !model.tensor<f32, n>
  return %1 : !model.tensor<f32, n>
}

// Other entries stay in their order.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: together
func.func @plain(%x: !model.tensor<f32, n>, %y: !model.tensor<f32, m>) -> (!model.tensor<f32, n>, !model.tensor<f32, m>)
    attributes {model.entry = "plain", model.kind = "plain"} {
  %1 = kernel.fused rows "one" (%q = %x : !model.tensor<f32, n>) -> (!model.tensor<f32, n>) {
    %s = model.exp %q : !model.tensor<f32, n>
    kernel.yield %s : !model.tensor<f32, n>
  }
  %2 = kernel.fused rows "two" (%q = %y : !model.tensor<f32, m>) -> (!model.tensor<f32, m>) {
    %s = model.neg %q : !model.tensor<f32, m>
    kernel.yield %s : !model.tensor<f32, m>
  }
  return %1, %2 : !model.tensor<f32, n>, !model.tensor<f32, m>
}
