// Modules that are not what the `fused` stage promises, one for each promise.
// RUN: weft-opt %s --weft-verify-stage=stage=fused -verify-diagnostics -split-input-file

func.func @outside(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{internal error behind stage `fused`: `model.neg` stands outside of every kernel}}
  // expected-note@+1 {{the stage promises `one-kernel`}}
  %0 = model.neg %x : !model.tensor<f32, seq>
  return %0 : !model.tensor<f32, seq>
}

// -----

func.func @nested(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = kernel.fused rows "outer" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
    // expected-error@+2 {{`kernel.fused` stands inside of the kernel "outer"}}
    // expected-note@+1 {{`one-kernel`}}
    %1 = kernel.fused rows "inner" (%b = %a : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
      kernel.yield %b : !model.tensor<f32, seq>
    }
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

model.parameter @w : !model.tensor<f32, seq>
func.func @reads() -> !model.tensor<f32, seq> {
  %0 = kernel.fused rows "reads" () -> (!model.tensor<f32, seq>) {
    // expected-error@+2 {{`model.param` stands in the kernel "reads"}}
    // expected-note@+1 {{`one-kernel`}}
    %w = model.param @w : !model.tensor<f32, seq>
    kernel.yield %w : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

func.func @rows(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = kernel.fused rows "product" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, seq, ff>) {
    // expected-error@+2 {{`model.contract` is computed by a kernel of the family rows}}
    // expected-note@+1 {{the stage promises `family`}}
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, seq, ff>
  }
  return %0 : !model.tensor<f32, seq, ff>
}

// -----

func.func @empty(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{`kernel.fused` has nothing of its family, attention}}
  // expected-note@+1 {{`family`}}
  %0 = kernel.fused attention "none" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
    kernel.yield %a : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

func.func @scattered(%x: !model.tensor<f32, seq, model>, %t: !model.tensor<i32, seq>) -> !model.tensor<f32, vocab, model> {
  %0 = kernel.fused scatter "rows" (%a = %x : !model.tensor<f32, seq, model>, %b = %t : !model.tensor<i32, seq>) -> (!model.tensor<f32, vocab, model>) {
    // expected-error@+2 {{`model.scatter` is neither what its kernel stores nor added once to another value}}
    // expected-note@+1 {{the stage promises `scatters`}}
    %1 = model.scatter %a "vocab" = %b : !model.tensor<f32, seq, model>, !model.tensor<i32, seq> -> !model.tensor<f32, vocab, model>
    %2 = model.neg %1 : !model.tensor<f32, vocab, model>
    %3 = model.add %1, %2 : !model.tensor<f32, vocab, model>, !model.tensor<f32, vocab, model>
    kernel.yield %3 : !model.tensor<f32, vocab, model>
  }
  return %0 : !model.tensor<f32, vocab, model>
}

// -----

func.func @group(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
    // expected-error@+2 {{`model.neg` still has the number of a group}}
    // expected-note@+1 {{the stage promises `no-groups`}}
    %1 = model.neg %a {kernel.group = 0} : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

func.func @columns(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, head>, %v: !model.tensor<f32, model, head, dh>) -> !model.tensor<f32, seq, head, dh> {
  // expected-error@+2 {{`kernel.fused` is no contraction: results that belong together have different columns}}
  // expected-note@+1 {{the stage promises `contractions`}}
  %0 = kernel.fused contraction "gate" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, head>, %c = %v : !model.tensor<f32, model, head, dh>) -> (!model.tensor<f32, seq, head, dh>) {
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head>
    %2 = model.contract ["model"] %a, %c : !model.tensor<f32, seq, model>, !model.tensor<f32, model, head, dh>
    %3 = model.mul %1, %2 : !model.tensor<f32, seq, head>, !model.tensor<f32, seq, head, dh>
    kernel.yield %3 : !model.tensor<f32, seq, head, dh>
  }
  return %0 : !model.tensor<f32, seq, head, dh>
}
