// RUN: weft-opt %s --weft-form-attention --remark-format=emitRemark --remarks-filter=weft-form-attention 2>%t | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=REMARK

// CHECK-LABEL: @masked
// CHECK: model.attention "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} scale 5.000000e-01
// CHECK-NOT: model.softmax
// CHECK: return
func.func @masked(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>,
                  %m: !model.tensor<i1, key, seq>) -> !model.tensor<f32, seq, dv> {
  %scale = model.constant 0.5 : f64
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.mul %0, %scale : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.softmax "key" %1 mask %m : !model.tensor<f32, seq, key>, !model.tensor<i1, key, seq>
  %3 = model.contract ["key"] %2, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %3 : !model.tensor<f32, seq, dv>
}

// The weights are a result too: they have to be stored, so nothing is gained.
// CHECK-LABEL: @shown
// REMARK: Function=shown{{.*}}attention is not fused: its weights are also used elsewhere
// CHECK-NOT: model.attention
// CHECK: return
func.func @shown(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>)
    -> (!model.tensor<f32, seq, dv>, !model.tensor<f32, seq, key>) {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %2 = model.contract ["key"] %1, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %2, %1 : !model.tensor<f32, seq, dv>, !model.tensor<f32, seq, key>
}

// The factor's `dh` is another one than that which q and k are contracted over.
// CHECK-LABEL: @scaled_along_a_contracted_name
// REMARK: Function=scaled_along_a_contracted_name{{.*}}attention is not fused: its scores are scaled along `dh`, which q and k are contracted over
// CHECK-NOT: model.attention
// CHECK: return
func.func @scaled_along_a_contracted_name(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, model>, %f: !model.tensor<f32, dh>) -> !model.tensor<f32, seq, dh, model> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.mul %0, %f : !model.tensor<f32, seq, key>, !model.tensor<f32, dh>
  %2 = model.softmax "key" %1 : !model.tensor<f32, seq, key, dh>
  %3 = model.contract ["key"] %2, %v : !model.tensor<f32, seq, key, dh>, !model.tensor<f32, key, model>
  return %3 : !model.tensor<f32, seq, dh, model>
}

// CHECK-LABEL: @capped
// REMARK: Function=capped{{.*}}attention is not fused: `tanh` stands between the scores and their softmax
// CHECK-NOT: model.attention
// CHECK: return
func.func @capped(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.tanh %0 : !model.tensor<f32, seq, key>
  %2 = model.softmax "key" %1 : !model.tensor<f32, seq, key>
  %3 = model.contract ["key"] %2, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %3 : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @scores_shown
// REMARK: Function=scores_shown{{.*}}attention is not fused: its scores are also used elsewhere
func.func @scores_shown(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>)
    -> (!model.tensor<f32, seq, dv>, !model.tensor<f32, seq, key>) {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %2 = model.contract ["key"] %1, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %2, %0 : !model.tensor<f32, seq, dv>, !model.tensor<f32, seq, key>
}

// CHECK-LABEL: @both_sides
// REMARK: Function=both_sides{{.*}}attention is not fused: both sides of the scores depend on `key`
func.func @both_sides(%q: !model.tensor<f32, key, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, key, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.softmax "key" %0 : !model.tensor<f32, key, seq>
  %2 = model.contract ["key"] %1, %v : !model.tensor<f32, key, seq>, !model.tensor<f32, key, dv>
  return %2 : !model.tensor<f32, seq, dv>
}
