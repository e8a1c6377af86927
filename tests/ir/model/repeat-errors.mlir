// What loops refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @slices(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{slices a value without its dimension 'layer'}}
  model.repeat "layer" slices(%s = %x : !model.tensor<f32, a>) {
  }
  return
}

// -----

func.func @dropped(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{has fewer results than carried values}}
  model.repeat "layer" carry(%h = %x : !model.tensor<f32, a>) {
  }
  return
}

// -----

func.func @changed(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{carries '!model.tensor<f32, a>', but gives '!model.tensor<f32, b>'}}
  %0 = model.repeat "layer" carry(%h = %x : !model.tensor<f32, a>) -> !model.tensor<f32, b> {
    model.yield %h : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @next(%x: !model.tensor<f32, a>, %y: !model.tensor<f32, b>) {
  // expected-error@+1 {{result 0 has type '!model.tensor<f32, a>', a pass makes it '!model.tensor<f32, b>'}}
  %0 = model.repeat "layer" carry(%h = %x : !model.tensor<f32, a>) -> !model.tensor<f32, a> {
    model.yield %y : !model.tensor<f32, b>
  }
  return
}

// -----

func.func @stacked(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{result 0 has type '!model.tensor<f32, a>', a pass makes it '!model.tensor<f32, layer, a>'}}
  %0 = model.repeat "layer" -> !model.tensor<f32, a> {
    model.yield %x : !model.tensor<f32, a>
  }
  return
}

// -----

func.func @again(%x: !model.tensor<f32, layer>) {
  // expected-error@+1 {{stacks a value that has its dimension 'layer' already}}
  %0 = model.repeat "layer" -> !model.tensor<f32, layer> {
    model.yield %x : !model.tensor<f32, layer>
  }
  return
}

// -----

func.func @few(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{has 1 results, but a pass yields 0}}
  %0 = model.repeat "layer" -> !model.tensor<f32, layer, a> {
    model.yield
  }
  return
}

// -----

func.func @arguments(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{has 1 operands, but its pass takes 0}}
  %0 = "model.repeat"(%x) <{dim = #model.dim<layer>, operandSegmentSizes = array<i32: 1, 0>}> ({
    "model.yield"(%x) : (!model.tensor<f32, a>) -> ()
  }) : (!model.tensor<f32, a>) -> !model.tensor<f32, a>
  return
}

// -----

func.func @carried(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{carries '!model.tensor<f32, a>', but its pass takes '!model.tensor<f32, b>'}}
  %0 = "model.repeat"(%x) <{dim = #model.dim<layer>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%h: !model.tensor<f32, b>):
    "model.yield"(%x) : (!model.tensor<f32, a>) -> ()
  }) : (!model.tensor<f32, a>) -> !model.tensor<f32, a>
  return
}

// -----

func.func @slice(%x: !model.tensor<f32, layer, a>) {
  // expected-error@+1 {{a slice of '!model.tensor<f32, layer, a>' is not '!model.tensor<f32, layer, a>'}}
  "model.repeat"(%x) <{dim = #model.dim<layer>, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%h: !model.tensor<f32, layer, a>):
    "model.yield"() : () -> ()
  }) : (!model.tensor<f32, layer, a>) -> ()
  return
}
