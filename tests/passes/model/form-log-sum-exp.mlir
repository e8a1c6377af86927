// RUN: weft-opt %s --weft-form-log-sum-exp --remark-format=emitRemark --remarks-filter=weft-form-log-sum-exp 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=REMARK

// CHECK-LABEL: @shifted
// CHECK: %[[L:.*]] = model.logsumexp "vocab"
// CHECK-NEXT: return %[[L]]
func.func @shifted(%x: !model.tensor<f32, seq, vocab>) -> !model.tensor<f32, seq> {
  %inf = model.constant 0x7FF0000000000000 : f64
  %zero = model.constant 0.0 : f64
  %0 = model.reduce_max ["vocab"] %x : !model.tensor<f32, seq, vocab>
  %minus = model.neg %0 : !model.tensor<f32, seq>
  %size = model.max %0, %minus : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  %finite = model.compare lt %size, %inf : !model.tensor<f32, seq>, !model.tensor<f32>
  %shift = model.where %finite, %0, %zero : !model.tensor<i1, seq>, !model.tensor<f32, seq>, !model.tensor<f32>
  %1 = model.sub %x, %shift : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, vocab>
  %3 = model.sum ["vocab"] %2 : !model.tensor<f32, seq, vocab>
  %4 = model.log %3 : !model.tensor<f32, seq>
  %5 = model.add %shift, %4 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq>
}

// Infinite values would give NaN here, which logsumexp does not. But the maximum has no gradient.
// CHECK-LABEL: @unguarded
// REMARK: Function=unguarded{{.*}}logsumexp is not fused: where the maximum along `vocab` is infinite, inf - inf is NaN; subtract and add where(max(m, -m) < inf, m, 0) in the place of the maximum m
// REMARK-NOT: Function=
// CHECK: model.reduce_max ["vocab"] shift
// CHECK-NOT: model.logsumexp
// CHECK: return
func.func @unguarded(%x: !model.tensor<f32, seq, vocab>) -> !model.tensor<f32, seq> {
  %0 = model.reduce_max ["vocab"] %x : !model.tensor<f32, seq, vocab>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, vocab>
  %3 = model.sum ["vocab"] %2 : !model.tensor<f32, seq, vocab>
  %4 = model.log %3 : !model.tensor<f32, seq>
  %5 = model.add %0, %4 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq>
}

// Something else is added than what was taken away.
// CHECK-LABEL: @other
// CHECK-NOT: model.logsumexp
// CHECK-NOT: shift
// CHECK: return
func.func @other(%x: !model.tensor<f32, seq, vocab>, %y: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = model.reduce_max ["vocab"] %x : !model.tensor<f32, seq, vocab>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, vocab>
  %3 = model.sum ["vocab"] %2 : !model.tensor<f32, seq, vocab>
  %4 = model.log %3 : !model.tensor<f32, seq>
  %5 = model.add %y, %4 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq>
}

// A maximum that is taken away on both sides of a difference has no gradient.
// CHECK-LABEL: @both_sides
// CHECK: model.reduce_max ["vocab"] shift
func.func @both_sides(%x: !model.tensor<f32, seq, vocab>, %t: !model.tensor<i32, seq>) -> !model.tensor<f32, seq> {
  %0 = model.reduce_max ["vocab"] %x : !model.tensor<f32, seq, vocab>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, vocab>
  %3 = model.sum ["vocab"] %2 : !model.tensor<f32, seq, vocab>
  %4 = model.log %3 : !model.tensor<f32, seq>
  %5 = model.gather %x "vocab" = %t : !model.tensor<f32, seq, vocab>, !model.tensor<i32, seq>
  %6 = model.sub %5, %0 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  %7 = model.sub %4, %6 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return %7 : !model.tensor<f32, seq>
}

// Here it does not cancel: the difference is used for itself too.
// CHECK-LABEL: @one_side
// CHECK-NOT: shift
func.func @one_side(%x: !model.tensor<f32, seq, vocab>) -> (!model.tensor<f32, seq, vocab>, !model.tensor<f32, seq, vocab>) {
  %0 = model.reduce_max ["vocab"] %x : !model.tensor<f32, seq, vocab>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, vocab>
  %3 = model.sum ["vocab"] %2 : !model.tensor<f32, seq, vocab>
  %4 = model.log %3 : !model.tensor<f32, seq>
  %5 = model.sub %1, %4 : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq>
  return %1, %5 : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq, vocab>
}
