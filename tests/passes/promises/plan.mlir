// Modules that are not what the `plan` stage promises, one for each promise; and one that is.
// RUN: weft-opt %s --weft-verify-stage=stage=plan -verify-diagnostics -split-input-file

// Two buffers share slot 0, one after the other; the third is live all the time.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @good attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>], [#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %b = plan.slot 1 : <seq * 4>
  %c = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  %out = plan.output 0
  plan.launch @neg(%in, %a)
  plan.launch @neg(%a, %b)
  plan.launch @neg(%b, %c)
  plan.launch @neg(%c, %out)
}

// -----

// expected-error@+2 {{internal error behind stage `plan`: `func.func` is neither an entry nor a kernel}}
// expected-note@+1 {{the stage promises `planned`}}
func.func @left(%x: !model.tensor<f32>) -> !model.tensor<f32> {
  return %x : !model.tensor<f32>
}

// -----

plan.entry @slot attributes {inputs = [], outputs = [], slots = [[#model.size<seq * 4>, #model.size<64>]], packed = []} prepare {
} body {
  // expected-error@+2 {{`plan.slot` is a buffer of 144 bytes in a slot of 64 where every size that comes with the data is 3}}
  // expected-note@+1 {{the stage promises `room`}}
  %a = plan.slot 0 : <seq * seq * 16>
}

// -----

model.dim @seq
model.dim @model = <8>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq, model>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>)
      attributes {layouts = [#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq, model>
    kernel.yield %1 : !model.tensor<f32, seq, model>
  }
}
plan.entry @far attributes {inputs = [{}], outputs = [], slots = [[#model.size<seq * 32>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 32>
  %in = plan.input 0
  %b = plan.offset %a by <4>
  // expected-error@+2 {{`plan.launch` reaches byte 36 of a buffer of 32 where every size that comes with the data is 1}}
  // expected-note@+1 {{`room`}}
  plan.launch @neg(%in, %b)
}

// -----

// The last pass is the one that is too far.
model.dim @layer = <3>
model.dim @model = <8>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, model>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, model>) -> (!model.tensor<f32, model>)
      attributes {layouts = [#kernel.layout<model: "1">, #kernel.layout<model: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, model>
    kernel.yield %1 : !model.tensor<f32, model>
  }
}
plan.entry @passes attributes {inputs = [{}], outputs = [], slots = [[#model.size<64>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <64>
  %in = plan.input 0
  plan.loop "layer" {
  ^bb0(%pass: index):
    %b = plan.offset %a by <32> times %pass
    // expected-error@+2 {{`plan.launch` reaches byte 96 of a buffer of 64}}
    // expected-note@+1 {{`room`}}
    plan.launch @neg(%in, %b)
  }
}

// -----

plan.entry @copy attributes {inputs = [], outputs = [{}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %out = plan.output 0
  // expected-error@+2 {{`plan.copy` reaches byte 8 of a buffer of 4}}
  // expected-note@+1 {{`room`}}
  plan.copy %a to %out, <seq * 8>
}

// -----

// `a` is read again after `b` was written over it.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @overlap attributes {inputs = [{}], outputs = [{}, {}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  // expected-error@+2 {{`plan.slot` lies in slot 0 while another buffer that lies there is needed}}
  // expected-note@+1 {{the stage promises `apart`}}
  %b = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  %first = plan.output 0
  %second = plan.output 1
  plan.launch @neg(%in, %a)
  plan.launch @neg(%in, %b)
  plan.launch @neg(%b, %first)
  plan.launch @neg(%a, %second)
}

// -----

// A value that a loop carries is live in all of the loop.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @carried attributes {inputs = [{}], outputs = [], slots = [[#model.size<seq * 4>], [#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %between = plan.slot 1 : <seq * 4>
  // expected-error@+2 {{`plan.slot` lies in slot 0}}
  // expected-note@+1 {{`apart`}}
  %b = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  plan.launch @neg(%in, %a)
  plan.loop "layer" {
  ^bb0(%pass: index):
    plan.launch @neg(%a, %between)
    plan.launch @neg(%in, %b)
    plan.launch @neg(%b, %a)
  }
}

// -----

// A value of which every pass stores a slice is live until the loop ends.
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
plan.entry @stacked attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 8>]], packed = []} prepare {
} body {
  // expected-error@+2 {{`plan.slot` lies in slot 0}}
  // expected-note@+1 {{`apart`}}
  %a = plan.slot 0 : <seq * 8>
  %b = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  %out = plan.output 0
  plan.loop "layer" {
  ^bb0(%pass: index):
    plan.launch @neg(%in, %b)
    %piece = plan.offset %a by <seq * 4> times %pass
    plan.launch @neg(%b, %out)
    plan.launch @neg(%in, %piece)
  }
}

