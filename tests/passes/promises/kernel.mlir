// Modules that are not what the `kernel` stage promises, one for each promise.
// RUN: weft-opt %s --weft-verify-stage=stage=kernel -verify-diagnostics -split-input-file

func.func @outside(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{internal error behind stage `kernel`: `model.neg` stands outside of every kernel}}
  // expected-note@+1 {{the stage promises `one-kernel`}}
  %0 = model.neg %x : !model.tensor<f32, seq>
  return %0 : !model.tensor<f32, seq>
}

// -----

model.dim @seq
func.func @layouts(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{internal error behind stage `kernel`: `kernel.fused` "neg" has no layouts}}
  // expected-note@+1 {{the stage promises `layouts`}}
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

// What a view changes, the layout of the kernel behind it must say too.
model.dim @seq
model.dim @model = <8>
model.dim @half = <4>
func.func @places(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, seq, half> {
  %part = model.part %x "model" as "half" at <0> : !model.tensor<f32, seq, model>
  // expected-error@+2 {{`kernel.fused` "neg" takes a value for #kernel.layout<seq: "4", half: "1"> that lies as #kernel.layout<seq: "8", half: "1">}}
  // expected-note@+1 {{the stage promises `places`}}
  %0 = kernel.fused rows "neg" (%a = %part : !model.tensor<f32, seq, half>) -> (!model.tensor<f32, seq, half>)
      attributes {layouts = [#kernel.layout<seq: "4", half: "1">, #kernel.layout<seq: "4", half: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq, half>
    kernel.yield %1 : !model.tensor<f32, seq, half>
  }
  return %0 : !model.tensor<f32, seq, half>
}

// -----

// Rows that are apart are those of a buffer that kernels alone know of: what an entry gives is dense.
model.dim @seq
model.dim @kind = <61>
func.func @padded(%x: !model.tensor<f32, seq, kind>) -> !model.tensor<f32, seq, kind> {
  // expected-error@+2 {{`kernel.fused` "neg" has rows 64 apart where not only kernels read them}}
  // expected-note@+1 {{the stage promises `padded`}}
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq, kind>) -> (!model.tensor<f32, seq, kind>)
      attributes {layouts = [#kernel.layout<seq: "61", kind: "1">, #kernel.layout<seq: "64", kind: "1">], pitches = array<i64: 64>} {
    %1 = model.neg %a : !model.tensor<f32, seq, kind>
    kernel.yield %1 : !model.tensor<f32, seq, kind>
  }
  return %0 : !model.tensor<f32, seq, kind>
}

// -----

// They are as long as their pitch at most.
model.dim @seq
model.dim @kind = <61>
func.func @overlapping(%x: !model.tensor<f32, seq, kind>) -> !model.tensor<f32, seq, kind> {
  // expected-error@+2 {{`kernel.fused` "neg" has rows 56 apart that have no such length}}
  // expected-note@+1 {{the stage promises `padded`}}
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq, kind>) -> (!model.tensor<f32, seq, kind>)
      attributes {layouts = [#kernel.layout<seq: "61", kind: "1">, #kernel.layout<seq: "56", kind: "1">], pitches = array<i64: 56>} {
    %1 = model.neg %a : !model.tensor<f32, seq, kind>
    kernel.yield %1 : !model.tensor<f32, seq, kind>
  }
  return %0 : !model.tensor<f32, seq, kind>
}

// -----

model.dim @seq
func.func @storage(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %0 = kernel.fused rows "exp" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1", storage = bf16>]} {
    %1 = model.exp %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  // expected-error@+2 {{`kernel.fused` "neg" has a value as its type says that is stored as bf16}}
  // expected-note@+1 {{the stage promises `storage`}}
  %2 = kernel.fused rows "neg" (%a = %0 : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %2 : !model.tensor<f32, seq>
}

// -----

model.dim @seq
func.func @outside(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{`kernel.fused` "exp" has a value as bf16 that is seen from outside}}
  // expected-note@+1 {{`storage`}}
  %0 = kernel.fused rows "exp" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1", storage = bf16>]} {
    %1 = model.exp %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

// What is rounded in no memory, and what it is multiplied by: either both or neither.
model.dim @seq
model.dim @key
model.dim @model = <8>
func.func @rounded(%q: !model.tensor<f32, seq, model>, %k: !model.tensor<f32, key, model>, %v: !model.tensor<f32, key, model>) -> !model.tensor<f32, seq, model> {
  // expected-error@+2 {{`kernel.fused` "attend" rounds weights, and not what it multiplies them by}}
  // expected-note@+1 {{the stage promises `rounded`}}
  %0:2 = kernel.fused attention "attend" (%a = %q : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>, %c = %v : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<key: "8", model: "1">, #kernel.layout<key: "8", model: "1">, #kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "1">]} {
    %1:2 = model.attention "key" ["model"] %a, %b, %c scale 1.0 {narrow_weights} : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
    kernel.yield %1#0, %1#1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  }
  return %0#0 : !model.tensor<f32, seq, model>
}

// -----

// The gradient's weights are e^(score - logsumexp): a softmax only of the scores that the attention computed.
model.dim @seq
model.dim @key
model.dim @model = <8>
func.func @scores(%x: !model.tensor<f32, seq, model>, %k: !model.tensor<f32, key, model>, %g: !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>) {
  %q = kernel.fused rows "copy" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1", storage = bf16>]} {
    kernel.yield %a : !model.tensor<f32, seq, model>
  }
  %0:2 = kernel.fused attention "attend" (%a = %x : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<key: "8", model: "1">, #kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "1">]} {
    %1:2 = model.attention "key" ["model"] %a, %b, %b scale 1.0 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
    kernel.yield %1#0, %1#1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  }
  // expected-error@+2 {{`kernel.fused` "slopes" scores by operand 0, which is stored otherwise than what "attend" scored by}}
  // expected-note@+1 {{the stage promises `scores`}}
  %2:3 = kernel.fused attention_grad "slopes" (%a = %q : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>, %o = %0#0 : !model.tensor<f32, seq, model>, %l = %0#1 : !model.tensor<f32, seq>, %d = %g : !model.tensor<f32, seq, model>)
      -> (!model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.layout<key: "8", model: "1">, #kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "1">, #kernel.layout<seq: "8", model: "1">,
        #kernel.layout<seq: "8", model: "1">, #kernel.layout<key: "8", model: "1">, #kernel.layout<key: "8", model: "1">]} {
    %3:3 = model.attention_grad "key" ["model"] %a, %b, %b of %o, %l by %d scale 1.0 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>, !model.tensor<f32, seq, model>, !model.tensor<f32, seq>, !model.tensor<f32, seq, model>
    kernel.yield %3#0, %3#1, %3#2 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
  }
  return %2#0, %2#1, %2#2 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
}

// -----

// Of float32, or none that it says, a program has no product that reads less.
model.dim @seq
model.dim @model = <8>
model.dim @ff = <16>
func.func @tf32(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = kernel.fused contraction "product" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, seq, ff>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<model: "16", ff: "1">, #kernel.layout<seq: "16", ff: "1">]} {
    // expected-error@+2 {{`model.contract` reads its sides as tf32 in a program that is not said to}}
    // expected-note@+1 {{the stage promises `rounded`}}
    %1 = model.contract ["model"] %a, %b {tf32} : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, seq, ff>
  }
  return %0 : !model.tensor<f32, seq, ff>
}

// -----

// Weights that share scales: of parameters only, and of none that a gradient is of.
model.dim @k = <40>
model.dim @n = <20>
model.parameter @weight : !model.tensor<f32, k, n>
func.func @weights() attributes {model.kind = "gradient"} {
  %w = model.param @weight : !model.tensor<f32, k, n>
  // expected-error@+2 {{`kernel.fused` "pack" rounds weights that a gradient is of}}
  // expected-note@+1 {{the stage promises `weights`}}
  %0 = kernel.fused pack "pack" (%a = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, k, n>)
      attributes {panels = #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                  layouts = [#kernel.layout<k: "20", n: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = i8>]} {
    kernel.yield %a : !model.tensor<f32, k, n>
  }
  return
}

// -----

model.dim @k = <40>
model.dim @n = <20>
func.func @given(%w: !model.tensor<f32, k, n>) {
  // expected-error@+2 {{`kernel.fused` "pack" rounds what is no parameter}}
  // expected-note@+1 {{the stage promises `weights`}}
  %0 = kernel.fused pack "pack" (%a = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, k, n>)
      attributes {panels = #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                  layouts = [#kernel.layout<k: "20", n: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16, storage = i4>]} {
    kernel.yield %a : !model.tensor<f32, k, n>
  }
  return
}

// -----

model.dim @seq
model.dim @model = <8>
model.dim @ff = <16>
func.func @packed(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  %0 = kernel.fused contraction "product" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, seq, ff>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<model: "16", ff: "1">, #kernel.layout<seq: "16", ff: "1">]} {
    // expected-error@+2 {{`model.contract` has 0 packed sides}}
    // expected-note@+1 {{the stage promises `packed`}}
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, seq, ff>
  }
  return %0 : !model.tensor<f32, seq, ff>
}

// -----

func.func @leaves(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{`func.return` lets a value leave that no kernel of its block has written}}
  // expected-note@+1 {{the stage promises `leaves`}}
  return %x : !model.tensor<f32, seq>
}

// -----

model.dim @seq
func.func @schedules(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{`kernel.fused` "neg" has no schedule for x86-64-v3}}
  // expected-note@+1 {{the stage promises `schedules`}}
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">], schedule = {avx512 = #cpu.rows<unroll = 4, elements = 8192>}} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}

// -----

// A module is for GPUs where a kernel has a schedule of one: then all have, for each image.
model.dim @seq
func.func @images(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  // expected-error@+2 {{`kernel.fused` "neg" has no schedule for sm_90a}}
  // expected-note@+1 {{the stage promises `schedules`}}
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">],
                  schedule = {sm_80 = #cuda.rows<threads = 256, team = 256, unroll = 4, blocks = 864>}} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
  return %0 : !model.tensor<f32, seq>
}
