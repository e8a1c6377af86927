// RUN: weft-opt %s --weft-form-kernels --weft-pack-operands --weft-choose-layouts --weft-pack-within | FileCheck %s
// RUN: weft-opt %s --weft-form-kernels --weft-pack-operands --weft-choose-layouts --weft-choose-storage=precision=bf16 \
// RUN:   --weft-narrow-operands=panels=true --weft-pack-within | FileCheck %s --check-prefix=BF16

model.dim @rows
model.dim @model = #model.size<8>
model.dim @ff = #model.size<24>
model.parameter @w : !model.tensor<f32, model, ff>

// A step of training: the product packs what it reads, in either direction.
// CHECK-LABEL: @step
// CHECK-NOT: kernel.fused pack
// CHECK: kernel.fused contraction "w" (%{{.*}} = %arg0 : {{.*}}, %{{.*}} = %[[W:.*]] :
// CHECK-SAME: layouts = [#kernel.layout<rows: "8", model: "1">, #kernel.layout<model: "24", ff: "1">,
// CHECK-SAME: packs = [unit, #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>]
// CHECK: kernel.fused contraction
// CHECK-SAME: packs = [unit, #kernel.panels<batch = [], rows = [ff], columns = [model], width = 16>]
// Who packs bf16 rounds, once for all rows.
// BF16-LABEL: @step
// BF16: kernel.fused pack
// BF16: kernel.fused contraction
// BF16-NOT: packs
func.func @step(%x: !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, model> attributes {model.kind = "gradient"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
  %1 = model.contract ["ff"] %0, %w : !model.tensor<f32, rows, ff>, !model.tensor<f32, model, ff>
  return %1 : !model.tensor<f32, rows, model>
}

// What is no parameter is packed ahead: here the second side of a gradient of a weight.
// CHECK-LABEL: @weight
// CHECK: kernel.fused pack
// CHECK: kernel.fused contraction
// CHECK-NOT: packs
func.func @weight(%x: !model.tensor<f32, rows, model>, %dy: !model.tensor<f32, rows, ff>) -> !model.tensor<f32, model, ff> attributes {model.kind = "gradient"} {
  %0 = model.contract ["rows"] %x, %dy : !model.tensor<f32, rows, model>, !model.tensor<f32, rows, ff>
  return %0 : !model.tensor<f32, model, ff>
}

// Panels that stay until parameters change are made once.
// CHECK-LABEL: @inference
// CHECK: kernel.fused pack
// CHECK-NOT: packs
func.func @inference(%x: !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, ff> attributes {model.kind = "plain"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
  return %0 : !model.tensor<f32, rows, ff>
}

// Two products of a kernel read it: each would pack it for itself.
// CHECK-LABEL: @twice
// CHECK: kernel.fused pack
// CHECK: kernel.fused contraction
// CHECK-NOT: packs
func.func @twice(%x: !model.tensor<f32, rows, model>, %z: !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, ff> attributes {model.kind = "gradient"} {
  %w = model.param @w : !model.tensor<f32, model, ff>
  %0 = kernel.fused contraction "twice" (%a = %x : !model.tensor<f32, rows, model>, %b = %z : !model.tensor<f32, rows, model>, %p = %w : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, rows, ff>) {
    %1 = model.contract ["model"] %a, %p : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    %2 = model.contract ["model"] %b, %p : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    %3 = model.mul %1, %2 : !model.tensor<f32, rows, ff>, !model.tensor<f32, rows, ff>
    kernel.yield %3 : !model.tensor<f32, rows, ff>
  }
  return %0 : !model.tensor<f32, rows, ff>
}
