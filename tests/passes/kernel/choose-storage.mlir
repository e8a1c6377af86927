// What is stored as bf16, and what is not.
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage=precision=bf16 | FileCheck %s
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: storage

// CHECK: module attributes {model.precision = "bf16"}
model.dim @batch
model.dim @seq
model.dim @model = #model.size<8>
model.dim @layer = #model.size<3>
model.parameter @w : !model.tensor<f32, model>

// Between kernels; not what comes in or goes out, and not the mean of a row, nor what follows from it position by position.
// CHECK-LABEL: @rows
func.func @rows(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  // CHECK: "exp"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1", storage = bf16>]
  %0 = kernel.fused rows "exp" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
    %1 = model.exp %a : !model.tensor<f32, seq, model>
    kernel.yield %1 : !model.tensor<f32, seq, model>
  }
  // CHECK: "sum"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.layout<seq: "1">]
  %2 = kernel.fused rows "sum" (%a = %0 : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq>) {
    %1 = model.sum ["model"] %a : !model.tensor<f32, seq, model>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  // CHECK: "root"{{.*}}layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]
  %3 = kernel.fused rows "root" (%a = %2 : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
    %1 = model.sqrt %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  // CHECK: "difference"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.layout<seq: "1">, #kernel.layout<seq: "8", model: "1", storage = bf16>]
  %4 = kernel.fused rows "difference" (%a = %0 : !model.tensor<f32, seq, model>, %b = %3 : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq, model>) {
    %1 = model.sub %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq, model>
  }
  // CHECK: "neg"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.layout<seq: "8", model: "1">]
  %5 = kernel.fused rows "neg" (%a = %4 : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
    %1 = model.neg %a : !model.tensor<f32, seq, model>
    kernel.yield %1 : !model.tensor<f32, seq, model>
  }
  return %5 : !model.tensor<f32, seq, model>
}

// What a loop carries lies in one memory: one of its values goes out here, so all are f32. What it stacks is read between kernels alone.
// CHECK-LABEL: @carried
func.func @carried(%x: !model.tensor<f32, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, layer, model>) {
  // CHECK: "start"{{.*}}layouts = [#kernel.layout<model: "1">, #kernel.layout<model: "1">]
  %0 = kernel.fused rows "start" (%a = %x : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) {
    kernel.yield %a : !model.tensor<f32, model>
  }
  %1:2 = model.repeat "layer" carry(%c = %0 : !model.tensor<f32, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, layer, model>) {
    // CHECK: "both"{{.*}}layouts = [#kernel.layout<model: "1">, #kernel.layout<model: "1">, #kernel.layout<model: "1", storage = bf16>]
    %2:2 = kernel.fused rows "both" (%a = %c : !model.tensor<f32, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, model>) {
      %3 = model.exp %a : !model.tensor<f32, model>
      %4 = model.sin %a : !model.tensor<f32, model>
      kernel.yield %3, %4 : !model.tensor<f32, model>, !model.tensor<f32, model>
    }
    model.yield %2#0, %2#1 : !model.tensor<f32, model>, !model.tensor<f32, model>
  }
  // CHECK: "behind"{{.*}}layouts = [#kernel.layout<layer: "8", model: "1", storage = bf16>, #kernel.layout<layer: "8", model: "1">]
  %5 = kernel.fused rows "behind" (%a = %1#1 : !model.tensor<f32, layer, model>) -> (!model.tensor<f32, layer, model>) {
    %3 = model.neg %a : !model.tensor<f32, layer, model>
    kernel.yield %3 : !model.tensor<f32, layer, model>
  }
  return %1#0, %5 : !model.tensor<f32, model>, !model.tensor<f32, layer, model>
}

// Panels are bf16 copies of what is f32, a parameter for instance.
// CHECK-LABEL: @panels
func.func @panels(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %w = model.param @w : !model.tensor<f32, model>
  // CHECK: pack "w"{{.*}}layouts = [#kernel.layout<model: "1">, #kernel.panels<{{.*}}, width = 16, storage = bf16>]
  %p = kernel.fused pack "w" (%a = %w : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) attributes {panels = #kernel.panels<batch = [], rows = [model], columns = [], width = 16>} {
    kernel.yield %a : !model.tensor<f32, model>
  }
  %0 = kernel.fused rows "copy" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
    kernel.yield %a : !model.tensor<f32, seq, model>
  }
  return %0 : !model.tensor<f32, seq, model>
}

// An update computes in what optimizers keep.
// CHECK-LABEL: @update
func.func @update(%x: !model.tensor<f32, model>) attributes {model.kind = "update"} {
  // CHECK-NOT: storage
  %0 = kernel.fused rows "exp" (%a = %x : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) {
    %1 = model.exp %a : !model.tensor<f32, model>
    kernel.yield %1 : !model.tensor<f32, model>
  }
  %2 = kernel.fused rows "neg" (%a = %0 : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) {
    %1 = model.neg %a : !model.tensor<f32, model>
    kernel.yield %1 : !model.tensor<f32, model>
  }
  model.assign @w, %2 : !model.tensor<f32, model>
  return
}

