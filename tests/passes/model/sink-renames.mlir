// RUN: weft-opt %s --weft-sink-renames --split-input-file | FileCheck %s

// Query and key of one activation, which comes under two names: two products of one value. A bias stays beside its product.
// CHECK-LABEL: @projections
// CHECK-NOT: model.regroup
// CHECK: model.contract ["model"] %[[X:.*]], %{{.*}} : <f32, seq, model>, <f32, model, dh>
// CHECK: %[[K:.*]] = model.contract ["model"] %[[X]], %{{.*}} : <f32, seq, model>, <f32, model, dh>
// CHECK: %[[BIASED:.*]] = model.add %[[K]], %{{.*}} : <f32, seq, dh>, <f32, dh>
// CHECK: model.regroup %[[BIASED]] ["seq"] as ["key"] : <f32, seq, dh>
// CHECK-NOT: model.regroup
func.func @projections(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, dh>, %b: !model.tensor<f32, model, dh>,
                       %bias: !model.tensor<f32, dh>) -> (!model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %q = model.contract ["model"] %x, %a : <f32, seq, model>, <f32, model, dh>
  %k = model.contract ["model"] %other, %b : <f32, key, model>, <f32, model, dh>
  %1 = model.add %k, %bias : <f32, key, dh>, <f32, dh>
  return %q, %1 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
}

// -----

// Neither needs the activation's own name, whichever comes first, nor need there be one rename.
// CHECK-LABEL: @bothRenamed
// CHECK-NOT: model.regroup
// CHECK: model.contract ["model"] %[[W:.*]], %[[X:.*]] : <f32, model, dh>, <f32, seq, model>
// CHECK: model.contract ["model"] %[[X]], %{{.*}} : <f32, seq, model>, <f32, model, ff>
func.func @bothRenamed(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, dh>, %b: !model.tensor<f32, model, ff>)
    -> (!model.tensor<f32, dh, query>, !model.tensor<f32, key, ff>) {
  %query = model.regroup %x ["seq"] as ["query"] : <f32, seq, model>
  %between = model.regroup %query ["query"] as ["between"] : <f32, query, model>
  %key = model.regroup %between ["between"] as ["key"] : <f32, between, model>
  %q = model.contract ["model"] %a, %query : <f32, model, dh>, <f32, query, model>
  %k = model.contract ["model"] %key, %b : <f32, key, model>, <f32, model, ff>
  return %q, %k : !model.tensor<f32, dh, query>, !model.tensor<f32, key, ff>
}

// -----

// What is combined with a value that has the new name stays behind the rename.
// CHECK-LABEL: @positions
// CHECK: model.contract
// CHECK: %[[K:.*]] = model.contract ["model"] %{{.*}}, %{{.*}} : <f32, seq, model>, <f32, model, dh>
// CHECK: %[[KEY:.*]] = model.regroup %[[K]] ["seq"] as ["key"]
// CHECK: model.add %[[KEY]], %{{.*}} : <f32, key, dh>, <f32, key>
func.func @positions(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, dh>, %b: !model.tensor<f32, model, dh>,
                     %place: !model.tensor<f32, key>) -> (!model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %q = model.contract ["model"] %x, %a : <f32, seq, model>, <f32, model, dh>
  %k = model.contract ["model"] %other, %b : <f32, key, model>, <f32, model, dh>
  %1 = model.add %k, %place : <f32, key, dh>, <f32, key>
  return %q, %1 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
}

// -----

// Positions that are compared with each other are two dimensions, and need two names.
// CHECK-LABEL: @scores
// CHECK: %[[KEY:.*]] = model.regroup %{{.*}} ["seq"] as ["key"]
// CHECK: model.contract ["model"] %{{.*}}, %[[KEY]] : <f32, seq, model>, <f32, key, model>
// CHECK: model.mul %{{.*}}, %[[KEY]] : <f32, seq, model>, <f32, key, model>
// CHECK-NOT: model.regroup
func.func @scores(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, dh>)
    -> (!model.tensor<f32, seq, key>, !model.tensor<f32, seq, dh>, !model.tensor<f32, seq, model, key>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %1 = model.contract ["model"] %x, %other : <f32, seq, model>, <f32, key, model>
  %2 = model.contract ["model"] %x, %a : <f32, seq, model>, <f32, model, dh>
  %3 = model.mul %x, %other : <f32, seq, model>, <f32, key, model>
  return %1, %2, %3 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, dh>, !model.tensor<f32, seq, model, key>
}

