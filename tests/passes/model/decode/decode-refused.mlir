// RUN: weft-opt %s --weft-decode --verify-diagnostics --split-input-file

// No mask.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %k = model.regroup %x ["seq"] as ["key"] : !model.tensor<f32, seq, d>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: `attention[key]` reads every position}}
  // expected-note @below {{help: let only `index(key) <= index(seq)` take part}}
  %y, %l = model.attention "key" ["d"] %x, %k, %k scale 1.0 : !model.tensor<f32, seq, d>, !model.tensor<f32, key, d>, !model.tensor<f32, key, d>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// The mask the wrong way round.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %k = model.regroup %x ["seq"] as ["key"] : !model.tensor<f32, seq, d>
  %i = model.index "key"
  %j = model.index "seq"
  %m = model.compare ge %i, %j : !model.tensor<index<key>, key>, !model.tensor<index<seq>, seq>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: `attention[key]` reads every position}}
  // expected-note @below {{all that is known: only what has `index(seq) <= index(key)` takes part}}
  // expected-note @below {{help: let only `index(key) <= index(seq)` take part}}
  %y, %l = model.attention "key" ["d"] %x, %k, %k mask %m scale 1.0 : !model.tensor<f32, seq, d>, !model.tensor<f32, key, d>, !model.tensor<f32, key, d>, !model.tensor<i1, key, seq>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// A mask that is off by one.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %k = model.regroup %x ["seq"] as ["key"] : !model.tensor<f32, seq, d>
  %i = model.index "key"
  %j = model.index "seq"
  %one = model.constant 1 : i64
  %j1 = model.add %j, %one : !model.tensor<index<seq>, seq>, !model.tensor<i32>
  %m = model.compare le %i, %j1 : !model.tensor<index<key>, key>, !model.tensor<i32, seq>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: reads 1 position ahead}}
  %y, %l = model.attention "key" ["d"] %x, %k, %k mask %m scale 1.0 : !model.tensor<f32, seq, d>, !model.tensor<f32, key, d>, !model.tensor<f32, key, d>, !model.tensor<i1, key, seq>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// A prefix that all may see.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %k = model.regroup %x ["seq"] as ["key"] : !model.tensor<f32, seq, d>
  %i = model.index "key"
  %j = model.index "seq"
  %four = model.constant 4 : i64
  %n = model.compare lt %i, %four : !model.tensor<index<key>, key>, !model.tensor<i32>
  %c = model.compare le %i, %j : !model.tensor<index<key>, key>, !model.tensor<index<seq>, seq>
  %m = model.or %c, %n : !model.tensor<i1, key, seq>, !model.tensor<i1, key>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: reads 3 positions ahead}}
  %y, %l = model.attention "key" ["d"] %x, %k, %k mask %m scale 1.0 : !model.tensor<f32, seq, d>, !model.tensor<f32, key, d>, !model.tensor<f32, key, d>, !model.tensor<i1, key, seq>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// The mean over all positions.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  // expected-error @below {{E0510: `logits` is not causal in `seq`: `sum[seq]` reads every position}}
  %s = model.sum ["seq"] %x : !model.tensor<f32, seq, d>
  %y = model.add %x, %s : !model.tensor<f32, seq, d>, !model.tensor<f32, d>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// The number of positions.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  // expected-error @below {{E0510: `logits` is not causal in `seq`: the number of positions is not known to position i: at that time there are no later ones}}
  %n = model.extent <seq>
  %f = model.to_float %n : !model.tensor<i32>
  %y = model.mul %x, %f : !model.tensor<f32, seq, d>, !model.tensor<f32>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// The next position.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %j = model.index "seq"
  %one = model.constant 1 : i64
  %j1 = model.add %j, %one : !model.tensor<index<seq>, seq>, !model.tensor<i32>
  %c = model.clamp "seq" %j1 : !model.tensor<i32, seq>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: may read 1 position ahead}}
  %y = model.gather %x "seq" = %c : !model.tensor<f32, seq, d>, !model.tensor<index<seq>, seq>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// A finite fill is no mask: it takes part.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %k = model.regroup %x ["seq"] as ["key"] : !model.tensor<f32, seq, d>
  %s = model.contract ["d"] %x, %k : !model.tensor<f32, seq, d>, !model.tensor<f32, key, d>
  %i = model.index "key"
  %j = model.index "seq"
  %m = model.compare le %i, %j : !model.tensor<index<key>, key>, !model.tensor<index<seq>, seq>
  %big = model.constant -1.0e6 : f64
  %f = model.where %m, %s, %big : !model.tensor<i1, key, seq>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: `softmax[key]` reads every position}}
  // expected-note @below {{masked positions hold -1000000.0, which takes part in the result}}
  // expected-note @below {{help: let only `index(key) <= index(seq)` take part}}
  %w = model.softmax "key" %f : !model.tensor<f32, seq, key>
  %y = model.contract ["key"] %w, %k : !model.tensor<f32, seq, key>, !model.tensor<f32, key, d>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// Two inputs that grow.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"},
  // expected-note @below {{help: compute it inside the entry}}
  // expected-error @below {{E0505: `decode[seq]` appends to `x` only, `mask` also grows with `seq`}}
                  %mask: !model.tensor<f32, seq> {model.name = "mask"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %y = model.mul %x, %mask : !model.tensor<f32, seq, d>, !model.tensor<f32, seq>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// A product that leaves 32 bits keeps later keys, whatever its form says.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @key = #model.size<seq>
model.dim @d = #model.size<4>
func.func @logits(%x: !model.tensor<f32, seq, d> {model.name = "x"}) -> !model.tensor<f32, seq, d> attributes {model.entry = "logits"} {
  %k = model.regroup %x ["seq"] as ["key"] : !model.tensor<f32, seq, d>
  %i = model.index "key"
  %j = model.index "seq"
  %large = model.constant 1000000007 : i64
  %seven = model.constant 7 : i64
  %i1 = model.mul %i, %large : !model.tensor<index<key>, key>, !model.tensor<i32>
  %j1 = model.mul %j, %seven : !model.tensor<index<seq>, seq>, !model.tensor<i32>
  %m = model.compare le %i1, %j1 : !model.tensor<i32, key>, !model.tensor<i32, seq>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: `attention[key]` reads every position}}
  // expected-note @below {{all that is known: only what has `a value <= 7 * index(seq)` takes part}}
  // expected-note @below {{help: let only `index(key) <= index(seq)` take part}}
  %y, %l = model.attention "key" ["d"] %x, %k, %k mask %m scale 1.0 : !model.tensor<f32, seq, d>, !model.tensor<f32, key, d>, !model.tensor<f32, key, d>, !model.tensor<i1, key, seq>
  return %y : !model.tensor<f32, seq, d>
}
}

// -----

// A part of a parameter that begins where the sequence ends.
module {
model.decoding "generate" entry "logits" argument "x" dim "seq"
model.dim @seq
model.dim @win = #model.size<2>
model.dim @rest = #model.size<6 - seq>
model.dim @parts = #model.size<8> parts ["seq", "win", "rest"]
model.parameter @w : !model.tensor<f32, parts>
func.func @logits(%x: !model.tensor<f32, seq> {model.name = "x"}) -> !model.tensor<f32, seq> attributes {model.entry = "logits"} {
  %w = model.param @w : <f32, parts>
  // expected-error @below {{E0510: `logits` is not causal in `seq`: the part `win` begins at `seq`, which is not known to position i: at that time there are no later ones}}
  %part = model.part %w "parts" as "win" at <seq> : <f32, parts>
  %sum = model.sum ["win"] %part : <f32, win>
  %y = model.add %x, %sum : !model.tensor<f32, seq>, !model.tensor<f32>
  return %y : !model.tensor<f32, seq>
}
}
