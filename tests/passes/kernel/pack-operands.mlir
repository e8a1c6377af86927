// RUN: weft-opt %s --weft-form-kernels --weft-pack-operands | FileCheck %s

model.dim @batch
model.dim @rows
model.dim @model = #model.size<8>
model.dim @ff = #model.size<24>
model.parameter @w : !model.tensor<f32, model, ff>

// The parameter is packed, on whichever side it stands; its columns are those that reach the result.
// CHECK-LABEL: @right
// CHECK: kernel.fused pack
// CHECK-SAME: rows = [model], columns = [ff], width = 16
// CHECK: kernel.fused contraction
func.func @right(%x: !model.tensor<f32, batch, model>) -> !model.tensor<f32, ff, batch> {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.contract ["model"] %w, %x : !model.tensor<f32, model, ff>, !model.tensor<f32, batch, model>
  return %0 : !model.tensor<f32, ff, batch>
}

// A product with itself: one use is packed, the other is not.
// CHECK-LABEL: @square
// CHECK: %[[P:.*]] = kernel.fused pack
// CHECK: kernel.fused contraction "contract" (%{{.*}} = %arg0 : {{.*}}, %{{.*}} = %[[P]] :
func.func @square(%x: !model.tensor<f32, batch, model>) -> !model.tensor<f32, batch> {
  %0 = model.contract ["model"] %x, %x : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
  return %0 : !model.tensor<f32, batch>
}

// What a loop reads as it is is packed before it, once; but in a step of training where it is read, so that no two panels
// of one weight have to be there at a time.
// CHECK-LABEL: @chunks
// CHECK: %[[P:.*]] = kernel.fused pack
// CHECK: model.repeat "batch"
// CHECK-NOT: kernel.fused pack
// CHECK: kernel.fused contraction {{.*}} = %[[P]] :
func.func @chunks(%x: !model.tensor<f32, batch, rows, model>) -> !model.tensor<f32, batch, rows, ff> attributes {model.kind = "plain"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.repeat "batch" slices(%s = %x : !model.tensor<f32, batch, rows, model>) -> !model.tensor<f32, batch, rows, ff> {
    %1 = model.contract ["model"] %s, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    model.yield %1 : !model.tensor<f32, rows, ff>
  }
  return %0 : !model.tensor<f32, batch, rows, ff>
}

// CHECK-LABEL: @chunks.gradient
// CHECK: model.repeat "batch"
// CHECK: kernel.fused pack
func.func @chunks.gradient(%x: !model.tensor<f32, batch, rows, model>) -> !model.tensor<f32, batch, rows, ff> attributes {model.kind = "gradient"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.repeat "batch" slices(%s = %x : !model.tensor<f32, batch, rows, model>) -> !model.tensor<f32, batch, rows, ff> {
    %1 = model.contract ["model"] %s, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    model.yield %1 : !model.tensor<f32, rows, ff>
  }
  return %0 : !model.tensor<f32, batch, rows, ff>
}

// CHECK-LABEL: @chunks.update
// CHECK: model.repeat "batch"
// CHECK: kernel.fused pack
func.func @chunks.update(%x: !model.tensor<f32, batch, rows, model>) -> !model.tensor<f32, batch, rows, ff> attributes {model.kind = "update"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.repeat "batch" slices(%s = %x : !model.tensor<f32, batch, rows, model>) -> !model.tensor<f32, batch, rows, ff> {
    %1 = model.contract ["model"] %s, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    model.yield %1 : !model.tensor<f32, rows, ff>
  }
  return %0 : !model.tensor<f32, batch, rows, ff>
}
