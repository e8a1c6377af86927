// RUN: weft-opt --split-input-file %s | weft-opt --split-input-file | FileCheck %s

// What a module says of its program. The functions that it names need not be there.

// CHECK: model.source "gpt.weft" config "tiny" settings {dropout = 1.000000e-01 : f64, seq = 64 : i64}
model.source "gpt.weft" config "tiny" settings {dropout = 0.1, seq = 64}
// CHECK: model.reads "*" {}
model.reads "*" {}
// CHECK: model.reads "train" {rate = 3.000000e-04 : f64}
model.reads "train" {rate = 0.0003}
// CHECK: model.carried "tokenizer.json" bytes 1355256
model.carried "tokenizer.json" bytes 1355256
// CHECK: model.training "train" entry "loss" loss @train.loss gradient @train.gradient update @train.update metrics ["accuracy"] frozen ["table"] data {arguments = {tokens = "ids"}, kind = "text"}
model.training "train" entry "loss" loss @train.loss gradient @train.gradient update @train.update metrics ["accuracy"] frozen ["table"] data {arguments = {tokens = "ids"}, kind = "text"}
// CHECK: model.decoding "write" entry "logits" argument "ids" dim "seq" start 0 max 64
model.decoding "write" entry "logits" argument "ids" dim "seq" start 0 max 64
// CHECK: model.decoding "translate" entry "logits" argument "ids" dim "seq" advance @translate.advance known "known" fresh "new" capacity "capacity" begin @translate.begin
model.decoding "translate" entry "logits" argument "ids" dim "seq" advance @translate.advance known "known" fresh "new" capacity "capacity" begin @translate.begin

model.dim @seq
model.dim @vocab = <8>
model.dim @known or_empty
model.dim @new
model.dim @capacity
// CHECK: model.parameter @table : !model.tensor<f32, vocab> origin <"Embedding", {{\[\[}}"vocab", ["vocab"]]]>
model.parameter @table : !model.tensor<f32, vocab> origin <"Embedding", [["vocab", ["vocab"]]]>

// CHECK: func.func @logits(%{{.*}}: !model.tensor<index<vocab>, seq> {model.name = "ids"}, %{{.*}}: !model.tensor<f32, capacity> {model.cache = "k"})
// CHECK-SAME: -> (!model.tensor<f32, seq> {model.gradient_of = "table"}, !model.tensor<f32, capacity> {model.cache = "k"})
// CHECK-SAME: attributes {model.entry = "logits", model.kind = "advance", model.parameters = ["table"], model.requires = []}
func.func @logits(%ids: !model.tensor<index<vocab>, seq> {model.name = "ids"}, %k: !model.tensor<f32, capacity> {model.cache = "k"})
    -> (!model.tensor<f32, seq> {model.gradient_of = "table"}, !model.tensor<f32, capacity> {model.cache = "k"})
    attributes {model.entry = "logits", model.kind = "advance", model.parameters = ["table"], model.requires = []} {
  %table = model.param @table : <f32, vocab>
  %0 = model.gather %table "vocab" = %ids : !model.tensor<f32, vocab>, !model.tensor<index<vocab>, seq>
  return %0, %k : !model.tensor<f32, seq>, !model.tensor<f32, capacity>
}

// -----

// CHECK: model.evaluation "score" entry "loss" metrics ["accuracy"] data {arguments = {tokens = "ids"}, kind = "text"}
model.evaluation "score" entry "loss" metrics ["accuracy"] data {arguments = {tokens = "ids"}, kind = "text"}
