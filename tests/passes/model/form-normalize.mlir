// RUN: weft-opt %s --weft-form-normalize | FileCheck %s

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
