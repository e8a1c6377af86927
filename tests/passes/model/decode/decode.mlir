// RUN: weft-opt %s --weft-decode --canonicalize --cse | FileCheck %s

module {
model.decoding "generate" entry "logits" argument "tokens" dim "seq"
model.dim @seq bound #model.size<16>
model.dim @key = #model.size<seq>
model.dim @vocab = #model.size<8>
model.dim @model = #model.size<4>
model.dim @layer = #model.size<3>
// How many positions are known, how many are new, and how many a cache has room for; the logits are those of the last.
// CHECK-DAG: model.dim @known
// CHECK-DAG: model.dim @new
// CHECK-DAG: model.dim @capacity bound <16>
// CHECK-DAG: model.dim @last = <1>
// CHECK-DAG: model.dim @key_all = <known + new> bound <capacity>
model.parameter @table : !model.tensor<f32, vocab, model>
model.parameter @w : !model.tensor<f32, layer, model> loops 1

// Keys and values are the same here, so there is one cache, with the loop in front. The new rows are inserted behind the
// known ones, and attention reads both.
// CHECK-LABEL: func.func @generate.advance
// CHECK-SAME: !model.tensor<index<vocab>, new> {model.name = "tokens"}
// CHECK-SAME: %[[CACHE:.*]]: !model.tensor<f32, layer, capacity, model> {model.cache = "[[NAME:.*]]", model.name = "[[NAME]]"}
// CHECK-SAME: -> (!model.tensor<f32, last, vocab>, !model.tensor<f32, layer, capacity, model> {model.cache = "[[NAME]]"
// CHECK-SAME: model.kind = "advance"
// CHECK: %[[OUT:.*]]:2 = model.repeat "layer" carry(%[[X:.*]] = %{{.*}} : <f32, new, model>) slices(%[[SLICE:.*]] = %[[CACHE]]
// CHECK: %[[ROWS:.*]] = model.mul
// CHECK: %[[NEXT:.*]] = model.insert_part %[[ROWS]] into %[[SLICE]] "capacity" as "new" at <known>
// CHECK: model.part %[[NEXT]] "capacity" as "{{.*}}_all" at <0>
// CHECK: model.attention "key_all"
// CHECK: model.yield %{{.*}}, %[[NEXT]]
// CHECK: model.part %[[OUT]]#0 "new" as "last" at <new - 1>
// CHECK: model.contract
// CHECK: return %{{.*}}, %[[OUT]]#1
func.func @logits(%tokens: !model.tensor<index<vocab>, seq> {model.name = "tokens"}) -> !model.tensor<f32, seq, vocab>
    attributes {model.entry = "logits", model.kind = "plain"} {
  %table = model.param @table : <f32, vocab, model>
  %x = model.gather %table "vocab" = %tokens : !model.tensor<f32, vocab, model>, !model.tensor<index<vocab>, seq>
  %keys = model.index "key"
  %queries = model.index "seq"
  %mask = model.compare le %keys, %queries : !model.tensor<index<key>, key>, !model.tensor<index<seq>, seq>
  %y = model.repeat "layer" carry(%c = %x : <f32, seq, model>) -> !model.tensor<f32, seq, model> {
    %w = model.param @w : <f32, model>
    %n = model.normalize ["model"] %c eps 1.0e-5 centered true : !model.tensor<f32, seq, model>
    %k0 = model.mul %n, %w : !model.tensor<f32, seq, model>, !model.tensor<f32, model>
    %k = model.regroup %k0 ["seq"] as ["key"] : !model.tensor<f32, seq, model>
    %o, %lse = model.attention "key" ["model"] %n, %k, %k mask %mask scale 0.5 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>, !model.tensor<i1, key, seq>
    %s = model.add %c, %o : !model.tensor<f32, seq, model>, !model.tensor<f32, seq, model>
    model.yield %s : !model.tensor<f32, seq, model>
  }
  %logits = model.contract ["model"] %y, %table : !model.tensor<f32, seq, model>, !model.tensor<f32, vocab, model>
  return %logits : !model.tensor<f32, seq, vocab>
}
}
