// What types, sizes, declarations and accesses refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

// expected-error@+1 {{an element is f32, i32, i1 or an index, not 'f64'}}
func.func private @element(!model.tensor<f64, a>)

// -----

// expected-error@+1 {{dimension 'a' stands twice}}
func.func private @twice(!model.tensor<f32, a, b, a>)

// -----

// expected-error@+1 {{a dimension has no name}}
func.func private @unnamed(!model.tensor<f32, "">)

// -----

// expected-error@+1 {{not a size: 'seq +'}}
model.dim @key = <seq +>

// -----

// expected-note@+1 {{see existing symbol definition here}}
model.dim @a
// expected-error@+1 {{redefinition of symbol named 'a'}}
model.dim @a

// -----

// A size may speak only of declared dimensions.
// expected-error@+1 {{speaks of dimension 'seq', which the module does not declare}}
model.dim @key = <seq>

// -----

model.dim @seq
// expected-error@+1 {{speaks of dimension 'position', which the module does not declare}}
model.dim @key bound <position>

// -----

model.dim @seq
// expected-error@+1 {{speaks of dimension 'class', which the module does not declare}}
model.dim @token parts ["class", "seq"]

// -----

model.dim @a
// expected-error@+1 {{speaks of dimension 'b', which the module does not declare}}
model.parameter @w : !model.tensor<f32, a, b>

// -----

model.dim @a
func.func @undeclared(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{speaks of dimension 'b', which the module does not declare}}
  %0 = model.broadcast %x along ["b"] : !model.tensor<f32, a>
  return
}

// -----

// expected-error@+1 {{has 3 loops and 2 dimensions}}
model.parameter @w : !model.tensor<f32, a, b> loops 3

// -----

// expected-error@+1 {{has -1 loops and 2 dimensions}}
model.parameter @w : !model.tensor<f32, a, b> loops -1

// -----

// expected-error@+1 {{belongs to 'w', which is not a parameter}}
model.parameter @w.m : !model.tensor<f32, a> kind optimizer of @w

// -----

// expected-error@+1 {{'w' is not a parameter}}
%0 = model.param @w : !model.tensor<f32, a>

// -----

model.parameter @w : !model.tensor<f32, a, b>
// expected-error@+1 {{has type '!model.tensor<f32, b, a>', the parameter has '!model.tensor<f32, a, b>' here}}
%0 = model.param @w : !model.tensor<f32, b, a>

// -----

// Inside its loop, a parameter is the slice of a pass.
model.parameter @w : !model.tensor<f32, layer, a> loops 1
func.func @sliced() {
  model.repeat "layer" {
    // expected-error@+1 {{has type '!model.tensor<f32, layer, a>', the parameter has '!model.tensor<f32, a>' here}}
    %0 = model.param @w : !model.tensor<f32, layer, a>
  }
  return
}

// -----

model.parameter @s : !model.tensor<f32, a> kind state
func.func @assigned(%x: !model.tensor<f32, b>) {
  // expected-error@+1 {{has type '!model.tensor<f32, b>', the parameter has '!model.tensor<f32, a>' here}}
  model.assign @s, %x : !model.tensor<f32, b>
  return
}
