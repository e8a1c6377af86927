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
  return
}

//--- wrong.mlir
func.func @whole(%x: !model.tensor<i32, a>) {
  // expected-error@+1 {{stores '!model.tensor<i32, a>' as 'bf16'; floats are stored as f32 or as bf16}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<i32, a>) -> (!model.tensor<i32, a>)
      attributes {layouts = [#kernel.layout<a: "1", storage = bf16>, #kernel.layout<a: "1">]} {
    kernel.yield %a : !model.tensor<i32, a>
  }
  return
}

// -----

func.func @half(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{stores '!model.tensor<f32, a>' as 'f16'; floats are stored as f32 or as bf16}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> (!model.tensor<f32, a>)
      attributes {layouts = [#kernel.layout<a: "1">, #kernel.layout<a: "1", storage = f16>]} {
    kernel.yield %a : !model.tensor<f32, a>
  }
  return
}

// -----

// expected-error@+1 {{`storage` comes last}}
func.func private @order() attributes {x = #kernel.layout<storage = bf16, a: "1">}

// -----

// expected-error@+1 {{'model.precision' is `float32`, `tf32` or `bf16`, not "float8"}}
module attributes {model.precision = "float8"} {}
