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

// -----

// A gate has fewer columns than what it gates: no tile has both, so it is read from memory.
// CHECK-LABEL: @gate(
// CHECK: kernel.fused contraction
// CHECK: model.tanh
// CHECK: kernel.fused contraction
// CHECK: model.mul
// CHECK-NOT: kernel.fused
func.func @gate(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, head>, %b: !model.tensor<f32, model, head, dh>)
    -> !model.tensor<f32, seq, head, dh> {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head>
  %1 = model.tanh %0 : !model.tensor<f32, seq, head>
  %2 = model.contract ["model"] %x, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head, dh>
  %3 = model.mul %1, %2 : !model.tensor<f32, seq, head>, !model.tensor<f32, seq, head, dh>
  return %3 : !model.tensor<f32, seq, head, dh>
}

// -----

// The same where both are one kernel before.
// CHECK-LABEL: @gateInOne
// CHECK: kernel.fused contraction
// CHECK-COUNT-2: model.contract
// CHECK: kernel.fused rows
// CHECK: model.mul
func.func @gateInOne(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, head>, %b: !model.tensor<f32, model, head, dh>)
    -> !model.tensor<f32, seq, head, dh> {
  %0 = model.contract ["model"] %x, %a {kernel.group = 0 : i64} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head>
  %1 = model.contract ["model"] %x, %b {kernel.group = 0 : i64} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head, dh>
  %2 = model.mul %0, %1 : !model.tensor<f32, seq, head>, !model.tensor<f32, seq, head, dh>
  return %2 : !model.tensor<f32, seq, head, dh>
}

// -----

// What a product is made of is read, also where it is elementwise and cheap.
// CHECK-LABEL: @factor(
// CHECK: %[[G:.*]] = kernel.fused rows
// CHECK: kernel.fused contraction {{.*}} = %[[G]] :
// CHECK-COUNT-3: model.contract
// CHECK-NOT: kernel.fused
func.func @factor(%x: !model.tensor<f32, seq, model>, %p: !model.tensor<f32, seq, key>, %w: !model.tensor<f32, key, ff>,
                  %v: !model.tensor<f32, model, ff>, %u: !model.tensor<f32, model, key>)
    -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, seq, key>) {
  %g = model.tanh %p : !model.tensor<f32, seq, key>
  %0 = model.contract ["model"] %x, %u {kernel.group = 0 : i64} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, key>
  %1 = model.mul %0, %p : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  %2 = model.contract ["key"] %g, %w : !model.tensor<f32, seq, key>, !model.tensor<f32, key, ff>
  %3 = model.contract ["model"] %x, %v {kernel.group = 0 : i64} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %4 = model.add %2, %3 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %4, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, key>
}

// -----

// Random numbers are drawn where they are used: a dropout lies in no memory.
// CHECK-LABEL: @dropout
// CHECK: kernel.fused contraction
// CHECK-DAG: model.contract
// CHECK-DAG: model.random "drop"
// CHECK: model.where
// CHECK: kernel.yield
// CHECK-NOT: kernel.fused
func.func @dropout(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  %zero = model.constant 0.0 : f64
  %rate = model.constant 0.1 : f64
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.random "drop" : !model.tensor<f32, seq, ff>
  %2 = model.compare lt %1, %rate : !model.tensor<f32, seq, ff>, !model.tensor<f32>
  %3 = model.where %2, %zero, %0 : !model.tensor<i1, seq, ff>, !model.tensor<f32>, !model.tensor<f32, seq, ff>
  return %3 : !model.tensor<f32, seq, ff>
}

// -----

// What others need too is drawn once.
// CHECK-LABEL: @drawnOnce
// CHECK: kernel.fused rows
// CHECK: model.random "drop"
// CHECK: kernel.fused contraction
// CHECK-NOT: model.random
func.func @drawnOnce(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>)
    -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>) {
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.random "drop" : !model.tensor<f32, seq, ff>
  %2 = model.mul %0, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %2, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
}

// -----

// Nor in the kernel of a product of which they are a factor: that is read.
// CHECK-LABEL: @drawnFactor
// CHECK: %[[R:.*]] = kernel.fused rows
// CHECK: model.random "drop"
// CHECK: kernel.fused contraction {{.*}} = %[[R]] :
// CHECK-COUNT-3: model.contract
// CHECK-NOT: kernel.fused
func.func @drawnFactor(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, key, ff>, %v: !model.tensor<f32, model, ff>,
                       %u: !model.tensor<f32, model, key>) -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, seq, key>) {
  %r = model.random "drop" : !model.tensor<f32, seq, key>
  %0 = model.contract ["model"] %x, %v {kernel.group = 0 : i64} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.contract ["key"] %r, %w : !model.tensor<f32, seq, key>, !model.tensor<f32, key, ff>
  %2 = model.add %1, %0 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  %3 = model.contract ["model"] %x, %u {kernel.group = 0 : i64} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, key>
  %4 = model.mul %3, %r : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  return %2, %4 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, key>
}