// -----

// expected-error@+2 {{`plan.entry` gives output 1, which nothing has written}}
// expected-note@+1 {{`order`}}
plan.entry @forgotten attributes {inputs = [{}], outputs = [{}, {}], slots = [], packed = []} prepare {
} body {
  %in = plan.input 0
  %out = plan.output 0
  plan.copy %in to %out, <4>
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
plan.entry @early attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  %out = plan.output 0
  // expected-error@+2 {{`plan.launch` reads a buffer of slot 0 that nothing has written before}}
  // expected-note@+1 {{the stage promises `order`}}
  plan.launch @neg(%a, %out)
  plan.launch @neg(%in, %a)
}

// -----

plan.entry @unpacked attributes {inputs = [], outputs = [{}], slots = [], packed = [#model.size<4>]} prepare {
} body {
  %a = plan.packed 0
  %out = plan.output 0
  // expected-error@+2 {{`plan.copy` reads packed 0, which nothing has written before}}
  // expected-note@+1 {{`order`}}
  plan.copy %a to %out, <4>
}

// -----

model.parameter @w : !model.tensor<f32>
plan.entry @assigned attributes {inputs = [{}], outputs = [{}], slots = [], packed = []} prepare {
} body {
  %in = plan.input 0
  %out = plan.output 0
  %w = plan.parameter @w
  plan.copy %in to %w, <4>
  // What it is now is read through the place that it was written through.
  plan.copy %w to %out, <4>
  %before = plan.parameter @w
  // expected-error@+2 {{`plan.copy` reads what parameter w held before it was written}}
  // expected-note@+1 {{`order`}}
  plan.copy %before to %out, <4>
}

// -----

// expected-error@+2 {{`plan.kernel` `k` has no layouts}}
// expected-note@+1 {{the stage promises `planned`}}
plan.kernel @k {
^bb0(%x: !model.tensor<f32>):
  %0 = kernel.fused rows "k" (%a = %x : !model.tensor<f32>) -> (!model.tensor<f32>) {
    kernel.yield %a : !model.tensor<f32>
  }
}

// -----

model.dim @seq
plan.kernel @down {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "down" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1", storage = bf16>]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @twice attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 4>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %in = plan.input 0
  plan.launch @down(%in, %a)
  %out = plan.output 0
  // expected-error@+2 {{`plan.launch` has a buffer as its type says that is stored as bf16}}
  // expected-note@+1 {{the stage promises `storage`}}
  plan.launch @down(%a, %out)
}

// -----

model.dim @seq
plan.kernel @down {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "down" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1", storage = bf16>]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @copied attributes {inputs = [{}], outputs = [{}], slots = [[#model.size<seq * 2>]], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 2>
  %in = plan.input 0
  plan.launch @down(%in, %a)
  %out = plan.output 0
  // expected-error@+2 {{`plan.copy` copies bf16 to where values are stored as its type says}}
  // expected-note@+1 {{`storage`}}
  plan.copy %a to %out, <seq * 2>
}

// -----

// Three launches that are one: the last one reads what the second one writes.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @needed attributes {inputs = [{}, {}], outputs = [{}, {}, {}], slots = [], packed = []} prepare {
} body {
  %x = plan.input 0
  %y = plan.input 1
  %a = plan.output 0
  %b = plan.output 1
  %c = plan.output 2
  plan.launch @neg(%x, %a) together 1
  plan.launch @neg(%y, %b) together 1
  // expected-error@+2 {{`plan.launch` is launched together with @neg, which writes what it needs in output 1}}
  // expected-note@+1 {{the stage promises `together`}}
  plan.launch @neg(%b, %c) together 1
}

// -----

