// What is no dimension.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @f() {
  // expected-error@+1 {{a dimension has no name}}
  %0 = model.index ""
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{a dimension has no name}}
  %0 = model.sum ["a", ""] %x : !model.tensor<f32, a>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{attribute 'dim' failed to satisfy constraint: dimension}}
  %0 = "model.index"() {dim = "seq"} : () -> !model.tensor<i32, seq>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{attribute 'over' failed to satisfy constraint: dimensions, in an order}}
  %0 = "model.sum"(%x) {over = ["a"]} : (!model.tensor<f32, a>) -> !model.tensor<f32>
  return
}
