// RUN: weft-opt %s --weft-form-kernels --weft-choose-layouts | FileCheck %s

model.dim @batch
model.dim @known
model.dim @new
model.dim @room
model.dim @head = #model.size<2>
model.dim @dh = #model.size<3>
model.dim @both = #model.size<6>
model.dim @role = #model.size<3>
model.dim @model = #model.size<8>

// A picked role is a view: it has the strides of the whole, at an offset.
// CHECK-LABEL: @pick
// CHECK: layouts = [#kernel.layout<batch: "24", model: "1">, #kernel.layout<batch: "8", model: "1">]
func.func @pick(%x: !model.tensor<f32, batch, role, model>) -> !model.tensor<f32, batch, model> {
  %0 = model.pick %x "role" = 1 : !model.tensor<f32, batch, role, model>
  %1 = model.neg %0 : !model.tensor<f32, batch, model>
  return %1 : !model.tensor<f32, batch, model>
}

// Rows that go into a cache have its strides, cut again where they were merged on the way.
// CHECK-LABEL: @cached
// CHECK: kernel.fused rows "stack"
// CHECK-SAME: layouts = [{{.*}}, #kernel.layout<new: "6", head: "3", dh: "1">]
func.func @cached(%a: !model.tensor<f32, new, dh>, %b: !model.tensor<f32, new, dh>,
                  %cache: !model.tensor<f32, room, both> {model.cache = "k"}) -> (!model.tensor<f32, room, both> {model.cache = "k"}) {
  %0 = model.stack "head" %a, %b : !model.tensor<f32, new, dh>, !model.tensor<f32, new, dh>
  %1 = model.regroup %0 ["head", "dh"] as ["both"] : !model.tensor<f32, new, dh, head>
  %2 = model.insert_part %1 into %cache "room" as "new" at <known> : !model.tensor<f32, new, both>, !model.tensor<f32, room, both> -> !model.tensor<f32, room, both>
  return %2 : !model.tensor<f32, room, both>
}
