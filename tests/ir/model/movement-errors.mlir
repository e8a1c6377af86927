// What views and movement refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the result would have dimension 'b' twice}}
  %0 = model.broadcast %x along ["b"] : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{arranges '!model.tensor<f32, a, b>' as '!model.tensor<f32, a, c>', which is another tensor}}
  %0 = model.arrange %x : !model.tensor<f32, a, b> -> !model.tensor<f32, a, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{which is another tensor}}
  %0 = model.arrange %x : !model.tensor<f32, a, b> -> !model.tensor<f32, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{`from` is empty}}
  %0 = model.regroup %x [] as ["c"] : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{`from` has 'a' twice}}
  %0 = model.regroup %x ["a", "a"] as ["c"] : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.regroup %x ["c"] as ["d"] : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the result would have dimension 'b' twice}}
  %0 = model.regroup %x ["a"] as ["b"] : !model.tensor<f32, a, b>
  return
}

// -----

model.dim @a = <12>
model.dim @b
model.dim @c = <3>
model.dim @d = <5>
func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{regroups dimensions of different sizes: 12 and 15}}
  %0 = model.regroup %x ["a"] as ["c", "d"] : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.part %x "c" as "d" at <0> : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the result would have dimension 'b' twice}}
  %0 = model.part %x "a" as "b" at <0> : !model.tensor<f32, a, b>
  return
}

// -----

model.dim @a = <6>
model.dim @b
model.dim @c = <4>
func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the part ends behind its dimension: 7 of 6}}
  %0 = model.part %x "a" as "c" at <3> : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.pick %x "c" = 0 : !model.tensor<f32, a, b>
  return
}

// -----

model.dim @a = <6>
model.dim @b
func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{picks behind the end: 7 of 6}}
  %0 = model.pick %x "a" = 6 : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{picks before the start: -1}}
  %0 = model.pick %x "a" = -1 : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.gather %x "c" = %n : !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes elements i32, not f32}}
  %0 = model.gather %x "a" = %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the index has whole numbers}}
  %0 = model.scatter %x "c" = %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b> -> !model.tensor<f32, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{input and result have the same element, f32 or i32}}
  %0 = model.scatter %x "c" = %n : !model.tensor<f32, a, b>, !model.tensor<i32, a> -> !model.tensor<i32, c>
  return
}

// -----

// Positions of another dimension: nothing says that it is not larger.
model.dim @a
model.dim @c
func.func @f(%x: !model.tensor<f32, c>) {
  %n = model.index "a"
  // expected-error@+1 {{takes positions of 'a' along 'c', which may be smaller}}
  %0 = model.gather %x "c" = %n : !model.tensor<f32, c>, !model.tensor<index<a>, a>
  return
}

// -----

model.dim @a = <5>
model.dim @c = <4>
func.func @f(%x: !model.tensor<f32, a>) {
  %n = model.index "a"
  // expected-error@+1 {{takes positions of 'a' along 'c', which may be smaller}}
  %0 = model.scatter %x "c" = %n : !model.tensor<f32, a>, !model.tensor<index<a>, a> -> !model.tensor<f32, c>
  return
}

// -----

func.func @f(%s: !model.tensor<i1, a>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{input and result have the same element, f32 or i32}}
  %0 = model.scatter %s "c" = %n : !model.tensor<i1, a>, !model.tensor<i32, a> -> !model.tensor<i1, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{the result has no dimension 'c'}}
  %0 = model.scatter %x "c" = %n : !model.tensor<f32, a, b>, !model.tensor<i32, a> -> !model.tensor<f32, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{neither input nor index has dimension 'd'}}
  %0 = model.scatter %x "c" = %n : !model.tensor<f32, a, b>, !model.tensor<i32, a> -> !model.tensor<f32, c, d>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{operands and result have different elements}}
  %0 = model.insert_part %x into %n "c" as "a" at <0> : !model.tensor<f32, a, b>, !model.tensor<i32, a> -> !model.tensor<f32, c, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.insert_part %y into %x "a" as "c" at <0> : !model.tensor<f32, b>, !model.tensor<f32, a, b> -> !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, b>) {
  // expected-error@+1 {{the result has no dimension 'c'}}
  %0 = model.insert_part %x into %y "c" as "a" at <0> : !model.tensor<f32, a, b>, !model.tensor<f32, b> -> !model.tensor<f32, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, b>) {
  // expected-error@+1 {{the result has dimensions of neither operand}}
  %0 = model.insert_part %x into %y "c" as "a" at <0> : !model.tensor<f32, a, b>, !model.tensor<f32, b> -> !model.tensor<f32, b, c, d>
  return
}

// -----

model.dim @a = <4>
model.dim @b
model.dim @c = <5>
func.func @f(%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, b>) {
  // expected-error@+1 {{the part ends behind its dimension: 6 of 5}}
  %0 = model.insert_part %x into %y "c" as "a" at <2> : !model.tensor<f32, a, b>, !model.tensor<f32, b> -> !model.tensor<f32, b, c>
  return
}

// -----

func.func @f() {
  // expected-error@+2 {{stack takes one tensor or more}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "model.stack"() {dim = #model.dim<c>} : () -> !model.tensor<f32, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{operands have different elements}}
  %0 = model.stack "c" %x, %n : !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the result would have dimension 'b' twice}}
  %0 = model.stack "b" %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

model.dim @a
model.dim @b
model.dim @c = <3>
func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{inputs and size of the dimension differ: 2 and 3}}
  %0 = model.stack "c" %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f() {
  // expected-error@+2 {{concat takes one tensor or more}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = "model.concat"() {dim = #model.dim<c>, parts = #model.dims<>} : () -> !model.tensor<f32, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{as many parts as inputs are needed}}
  %0 = model.concat "c" of ["a"] %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{operands have different elements}}
  %0 = model.concat "c" of ["a", "a"] %x, %n : !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input of part 'd' has no dimension 'd'}}
  %0 = model.concat "c" of ["a", "d"] %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{an input has 'b' beside its part}}
  %0 = model.concat "b" of ["a"] %x : !model.tensor<f32, a, b>
  return
}

// -----

model.dim @a = <4>
model.dim @b
model.dim @c = <9>
func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{parts and dimension differ in size: 8 and 9}}
  %0 = model.concat "c" of ["a", "a"] %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a>) {
  // expected-error@+1 {{arranges '!model.tensor<f32, a>' as '!model.tensor<index<c>, a>', which is another tensor}}
  %0 = model.arrange %x : !model.tensor<f32, a> -> !model.tensor<index<c>, a>
  return
}
