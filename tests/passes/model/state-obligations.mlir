// RUN: weft-opt %s --split-input-file --verify-diagnostics --weft-state-obligations | FileCheck %s

// What follows from equations and bounds is not asked of anybody; the rest is listed.
model.dim @seq
model.dim @position = <64>
model.dim @short bound <position>
model.dim @two = <2>
model.dim @half = <seq / 2>
model.dim @rest = <seq - 3>

// CHECK-LABEL: @listed
// CHECK-SAME: #model.require<multiple seq, 2 : "`half` = seq / 2 ({{.*}}state-obligations.mlir:8) is not whole: {left} is not a multiple of {right}">
// CHECK-SAME: #model.require<at_most 3, seq : "[seq = 2] ({{.*}}) needs `seq` of at least {left}, but it is {right}">
// CHECK-NOT: = 63] ({{.*}}) needs
func.func @listed(%x: !model.tensor<f32, seq>, %table: !model.tensor<f32, position>)
    -> (!model.tensor<f32>, !model.tensor<f32, half, two>, !model.tensor<f32>) {
  %third = model.pick %x "seq" = 2 : !model.tensor<f32, seq>
  %first = model.pick %table "position" = 63 : !model.tensor<f32, position>
  %pairs = model.regroup %x ["seq"] as ["half", "two"] : !model.tensor<f32, seq>
  return %third, %pairs, %first : !model.tensor<f32>, !model.tensor<f32, half, two>, !model.tensor<f32>
}

// Positions are inside by bounds, which are asked; ints wrap unless sizes keep them from it.
// CHECK-LABEL: @positions
// CHECK-SAME: #model.require<at_most short, position :
// CHECK-SAME: #model.require<at_most
// CHECK-SAME: a position along `seq` ({{.*}}) is computed by way of {left}, but the most that an `int` holds is {right}
func.func @positions(%x: !model.tensor<f32, seq>, %m: !model.tensor<f32, short>, %table: !model.tensor<f32, position>)
    -> (!model.tensor<f32, short>, !model.tensor<f32, seq>) {
  %i = model.index "short"
  %rows = model.gather %table "position" = %i : !model.tensor<f32, position>, !model.tensor<index<short>, short>
  %j = model.index "seq"
  %many = model.extent <seq>
  %wide = model.mul %j, %many : !model.tensor<index<seq>, seq>, !model.tensor<i32>
  %same = model.floordiv %wide, %many : !model.tensor<i32, seq>, !model.tensor<i32>
  %all = model.gather %x "seq" = %same : !model.tensor<f32, seq>, !model.tensor<i32, seq>
  return %rows, %all : !model.tensor<f32, short>, !model.tensor<f32, seq>
}

// -----

// What is written and cannot be shown at all is an error.
model.dim @seq

func.func @anywhere(%x: !model.tensor<f32, seq>, %n: !model.tensor<i32>) -> !model.tensor<f32> attributes {model.kind = "plain"} {
  // expected-error@+2 {{E0310: this index is not known to stay inside `seq`}}
  // expected-note@+1 {{help: cut it to the range: `clamp[seq](...)`}}
  %y = model.gather %x "seq" = %n : !model.tensor<f32, seq>, !model.tensor<i32>
  return %y : !model.tensor<f32>
}

// -----

model.dim @seq bound <two>
model.dim @two = <2>

func.func @never(%x: !model.tensor<f32, seq>) -> !model.tensor<f32> attributes {model.kind = "plain"} {
  // expected-error@+2 {{E0609: [seq = 2] needs `seq` of at least 3, but it is at most 2}}
  // expected-note@+1 {{no size that the program can have keeps this}}
  %y = model.pick %x "seq" = 2 : !model.tensor<f32, seq>
  return %y : !model.tensor<f32>
}