// Zeros are a table: so what the passes of a loop add to them is f32. What they add to a value of rows is one of many.
// CHECK-LABEL: @passes
func.func @passes(%x: !model.tensor<f32, layer, model>, %y: !model.tensor<f32, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, model>) {
  // CHECK: "zeros"{{.*}}layouts = [#kernel.layout<model: "1">]
  %0 = kernel.fused table "zeros" () -> (!model.tensor<f32, model>) {
    %1 = model.constant 0.0 : f64
    %2 = model.broadcast %1 along ["model"] : !model.tensor<f32>
    kernel.yield %2 : !model.tensor<f32, model>
  }
  // CHECK: "begin"{{.*}}layouts = [#kernel.layout<model: "1">, #kernel.layout<model: "1", storage = bf16>]
  %3 = kernel.fused rows "begin" (%a = %y : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) {
    %1 = model.sin %a : !model.tensor<f32, model>
    kernel.yield %1 : !model.tensor<f32, model>
  }
  %4:2 = model.repeat "layer" carry(%c = %0 : !model.tensor<f32, model>, %d = %3 : !model.tensor<f32, model>) slices(%s = %x : !model.tensor<f32, layer, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, model>) {
    // CHECK: "sum"{{.*}}layouts = [#kernel.layout<model: "1">, #kernel.layout<model: "1">, #kernel.layout<model: "1">]
    %5 = kernel.fused rows "sum" (%a = %c : !model.tensor<f32, model>, %b = %s : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) {
      %1 = model.add %a, %b : !model.tensor<f32, model>, !model.tensor<f32, model>
      kernel.yield %1 : !model.tensor<f32, model>
    }
    // CHECK: "rest"{{.*}}layouts = [#kernel.layout<model: "1", storage = bf16>, #kernel.layout<model: "1">, #kernel.layout<model: "1", storage = bf16>]
    %6 = kernel.fused rows "rest" (%a = %d : !model.tensor<f32, model>, %b = %s : !model.tensor<f32, model>) -> (!model.tensor<f32, model>) {
      %1 = model.add %a, %b : !model.tensor<f32, model>, !model.tensor<f32, model>
      kernel.yield %1 : !model.tensor<f32, model>
    }
    model.yield %5, %6 : !model.tensor<f32, model>, !model.tensor<f32, model>
  }
  %7:2 = kernel.fused rows "out" (%a = %4#0 : !model.tensor<f32, model>, %b = %4#1 : !model.tensor<f32, model>) -> (!model.tensor<f32, model>, !model.tensor<f32, model>) {
    %1 = model.sin %a : !model.tensor<f32, model>
    %2 = model.sin %b : !model.tensor<f32, model>
    kernel.yield %1, %2 : !model.tensor<f32, model>, !model.tensor<f32, model>
  }
  return %7#0, %7#1 : !model.tensor<f32, model>, !model.tensor<f32, model>
}

// What an attention scores by comes from outside, as f32: a copy of it, by which its gradient scores, is f32 too. One that no gradient scores by need not be.
model.dim @key
// CHECK-LABEL: @scored
func.func @scored(%x: !model.tensor<f32, seq, model>, %k: !model.tensor<f32, key, model>, %g: !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>) {
  // CHECK: "copy"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1">]
  %q = kernel.fused rows "copy" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
    kernel.yield %a : !model.tensor<f32, seq, model>
  }
  // CHECK: "values"{{.*}}layouts = [#kernel.layout<key: "8", model: "1">, #kernel.layout<key: "8", model: "1", storage = bf16>]
  %v = kernel.fused rows "values" (%a = %k : !model.tensor<f32, key, model>) -> (!model.tensor<f32, key, model>) {
    kernel.yield %a : !model.tensor<f32, key, model>
  }
  %0:2 = kernel.fused attention "attend" (%a = %x : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>) {
    %1:2 = model.attention "key" ["model"] %a, %b, %b scale 1.0 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
    kernel.yield %1#0, %1#1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  }
  %2:3 = kernel.fused attention_grad "slopes" (%a = %q : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>, %c = %v : !model.tensor<f32, key, model>, %o = %0#0 : !model.tensor<f32, seq, model>, %l = %0#1 : !model.tensor<f32, seq>, %d = %g : !model.tensor<f32, seq, model>)
      -> (!model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>) {
    %3:3 = model.attention_grad "key" ["model"] %a, %b, %c of %o, %l by %d scale 1.0 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>, !model.tensor<f32, seq, model>, !model.tensor<f32, seq>, !model.tensor<f32, seq, model>
    kernel.yield %3#0, %3#1, %3#2 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
  }
  return %2#0, %2#1, %2#2 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
}
