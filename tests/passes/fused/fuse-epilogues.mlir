// RUN: weft-opt %s --weft-fuse-epilogues --weft-form-kernels --split-input-file | FileCheck %s

// Bias, activation and residual in one kernel with their contraction.
// CHECK-LABEL: @residual
// CHECK: kernel.fused contraction
// CHECK: model.contract
// CHECK-NEXT: model.add
// CHECK-NEXT: model.tanh
// CHECK-NEXT: model.add
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.fused
func.func @residual(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>, %b: !model.tensor<f32, ff>,
                    %r: !model.tensor<f32, seq, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.add %0, %b : !model.tensor<f32, seq, ff>, !model.tensor<f32, ff>
  %2 = model.tanh %1 : !model.tensor<f32, seq, ff>
  %3 = model.add %r, %2 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %3 : !model.tensor<f32, seq, ff>
}

// -----

// What only the epilogue needs comes along: the derivative of an activation.
// CHECK-LABEL: @derivative
// CHECK: kernel.fused contraction
// CHECK-DAG: model.tanh
// CHECK-DAG: model.contract
// CHECK: model.mul
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.fused
func.func @derivative(%d: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>, %p: !model.tensor<f32, seq, ff>)
    -> !model.tensor<f32, seq, ff> {
  %0 = model.tanh %p : !model.tensor<f32, seq, ff>
  %1 = model.contract ["model"] %d, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %2 = model.mul %1, %0 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %2 : !model.tensor<f32, seq, ff>
}

// -----

// A sum needs the whole row, which no tile has.
// CHECK-LABEL: @rowSum
// CHECK: kernel.fused contraction
// CHECK: kernel.fused rows
// CHECK: model.sum
func.func @rowSum(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq> {
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.sum ["ff"] %0 : !model.tensor<f32, seq, ff>
  return %1 : !model.tensor<f32, seq>
}

// -----

// Products that are added up are one sum.
// CHECK-LABEL: @sum
// CHECK: kernel.fused contraction
// CHECK-COUNT-2: model.contract
// CHECK: model.add
// CHECK-NOT: kernel.fused
func.func @sum(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, ff>,
               %y: !model.tensor<f32, seq, head>, %b: !model.tensor<f32, head, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.contract ["head"] %y, %b : !model.tensor<f32, seq, head>, !model.tensor<f32, head, ff>
  %2 = model.add %0, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %2 : !model.tensor<f32, seq, ff>
}

// -----

// The product is stored in any case, and what a pass over its rows makes of it is made there.
// CHECK-LABEL: @rows
// CHECK: kernel.fused contraction
// CHECK-NOT: model.mul
// CHECK: kernel.fused rows
// CHECK: model.mul
func.func @rows(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, ff>, %g: !model.tensor<f32, ff>)
    -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, seq>) {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.mul %0, %g : !model.tensor<f32, seq, ff>, !model.tensor<f32, ff>
  %2 = model.sum ["ff"] %1 : !model.tensor<f32, seq, ff>
  return %0, %2 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq>
}

// -----

// The derivative of an activation reads what the activation reads, not its parts; those are stored
// only where something else needs them.
// CHECK-LABEL: @parts
// CHECK: kernel.fused contraction "contract" (%{{[a-z0-9]*}} = %[[X:[a-z0-9]*]] : !model.tensor<f32, seq, ff>, %{{[a-z0-9]*}} = %{{[a-z0-9]*}} : !model.tensor<f32, seq, model>, %{{[a-z0-9]*}} = %{{[a-z0-9]*}} : !model.tensor<f32, model, ff>) ->
// CHECK: model.tanh
// CHECK: model.contract
// CHECK: kernel.yield %{{[^,]*}} :
func.func @parts(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, ff>, %h: !model.tensor<f32, seq, ff>)
    -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>) {
  %0 = model.tanh %h : !model.tensor<f32, seq, ff>
  %1 = model.mul %0, %h : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  %2 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %3 = model.mul %2, %0 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  %4 = model.mul %3, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %4, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
}
