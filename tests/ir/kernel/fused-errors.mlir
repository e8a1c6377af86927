// What kernels and layouts refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @family() {
  // expected-error@+1 {{unknown kernel family `conv`}}
  kernel.fused conv "x" () -> () {
    kernel.yield
  }
  return
}

// -----

func.func @arguments(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{has region arguments that differ from its operands}}
  "kernel.fused"(%x) <{family = 3 : i32, label = "x"}> ({
  ^bb0(%a: !model.tensor<f32, b>):
    "kernel.yield"() : () -> ()
  }) : (!model.tensor<f32, a>) -> ()
  return
}

// -----

func.func @results(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{yields other types than its results}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> (!model.tensor<f32, b>) {
    kernel.yield %a : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @end(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{does not end in kernel.yield}}
  kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> () {
    %0 = model.exp %a : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @empty() {
  // expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  kernel.fused rows "x" () -> () {
  }
  return
}

// -----

func.func @count(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{has 1 layouts for 2 operands and results}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> (!model.tensor<f32, a>) attributes {layouts = [#kernel.layout<a: "1">]} {
    kernel.yield %a : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @kind(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{"dense" is not a layout}}
  kernel.fused rows "x" (%a = %x : !model.tensor<f32, a>) -> () attributes {layouts = ["dense"]} {
    kernel.yield
  }
  return
}

// -----

func.func @isolated(%x: !model.tensor<f32, a>) {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = kernel.fused rows "x" () -> (!model.tensor<f32, a>) {
    // expected-error@+1 {{using value defined outside the region}}
    kernel.yield %x : !model.tensor<f32, a>
  }
  return
}

// -----

// expected-error@+1 {{not a size: "seq +"}}
func.func private @stride() attributes {layout = #kernel.layout<a: "seq +">}

// -----

// expected-error@+1 {{expected 'columns'}}
func.func private @panels() attributes {layout = #kernel.panels<batch = [], rows = [a], width = 16>}

// -----

func.func @schedule() {
  // expected-error@+1 {{#cpu.pack<panels = 4, rows = 512> is no schedule of rows}}
  kernel.fused rows "x" () -> () attributes {schedule = {avx512 = #cpu.pack<panels = 4, rows = 512>}} {
    kernel.yield
  }
  return
}

// -----

func.func @no_schedule() {
  // expected-error@+1 {{12 : i64 is no schedule of rows}}
  kernel.fused rows "x" () -> () attributes {schedule = {avx512 = 12}} {
    kernel.yield
  }
  return
}

// -----

func.func @packs_number(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{has 1 `packs` for 2 operands}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {layouts = [#kernel.layout<m: "k", k: "1">, #kernel.layout<k: "n", n: "1">, #kernel.layout<m: "n", n: "1">], packs = [#kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

func.func @packs_without(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{has `packs`, and no layouts}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

func.func @packs_fewer_layouts(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{has 0 layouts for 3 operands and results}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {layouts = [], packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

func.func @packs_panels(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{a contraction packs floats that are strided, in panels of f32}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {layouts = [#kernel.layout<m: "k", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>, #kernel.layout<m: "n", n: "1">], packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

func.func @packs_narrow(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{a contraction packs floats that are strided, in panels of f32}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {layouts = [#kernel.layout<m: "k", k: "1">, #kernel.layout<k: "n", n: "1">, #kernel.layout<m: "n", n: "1">], packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = bf16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

func.func @packs_dims(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{panels have each dimension of the operand once}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {layouts = [#kernel.layout<m: "k", k: "1">, #kernel.layout<k: "n", n: "1">, #kernel.layout<m: "n", n: "1">], packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [k], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

func.func @packs_twice(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // expected-error@+1 {{what is packed is a factor of one product, and nothing else}}
  %0 = kernel.fused contraction "x" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>) attributes {layouts = [#kernel.layout<m: "k", k: "1">, #kernel.layout<k: "n", n: "1">, #kernel.layout<m: "n", n: "1">], packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %d = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    %e = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    %c = model.mul %d, %e : !model.tensor<f32, m, n>, !model.tensor<f32, m, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// -----

model.dim @m
func.func @layouts_of_another_kind(%x: !model.tensor<f32, m>) {
  // expected-error@+1 {{attribute 'layouts' failed to satisfy constraint: array attribute}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, m>) -> (!model.tensor<f32, m>) attributes {layouts = 7 : i64} {
    kernel.yield %a : !model.tensor<f32, m>
  }
  return
}

// -----

model.dim @m
func.func @packs_of_another_kind(%x: !model.tensor<f32, m>) {
  // expected-error@+1 {{attribute 'packs' failed to satisfy constraint: array attribute}}
  %0 = kernel.fused rows "x" (%a = %x : !model.tensor<f32, m>) -> (!model.tensor<f32, m>) attributes {packs = unit} {
    kernel.yield %a : !model.tensor<f32, m>
  }
  return
}
