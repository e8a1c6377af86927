// RUN: weft-opt %s --weft-form-kernels --weft-choose-layouts | FileCheck %s

model.dim @batch
model.dim @role = #model.size<3>
model.dim @model = #model.size<8>

// A picked role is a view: the strides are those of the whole, and the rest is an address.
// CHECK-LABEL: @pick
// CHECK: layouts = [#kernel.layout<batch: "24", model: "1">, #kernel.layout<batch: "8", model: "1">]
func.func @pick(%x: !model.tensor<f32, batch, role, model>) -> !model.tensor<f32, batch, model> {
  %0 = model.pick %x "role" = 1 : !model.tensor<f32, batch, role, model>
  %1 = model.neg %0 : !model.tensor<f32, batch, model>
  return %1 : !model.tensor<f32, batch, model>
}
