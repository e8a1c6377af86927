// What leaves and elementwise ops refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @f() {
  // expected-error@+1 {{gives floats}}
  %0 = model.random "p" : !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes elements i1, not f32}}
  %0 = model.not %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0 = model.exp %n : !model.tensor<i32, a>
  return
}

// -----

func.func @f(%s: !model.tensor<i1, a>) {
  // expected-error@+1 {{takes elements f32 or i32, not i1}}
  %0 = model.neg %s : !model.tensor<i1, a>
  return
}

// -----

func.func @f(%n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0 = model.floor %n : !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes elements i32 or i1, not f32}}
  %0 = model.to_float %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements i1, not i32}}
  %0 = model.to_int %n : !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes elements i32, not f32}}
  %0 = model.clamp "a" %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{operands have different elements}}
  %0 = model.add %x, %n : !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%s: !model.tensor<i1, a>) {
  // expected-error@+1 {{takes elements f32 or i32, not i1}}
  %0 = model.mul %s, %s : !model.tensor<i1, a>, !model.tensor<i1, a>
  return
}

// -----

func.func @f(%n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0 = model.div %n, %n : !model.tensor<i32, a>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes elements i32, not f32}}
  %0 = model.floordiv %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements i1, not i32}}
  %0 = model.and %n, %n : !model.tensor<i32, a>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{operands have different elements}}
  %0 = model.compare lt %x, %n : !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements i1, not i32}}
  %0 = model.where %n, %x, %x : !model.tensor<i32, a>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>, %s: !model.tensor<i1, a>) {
  // expected-error@+1 {{operands have different elements}}
  %0 = model.where %s, %x, %n : !model.tensor<i1, a>, !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}
