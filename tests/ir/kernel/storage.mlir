// How buffers are stored: what is printed can be read back, and what no kernel can do is refused.
// RUN: split-file %s %t
// RUN: weft-opt %t/right.mlir -o %t/printed && weft-opt %t/printed | diff %t/printed - && FileCheck %t/right.mlir --input-file=%t/printed
// RUN: weft-opt %t/wrong.mlir -verify-diagnostics -split-input-file

//--- right.mlir
// CHECK: layouts = [#kernel.layout<storage: "model", model: "1", storage = bf16>, #kernel.layout<storage = bf16>, #kernel.panels<batch = [], rows = [storage], columns = [model], width = 16, storage = bf16>]
func.func @stored(%x: !model.tensor<f32, storage, model>, %y: !model.tensor<f32>) {
  %0 = kernel.fused pack "x" (%a = %x : !model.tensor<f32, storage, model>, %b = %y : !model.tensor<f32>) -> (!model.tensor<f32, storage, model>)
      attributes {layouts = [#kernel.layout<storage: "model", model: "1", storage = bf16>, #kernel.layout<storage = bf16>,
                             #kernel.panels<batch = [], rows = [storage], columns = [model], width = 16, storage = bf16>]} {
    kernel.yield %a : !model.tensor<f32, storage, model>
  }
  // CHECK: layouts = [#kernel.layout<storage: "model", model: "1">, #kernel.panels<batch = [], rows = [storage], columns = [model], width = 16, storage = i4>]
  %1 = kernel.fused pack "x" (%a = %x : !model.tensor<f32, storage, model>) -> (!model.tensor<f32, storage, model>)
      attributes {layouts = [#kernel.layout<storage: "model", model: "1">,
                             #kernel.panels<batch = [], rows = [storage], columns = [model], width = 16, storage = i4>]} {
    kernel.yield %a : !model.tensor<f32, storage, model>
  }
  // CHECK: layouts = [#kernel.layout<storage: "64", model: "1">, #kernel.layout<storage: "128", model: "1", storage = i8>]
  %2 = kernel.fused pack "rows" (%a = %x : !model.tensor<f32, storage, model>) -> (!model.tensor<f32, storage, model>)
      attributes {layouts = [#kernel.layout<storage: "64", model: "1">, #kernel.layout<storage: "128", model: "1", storage = i8>]} {
    kernel.yield %a : !model.tensor<f32, storage, model>
  }
  return
}

//--- wrong.mlir
func.func @whole(%x: !model.tensor<i32, a>) {
  // expected-error@+1 {{stores '!model.tensor<i32, a>' as 'bf16'; floats are stored as f32, as bf16 or as i8, and panels also as i4}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<i32, a>) -> (!model.tensor<i32, a>)
      attributes {layouts = [#kernel.layout<a: "1", storage = bf16>, #kernel.layout<a: "1">]} {
    kernel.yield %a : !model.tensor<i32, a>
  }
  return
}

// -----

func.func @half(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{stores '!model.tensor<f32, a>' as 'f16'; floats are stored as f32, as bf16 or as i8, and panels also as i4}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> (!model.tensor<f32, a>)
      attributes {layouts = [#kernel.layout<a: "1">, #kernel.layout<a: "1", storage = f16>]} {
    kernel.yield %a : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @wholeRows(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{has rows that are stored as 'i8', which packs write and attention reads}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> (!model.tensor<f32, a>)
      attributes {layouts = [#kernel.layout<a: "1">, #kernel.layout<a: "1", storage = i8>]} {
    kernel.yield %a : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @groups(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{32 elements side by side share a scale, and all strides but one are multiples of that}}
  %0 = kernel.fused pack "x" (%a = %x : !model.tensor<f32, a, b>) -> (!model.tensor<f32, a, b>)
      attributes {layouts = [#kernel.layout<a: "40", b: "1">, #kernel.layout<a: "40", b: "1", storage = i8>]} {
    kernel.yield %a : !model.tensor<f32, a, b>
  }
  return
}

// -----

func.func @packs(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{has panels that are stored as 'i4', which packs write and contractions read}}
  %0 = kernel.fused pack "x" (%a = %x : !model.tensor<f32, a, b>) -> (!model.tensor<f32, a, b>)
      attributes {layouts = [#kernel.panels<batch = [], rows = [a], columns = [b], width = 16, storage = i4>,
                             #kernel.panels<batch = [], rows = [a], columns = [b], width = 16>]} {
    kernel.yield %a : !model.tensor<f32, a, b>
  }
  return
}

// -----

// expected-error@+1 {{'model.weights' says which weights are whole numbers: `int5`: weights are kept as `int8`, `int4` or `float32`, of a part `PATH=int4`, not "int5"}}
module attributes {model.weights = "int5"} {}

// -----

// expected-error@+1 {{`storage` comes last}}
func.func private @order() attributes {x = #kernel.layout<storage = bf16, a: "1">}

// -----

// expected-error@+1 {{'model.precision' is `float32`, `tf32` or `bf16`, not "float8"}}
module attributes {model.precision = "float8"} {}
