// RUN: weft-opt %s --weft-stage-fused | FileCheck %s

model.dim @batch
model.dim @seq
model.dim @vocab = #model.size<50257>
model.dim @head = #model.size<12>
model.dim @dh = #model.size<64>
model.dim @layer = #model.size<3>
model.dim @small = #model.size<700>

// The square of a gradient is summed row by row, on all threads, and not scaled in the same kernel; what follows from
// both norms is a kernel of single numbers.
// CHECK-LABEL: @norm
// CHECK: %[[W:.*]] = kernel.fused rows {{.*}} -> (!model.tensor<f32, layer, vocab>)
// CHECK: model.sum ["head", "dh"]
// CHECK: %[[WHOLE:.*]] = kernel.fused rows {{.*}} = %[[W]] {{.*}} -> (!model.tensor<f32>)
// CHECK-NEXT: model.sum ["layer", "vocab"]
// CHECK: %[[B:.*]] = kernel.fused rows {{.*}} -> (!model.tensor<f32>)
// CHECK: model.sum ["small"]
// CHECK: %[[SCALE:.*]] = kernel.fused table {{.*}} = %[[WHOLE]] {{.*}} = %[[B]] {{.*}} -> (!model.tensor<f32>)
// CHECK-NEXT: model.add
// CHECK-NEXT: model.rsqrt
// CHECK: kernel.fused rows {{.*}} = %[[SCALE]]
// CHECK-NEXT: model.mul
func.func @norm(%w: !model.tensor<f32, layer, vocab, head, dh>, %b: !model.tensor<f32, small>) -> !model.tensor<f32, layer, vocab, head, dh> {
  %0 = model.mul %w, %w : !model.tensor<f32, layer, vocab, head, dh>, !model.tensor<f32, layer, vocab, head, dh>
  %1 = model.sum ["layer", "vocab", "head", "dh"] %0 : !model.tensor<f32, layer, vocab, head, dh>
  %2 = model.mul %b, %b : !model.tensor<f32, small>, !model.tensor<f32, small>
  %3 = model.sum ["small"] %2 : !model.tensor<f32, small>
  %4 = model.add %1, %3 : !model.tensor<f32>, !model.tensor<f32>
  %5 = model.rsqrt %4 : !model.tensor<f32>
  %6 = model.mul %w, %5 : !model.tensor<f32, layer, vocab, head, dh>, !model.tensor<f32>
  return %6 : !model.tensor<f32, layer, vocab, head, dh>
}

// The loss of every position: too few to be cut.
// CHECK-LABEL: @mean
// CHECK: model.sum ["batch", "seq"]
// CHECK-NOT: model.sum
func.func @mean(%x: !model.tensor<f32, batch, seq>) -> !model.tensor<f32> {
  %0 = model.sum ["batch", "seq"] %x : !model.tensor<f32, batch, seq>
  return %0 : !model.tensor<f32>
}