// -----

// A sum over the new name is no sum over the old one of all that it is multiplied by.
// CHECK-LABEL: @summed
// CHECK: %[[KEY:.*]] = model.regroup %{{.*}} ["seq"] as ["key"]
// CHECK: model.contract ["key"] %[[KEY]], %{{.*}} : <f32, key, model>, <f32, key, dh>
func.func @summed(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, key, dh>, %b: !model.tensor<f32, key, ff>)
    -> (!model.tensor<f32, model, dh>, !model.tensor<f32, batch, ff>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %again = model.regroup %other ["model"] as ["batch"] : <f32, key, model>
  %1 = model.contract ["key"] %other, %a : <f32, key, model>, <f32, key, dh>
  %2 = model.contract ["key"] %again, %b : <f32, key, batch>, <f32, key, ff>
  return %1, %2 : !model.tensor<f32, model, dh>, !model.tensor<f32, batch, ff>
}

// -----

// Both factors have the new name: it was a batch's.
// CHECK-LABEL: @batch
// CHECK: model.contract ["model"] %[[X:.*]], %[[W:.*]] : <f32, seq, model>, <f32, seq, model, dh>
// CHECK: model.contract ["model"] %[[X]], %{{.*}} : <f32, seq, model>, <f32, model, ff>
// CHECK-NOT: model.regroup
func.func @batch(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, seq, model, dh>, %a: !model.tensor<f32, model, ff>)
    -> (!model.tensor<f32, key, dh>, !model.tensor<f32, seq, ff>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %weights = model.regroup %w ["seq"] as ["key"] : <f32, seq, model, dh>
  %1 = model.contract ["model"] %other, %weights : <f32, key, model>, <f32, key, model, dh>
  %2 = model.contract ["model"] %x, %a : <f32, seq, model>, <f32, model, ff>
  return %1, %2 : !model.tensor<f32, key, dh>, !model.tensor<f32, seq, ff>
}

// -----

// No other product reads it: it stays as written. A weight that two activations are multiplied by is no reason to move it either.
// CHECK-LABEL: @alone
// CHECK: %[[KEY:.*]] = model.regroup %{{.*}} ["seq"] as ["key"]
// CHECK: model.contract ["model"] %[[KEY]], %{{.*}} : <f32, key, model>, <f32, model, dh>
// CHECK: model.exp %[[KEY]]
// CHECK: %[[W:.*]] = model.param @w
// CHECK: %[[TIED:.*]] = model.regroup %[[W]] ["head"] as ["dh"]
// CHECK: model.contract ["seq"] %{{.*}}, %[[TIED]]
model.parameter @w : !model.tensor<f32, seq, head>
func.func @alone(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, dh>)
    -> (!model.tensor<f32, key, dh>, !model.tensor<f32, key, model>, !model.tensor<f32, model, head>, !model.tensor<f32, model, dh>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %1 = model.contract ["model"] %other, %a : <f32, key, model>, <f32, model, dh>
  %2 = model.exp %other : <f32, key, model>
  %w = model.param @w : <f32, seq, head>
  %tied = model.regroup %w ["head"] as ["dh"] : <f32, seq, head>
  %3 = model.contract ["seq"] %x, %w : <f32, seq, model>, <f32, seq, head>
  %square = model.mul %x, %x : <f32, seq, model>, <f32, seq, model>
  %4 = model.contract ["seq"] %square, %tied : <f32, seq, model>, <f32, seq, dh>
  return %1, %2, %3, %4 : !model.tensor<f32, key, dh>, !model.tensor<f32, key, model>, !model.tensor<f32, model, head>, !model.tensor<f32, model, dh>
}

