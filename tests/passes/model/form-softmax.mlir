// RUN: weft-opt %s --weft-form-softmax --remark-format=emitRemark --remarks-filter=weft-form-softmax 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=REMARK

// CHECK-LABEL: @plain
// CHECK-NEXT: %[[S:.*]] = model.softmax "key" %{{.*}} : <f32, seq, key>
// CHECK-NEXT: return %[[S]]
func.func @plain(%x: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, key> {
  %0 = model.reduce_max ["key"] %x : !model.tensor<f32, seq, key>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, key>
  %3 = model.sum ["key"] %2 : !model.tensor<f32, seq, key>
  %4 = model.div %2, %3 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  return %4 : !model.tensor<f32, seq, key>
}

// The sum is over another dimension than the maximum: no softmax.
// CHECK-LABEL: @other
// REMARK: Function=other{{.*}}softmax is not fused: the maximum along `seq` is not subtracted before `exp`, which may overflow
// CHECK-NOT: model.softmax
// CHECK: return
func.func @other(%x: !model.tensor<f32, key, seq>) -> !model.tensor<f32, key, seq> {
  %0 = model.reduce_max ["key"] %x : !model.tensor<f32, key, seq>
  %1 = model.sub %x, %0 : !model.tensor<f32, key, seq>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, key, seq>
  %3 = model.sum ["seq"] %2 : !model.tensor<f32, key, seq>
  %4 = model.div %2, %3 : !model.tensor<f32, key, seq>, !model.tensor<f32, key>
  return %4 : !model.tensor<f32, key, seq>
}

// Masked twice, as the library writes it, with a guard for rows that keep nothing.
// CHECK-LABEL: @masked
// CHECK: model.softmax "key" %{{.*}} mask %{{.*}} : <f32, seq, key>, 
// CHECK-NOT: model.exp
// CHECK: return
func.func @masked(%x: !model.tensor<f32, seq, key>, %m: !model.tensor<i1, key, seq>) -> !model.tensor<f32, seq, key> {
  %inf = model.constant 0xFFF0000000000000 : f64
  %zero = model.constant 0.0 : f64
  %one = model.constant 1.0 : f64
  %0 = model.where %m, %x, %inf : !model.tensor<i1, key, seq>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %1 = model.reduce_max ["key"] %0 : !model.tensor<f32, seq, key>
  %2 = model.sub %x, %1 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  %3 = model.where %m, %2, %inf : !model.tensor<i1, key, seq>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %4 = model.exp %3 : !model.tensor<f32, seq, key>
  %5 = model.sum ["key"] %4 : !model.tensor<f32, seq, key>
  %6 = model.compare gt %5, %zero : !model.tensor<f32, seq>, !model.tensor<f32>
  %7 = model.where %6, %5, %one : !model.tensor<i1, seq>, !model.tensor<f32, seq>, !model.tensor<f32>
  %8 = model.div %4, %7 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  return %8 : !model.tensor<f32, seq, key>
}

// The input lacks what the mask has, and is the same along it.
// CHECK-LABEL: @masked_along_more
// CHECK: %[[X:.*]] = model.broadcast %{{.*}} along ["batch"]
// CHECK: model.softmax "key" %[[X]] mask %{{.*}} : <f32, key, batch>, !model.tensor<i1, batch, key>
func.func @masked_along_more(%x: !model.tensor<f32, key>, %keep: !model.tensor<i1, batch, key>) -> !model.tensor<f32, batch, key> {
  %none = model.constant 0xFFF0000000000000 : f64
  %zero = model.constant 0.0 : f64
  %one = model.constant 1.0 : f64
  %0 = model.where %keep, %x, %none : !model.tensor<i1, batch, key>, !model.tensor<f32, key>, !model.tensor<f32>
  %1 = model.reduce_max ["key"] %0 : !model.tensor<f32, batch, key>
  %2 = model.sub %x, %1 : !model.tensor<f32, key>, !model.tensor<f32, batch>
  %3 = model.where %keep, %2, %none : !model.tensor<i1, batch, key>, !model.tensor<f32, key, batch>, !model.tensor<f32>
  %4 = model.exp %3 : !model.tensor<f32, key, batch>
  %5 = model.sum ["key"] %4 : !model.tensor<f32, key, batch>
  %6 = model.compare gt %5, %zero : !model.tensor<f32, batch>, !model.tensor<f32>
  %7 = model.where %6, %5, %one : !model.tensor<i1, batch>, !model.tensor<f32, batch>, !model.tensor<f32>
  %8 = model.div %4, %7 : !model.tensor<f32, key, batch>, !model.tensor<f32, batch>
  %9 = model.arrange %8 : !model.tensor<f32, key, batch> -> !model.tensor<f32, batch, key>
  return %9 : !model.tensor<f32, batch, key>
}

// The library's masked softmax where everything is kept: a row that is not finite is 0 where it can be.
// CHECK-LABEL: @guarded
// CHECK: model.softmax "key" %{{.*}} guarded : <f32, seq, key>
func.func @guarded(%x: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, key> {
  %zero = model.constant 0.0 : f64
  %one = model.constant 1.0 : f64
  %0 = model.reduce_max ["key"] %x : !model.tensor<f32, seq, key>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  %2 = model.exp %1 : !model.tensor<f32, seq, key>
  %3 = model.sum ["key"] %2 : !model.tensor<f32, seq, key>
  %4 = model.compare gt %3, %zero : !model.tensor<f32, seq>, !model.tensor<f32>
  %5 = model.where %4, %3, %one : !model.tensor<i1, seq>, !model.tensor<f32, seq>, !model.tensor<f32>
  %6 = model.div %2, %5 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  return %6 : !model.tensor<f32, seq, key>
}

// Kept from 0 alone: a row that is not finite is NaN everywhere, also where the mask drops it, so this is none.
// CHECK-LABEL: @nonzero
// REMARK: Function=nonzero{{.*}}softmax is not fused: a row of which the mask keeps nothing is divided by 0; divide by where(sum > 0, sum, 1)
// CHECK-NOT: model.softmax
// CHECK: return
func.func @nonzero(%x: !model.tensor<f32, seq, key>, %m: !model.tensor<i1, key>) -> !model.tensor<f32, seq, key> {
  %inf = model.constant 0xFFF0000000000000 : f64
  %zero = model.constant 0.0 : f64
  %one = model.constant 1.0 : f64
  %0 = model.where %m, %x, %inf : !model.tensor<i1, key>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %1 = model.reduce_max ["key"] %0 : !model.tensor<f32, seq, key>
  %2 = model.sub %x, %1 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  %3 = model.where %m, %2, %inf : !model.tensor<i1, key>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %4 = model.exp %3 : !model.tensor<f32, seq, key>
  %5 = model.sum ["key"] %4 : !model.tensor<f32, seq, key>
  %6 = model.compare ne %5, %zero : !model.tensor<f32, seq>, !model.tensor<f32>
  %7 = model.where %6, %5, %one : !model.tensor<i1, seq>, !model.tensor<f32, seq>, !model.tensor<f32>
  %8 = model.div %4, %7 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  return %8 : !model.tensor<f32, seq, key>
}

// Without the maximum exp overflows where softmax does not.
// CHECK-LABEL: @bare
// REMARK: Function=bare{{.*}}softmax is not fused: the maximum along `key` is not subtracted before `exp`, which may overflow
// CHECK-NOT: model.softmax
// CHECK: return
func.func @bare(%x: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, key> {
  %0 = model.exp %x : !model.tensor<f32, seq, key>
  %1 = model.sum ["key"] %0 : !model.tensor<f32, seq, key>
  %2 = model.div %0, %1 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  return %2 : !model.tensor<f32, seq, key>
}

// CHECK-LABEL: @several
// REMARK: Function=several{{.*}}softmax is not fused: its sum is along several dimensions
// CHECK-NOT: model.softmax
// CHECK: return
func.func @several(%x: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, key> {
  %0 = model.reduce_max ["seq", "key"] %x : !model.tensor<f32, seq, key>
  %1 = model.sub %x, %0 : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.exp %1 : !model.tensor<f32, seq, key>
  %3 = model.sum ["seq", "key"] %2 : !model.tensor<f32, seq, key>
  %4 = model.div %2, %3 : !model.tensor<f32, seq, key>, !model.tensor<f32>
  return %4 : !model.tensor<f32, seq, key>
}

// What is no exponential is no softmax, and nobody meant one.
// CHECK-LABEL: @share
// REMARK-NOT: Function=share
func.func @share(%x: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, key> {
  %0 = model.sum ["key"] %x : !model.tensor<f32, seq, key>
  %1 = model.div %x, %0 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  return %1 : !model.tensor<f32, seq, key>
}
