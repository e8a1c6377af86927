// Rows of an odd length get a pitch of whole pieces where products read or write them, and kernels alone see them.
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage=precision=bf16 --weft-narrow-operands --weft-pad-rows | FileCheck %s
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage --weft-narrow-operands --weft-pad-rows | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: pitches

model.dim @batch
model.dim @seq
model.dim @model = #model.size<16>
model.dim @kind = #model.size<61>
model.dim @few = #model.size<5>
model.dim @head = #model.size<3>
model.dim @dh = #model.size<15>
model.dim @both = <head * dh>
model.parameter @w : !model.tensor<f32, model, kind>
model.parameter @t : !model.tensor<f32, kind, model>
model.parameter @u : !model.tensor<f32, model, few>
model.parameter @v : !model.tensor<f32, model, head, dh>
model.parameter @o : !model.tensor<f32, both, model>

// The copy of a weight, what its product gives, what rows make of that and the next product reads.
// CHECK-LABEL: @products
func.func @products(%x: !model.tensor<f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
  // CHECK: kernel.fused pack "first.narrow"{{.*}}layouts = [#kernel.layout<model: "61", kind: "1">, #kernel.layout<model: "64", kind: "1", storage = bf16>], pitches = array<i64: 64>
  %w = model.param @w : !model.tensor<f32, model, kind>
  %t = model.param @t : !model.tensor<f32, kind, model>
  // CHECK: "first"{{.*}}#kernel.layout<model: "64", kind: "1", storage = bf16>, #kernel.layout<batch: "seq * 64", seq: "64", kind: "1", storage = bf16>], pitches = array<i64: 64>
  %0 = kernel.fused contraction "first" (%a = %x : !model.tensor<f32, batch, seq, model>, %b = %w : !model.tensor<f32, model, kind>) -> (!model.tensor<f32, batch, seq, kind>) {
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model, kind>
    kernel.yield %1 : !model.tensor<f32, batch, seq, kind>
  }
  // What has other dimensions stays as it is.
  // CHECK: "rows"{{.*}}layouts = [#kernel.layout<batch: "seq * 64", seq: "64", kind: "1", storage = bf16>, #kernel.layout<batch: "seq * 64", seq: "64", kind: "1", storage = bf16>, #kernel.layout<batch: "seq", seq: "1">], pitches = array<i64: 64, 0>
  %2:2 = kernel.fused rows "rows" (%a = %0 : !model.tensor<f32, batch, seq, kind>) -> (!model.tensor<f32, batch, seq, kind>, !model.tensor<f32, batch, seq>) {
    %1 = model.exp %a : !model.tensor<f32, batch, seq, kind>
    %3 = model.sum ["kind"] %a : !model.tensor<f32, batch, seq, kind>
    kernel.yield %1, %3 : !model.tensor<f32, batch, seq, kind>, !model.tensor<f32, batch, seq>
  }
  // CHECK: "second"{{.*}}layouts = [#kernel.layout<batch: "seq * 64", seq: "64", kind: "1", storage = bf16>, #kernel.layout<batch: "seq", seq: "1">
  %4 = kernel.fused contraction "second" (%a = %2#0 : !model.tensor<f32, batch, seq, kind>, %c = %2#1 : !model.tensor<f32, batch, seq>, %b = %t : !model.tensor<f32, kind, model>) -> (!model.tensor<f32, batch, seq, model>) {
    %1 = model.contract ["kind"] %a, %b : !model.tensor<f32, batch, seq, kind>, !model.tensor<f32, kind, model>
    %3 = model.add %1, %c : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, batch, seq>
    kernel.yield %3 : !model.tensor<f32, batch, seq, model>
  }
  return %4 : !model.tensor<f32, batch, seq, model>
}

// Not what leaves an entry, not where no product is near, and not where most would be padding.
// CHECK-LABEL: @others
// CHECK-NOT: pitches
func.func @others(%x: !model.tensor<f32, seq, model>, %y: !model.tensor<f32, seq, kind>) -> (!model.tensor<f32, seq, few>, !model.tensor<f32, seq, kind>) {
  %u = model.param @u : !model.tensor<f32, model, few>
  %0 = kernel.fused contraction "few" (%a = %x : !model.tensor<f32, seq, model>, %b = %u : !model.tensor<f32, model, few>) -> (!model.tensor<f32, seq, few>) {
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, few>
    kernel.yield %1 : !model.tensor<f32, seq, few>
  }
  %2 = kernel.fused rows "exp" (%a = %0 : !model.tensor<f32, seq, few>) -> (!model.tensor<f32, seq, few>) {
    %1 = model.exp %a : !model.tensor<f32, seq, few>
    kernel.yield %1 : !model.tensor<f32, seq, few>
  }
  %3 = kernel.fused rows "exp" (%a = %y : !model.tensor<f32, seq, kind>) -> (!model.tensor<f32, seq, kind>) {
    %1 = model.exp %a : !model.tensor<f32, seq, kind>
    kernel.yield %1 : !model.tensor<f32, seq, kind>
  }
  %4 = kernel.fused rows "neg" (%a = %3 : !model.tensor<f32, seq, kind>) -> (!model.tensor<f32, seq, kind>) {
    %1 = model.neg %a : !model.tensor<f32, seq, kind>
    kernel.yield %1 : !model.tensor<f32, seq, kind>
  }
  return %2, %4 : !model.tensor<f32, seq, few>, !model.tensor<f32, seq, kind>
}

// Where rows are merged with what they are of, they have to lie side by side.
// CHECK-LABEL: @merged
// CHECK: "heads"{{.*}}#kernel.layout<seq: "45", head: "15", dh: "1", storage = bf16>]
// CHECK-NOT: pitches
func.func @merged(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, model> {
  %v = model.param @v : !model.tensor<f32, model, head, dh>
  %o = model.param @o : !model.tensor<f32, both, model>
  %0 = kernel.fused contraction "heads" (%a = %x : !model.tensor<f32, seq, model>, %b = %v : !model.tensor<f32, model, head, dh>) -> (!model.tensor<f32, seq, head, dh>) {
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head, dh>
    kernel.yield %1 : !model.tensor<f32, seq, head, dh>
  }
  %2 = model.regroup %0 ["head", "dh"] as ["both"] : !model.tensor<f32, seq, head, dh>
  %3 = kernel.fused contraction "out" (%a = %2 : !model.tensor<f32, seq, both>, %b = %o : !model.tensor<f32, both, model>) -> (!model.tensor<f32, seq, model>) {
    %1 = model.contract ["both"] %a, %b : !model.tensor<f32, seq, both>, !model.tensor<f32, both, model>
    kernel.yield %1 : !model.tensor<f32, seq, model>
  }
  return %3 : !model.tensor<f32, seq, model>
}
