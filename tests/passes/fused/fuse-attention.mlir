// RUN: weft-opt %s --weft-fuse-attention --weft-form-kernels | FileCheck %s

// The causal mask is computed inside; the mask that is data is an operand.
// CHECK-LABEL: @causal
// CHECK: kernel.fused attention
// CHECK: model.compare le
// CHECK: model.and
// CHECK: model.attention
func.func @causal(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, width>,
                  %keep: !model.tensor<i1, key>) -> !model.tensor<f32, seq, width> {
  %0 = model.index "key"
  %1 = model.index "seq"
  %2 = model.compare le %0, %1 : !model.tensor<index<key>, key>, !model.tensor<index<seq>, seq>
  %3 = model.and %2, %keep : !model.tensor<i1, key, seq>, !model.tensor<i1, key>
  %o, %lse = model.attention "key" ["dh"] %q, %k, %v mask %3 scale 0.125 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, width>, !model.tensor<i1, key, seq>
  return %o : !model.tensor<f32, seq, width>
}

// So is a mask of lengths that was widened: what lies in memory are the lengths.
// CHECK-LABEL: @lengths
// CHECK-NOT: kernel.fused rows
// CHECK: kernel.fused attention {{.*}} !model.tensor<i32, batch>
// CHECK: model.compare lt
// CHECK: model.broadcast
// CHECK: model.attention
func.func @lengths(%q: !model.tensor<f32, batch, seq, dh>, %k: !model.tensor<f32, batch, key, dh>, %v: !model.tensor<f32, batch, key, width>,
                   %length: !model.tensor<i32, batch>) -> !model.tensor<f32, batch, seq, width> {
  %0 = model.index "key"
  %1 = model.compare lt %0, %length : !model.tensor<index<key>, key>, !model.tensor<i32, batch>
  %2 = model.broadcast %1 along ["seq"] : !model.tensor<i1, key, batch>
  %o, %lse = model.attention "key" ["dh"] %q, %k, %v mask %2 scale 0.125 : !model.tensor<f32, batch, seq, dh>, !model.tensor<f32, batch, key, dh>, !model.tensor<f32, batch, key, width>, !model.tensor<i1, key, batch, seq>
  return %o : !model.tensor<f32, batch, seq, width>
}

// One that keeps everything is none.
// CHECK-LABEL: @everything
// CHECK-NOT: kernel.fused table
// CHECK: kernel.fused attention
// CHECK-NOT: model.broadcast
// CHECK: model.attention
// CHECK-NOT: mask
// CHECK: return
func.func @everything(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, width>) -> !model.tensor<f32, seq, width> {
  %0 = model.constant true
  %1 = model.broadcast %0 along ["seq", "key"] : !model.tensor<i1>
  %o, %lse = model.attention "key" ["dh"] %q, %k, %v mask %1 scale 0.125 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, width>, !model.tensor<i1, seq, key>
  return %o : !model.tensor<f32, seq, width>
}

// One that keeps nothing is a number, and no kernel of its own.
// CHECK-LABEL: @nothing
// CHECK: kernel.fused attention
// CHECK: model.constant false
// CHECK: model.broadcast
// CHECK: model.attention {{.*}} mask
// CHECK-NOT: kernel.fused
// CHECK: return
func.func @nothing(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, width>) -> !model.tensor<f32, seq, width> {
  %0 = model.constant false
  %1 = model.broadcast %0 along ["seq", "key"] : !model.tensor<i1>
  %o, %lse = model.attention "key" ["dh"] %q, %k, %v mask %1 scale 0.125 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, width>, !model.tensor<i1, seq, key>
  return %o : !model.tensor<f32, seq, width>
}

// A bias of positions is computed inside (ALiBi): what is left outside is a number for each head.
// CHECK-LABEL: @alibi
// CHECK: kernel.fused rows
// CHECK: model.exp
// CHECK: kernel.yield %{{.*}} : !model.tensor<f32, head>
// CHECK: kernel.fused attention {{.*}} !model.tensor<f32, head>
// CHECK: model.sub
// CHECK: model.to_float
// CHECK: %[[BIAS:.*]] = model.mul
// CHECK: model.attention {{.*}} bias(%[[BIAS]] :
func.func @alibi(%q: !model.tensor<f32, seq, head, dh>, %k: !model.tensor<f32, key, head, dh>, %v: !model.tensor<f32, key, head, width>,
                 %s: !model.tensor<f32, head>) -> !model.tensor<f32, seq, head, width> {
  %0 = model.index "key"
  %1 = model.index "seq"
  %2 = model.sub %0, %1 : !model.tensor<index<key>, key>, !model.tensor<index<seq>, seq>
  %3 = model.to_float %2 : !model.tensor<i32, key, seq>
  %slope = model.exp %s : !model.tensor<f32, head>
  %bias = model.mul %slope, %3 : !model.tensor<f32, head>, !model.tensor<f32, key, seq>
  %o, %lse = model.attention "key" ["dh"] %q, %k, %v bias(%bias : !model.tensor<f32, head, key, seq>) scale 0.125 : !model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, width>
  return %o : !model.tensor<f32, seq, head, width>
}

// What is dropped is drawn inside.
// CHECK-LABEL: @dropped
// CHECK-NOT: kernel.fused rows
// CHECK: kernel.fused attention
// CHECK: model.random "drop"
// CHECK: %[[KEEP:.*]] = model.compare
// CHECK: model.attention {{.*}} keep(%[[KEEP]] :
func.func @dropped(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, width>) -> !model.tensor<f32, seq, width> {
  %rate = model.constant 0.2 : f64
  %0 = model.random "drop" : !model.tensor<f32, seq, key>
  %1 = model.compare ge %0, %rate : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %o, %lse = model.attention "key" ["dh"] %q, %k, %v keep(%1 : !model.tensor<i1, seq, key> by 1.25) scale 0.125 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, width>
  return %o : !model.tensor<f32, seq, width>
}

// Drawn once for all passes of a loop: inside of it these would be other numbers.
// CHECK-LABEL: @drawn_once
// CHECK: kernel.fused rows
// CHECK: model.random "drop"
// CHECK: model.repeat
// CHECK: kernel.fused attention
// CHECK-NOT: model.random
// CHECK: model.attention
func.func @drawn_once(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dh>) -> !model.tensor<f32, seq, dh> {
  %rate = model.constant 0.2 : f64
  %0 = model.random "drop" : !model.tensor<f32, seq, key>
  %y = model.repeat "layer" carry(%c = %q : <f32, seq, dh>) -> !model.tensor<f32, seq, dh> {
    %1 = model.compare ge %0, %rate : !model.tensor<f32, seq, key>, !model.tensor<f32>
    %o, %lse = model.attention "key" ["dh"] %c, %k, %v keep(%1 : !model.tensor<i1, seq, key> by 1.25) scale 0.125 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dh>
    model.yield %o : !model.tensor<f32, seq, dh>
  }
  return %y : !model.tensor<f32, seq, dh>
}
