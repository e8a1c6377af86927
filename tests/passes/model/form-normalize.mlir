// RUN: weft-opt %s --weft-form-normalize --remark-format=emitRemark --remarks-filter=weft-form-normalize 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=REMARK

model.dim @seq
model.dim @model = #model.size<8>

// CHECK-LABEL: @rms
// CHECK: model.normalize ["model"] %{{.*}} eps 1.000000e-05 centered false
// CHECK-NOT: model.rsqrt
// CHECK: return
func.func @rms(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %n = model.constant 8.0 : f64
  %eps = model.constant 1.0e-5 : f64
  %0 = model.mul %x, %x : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  %2 = model.div %1, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %3 = model.add %2, %eps : !model.tensor<f32, seq>, !model.tensor<f32>
  %4 = model.rsqrt %3 : !model.tensor<f32, seq>
  %5 = model.mul %x, %4 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq, model>
}

// CHECK-LABEL: @layer
// CHECK: model.normalize ["model"] %{{.*}} eps 1.000000e-05 centered true
// CHECK-NOT: model.rsqrt
// CHECK: return
func.func @layer(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %n = model.constant 8.0 : f64
  %eps = model.constant 1.0e-5 : f64
  %0 = model.sum ["model"] %x : !model.tensor<f32, seq, model>
  %1 = model.div %0, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %2 = model.sub %x, %1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  %3 = model.mul %2, %2 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %4 = model.sum ["model"] %3 : !model.tensor<f32, seq, model>
  %5 = model.div %4, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %6 = model.add %5, %eps : !model.tensor<f32, seq>, !model.tensor<f32>
  %7 = model.sqrt %6 : !model.tensor<f32, seq>
  %8 = model.div %2, %7 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %8 : !model.tensor<f32, seq, model>
}

// The divisor is not the number of elements.
// CHECK-LABEL: @other
// REMARK: Function=other{{.*}}normalize is not fused: the sum of squares along `model` is not divided by how many they are
// CHECK-NOT: model.normalize
// CHECK: return
func.func @other(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %n = model.constant 7.0 : f64
  %eps = model.constant 1.0e-5 : f64
  %0 = model.mul %x, %x : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  %2 = model.div %1, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %3 = model.add %2, %eps : !model.tensor<f32, seq>, !model.tensor<f32>
  %4 = model.rsqrt %3 : !model.tensor<f32, seq>
  %5 = model.mul %x, %4 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq, model>
}

// CHECK-LABEL: @no_eps
// REMARK: Function=no_eps{{.*}}normalize is not fused: no constant above 0 is added to the mean of squares
// CHECK-NOT: model.normalize
// CHECK: return
func.func @no_eps(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %n = model.constant 8.0 : f64
  %0 = model.mul %x, %x : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  %2 = model.div %1, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %3 = model.rsqrt %2 : !model.tensor<f32, seq>
  %4 = model.mul %x, %3 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %4 : !model.tensor<f32, seq, model>
}

// CHECK-LABEL: @computed_eps
// REMARK: Function=computed_eps{{.*}}normalize is not fused: what is added to the mean of squares is not a constant above 0
// CHECK-NOT: model.normalize
// CHECK: return
func.func @computed_eps(%x: !model.tensor<f32, seq, model>, %eps: !model.tensor<f32>) -> !model.tensor<f32, seq, model> {
  %n = model.constant 8.0 : f64
  %0 = model.mul %x, %x : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  %2 = model.div %1, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %3 = model.add %2, %eps : !model.tensor<f32, seq>, !model.tensor<f32>
  %4 = model.rsqrt %3 : !model.tensor<f32, seq>
  %5 = model.mul %x, %4 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq, model>
}

// CHECK-LABEL: @another_numerator
// REMARK: Function=another_numerator{{.*}}normalize is not fused: no factor of what is divided by the deviation is its values
// CHECK-NOT: model.normalize
// CHECK: return
func.func @another_numerator(%x: !model.tensor<f32, seq, model>, %y: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %n = model.constant 8.0 : f64
  %eps = model.constant 1.0e-5 : f64
  %0 = model.mul %x, %x : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  %2 = model.div %1, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %3 = model.add %2, %eps : !model.tensor<f32, seq>, !model.tensor<f32>
  %4 = model.rsqrt %3 : !model.tensor<f32, seq>
  %5 = model.mul %y, %4 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %5 : !model.tensor<f32, seq, model>
}

// CHECK-LABEL: @deviation_shown
// REMARK: Function=deviation_shown{{.*}}normalize is not fused: its deviation is used for something else too
// CHECK-NOT: model.normalize
// CHECK: return
func.func @deviation_shown(%x: !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>) {
  %n = model.constant 8.0 : f64
  %eps = model.constant 1.0e-5 : f64
  %0 = model.mul %x, %x : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
  %1 = model.sum ["model"] %0 : !model.tensor<f32, seq, model>
  %2 = model.div %1, %n : !model.tensor<f32, seq>, !model.tensor<f32>
  %3 = model.add %2, %eps : !model.tensor<f32, seq>, !model.tensor<f32>
  %4 = model.rsqrt %3 : !model.tensor<f32, seq>
  %5 = model.mul %x, %4 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  return %5, %4 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
}
