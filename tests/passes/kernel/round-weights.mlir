// Which panels become whole numbers with scales.
// RUN: weft-opt %s --weft-choose-layouts --weft-round-weights=as=int8 --remark-format=emitRemark --remarks-filter=weft-round-weights 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: weft-opt %s --weft-choose-layouts --weft-round-weights=as=down=int4,head=int8,int8 | FileCheck %s --check-prefix=PARTS
// RUN: weft-opt %s --weft-choose-layouts --weft-round-weights | FileCheck %s --check-prefix=PLAIN
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage=precision=bf16 --weft-round-weights=as=int4 | FileCheck %s --check-prefix=BOTH
// PLAIN-NOT: storage
// BOTH: pack "up"{{.*}}width = 16, storage = i4>]
// BOTH: pack "head"{{.*}}width = 16, storage = bf16>]

// CHECK: module attributes {model.weights = "int8"}
model.dim @seq
model.dim @model = #model.size<40>
model.dim @inner = #model.size<64>
model.dim @word = #model.size<100>
model.dim @free
model.parameter @mlp.up.weight : !model.tensor<f32, model, inner>
model.parameter @mlp.down.weight : !model.tensor<f32, inner, model>
model.parameter @out.weight : !model.tensor<f32, model, word>
model.parameter @factor : !model.tensor<f32, inner>

// What is said of weights that are computed comes first: parameters are looked at once all are known.
// REMARK: `scaled`: its weights are computed of parameters in every run, so they are not rounded
// REMARK-NOT: rounded
// REMARK: `out.weight` stays as it is: no other product hangs on its own (`head=int8` rounds it too)
// REMARK-NOT: rounded

