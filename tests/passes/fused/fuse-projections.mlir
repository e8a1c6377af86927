// RUN: weft-opt %s --weft-fuse-projections --weft-form-kernels --split-input-file | FileCheck %s

// Query, key and value read their activation once.
// CHECK-LABEL: @together
// CHECK: kernel.fused contraction
// CHECK-COUNT-3: model.contract
// CHECK: kernel.yield %{{.*}}, %{{.*}}, %{{.*}} :
// CHECK-NOT: kernel.fused
func.func @together(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, head>, %b: !model.tensor<f32, model, dh>,
                    %c: !model.tensor<f32, model, ff>)
    -> (!model.tensor<f32, seq, head>, !model.tensor<f32, seq, dh>, !model.tensor<f32, seq, ff>) {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head>
  %1 = model.contract ["model"] %x, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, dh>
  %2 = model.contract ["model"] %x, %c : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  return %0, %1, %2 : !model.tensor<f32, seq, head>, !model.tensor<f32, seq, dh>, !model.tensor<f32, seq, ff>
}

// -----

// One needs the other, so they cannot be one kernel.
// CHECK-LABEL: @chained
// CHECK-COUNT-2: kernel.fused contraction
func.func @chained(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, ff>)
    -> !model.tensor<f32, seq> {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %2 = model.contract ["ff"] %0, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
  return %2 : !model.tensor<f32, seq>
}

// -----

// Other dimensions are summed: another left side.
// CHECK-LABEL: @otherSum
// CHECK-COUNT-2: kernel.fused contraction
func.func @otherSum(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, ff>, %b: !model.tensor<f32, seq, ff>)
    -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, model, ff>) {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
  %1 = model.contract ["seq"] %x, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, ff>
  return %0, %1 : !model.tensor<f32, seq, ff>, !model.tensor<f32, model, ff>
}

// -----

// What follows from one of them may stand between them: it moves behind the kernel.
// CHECK-LABEL: @between
// CHECK: kernel.fused contraction
// CHECK-COUNT-2: model.contract
// CHECK: kernel.fused rows
// CHECK: model.exp
func.func @between(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, head>, %b: !model.tensor<f32, model, dh>)
    -> (!model.tensor<f32, seq, head>, !model.tensor<f32, seq, dh>) {
  %0 = model.contract ["model"] %x, %a : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head>
  %1 = model.exp %0 : !model.tensor<f32, seq, head>
  %2 = model.contract ["model"] %x, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, dh>
  return %1, %2 : !model.tensor<f32, seq, head>, !model.tensor<f32, seq, dh>
}

// -----

// Mixture of experts, backwards: what is a column of the first product is a batch of the second.
// CHECK-LABEL: @batch
// CHECK-COUNT-2: kernel.fused contraction
func.func @batch(%x: !model.tensor<f32, seq, model>, %gate: !model.tensor<f32, seq, expert>, %up: !model.tensor<f32, seq, expert, ff>)
    -> (!model.tensor<f32, model, expert>, !model.tensor<f32, expert, ff>) {
  %0 = model.contract ["seq"] %gate, %x : !model.tensor<f32, seq, expert>, !model.tensor<f32, seq, model>
  %1 = model.contract ["seq"] %gate, %up : !model.tensor<f32, seq, expert>, !model.tensor<f32, seq, expert, ff>
  %2 = model.arrange %0 : !model.tensor<f32, expert, model> -> !model.tensor<f32, model, expert>
  return %2, %1 : !model.tensor<f32, model, expert>, !model.tensor<f32, expert, ff>
}

// -----

// On whichever side of each it stands, the shared value gives the rows.
// CHECK-LABEL: @eitherSide
// CHECK: kernel.fused contraction
// CHECK-COUNT-2: model.contract
// CHECK-NOT: kernel.fused
func.func @eitherSide(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, head>, %b: !model.tensor<f32, ff, model>)
    -> (!model.tensor<f32, head, seq>, !model.tensor<f32, seq, ff>) {
  %0 = model.contract ["model"] %a, %x : !model.tensor<f32, model, head>, !model.tensor<f32, seq, model>
  %1 = model.contract ["model"] %x, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, ff, model>
  return %0, %1 : !model.tensor<f32, head, seq>, !model.tensor<f32, seq, ff>
}
