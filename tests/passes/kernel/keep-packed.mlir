// RUN: weft-opt %s --split-input-file --weft-form-kernels --weft-pack-operands --weft-choose-layouts --weft-choose-storage=precision=bf16 \
// RUN:   --weft-narrow-operands=panels=true --weft-keep-packed | FileCheck %s

model.dim @rows
model.dim @model = #model.size<8>
model.dim @ff = #model.size<24>
model.parameter @w : !model.tensor<f32, model, ff>
model.parameter @still : !model.tensor<f32, model, ff>

// What the update changes stays in panels, for it to write again; what it does not stays as it is.
// CHECK-LABEL: @step
// CHECK: kernel.fused pack "w.pack"
// CHECK-SAME: kept
// CHECK: kernel.fused pack "still.pack"
// CHECK-SAME: kept
func.func @step(%x: !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, model> attributes {model.kind = "gradient"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %still = model.param @still : !model.tensor<f32, model, ff>
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
  %1 = model.contract ["ff"] %0, %still : !model.tensor<f32, rows, ff>, !model.tensor<f32, model, ff>
  return %1 : !model.tensor<f32, rows, model>
}
func.func @update(%dw: !model.tensor<f32, model, ff>) attributes {model.kind = "update"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.sub %w, %dw : !model.tensor<f32, model, ff>, !model.tensor<f32, model, ff>
  model.assign @w, %0 : !model.tensor<f32, model, ff>
  return
}

// -----

// A training that is told how much memory it may take keeps nothing.
module attributes {model.recompute = "2GiB"} {
  model.dim @rows
  model.dim @model = #model.size<8>
  model.dim @ff = #model.size<24>
  model.parameter @w : !model.tensor<f32, model, ff>

  // CHECK-LABEL: @frugal
  // CHECK: kernel.fused pack
  // CHECK-NOT: kept
  func.func @frugal(%x: !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, ff> attributes {model.kind = "gradient"} {
    %w = model.param @w : !model.tensor<f32, model, ff>
    %0 = model.contract ["model"] %x, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    return %0 : !model.tensor<f32, rows, ff>
  }
  func.func @update(%dw: !model.tensor<f32, model, ff>) attributes {model.kind = "update"} {
    model.assign @w, %dw : !model.tensor<f32, model, ff>
    return
  }
}
