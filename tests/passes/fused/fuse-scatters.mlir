// RUN: weft-opt %s --weft-fuse-scatters --weft-fuse-epilogues --weft-fuse-rows --weft-form-kernels --split-input-file --remark-format=emitRemark --remarks-filter=weft-fuse-scatters 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// The gradient of a table that is multiplied by and gathered from: rows are added to the product.
// CHECK-LABEL: @tied
// CHECK: kernel.fused contraction
// CHECK-NEXT: model.contract
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: model.add
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.fused
func.func @tied(%d: !model.tensor<f32, seq, vocab>, %h: !model.tensor<f32, seq, model>, %x: !model.tensor<f32, seq, model>,
                %t: !model.tensor<i32, seq>) -> !model.tensor<f32, vocab, model> {
  %0 = model.contract ["seq"] %d, %h : !model.tensor<f32, seq, vocab>, !model.tensor<f32, seq, model>
  %1 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %2 = model.add %0, %1 : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
  return %2 : !model.tensor<f32, vocab, model>
}

// -----

// A table that is gathered from twice: each adds its rows.
// CHECK-LABEL: @twice
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: model.add
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.fused
func.func @twice(%x: !model.tensor<f32, seq, model>, %y: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>,
                 %u: !model.tensor<i32, seq>) -> !model.tensor<f32, vocab, model> {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.scatter %y "vocab" = %u : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %2 = model.add %0, %1 : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
  return %2 : !model.tensor<f32, vocab, model>
}

// -----

// What is scattered is needed by itself too.
// CHECK-LABEL: @twoUsers
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.add
// CHECK-NOT: kernel.fused
func.func @twoUsers(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %b: !model.tensor<f32, vocab, model>) -> (!model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>) {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.add %0, %b : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
  return %0, %1 : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
}

// -----

// A sum that is larger is no place for rows.
// CHECK-LABEL: @larger
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.add
// CHECK-NOT: kernel.fused
func.func @larger(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %c: !model.tensor<f32, seq, vocab, model>) -> !model.tensor<f32, seq, vocab, model> {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.add %c, %0 : !model.tensor<f32, seq, vocab, model>, !model.tensor<f32, vocab, model>
  return %1 : !model.tensor<f32, seq, vocab, model>
}

// -----

// Nor is what is smaller: the same row for each position.
// CHECK-LABEL: @smaller
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.add
// CHECK-NOT: kernel.fused
func.func @smaller(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %b: !model.tensor<f32, model>) -> !model.tensor<f32, vocab, model> {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.add %0, %b : !model.tensor<f32, vocab, model>, !model.tensor<f32, model>
  return %1 : !model.tensor<f32, vocab, model>
}

// -----

// Nor what lies in another order: it would be read line by line across its own.
// CHECK-LABEL: @turned
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused contraction
// CHECK: model.add
// CHECK-NOT: kernel.fused
// REMARK: `scatter` and `add` are two kernels: what rows are added to has its dimensions in another order
func.func @turned(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %d: !model.tensor<f32, seq, vocab>, %h: !model.tensor<f32, seq, model>) -> !model.tensor<f32, vocab, model> {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.contract ["seq"] %h, %d : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, vocab>
  %2 = model.add %0, %1 : !model.tensor<f32, vocab, model>, !model.tensor<f32, model, vocab>
  return %2 : !model.tensor<f32, vocab, model>
}

// -----

// What follows needs the sum, and it is a result: it is stored anyway.
// CHECK-LABEL: @given
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: model.add
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.mul
// CHECK-NOT: kernel.fused
func.func @given(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %b: !model.tensor<f32, vocab, model>) -> (!model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>) {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.add %0, %b : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
  %2 = model.mul %1, %1 : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
  return %1, %2 : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
}

// -----

// What follows is computed with the sum: then the sum is not stored.
// CHECK-LABEL: @followed
// CHECK: kernel.fused scatter
// CHECK-NEXT: model.scatter
// CHECK-NEXT: kernel.yield
// CHECK: kernel.fused rows
// CHECK: model.add
// CHECK: model.tanh
// REMARK: `scatter` and `add` are two kernels: what follows the sum goes over it position by position
func.func @followed(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>, %b: !model.tensor<f32, vocab, model>)
    -> !model.tensor<f32, vocab, model> {
  %0 = model.scatter %x "vocab" = %t : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
  %1 = model.add %0, %b : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
  %2 = model.tanh %1 : !model.tensor<f32, vocab, model>
  return %2 : !model.tensor<f32, vocab, model>
}