// Two launches that are one write slots that may overlap.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @concurrent attributes {inputs = [{}, {}], outputs = [], slots = [[#model.size<seq * 4>], [#model.size<seq * 4>]],
    behind = [array<i64>, array<i64>], packed = []} prepare {
} body {
  %x = plan.input 0
  %y = plan.input 1
  %a = plan.slot 0 : <seq * 4>
  %b = plan.slot 1 : <seq * 4>
  // expected-error@+2 {{`plan.launch` is launched together with @neg, which writes what it needs in slot 0}}
  // expected-note@+1 {{the stage promises `together`}}
  plan.launch @neg(%x, %a) together 1
  plan.launch @neg(%y, %b) together 1
}

// -----

// Two are one; another group has another number, and so it may come again.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @again attributes {inputs = [{}, {}], outputs = [{}, {}, {}, {}], slots = [], packed = []} prepare {
} body {
  %x = plan.input 0
  %y = plan.input 1
  %a = plan.output 0
  plan.launch @neg(%x, %a) together 1
  %b = plan.output 1
  plan.launch @neg(%y, %b) together 1
  %c = plan.output 2
  plan.launch @neg(%b, %c) together 2
  %d = plan.output 3
  // expected-error@+2 {{`plan.launch` does not follow the launches that it is one with}}
  // expected-note@+1 {{the stage promises `together`}}
  plan.launch @neg(%y, %d) together 1
}

// -----

// Both write one place.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @both attributes {inputs = [{}, {}], outputs = [{}], slots = [], packed = []} prepare {
} body {
  %x = plan.input 0
  %y = plan.input 1
  %a = plan.output 0
  // expected-error@+2 {{`plan.launch` is launched together with @neg, which writes what it needs in output 0}}
  // expected-note@+1 {{the stage promises `together`}}
  plan.launch @neg(%x, %a) together 7
  plan.launch @neg(%y, %a) together 7
}

// -----

// Slot 2 is behind slot 0 by way of slot 1; slot 3 may overlap with all of them, and is used when they are done.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @apart attributes {inputs = [{}], outputs = [{}, {}], slots = [[#model.size<seq * 4>], [#model.size<64>], [#model.size<seq * 4>], [#model.size<seq * 12>]],
    behind = [array<i64>, array<i64: 0>, array<i64: 1>, array<i64>], packed = []} prepare {
} body {
  %a = plan.slot 0 : <seq * 4>
  %b = plan.slot 2 : <seq * 4>
  %c = plan.slot 3 : <seq * 4>
  %in = plan.input 0
  %first = plan.output 0
  %second = plan.output 1
  plan.launch @neg(%in, %a)
  plan.launch @neg(%a, %b)
  plan.launch @neg(%a, %first)
  plan.launch @neg(%b, %second)
  plan.launch @neg(%in, %c)
  plan.launch @neg(%c, %first)
}

// -----

