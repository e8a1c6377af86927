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
