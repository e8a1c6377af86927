// RUN: weft-opt %s --weft-stage-fused --weft-stage-kernel --weft-stage-plan | FileCheck %s

model.dim @batch
model.dim @model = #model.size<8>
model.dim @ff = #model.size<24>
model.dim @layer = #model.size<3>
model.parameter @up : !model.tensor<f32, layer, model, ff> loops 1
model.parameter @down : !model.tensor<f32, layer, ff, model> loops 1

// A kernel is called as the layer is, with a number if the module has a symbol of that name.
// Weights are packed by `prepare`, a slice a pass; the residual is added where the carried value already lies, so
// nothing is copied. What is made over it last is an output, so it lies there all the time, and the arena has a slot for what is
// between. Every value has a buffer of its own.
// CHECK: plan.entry @loop
// CHECK-SAME: packed = [#model.size<3072>, #model.size<4608>]
// CHECK-SAME: slots = {{\[\[}}#model.size<batch * 96>]]
// CHECK: prepare
// CHECK: plan.loop "layer"
// CHECK: plan.launch @up.pack
// CHECK: plan.launch @down.pack
// CHECK: body
// CHECK: %[[FIRST:.*]] = plan.output 0
// CHECK: plan.launch @neg{{.*}}, %[[FIRST]])
// CHECK: plan.loop "layer"
// CHECK: %[[BEFORE:.*]] = plan.output 0
// CHECK: plan.offset %{{.*}} by <1024> times
// CHECK: plan.launch @up.2
// CHECK: plan.offset %{{.*}} by <1536> times
// CHECK: %[[AFTER:.*]] = plan.output 0
// CHECK: plan.launch @down.2({{.*}}, %[[BEFORE]], %[[AFTER]])
// CHECK-NEXT: plan.leave %[[AFTER]]
// CHECK-NOT: plan.copy
// CHECK: %[[LAST:.*]] = plan.output 0
// CHECK: %[[OUT:.*]] = plan.output 0
// CHECK: plan.launch @neg{{.*}}(%[[LAST]], %[[OUT]])
// CHECK-NEXT: plan.leave %[[OUT]]
func.func @loop(%x: !model.tensor<f32, batch, model>) -> !model.tensor<f32, batch, model> {
  %0 = model.neg %x : !model.tensor<f32, batch, model>
  %1 = model.repeat "layer" carry(%c = %0 : !model.tensor<f32, batch, model>) -> !model.tensor<f32, batch, model> {
    %u = model.param @up : !model.tensor<f32, model, ff>
    %d = model.param @down : !model.tensor<f32, ff, model>
    %h = model.contract ["model"] %c, %u : !model.tensor<f32, batch, model>, !model.tensor<f32, model, ff>
    %o = model.contract ["ff"] %h, %d : !model.tensor<f32, batch, ff>, !model.tensor<f32, ff, model>
    %y = model.add %c, %o : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
    model.yield %y : !model.tensor<f32, batch, model>
  }
  %2 = model.neg %1 : !model.tensor<f32, batch, model>
  return %2 : !model.tensor<f32, batch, model>
}

// What comes into a pass is copied out after the pass has computed the next value: so that is not written in place of the
// first, also where both are results.
// CHECK: plan.entry @kept
// CHECK: plan.loop "layer"
// CHECK: %[[IN:.*]] = plan.output 0
// CHECK: plan.launch @neg{{.*}}(%[[IN]], %[[OUT:.*]])
// CHECK: plan.launch @copy{{.*}}(%[[IN]],
// CHECK: plan.copy %[[OUT]] to
func.func @kept(%x: !model.tensor<f32, batch, model>)
    -> (!model.tensor<f32, batch, model>, !model.tensor<f32, layer, batch, model>) {
  %1:2 = model.repeat "layer" carry(%c = %x : !model.tensor<f32, batch, model>)
      -> (!model.tensor<f32, batch, model>, !model.tensor<f32, layer, batch, model>) {
    %y = model.neg %c : !model.tensor<f32, batch, model>
    model.yield %y, %c : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
  }
  return %1#0, %1#1 : !model.tensor<f32, batch, model>, !model.tensor<f32, layer, batch, model>
}

