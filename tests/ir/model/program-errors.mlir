// RUN: weft-opt %s --verify-diagnostics --split-input-file

model.source "a.weft"
// expected-error @below {{says where the program comes from a second time}}
model.source "b.weft"

// -----

model.reads "train" {}
// expected-error @below {{says what this entry reads a second time}}
model.reads "train" {rate = 1.0}

// -----

// expected-error @below {{attribute 'bytes' failed to satisfy constraint}}
model.carried "tokenizer.json" bytes -1

// -----

model.training "t" entry "f" loss @t.loss gradient @t.gradient update @t.update metrics []
// expected-error @below {{says this training a second time}}
model.training "t" entry "g" loss @t.loss gradient @t.gradient update @t.update metrics []

// -----

model.training "t" entry "f" loss @t.loss gradient @t.gradient update @t.update metrics []
// expected-error @below {{stands beside a training: a program trains, or it evaluates}}
model.evaluation "u" entry "f" metrics []

// -----

model.evaluation "t" entry "f" metrics []
// expected-error @below {{says this evaluation a second time}}
model.evaluation "t" entry "g" metrics []

// -----

// expected-error @below {{has data without its `kind`, or without the `arguments` that take it}}
model.evaluation "t" entry "f" metrics [] data {kind = "text"}

// -----

model.dim @loss
// expected-error @below {{names 'loss' as its loss, which is a dim}}
model.training "t" entry "f" loss @loss gradient @t.gradient update @t.update metrics []

// -----

// expected-error @below {{freezes 'table', which is not a parameter}}
model.training "t" entry "f" loss @t.loss gradient @t.gradient update @t.update metrics [] frozen ["table"]

// -----

model.parameter @still : !model.tensor<f32>
model.parameter @count : !model.tensor<f32> kind state
model.parameter @moved : !model.tensor<f32>
func.func @t.update(%g: !model.tensor<f32> {model.name = "moved"}) {
  model.assign @moved, %g : !model.tensor<f32>
  model.assign @count, %g : !model.tensor<f32>
  model.assign @still, %g : !model.tensor<f32>
  return
}
// expected-error @below {{has an update that changes 'still' and takes no gradient of it}}
model.training "t" entry "f" loss @t.loss gradient @t.gradient update @t.update metrics []

// -----

// expected-error @below {{has data without its `kind`, or without the `arguments` that take it}}
model.training "t" entry "f" loss @t.loss gradient @t.gradient update @t.update metrics [] data {kind = "text"}

// -----

model.dim @batch
// expected-error @below {{speaks of dimension 'seq', which the module does not declare}}
model.decoding "d" entry "f" argument "x" dim "seq"

// -----

model.dim @seq
// expected-error @below {{has a `begin`, but no `advance`}}
model.decoding "d" entry "f" argument "x" dim "seq" begin @d.begin

// -----

model.dim @seq
// expected-error @below {{has `advance`, `known`, `fresh` and `capacity` together, or none of them}}
"model.decoding"() {name = "d", entry = "f", argument = "x", dim = #model.dim<seq>, advance = @d.advance} : () -> ()

// -----

func.func @f() {
  // expected-error @below {{expects parent op 'builtin.module'}}
  model.source "a.weft"
  return
}

// -----

// expected-error @below {{an origin has of each dimension its name and the names of those that fill it, not "model"}}
model.parameter @w : !model.tensor<f32> origin <"Linear", ["model"]>

// -----

// expected-error @below {{'model.kind' is one of plain, gradient, update, begin and advance, not "gradients"}}
func.func @f() attributes {model.kind = "gradients"} {
  return
}

// -----

// expected-error @below {{'model.entry' is what the program calls the entry, not unit}}
func.func @f() attributes {model.entry} {
  return
}

// -----

// expected-error @below {{'model.parameters' lists the names of parameters, not "w"}}
func.func @f() attributes {model.parameters = "w"} {
  return
}

// -----

// expected-error @below {{'model.requires' lists what must hold of sizes, not ["seq <= 4"]}}
func.func @f() attributes {model.requires = ["seq <= 4"]} {
  return
}

// -----

// expected-error @below {{there is no attribute 'model.entries' of entries}}
func.func @f() attributes {model.entries = "f"} {
  return
}

// -----

// expected-error @below {{there is no attribute 'model.named' of arguments and results}}
func.func @f(%x: !model.tensor<f32> {model.named = "x"}) {
  return
}

// -----

// expected-error @below {{'model.name' is a name, not 3 : i64}}
func.func @f(%x: !model.tensor<f32> {model.name = 3}) {
  return
}

// -----

model.dim @seq
func.func @f(%x: !model.tensor<index<vocab>, seq>) {
  // expected-error @below {{speaks of dimension 'vocab', which the module does not declare}}
  %0 = model.neg %x : !model.tensor<index<vocab>, seq>
  return
}

// -----

// expected-error @below {{there is no attribute 'model.index' of arguments and results}}
func.func @f(%x: !model.tensor<i32> {model.index = "seq"}) {
  return
}

// -----

// expected-error @below {{gives back the cache "k", which it does not take}}
func.func @f(%x: !model.tensor<f32>) -> (!model.tensor<f32> {model.cache = "k"}) {
  return %x : !model.tensor<f32>
}

// -----

func.func @f(%x: !model.tensor<f32>) {
  // expected-error @below {{'model.name' is an attribute of entries}}
  %0 = model.neg %x {model.name = "y"} : !model.tensor<f32>
  return
}

// -----

func.func @f(%x: !model.tensor<f32>) {
  // expected-error @below {{'kernel.group' is the number of the kernel that an op of the model will be in}}
  %0 = model.neg %x {kernel.group = "a"} : !model.tensor<f32>
  return
}

// -----

func.func @f(%x: !model.tensor<f32>) {
  // expected-error @below {{there is no attribute 'kernel.groups' of ops}}
  %0 = model.neg %x {kernel.groups = 0} : !model.tensor<f32>
  return
}
