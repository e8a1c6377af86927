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

// What every pass reads is gone after the first.
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

// What a pass hands on is not there any more when it is over.
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

// A pass writes the piece of an input that it has yet to read: its own, not that of another pass.
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

// A loop leaves pieces over all of what is read behind it.
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
