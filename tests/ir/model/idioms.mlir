// Idioms and their gradients: text, and the types of their results.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t
// RUN: weft-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=TYPE

// CHECK-LABEL: func.func @contraction
func.func @contraction(%x: !model.tensor<f32, batch, seq, model>, %w: !model.tensor<f32, model, head, dh>) {
  // CHECK: model.contract ["model"] %{{.*}}, %{{.*}} : <f32, batch, seq, model>, <f32, model, head, dh>
  // TYPE: "model.contract"({{.*}}) {{.*}} -> !model.tensor<f32, batch, seq, head, dh>
  %0 = model.contract ["model"] %x, %w : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model, head, dh>
  // CHECK: model.contract [] %{{.*}}, %{{.*}}
  // TYPE: "model.contract"({{.*}}) {{.*}} -> !model.tensor<f32, batch, seq, model, head, dh>
  %1 = model.contract [] %x, %w : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model, head, dh>
  return
}

// CHECK-LABEL: func.func @rows
func.func @rows(%x: !model.tensor<f32, a, b>, %g: !model.tensor<f32, b, a>, %keep: !model.tensor<i1, b>) {
  // CHECK: model.softmax "b" %{{[^ ]*}} : <f32, a, b>
  // TYPE: "model.softmax"({{.*}}) {{.*}} -> !model.tensor<f32, a, b>
  %0 = model.softmax "b" %x : !model.tensor<f32, a, b>
  // CHECK: model.softmax "b" %{{.*}} mask %{{.*}} : <f32, a, b>, !model.tensor<i1, b>
  %1 = model.softmax "b" %x mask %keep : !model.tensor<f32, a, b>, !model.tensor<i1, b>
  // CHECK: model.softmax_grad "b" %{{.*}}, %{{.*}} : <f32, a, b>, <f32, b, a>
  // TYPE: "model.softmax_grad"({{.*}}) {{.*}} -> !model.tensor<f32, a, b>
  %2 = model.softmax_grad "b" %0, %g : !model.tensor<f32, a, b>, !model.tensor<f32, b, a>
  // CHECK: model.logsumexp "b" %{{.*}} : <f32, a, b>
  // TYPE: "model.logsumexp"({{.*}}) {{.*}} -> !model.tensor<f32, a>
  %3 = model.logsumexp "b" %x : !model.tensor<f32, a, b>
  // CHECK: model.normalize ["b"] %{{.*}} eps 1.000000e-05 centered true : <f32, a, b>
  // TYPE: "model.normalize"({{.*}}) {{.*}} -> !model.tensor<f32, a, b>
  %4 = model.normalize ["b"] %x eps 1.0e-05 centered true : !model.tensor<f32, a, b>
  // CHECK: model.normalize_grad ["b"] %{{.*}}, %{{.*}} eps 5.000000e-01 centered false : <f32, a, b>, <f32, b, a>
  // TYPE: "model.normalize_grad"({{.*}}) {{.*}} -> !model.tensor<f32, a, b>
  %5 = model.normalize_grad ["b"] %x, %g eps 0.5 centered false : !model.tensor<f32, a, b>, !model.tensor<f32, b, a>
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: !model.tensor<f32, seq, head, dh>, %k: !model.tensor<f32, key, head, dh>,
                     %v: !model.tensor<f32, key, head, dh>, %mask: !model.tensor<i1, key, seq>) {
  // CHECK: model.attention "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} scale 1.250000e-01 : <f32, seq, head, dh>, <f32, key, head, dh>, <f32, key, head, dh>
  // TYPE: "model.attention"({{.*}}) {{.*}} -> (!model.tensor<f32, seq, head, dh>, !model.tensor<f32, seq, head>)
  %out, %lse = model.attention "key" ["dh"] %q, %k, %v scale 0.125
    : !model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, dh>
  // CHECK: model.attention "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} scale 1.250000e-01 : {{.*}}, !model.tensor<i1, key, seq>
  %out2, %lse2 = model.attention "key" ["dh"] %q, %k, %v mask %mask scale 0.125
    : !model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<i1, key, seq>
  // CHECK: model.attention_grad "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} of %{{.*}}, %{{.*}} by %{{.*}} scale 1.250000e-01
  // TYPE: "model.attention_grad"({{.*}}) {{.*}} -> (!model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, dh>)
  %dq, %dk, %dv = model.attention_grad "key" ["dh"] %q, %k, %v of %out, %lse by %out scale 0.125
    : !model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, dh>,
      !model.tensor<f32, seq, head, dh>, !model.tensor<f32, seq, head>, !model.tensor<f32, seq, head, dh>
  // CHECK: model.attention_grad "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} of %{{.*}}, %{{.*}} by %{{.*}} scale 1.250000e-01
  %dq2, %dk2, %dv2 = model.attention_grad "key" ["dh"] %q, %k, %v mask %mask of %out, %lse by %out scale 0.125
    : !model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, dh>,
      !model.tensor<f32, seq, head, dh>, !model.tensor<f32, seq, head>, !model.tensor<f32, seq, head, dh>, !model.tensor<i1, key, seq>
  return
}

// CHECK-LABEL: func.func @scores
func.func @scores(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>,
                  %m: !model.tensor<i1, key>, %b: !model.tensor<f32, seq, key>, %d: !model.tensor<i1, key, seq>) {
  // CHECK: model.attention "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} bias(%{{.*}} : !model.tensor<f32, seq, key>) keep(%{{.*}} : !model.tensor<i1, key, seq> by 1.250000e+00) scale 1.000000e+00 cap 5.000000e+01 {capped_bias} : {{.*}}, !model.tensor<i1, key>
  // TYPE: "model.attention"({{.*}}) {{.*}} -> (!model.tensor<f32, seq, dv>, !model.tensor<f32, seq>)
  %o, %l = model.attention "key" ["dh"] %q, %k, %v mask %m bias(%b : !model.tensor<f32, seq, key>) keep(%d : !model.tensor<i1, key, seq> by 1.25) scale 1.0 cap 50.0 {capped_bias}
    : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<i1, key>
  // CHECK: model.attention_grad "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} bias(%{{.*}} : !model.tensor<f32, seq, key>) of %{{.*}}, %{{.*}} by %{{.*}} scale 1.000000e+00 :
  // TYPE: "model.attention_grad"({{.*}}) {{.*}} -> (!model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<f32, seq, key>)
  %dq, %dk, %dvalue, %db = model.attention_grad "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<f32, seq, key>) of %o, %l by %o scale 1.0
    : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<f32, seq, dv>, !model.tensor<f32, seq>, !model.tensor<f32, seq, dv>
  return
}