// A row is read before it is stored, so the softmax lies over the product. Panels of the two sides are not needed at one time:
// both begin behind it.
// CHECK: plan.entry @over
// CHECK-SAME: behind = [array<i64>, array<i64: 0>, array<i64: 0>]
// CHECK-SAME: slots = {{\[\[}}#model.size<batch * 96>], [#model.size<1024>], [#model.size<1536>]]
// CHECK: %[[PRODUCT:.*]] = plan.slot 0
// CHECK: plan.launch @up.2{{.*}}, %[[PRODUCT]])
// CHECK-NEXT: %[[OVER:.*]] = plan.reuse %[[PRODUCT]]
// CHECK-NEXT: plan.launch @softmax(%[[PRODUCT]], %[[OVER]])
// CHECK: plan.launch @contract{{.*}}(%[[OVER]],
func.func @over(%x: !model.tensor<f32, batch, model>, %u: !model.tensor<f32, model, ff>, %d: !model.tensor<f32, ff, model>)
    -> !model.tensor<f32, batch, model> {
  %h = model.contract ["model"] %x, %u : !model.tensor<f32, batch, model>, !model.tensor<f32, model, ff>
  %s = model.softmax "ff" %h : !model.tensor<f32, batch, ff>
  %o = model.contract ["ff"] %s, %d : !model.tensor<f32, batch, ff>, !model.tensor<f32, ff, model>
  return %o : !model.tensor<f32, batch, model>
}

// Only what nothing else reads is made in an output, and only where the kernel writes at the place that it reads.
// CHECK: plan.entry @apart
// CHECK-SAME: slots = {{\[\[}}#model.size<batch * 32>], [#model.size<batch * 32>]]
func.func @apart(%x: !model.tensor<f32, batch, model>) -> (!model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>) {
  %0 = model.cumsum "model" %x : !model.tensor<f32, batch, model>
  %1 = model.cumsum "model" %0 : !model.tensor<f32, batch, model>
  %2 = model.sin %1 : !model.tensor<f32, batch, model>
  %3 = model.cumsum "model" %1 : !model.tensor<f32, batch, model>
  return %2, %3 : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
}

// What is assigned is known before the parameter is read: it waits until the value from before the run has been.
// CHECK: plan.entry @assigned
// CHECK: plan.launch @tanh({{.*}}, %[[NEXT:[a-z0-9]+]])
// CHECK: %[[BEFORE:.*]] = plan.parameter @average
// CHECK: plan.launch @add({{.*}}%[[BEFORE]]
// CHECK: plan.copy %[[NEXT]] to
model.parameter @average : !model.tensor<f32, model> kind state
func.func @assigned(%x: !model.tensor<f32, model>) -> !model.tensor<f32, model> {
  %0 = model.tanh %x : !model.tensor<f32, model>
  %1 = model.cumsum "model" %0 : !model.tensor<f32, model>
  %2 = model.param @average : !model.tensor<f32, model>
  %3 = model.add %1, %2 : !model.tensor<f32, model>, !model.tensor<f32, model>
  model.assign @average, %0 : !model.tensor<f32, model>
  return %3 : !model.tensor<f32, model>
}

// Random numbers inside a loop count its passes; what is drawn joins the kernel that uses it.
// CHECK: plan.entry @noise
// CHECK: plan.loop "layer"
// CHECK: ^bb0(%[[PASS:.*]]: index)
// CHECK: %[[KEY:.*]] = plan.random_key %[[PASS]] by [{{-?[0-9]+}}]
// CHECK: plan.launch @mul({{.*}}, %[[KEY]])
// CHECK: plan.kernel @mul
// CHECK: model.random
func.func @noise(%x: !model.tensor<f32, batch, model>) -> !model.tensor<f32, batch, model> {
  %1 = model.repeat "layer" carry(%c = %x : !model.tensor<f32, batch, model>) -> !model.tensor<f32, batch, model> {
    %r = model.random "layer.drop" : !model.tensor<f32, batch, model>
    %y = model.mul %c, %r : !model.tensor<f32, batch, model>, !model.tensor<f32, batch, model>
    model.yield %y : !model.tensor<f32, batch, model>
  }
  return %1 : !model.tensor<f32, batch, model>
}