// Neither slot is behind the other.
model.dim @seq
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>)
      attributes {layouts = [#kernel.layout<seq: "1">, #kernel.layout<seq: "1">]} {
    %1 = model.neg %a : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
plan.entry @besides attributes {inputs = [{}], outputs = [{}, {}], slots = [[#model.size<seq * 4>], [#model.size<seq * 4>], [#model.size<seq * 4>]],
    behind = [array<i64>, array<i64: 0>, array<i64: 0>], packed = []} prepare {
} body {
  %a = plan.slot 1 : <seq * 4>
  // expected-error@+2 {{`plan.slot` lies in slot 2 while another buffer that lies in slot 1, which may overlap with it, is needed}}
  // expected-note@+1 {{the stage promises `apart`}}
  %b = plan.slot 2 : <seq * 4>
  %in = plan.input 0
  %first = plan.output 0
  %second = plan.output 1
  plan.launch @neg(%in, %a)
  plan.launch @neg(%in, %b)
  plan.launch @neg(%b, %first)
  plan.launch @neg(%a, %second)
}

// -----

// A task of the pack reads 16 rows, and one of the kernel before it writes 8.
#rows = #cpu.rows<unroll = 1, elements = 128>
#pack = #cpu.pack<panels = 1, rows = 16>
model.dim @model = <32>
model.dim @ff = <16>
model.parameter @w : !model.tensor<f32, model, ff>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.layout<model: "16", ff: "1">],
                  schedule = {avx512 = #rows, "x86-64-v3" = #rows}} {
    %1 = model.neg %a : !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, model, ff>
  }
}
plan.kernel @pack {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused pack "pack" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16, storage = bf16>],
                  panels = #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>, schedule = {avx512 = #pack, "x86-64-v3" = #pack}} {
    kernel.yield %a : !model.tensor<f32, model, ff>
  }
}
plan.entry @update attributes {inputs = [], outputs = [], slots = [], packed = [#model.size<1024>], model.kind = "update"} prepare {
} body {
  %before = plan.parameter @w
  %after = plan.parameter @w
  %packed = plan.packed 0
  plan.launch @neg(%before, %after)
  // expected-error@+2 {{`plan.launch` goes behind @neg task by task, but its tasks read other elements than those write}}
  // expected-note@+1 {{the stage promises `in-step`}}
  plan.launch @pack(%after, %packed) in_step
  plan.leave %after
}

// -----

// What is packed is not what the parameter holds in the end.
#rows = #cpu.rows<unroll = 1, elements = 256>
#pack = #cpu.pack<panels = 1, rows = 16>
model.dim @model = <32>
model.dim @ff = <16>
model.parameter @w : !model.tensor<f32, model, ff>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.layout<model: "16", ff: "1">],
                  schedule = {avx512 = #rows, "x86-64-v3" = #rows}} {
    %1 = model.neg %a : !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, model, ff>
  }
}
plan.kernel @pack {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused pack "pack" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16, storage = bf16>],
                  panels = #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>, schedule = {avx512 = #pack, "x86-64-v3" = #pack}} {
    kernel.yield %a : !model.tensor<f32, model, ff>
  }
}
plan.entry @update attributes {inputs = [], outputs = [], slots = [], packed = [#model.size<1024>], model.kind = "update"} prepare {
} body {
  %before = plan.parameter @w
  %after = plan.parameter @w
  %packed = plan.packed 0
  plan.launch @neg(%before, %after)
  // expected-error@+2 {{`plan.launch` goes behind @neg task by task, but the parameter is written again later}}
  // expected-note@+1 {{the stage promises `in-step`}}
  plan.launch @pack(%after, %packed) in_step
  %last = plan.parameter @w
  plan.launch @neg(%after, %last)
  plan.leave %last
}

// -----

// Rows 14 and 15 are one word in a panel, as are 16 and 17: tasks of 15 rows would share one.
#rows = #cpu.rows<unroll = 1, elements = 240>
#pack = #cpu.pack<panels = 1, rows = 15>
model.dim @model = <45>
model.dim @ff = <16>
model.parameter @w : !model.tensor<f32, model, ff>
plan.kernel @neg {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.layout<model: "16", ff: "1">],
                  schedule = {avx512 = #rows, "x86-64-v3" = #rows}} {
    %1 = model.neg %a : !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, model, ff>
  }
}
plan.kernel @pack {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused pack "pack" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16, storage = bf16>],
                  panels = #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>, schedule = {avx512 = #pack, "x86-64-v3" = #pack}} {
    kernel.yield %a : !model.tensor<f32, model, ff>
  }
}
plan.entry @update attributes {inputs = [], outputs = [], slots = [], packed = [#model.size<1472>], model.kind = "update"} prepare {
} body {
  %before = plan.parameter @w
  %after = plan.parameter @w
  %packed = plan.packed 0
  plan.launch @neg(%before, %after)
  // expected-error@+2 {{`plan.launch` goes behind @neg task by task, but its tasks read other elements than those write}}
  // expected-note@+1 {{the stage promises `in-step`}}
  plan.launch @pack(%after, %packed) in_step
  plan.leave %after
}

// -----

plan.entry @alone attributes {inputs = [], outputs = [], slots = [], packed = [#model.size<1024>], model.kind = "update"} prepare {
} body {
  %w = plan.parameter @w
  %packed = plan.packed 0
  // expected-error@+2 {{`plan.launch` goes behind a launch task by task, and follows none}}
  // expected-note@+1 {{the stage promises `in-step`}}
  plan.launch @pack(%w, %packed) in_step
}
#pack = #cpu.pack<panels = 1, rows = 16>
model.dim @model = <32>
model.dim @ff = <16>
model.parameter @w : !model.tensor<f32, model, ff>
plan.kernel @pack {
^bb0(%x: !model.tensor<f32, model, ff>):
  %0 = kernel.fused pack "pack" (%a = %x : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, model, ff>)
      attributes {layouts = [#kernel.layout<model: "16", ff: "1">, #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16, storage = bf16>],
                  panels = #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>, schedule = {avx512 = #pack, "x86-64-v3" = #pack}} {
    kernel.yield %a : !model.tensor<f32, model, ff>
  }
}
