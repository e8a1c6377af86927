// What reductions refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.sum ["c"] %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%s: !model.tensor<i1, a>) {
  // expected-error@+1 {{takes elements f32 or i32, not i1}}
  %0 = model.reduce_max ["a"] %s : !model.tensor<i1, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.reduce_min ["a", "c"] %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{argmax is over exactly one dimension}}
  %0 = model.argmax ["a", "b"] %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.argmax ["c"] %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.top "k" of "c" %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the result would have dimension 'b' twice}}
  %0 = model.top "b" of "a" %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%s: !model.tensor<i1, a>) {
  // expected-error@+1 {{takes elements f32 or i32, not i1}}
  %0 = model.top "k" of "a" %s : !model.tensor<i1, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.cumsum "c" %x : !model.tensor<f32, a, b>
  return
}

// -----

model.dim @k = <5>
model.dim @a = <4>
model.dim @b = <1>
func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes more than there are: 5 of 4}}
  %0 = model.top "k" of "a" %x : !model.tensor<f32, a, b>
  return
}
