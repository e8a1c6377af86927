// Plans in which a value is read after another was written over it; and one in which none is.
// RUN: weft-opt %s --weft-verify-stage=stage=plan -verify-diagnostics -split-input-file

// What a loop carries is another value in every pass, in the same place; a pass may write the next over the one that it reads,
// and over what the passes before have left of a stack, each its own piece. After the loop the place has the last.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @inPlace attributes {inputs = [{}], outputs = [{}, {}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  plan.launch @neg(%in, %a)
  %cache = plan.input 0
  plan.loop "layer" {
  ^bb0(%pass: index):
    %before = plan.reuse %a
    %piece = plan.offset %cache by <seq * 4> times %pass
    %stack = plan.output 1
    plan.launch @neg(%piece, %stack)
    %after = plan.reuse %a
    plan.launch @neg(%before, %after)
    %again = plan.input 0
    %same = plan.offset %again by <seq * 4> times %pass
    plan.launch @neg(%after, %same)
    plan.leave %after, %same
  }
  %last = plan.reuse %a
  %out = plan.output 0
  plan.launch @neg(%last, %out)
  plan.leave %out
}

// -----

// What a pass was given is read after it has written what it hands on.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @carried attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>], [#model.size<seq * 8>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %stack = plan.slot 1 : <seq * 8>
  %in = plan.input 0
  plan.launch @neg(%in, %a)
  plan.loop "layer" {
  ^bb0(%pass: index):
    %before = plan.reuse %a
    %after = plan.reuse %a
    plan.launch @neg(%before, %after)
    %piece = plan.offset %stack by <seq * 4> times %pass
    // expected-error@+2 {{`plan.copy` reads slot 0 after @neg wrote another value over it}}
    // expected-note@+1 {{the stage promises `intact`}}
    plan.copy %before to %piece, <seq * 4>
    plan.leave %after, %piece
  }
}

// -----

// The same, in a result of the entry.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @result attributes {inputs = [{}], outputs = [{}, {}], slots = [], packed = []} prepare {
} body {
  %in = plan.input 0
  %first = plan.output 0
  plan.copy %in to %first, <seq * 4>
  plan.loop "layer" {
  ^bb0(%pass: index):
    %before = plan.output 0
    %after = plan.output 0
    plan.launch @neg(%before, %after)
    %stack = plan.output 1
    %piece = plan.offset %stack by <seq * 4> times %pass
    // expected-error@+2 {{`plan.launch` reads output 0 after @neg wrote another value over it}}
    // expected-note@+1 {{`intact`}}
    plan.launch @neg(%before, %piece)
    plan.leave %after, %piece
  }
}

// -----

// A value that every pass reads is overwritten in the first.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @everyPass attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>], [#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %b = plan.slot 1 : <seq * 4>
  %in = plan.input 0
  plan.launch @neg(%in, %a)
  plan.loop "layer" {
  ^bb0(%pass: index):
    // expected-error@+2 {{`plan.launch` reads slot 0 after a copy wrote another value over it, in the pass before}}
    // expected-note@+1 {{`intact`}}
    plan.launch @neg(%a, %b)
    %next = plan.reuse %a
    plan.copy %b to %next, <seq * 4>
    plan.leave %next
  }
}

// -----

// A carried value is overwritten before its pass is over.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @handedOn attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  plan.launch @neg(%in, %a)
  plan.loop "layer" {
  ^bb0(%pass: index):
    %before = plan.reuse %a
    %after = plan.reuse %a
    plan.launch @neg(%before, %after)
    %between = plan.reuse %a
    plan.launch @neg(%after, %between)
    // expected-error@+2 {{`plan.leave` leaves slot 0 after @neg wrote another value over it}}
    // expected-note@+1 {{`intact`}}
    plan.leave %after
  }
}

// -----

// A pass of a loop writes the slice of an input that it has yet to read: its own, not that of another pass.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @piece attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %all = plan.input 0
  plan.loop "layer" {
  ^bb0(%pass: index):
    %again = plan.input 0
    %mine = plan.offset %again by <seq * 4> times %pass
    plan.launch @neg(%mine, %a)
    %written = plan.input 0
    %result = plan.offset %written by <seq * 4> times %pass
    plan.copy %a to %result, <seq * 4>
    %before = plan.offset %all by <seq * 4> times %pass
    // expected-error@+2 {{`plan.launch` reads input 0 after a copy wrote another value over it}}
    // expected-note@+1 {{`intact`}}
    plan.launch @neg(%before, %a)
  }
}

// -----

// A loop stores its slices over all of a value that is read after the loop.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @whole attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %all = plan.input 0
  plan.launch @neg(%all, %a)
  plan.loop "layer" {
  ^bb0(%pass: index):
    %again = plan.input 0
    %piece = plan.offset %again by <seq * 4> times %pass
    plan.copy %a to %piece, <seq * 4>
    plan.leave %piece
  }
  // expected-error@+2 {{`plan.launch` reads input 0 after a copy wrote another value over it}}
  // expected-note@+1 {{`intact`}}
  plan.launch @neg(%all, %a)
}