// The head's stay as they are; both of the layer hang together, and are rounded.
// CHECK-LABEL: @logits
// PARTS-LABEL: @logits
func.func @logits(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, word> {
  %up = model.param @mlp.up.weight : !model.tensor<f32, model, inner>
  %down = model.param @mlp.down.weight : !model.tensor<f32, inner, model>
  %out = model.param @out.weight : !model.tensor<f32, model, word>
  // CHECK: pack "up"{{.*}}rows = [model], columns = [inner], width = 16, storage = i8>]
  // PARTS: pack "up"{{.*}}rows = [model], columns = [inner], width = 16, storage = i8>]
  %p = kernel.fused pack "up" (%a = %up : !model.tensor<f32, model, inner>) -> (!model.tensor<f32, model, inner>) attributes {panels = #kernel.panels<batch = [], rows = [model], columns = [inner], width = 16>} {
    kernel.yield %a : !model.tensor<f32, model, inner>
  }
  // CHECK: contraction "up"{{.*}}layouts = [#kernel.layout<seq: "40", model: "1">, #kernel.panels<batch = [], rows = [model], columns = [inner], width = 16, storage = i8>, #kernel.layout<seq: "64", inner: "1">]
  %h = kernel.fused contraction "up" (%a = %x : !model.tensor<f32, seq, model>, %b = %p : !model.tensor<f32, model, inner>) -> (!model.tensor<f32, seq, inner>) {
    %c = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, inner>
    kernel.yield %c : !model.tensor<f32, seq, inner>
  }
  // CHECK: pack "down"{{.*}}rows = [inner], columns = [model], width = 16, storage = i8>]
  // PARTS: pack "down"{{.*}}rows = [inner], columns = [model], width = 16, storage = i4>]
  %q = kernel.fused pack "down" (%a = %down : !model.tensor<f32, inner, model>) -> (!model.tensor<f32, inner, model>) attributes {panels = #kernel.panels<batch = [], rows = [inner], columns = [model], width = 16>} {
    kernel.yield %a : !model.tensor<f32, inner, model>
  }
  %y = kernel.fused contraction "down" (%a = %h : !model.tensor<f32, seq, inner>, %b = %q : !model.tensor<f32, inner, model>) -> (!model.tensor<f32, seq, model>) {
    %c = model.contract ["inner"] %a, %b : !model.tensor<f32, seq, inner>, !model.tensor<f32, inner, model>
    kernel.yield %c : !model.tensor<f32, seq, model>
  }
  // CHECK: pack "head"{{.*}}columns = [word], width = 16>]
  // PARTS: pack "head"{{.*}}columns = [word], width = 16, storage = i8>]
  %r = kernel.fused pack "head" (%a = %out : !model.tensor<f32, model, word>) -> (!model.tensor<f32, model, word>) attributes {panels = #kernel.panels<batch = [], rows = [model], columns = [word], width = 16>} {
    kernel.yield %a : !model.tensor<f32, model, word>
  }
  %z = kernel.fused contraction "head" (%a = %y : !model.tensor<f32, seq, model>, %b = %r : !model.tensor<f32, model, word>) -> (!model.tensor<f32, seq, word>) {
    %c = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, word>
    kernel.yield %c : !model.tensor<f32, seq, word>
  }
  return %z : !model.tensor<f32, seq, word>
}

// A weight that is computed is not rounded, nor one that comes in.
// CHECK-LABEL: @computed
func.func @computed(%x: !model.tensor<f32, seq, inner>, %w: !model.tensor<f32, inner, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>) {
  // CHECK-NOT: storage
  %down = model.param @mlp.down.weight : !model.tensor<f32, inner, model>
  %factor = model.param @factor : !model.tensor<f32, inner>
  %s = kernel.fused rows "scale" (%a = %down : !model.tensor<f32, inner, model>, %b = %factor : !model.tensor<f32, inner>) -> (!model.tensor<f32, inner, model>) {
    %c = model.mul %a, %b : !model.tensor<f32, inner, model>, !model.tensor<f32, inner>
    kernel.yield %c : !model.tensor<f32, inner, model>
  }
  %p = kernel.fused pack "scaled" (%a = %s : !model.tensor<f32, inner, model>) -> (!model.tensor<f32, inner, model>) attributes {panels = #kernel.panels<batch = [], rows = [inner], columns = [model], width = 16>} {
    kernel.yield %a : !model.tensor<f32, inner, model>
  }
  %y = kernel.fused contraction "scaled" (%a = %x : !model.tensor<f32, seq, inner>, %b = %p : !model.tensor<f32, inner, model>) -> (!model.tensor<f32, seq, model>) {
    %c = model.contract ["inner"] %a, %b : !model.tensor<f32, seq, inner>, !model.tensor<f32, inner, model>
    kernel.yield %c : !model.tensor<f32, seq, model>
  }
  %q = kernel.fused pack "given" (%a = %w : !model.tensor<f32, inner, model>) -> (!model.tensor<f32, inner, model>) attributes {panels = #kernel.panels<batch = [], rows = [inner], columns = [model], width = 16>} {
    kernel.yield %a : !model.tensor<f32, inner, model>
  }
  %z = kernel.fused contraction "given" (%a = %x : !model.tensor<f32, seq, inner>, %b = %q : !model.tensor<f32, inner, model>) -> (!model.tensor<f32, seq, model>) {
    %c = model.contract ["inner"] %a, %b : !model.tensor<f32, seq, inner>, !model.tensor<f32, inner, model>
    kernel.yield %c : !model.tensor<f32, seq, model>
  }
  return %y, %z : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
}

// Gradients are of the weights as they are.
// CHECK-LABEL: @gradient
func.func @gradient(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, inner> attributes {model.kind = "gradient"} {
  // CHECK-NOT: storage
  %up = model.param @mlp.up.weight : !model.tensor<f32, model, inner>
  %p = kernel.fused pack "up" (%a = %up : !model.tensor<f32, model, inner>) -> (!model.tensor<f32, model, inner>) attributes {panels = #kernel.panels<batch = [], rows = [model], columns = [inner], width = 16>} {
    kernel.yield %a : !model.tensor<f32, model, inner>
  }
  %h = kernel.fused contraction "up" (%a = %x : !model.tensor<f32, seq, model>, %b = %p : !model.tensor<f32, model, inner>) -> (!model.tensor<f32, seq, inner>) {
    %c = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, inner>
    kernel.yield %c : !model.tensor<f32, seq, inner>
  }
  return %h : !model.tensor<f32, seq, inner>
}
