// RUN: weft-opt %s --weft-differentiate --canonicalize --cse | FileCheck %s

// What is frozen has no gradient, and what only leads to it is not computed: nothing by @below, of which the sine's slope would
// need a cosine.
module {
model.training "t" entry "f" loss @t.loss gradient @t.gradient update @t.update metrics [] frozen ["below"]
model.dim @a = #model.size<3>
model.parameter @below : !model.tensor<f32, a>
model.parameter @above : !model.tensor<f32, a>

// CHECK-LABEL: func.func @t.gradient
// CHECK-SAME: -> (!model.tensor<f32>, !model.tensor<f32, a> {model.gradient_of = "above", model.name = "above"})
// CHECK-NOT: model.cos
// CHECK: return
func.func @t.loss(%x: !model.tensor<f32, a>) -> !model.tensor<f32> {
  %w = model.param @below : <f32, a>
  %0 = model.mul %x, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %1 = model.sin %0 : !model.tensor<f32, a>
  %v = model.param @above : <f32, a>
  %2 = model.mul %1, %v : !model.tensor<f32, a>, !model.tensor<f32, a>
  %3 = model.sum ["a"] %2 : !model.tensor<f32, a>
  return %3 : !model.tensor<f32>
}
}
