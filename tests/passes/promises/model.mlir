// Modules that are not what the `model` stage promises, one for each promise; and one that is.
// RUN: weft-opt %s --weft-verify-stage=stage=model -verify-diagnostics -split-input-file

model.dim @batch
model.dim @seq
model.dim @row = <seq>
func.func @good(%x: !model.tensor<f32, seq>) -> !model.tensor<f32, seq> {
  %n = model.extent <seq>
  %0 = model.neg %x : !model.tensor<f32, seq>
  return %0 : !model.tensor<f32, seq>
}

// -----

// expected-error@+2 {{internal error behind stage `model`: `func.func` has not one block}}
// expected-note@+1 {{the stage promises `flat`: an entry is one function of one block}}
func.func private @elsewhere(!model.tensor<f32>) -> !model.tensor<f32>

// -----

func.func @f(%x: !model.tensor<f32>) -> !model.tensor<f32> {
  return %x : !model.tensor<f32>
}
func.func @calls(%x: !model.tensor<f32>) -> !model.tensor<f32> {
  // expected-error@+2 {{`func.call` is no operation of the model}}
  // expected-note@+1 {{`flat`}}
  %0 = func.call @f(%x) : (!model.tensor<f32>) -> !model.tensor<f32>
  return %0 : !model.tensor<f32>
}

// -----

model.dim @seq
model.dim @row = <seq + 1>
func.func @derived() -> !model.tensor<i32> {
  // expected-error@+2 {{`model.extent` speaks of `row`, which is `seq + 1`}}
  // expected-note@+1 {{the stage promises `sizes`}}
  %0 = model.extent <row>
  return %0 : !model.tensor<i32>
}

// -----

// expected-error@+2 {{`model.training` has no gradient for `train`}}
// expected-note@+1 {{the stage promises `gradients`}}
model.training "train" entry "loss" loss @train.loss gradient @train.gradient update @train.update metrics []

// -----

module {
  model.training "train" entry "loss" loss @train.loss gradient @train.gradient update @train.update metrics []
  model.dim @model = <4>
  model.parameter @w : !model.tensor<f32, model>
  // expected-error@+2 {{gives a gradient of `w` that is not of its type}}
  // expected-note@+1 {{`gradients`}}
  func.func @train.gradient(%x: !model.tensor<f32>) -> (!model.tensor<f32> {model.gradient_of = "w"}) {
    return %x : !model.tensor<f32>
  }
}

// -----

model.dim @seq
// expected-error@+2 {{has no `advance` for `generate`}}
// expected-note@+1 {{the stage promises `caches`}}
model.decoding "generate" entry "logits" argument "tokens" dim "seq"

// -----

module {
  model.dim @seq
  model.dim @known or_empty
  model.dim @new
  model.dim @capacity
  model.decoding "generate" entry "logits" argument "tokens" dim "seq" advance @generate.advance known "known" fresh "new" capacity "capacity"
  // expected-error@+2 {{gives back another cache than came in: `cache.k`}}
  // expected-note@+1 {{`caches`}}
  func.func @generate.advance(%k: !model.tensor<f32, capacity> {model.cache = "cache.k"}) -> (!model.tensor<f32> {model.cache = "cache.k"}) {
    %0 = model.sum ["capacity"] %k : !model.tensor<f32, capacity>
    return %0 : !model.tensor<f32>
  }
}

// -----

// expected-error@+2 {{internal error behind stage `model`: `builtin.module` does not say that `@require(attention)` of `f` is met}}
// expected-note@+1 {{the stage promises `demands`: every fusion that is required was made, and none that is forbidden}}
module attributes {model.demands = [{asks = "require", at = "a.weft:1:1", function = "f", fusion = "attention"}]} {
  func.func @f(%x: !model.tensor<f32>) -> !model.tensor<f32> {
    return %x : !model.tensor<f32>
  }
}