// -----

// A norm under two names is one norm, and what follows from it too: here the renamed one comes first. Then the products
// share what it gave.
// CHECK-LABEL: @norms
// CHECK: %[[NORM:.*]] = model.normalize
// CHECK-NOT: model.normalize
// CHECK: %[[SCALED:.*]] = model.mul %[[NORM]], %{{.*}} : <f32, seq, model>, <f32, model>
// CHECK-NOT: model.mul
// CHECK-COUNT-2: model.contract ["model"] %[[SCALED]]
// CHECK-NOT: model.contract
func.func @norms(%x: !model.tensor<f32, seq, model>, %gain: !model.tensor<f32, model>, %a: !model.tensor<f32, model, dh>,
                 %b: !model.tensor<f32, model, dh>) -> (!model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>) {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %1 = model.normalize ["model"] %other eps 1.0e-05 centered true : <f32, key, model>
  %2 = model.mul %1, %gain : <f32, key, model>, <f32, model>
  %k = model.contract ["model"] %2, %b : <f32, key, model>, <f32, model, dh>
  %3 = model.normalize ["model"] %x eps 1.0e-05 centered true : <f32, seq, model>
  %4 = model.mul %3, %gain : <f32, seq, model>, <f32, model>
  %q = model.contract ["model"] %4, %a : <f32, seq, model>, <f32, model, dh>
  return %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
}

// -----

// Masks stay where attention can compute them itself.
// CHECK-LABEL: @mask
// CHECK: %[[KEY:.*]] = model.regroup %{{.*}} ["seq"] as ["key"]
// CHECK: model.compare ne %[[KEY]], %{{.*}} : <i32, key>, <i32>
func.func @mask(%ids: !model.tensor<i32, seq>, %pad: !model.tensor<i32>)
    -> (!model.tensor<i1, seq>, !model.tensor<i1, key>) {
  %other = model.regroup %ids ["seq"] as ["key"] : <i32, seq>
  %1 = model.compare ne %ids, %pad : <i32, seq>, <i32>
  %2 = model.compare ne %other, %pad : <i32, key>, <i32>
  return %1, %2 : !model.tensor<i1, seq>, !model.tensor<i1, key>
}

// -----

// In a loop, where the operand is renamed before the loop: the product still reads it under its first name.
// CHECK-LABEL: @loop
// CHECK: model.repeat "layer"
// CHECK: model.contract ["model"] %[[X:[a-z0-9]+]], %{{.*}} : <f32, seq, model>
// CHECK: %[[K:.*]] = model.contract ["model"] %[[X]], %{{.*}} : <f32, seq, model>
// CHECK: model.regroup %[[K]] ["seq"] as ["key"]
model.dim @layer = <2>
model.dim @seq
model.dim @key = <seq>
model.dim @model = <8>
model.dim @dh = <4>
func.func @loop(%x: !model.tensor<f32, seq, model>, %a: !model.tensor<f32, model, dh>, %b: !model.tensor<f32, model, dh>,
                %y: !model.tensor<f32, seq, dh>) -> !model.tensor<f32, seq, dh> {
  %other = model.regroup %x ["seq"] as ["key"] : <f32, seq, model>
  %0 = model.repeat "layer" carry(%c = %y : <f32, seq, dh>) -> !model.tensor<f32, seq, dh> {
    %q = model.contract ["model"] %x, %a : <f32, seq, model>, <f32, model, dh>
    %k = model.contract ["model"] %other, %b : <f32, key, model>, <f32, model, dh>
    %out, %lse = model.attention "key" ["dh"] %q, %k, %k scale 1.0 : <f32, seq, dh>, <f32, key, dh>, <f32, key, dh>
    model.yield %out : !model.tensor<f32, seq, dh>
  }
  return %0 : !model.tensor<f32, seq, dh>
}
