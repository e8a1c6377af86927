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
  %1 = model.to_float %0 : !model.tensor<index<seq>, seq>
  %2 = model.sin %1 : !model.tensor<f32, seq>
  %3 = model.add %x, %2 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return %3 : !model.tensor<f32, seq>
}

// -----

// What a norm gave, computed again for the gradient of the weights behind it, and the norm's own gradient read the same rows:
// one kernel. The sums down its columns are another one: that kernel reads all that they sum. It has the sum of `%dy` too, which
// is only read there.
// CHECK-LABEL: func.func @norm_backward
// CHECK: %[[D:.*]]:3 = kernel.fused rows {{.*}} {
// CHECK: model.normalize
// CHECK: model.normalize_grad
// CHECK: kernel.fused rows {{.*}} {
// CHECK-COUNT-3: model.sum ["batch", "seq"]
// CHECK: kernel.yield
// CHECK-NOT: kernel.fused
func.func @norm_backward(%x: !model.tensor<f32, batch, seq, model>, %dy: !model.tensor<f32, batch, seq, model>, %w: !model.tensor<f32, model>)
    -> (!model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>, !model.tensor<f32, model>, !model.tensor<f32, model>) {
  %n = model.normalize ["model"] %x eps 1.0e-5 centered true : !model.tensor<f32, batch, seq, model>
  %y = model.mul %n, %w : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>
  %bias = model.sum ["batch", "seq"] %dy : !model.tensor<f32, batch, seq, model>
  %product = model.mul %dy, %n : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq, model>
  %weight = model.sum ["batch", "seq"] %product : !model.tensor<f32, batch, seq, model>
  %dn = model.mul %dy, %w : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>
  %dx = model.normalize_grad ["model"] %x, %dn eps 1.0e-5 centered true : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq, model>
  %below = model.sum ["batch", "seq"] %dx : !model.tensor<f32, batch, seq, model>
  return %y, %dx, %bias, %weight, %below : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>, !model.tensor<f32, model>, !model.tensor<f32, model>
}

// -----

// Sums of tensors that no kernel reads together stay apart: one would wait for the other's.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-4: kernel.fused rows
// CHECK: return
func.func @apart(%a: !model.tensor<f32, batch, seq, model>, %b: !model.tensor<f32, batch, seq, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, model>, !model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq, model>) {
  %c = model.exp %a : !model.tensor<f32, batch, seq, model>
  %d = model.exp %b : !model.tensor<f32, batch, seq, model>
  %0 = model.sum ["batch", "seq"] %c : !model.tensor<f32, batch, seq, model>
  %1 = model.sum ["batch", "seq"] %d : !model.tensor<f32, batch, seq, model>
  return %0, %1, %c, %d : !model.tensor<f32, model>, !model.tensor<f32, model>, !model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq, model>
}

// -----

// A norm over the batch is a sum down columns too, and what follows from its result is known only when that is.
// CHECK-LABEL: func.func @batch_norm
// CHECK: kernel.fused rows
// CHECK: model.normalize_grad
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.sum
func.func @batch_norm(%x: !model.tensor<f32, batch, model>, %dy: !model.tensor<f32, batch, model>) -> (!model.tensor<f32, batch, model>, !model.tensor<f32, model>) {
  %dx = model.normalize_grad ["batch"] %x, %dy eps 1.0e-5 centered true : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
  %below = model.sum ["batch"] %dx : !model.tensor<f32, batch, model>
  return %dx, %below : !model.tensor<f32, batch, model>, !model.tensor<f32, model>
}
