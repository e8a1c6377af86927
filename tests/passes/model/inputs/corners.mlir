// What reads earlier positions in other ways than GPT and Llama do: a window, the position before, a running sum, the first
// position. Ids are cached here, from which rows are looked up again.

module {
model.decoding "generate" entry "logits" argument "tokens" dim "seq"
  model.dim @batch
  model.dim @seq bound <16>
  model.dim @key = <seq>
  model.dim @vocab = <65>
  model.dim @model = <4>
  model.dim @dh = <3>
  model.parameter @table : !model.tensor<f32, vocab, model>
  model.parameter @q : !model.tensor<f32, model, dh>
  model.parameter @k : !model.tensor<f32, model, dh>
  func.func @logits(%tokens: !model.tensor<index<vocab>, batch, seq> {model.name = "tokens"}) -> !model.tensor<f32, batch, seq, vocab> attributes {model.entry = "logits", model.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %wq = model.param @q : <f32, model, dh>
    %wk = model.param @k : <f32, model, dh>
    %one = model.constant 1 : i64
    %three = model.constant 3 : i64
    %i = model.index "key"
    %j = model.index "seq"
    %x = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <index<vocab>, batch, seq>
    %q = model.contract ["model"] %x, %wq : <f32, batch, seq, model>, <f32, model, dh>
    %k0 = model.contract ["model"] %x, %wk : <f32, batch, seq, model>, <f32, model, dh>
    %k = model.regroup %k0 ["seq"] as ["key"] : <f32, batch, seq, dh>
    %v = model.regroup %x ["seq"] as ["key"] : <f32, batch, seq, model>
    %past = model.compare le %i, %j : <index<key>, key>, <index<seq>, seq>
    %distance = model.sub %j, %i : <index<seq>, seq>, <index<key>, key>
    %near = model.compare lt %distance, %three : <i32, seq, key>, <i32>
    %window = model.and %past, %near : <i1, key, seq>, <i1, seq, key>
    %scores = model.contract ["dh"] %q, %k : <f32, batch, seq, dh>, <f32, batch, key, dh>
    %weights = model.softmax "key" %scores mask %window : <f32, batch, seq, key>, !model.tensor<i1, key, seq>
    %attended = model.contract ["key"] %weights, %v : <f32, batch, seq, key>, <f32, batch, key, model>
    %before = model.sub %j, %one : <index<seq>, seq>, <i32>
    %inside = model.clamp "seq" %before : <i32, seq>
    %shifted = model.gather %x "seq" = %inside : <f32, batch, seq, model>, <index<seq>, seq>
    %sum = model.cumsum "seq" %x : <f32, batch, seq, model>
    %first = model.pick %x "seq" = 0 : <f32, batch, seq, model>
    %a = model.mul %attended, %shifted : <f32, batch, seq, model>, <f32, batch, seq, model>
    %b = model.add %sum, %first : <f32, batch, seq, model>, <f32, batch, model>
    %y = model.add %a, %b : <f32, batch, seq, model>, <f32, batch, seq, model>
    %logits = model.contract ["model"] %y, %table : <f32, batch, seq, model>, <f32, vocab, model>
    return %logits : !model.tensor<f32, batch, seq, vocab>
  }
}