// -----

// Two products of one kernel add one value: the first is written over it before the second is computed.
model.dim @seq
model.dim @model = <8>
!x = !model.tensor<f32, seq, model>
plan.kernel @two {
^bb0(%h: !model.tensor<f32, seq, ff>, %p: !model.tensor<f32, ff, model>, %q: !model.tensor<f32, ff, model>, %x: !x):
  %0:2 = kernel.fused contraction "two" (%a = %h : !model.tensor<f32, seq, ff>, %b = %p : !model.tensor<f32, ff, model>, %c = %q : !model.tensor<f32, ff, model>, %r = %x : !x) -> (!x, !x)
      attributes {layouts = [#kernel.layout<seq: "8", ff: "1">, #kernel.panels<batch = [], rows = [ff], columns = [model], width = 16>,
                             #kernel.panels<batch = [], rows = [ff], columns = [model], width = 16>, #kernel.layout<seq: "8", model: "1">,
                             #kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1">]} {
    %1 = model.contract ["ff"] %a, %b : !model.tensor<f32, seq, ff>, !model.tensor<f32, ff, model>
    %2 = model.contract ["ff"] %a, %c : !model.tensor<f32, seq, ff>, !model.tensor<f32, ff, model>
    %3 = model.add %1, %r : !x, !x
    %4 = model.add %2, %r : !x, !x
    kernel.yield %3, %4 : !x, !x
  }
}
model.dim @ff = <8>
plan.entry @segments attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 32>], [#model.size<512>], [#model.size<seq * 32>]], packed = []} prepare {
} body {
  %h = plan.slot 0 : <seq * 32>
  %w = plan.slot 1 : <512>
  %x = plan.slot 2 : <seq * 32>
  %in = plan.input 0
  plan.copy %in to %h, <seq * 32>
  plan.copy %in to %w, <512>
  plan.copy %in to %x, <seq * 32>
  %a = plan.reuse %x
  %b = plan.output 0
  // expected-error@+2 {{`plan.launch` writes result 0 of @two over its operand 3 in slot 2, which the kernel does not allow}}
  // expected-note@+1 {{the stage promises `intact`}}
  plan.launch @two(%h, %w, %w, %x, %a, %b)
  plan.leave %a, %b
}

// -----

// Both results in one place; and a result a few bytes into an operand.
model.dim @seq
plan.kernel @both {
^bb0(%x: !model.tensor<f32, seq>):
  %0:2 = kernel.fused rows "both" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>, !model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    %2 = model.exp %a : !model.tensor<f32, seq>
    kernel.yield %1, %2 : !model.tensor<f32, seq>, !model.tensor<f32, seq>
  }
}
plan.entry @results attributes {inputs = [{}], outputs = [{}, {}], slots = [], packed = []} prepare {
} body {
  %in = plan.input 0
  %a = plan.output 0
  %b = plan.output 0
  // expected-error@+2 {{`plan.launch` writes result 1 of @both over its result 0 in output 0}}
  // expected-note@+1 {{`intact`}}
  plan.launch @both(%in, %a, %b)
}

// -----

model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @shifted attributes {inputs = [{}], outputs = [], slots = [], packed = []} prepare {
} body {
  %x = plan.input 0
  %behind = plan.offset %x by <seq * 4>
  plan.launch @neg(%x, %behind)
  %shifted = plan.offset %x by <4>
  // expected-error@+2 {{`plan.launch` writes result 0 of @neg over its operand 0 in input 0}}
  // expected-note@+1 {{`intact`}}
  plan.launch @neg(%x, %shifted)
}

// -----

// A pass of a loop writes its slice of a buffer that it reads whole.
model.dim @seq
model.dim @layer = <2>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @pieceOfAll attributes {inputs = [{}], outputs = [], slots = [], packed = []} prepare {
} body {
  plan.loop "layer" {
  ^bb0(%pass: index):
    %x = plan.input 0
    %piece = plan.offset %x by <seq * 4> times %pass
    // expected-error@+2 {{`plan.launch` writes result 0 of @neg over its operand 0 in input 0}}
    // expected-note@+1 {{`intact`}}
    plan.launch @neg(%x, %piece)
  }
}

// -----

model.dim @seq
plan.entry @moved attributes {inputs = [{}], outputs = [], slots = [], packed = []} prepare {
} body {
  %x = plan.input 0
  %further = plan.offset %x by <4>
  // expected-error@+2 {{`plan.copy` copies from input 0 to bytes that overlap with it}}
  // expected-note@+1 {{`intact`}}
  plan.copy %x to %further, <seq * 4>
}
