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

// What is added, in the units that scores have where it is added.
// CHECK-LABEL: @biased
// CHECK: model.attention "key" ["dh"] %{{.*}}, %{{.*}}, %{{.*}} bias(%arg3 : !model.tensor<f32, key, seq>) scale 2.000000e+00 :
// CHECK-NOT: model.softmax
func.func @biased(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, key, seq>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %two = model.constant 2.0 : f64
  %1 = model.mul %0, %two : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.add %1, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, key, seq>
  %w = model.softmax "key" %2 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @bias_is_scaled_too
// CHECK: %[[FACTOR:.*]] = model.constant -2.000000e+00
// CHECK: %[[BIAS:.*]] = model.mul %arg3, %[[FACTOR]]
// CHECK: model.attention {{.*}} bias(%[[BIAS]] : !model.tensor<f32, key>) scale 2.000000e+00 :
func.func @bias_is_scaled_too(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, key>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %two = model.constant 2.0 : f64
  %1 = model.sub %0, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, key>
  %2 = model.mul %1, %two : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.softmax "key" %2 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @taken_from_a_bias
// CHECK: model.attention {{.*}} bias(%arg3 : !model.tensor<f32, key, seq>) scale -1.000000e+00 :
func.func @taken_from_a_bias(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, key, seq>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.sub %b, %0 : !model.tensor<f32, key, seq>, !model.tensor<f32, seq, key>
  %2 = model.arrange %1 : !model.tensor<f32, key, seq> -> !model.tensor<f32, seq, key>
  %w = model.softmax "key" %2 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @capped
// CHECK: model.attention {{.*}} scale 1.000000e+00 cap 4.000000e+00 :
func.func @capped(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %c = model.constant 4.0 : f64
  %1 = model.div %0, %c : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.tanh %1 : !model.tensor<f32, seq, key>
  %3 = model.mul %2, %c : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.softmax "key" %3 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @bias_behind_cap
// CHECK: model.attention {{.*}} bias(%arg3 : !model.tensor<f32, seq, key>) scale 1.000000e+00 cap 4.000000e+00 :
func.func @bias_behind_cap(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %c = model.constant 4.0 : f64
  %1 = model.div %0, %c : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.tanh %1 : !model.tensor<f32, seq, key>
  %3 = model.mul %2, %c : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %4 = model.add %3, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  %w = model.softmax "key" %4 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @bias_before_cap
// CHECK: model.attention {{.*}} bias(%{{.*}} : !model.tensor<f32, seq, key>) scale 1.000000e+00 cap 4.000000e+00 {capped_bias} :
func.func @bias_before_cap(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %c = model.constant 4.0 : f64
  %s = model.add %0, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  %1 = model.div %s, %c : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.tanh %1 : !model.tensor<f32, seq, key>
  %3 = model.mul %2, %c : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.softmax "key" %3 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @biases_on_both_sides
// REMARK: Function=biases_on_both_sides{{.*}}attention is not fused: a bias is added before its cap and behind it
// CHECK-NOT: model.attention
// CHECK: return
func.func @biases_on_both_sides(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, seq, key>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %c = model.constant 4.0 : f64
  %s = model.add %0, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  %2 = model.tanh %s : !model.tensor<f32, seq, key>
  %3 = model.add %2, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  %w = model.softmax "key" %3 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @capped_twice
// REMARK: Function=capped_twice{{.*}}attention is not fused: its scores are capped twice
// CHECK-NOT: model.attention
// CHECK: return
func.func @capped_twice(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %2 = model.tanh %0 : !model.tensor<f32, seq, key>
  %3 = model.tanh %2 : !model.tensor<f32, seq, key>
  %w = model.softmax "key" %3 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @capped_by_values
// REMARK: Function=capped_by_values{{.*}}attention is not fused: its scores are capped by values; a number
// CHECK-NOT: model.attention
// CHECK: return
func.func @capped_by_values(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, seq>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %2 = model.tanh %0 : !model.tensor<f32, seq, key>
  %3 = model.mul %2, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  %w = model.softmax "key" %3 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @exponential
// REMARK: Function=exponential{{.*}}attention is not fused: `exp` stands between the scores and their softmax
// CHECK-NOT: model.attention
// CHECK: return
func.func @exponential(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %2 = model.exp %0 : !model.tensor<f32, seq, key>
  %w = model.softmax "key" %2 : !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @dropped
// CHECK: %[[DROPS:.*]] = model.compare lt
// CHECK: %[[KEEP:.*]] = model.not %[[DROPS]]
// CHECK: model.attention {{.*}} keep(%[[KEEP]] : !model.tensor<i1, seq, key> by 1.250000e+00) scale 1.000000e+00 :
func.func @dropped(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %r = model.random "drop" : !model.tensor<f32, seq, key>
  %rate = model.constant 0.2 : f64
  %left = model.constant 0.8 : f64
  %zero = model.constant 0.0 : f64
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %x = model.div %p, %left : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %d = model.compare lt %r, %rate : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.where %d, %zero, %x : !model.tensor<i1, seq, key>, !model.tensor<f32>, !model.tensor<f32, seq, key>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @kept
// CHECK: %[[KEEP:.*]] = model.compare ge
// CHECK: model.attention {{.*}} keep(%[[KEEP]] : !model.tensor<i1, seq, key> by 1.250000e+00) scale 1.000000e+00 :
func.func @kept(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %r = model.random "drop" : !model.tensor<f32, seq, key>
  %rate = model.constant 0.2 : f64
  %left = model.constant 0.8 : f64
  %zero = model.constant 0.0 : f64
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %x = model.div %p, %left : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %d = model.compare ge %r, %rate : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.where %d, %x, %zero : !model.tensor<i1, seq, key>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @replaced
// REMARK: Function=replaced{{.*}}attention is not fused: `where` stands between its weights and their values; weights may be dropped
// CHECK-NOT: model.attention
// CHECK: return
func.func @replaced(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %r = model.random "drop" : !model.tensor<f32, seq, key>
  %rate = model.constant 0.2 : f64
  %left = model.constant 0.8 : f64
  %zero = model.constant 0.0 : f64
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %x = model.div %p, %left : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %d = model.compare ge %r, %rate : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.where %d, %x, %rate : !model.tensor<i1, seq, key>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @weighted
// REMARK: Function=weighted{{.*}}attention is not fused: `mul` stands between its weights and their values
// CHECK-NOT: model.attention
// CHECK: return
func.func @weighted(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, seq>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %w = model.mul %p, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, seq>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
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

// CHECK-LABEL: @bias_of_heads
// REMARK: Function=bias_of_heads{{.*}}attention is not fused: its bias has `head`, which queries and keys lack
// CHECK-NOT: model.attention
// CHECK: return
func.func @bias_of_heads(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, head, key>) -> !model.tensor<f32, seq, head, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.add %0, %b : !model.tensor<f32, seq, key>, !model.tensor<f32, head, key>
  %2 = model.softmax "key" %1 : !model.tensor<f32, seq, key, head>
  %3 = model.contract ["key"] %2, %v : !model.tensor<f32, seq, key, head>, !model.tensor<f32, key, dv>
  return %3 : !model.tensor<f32, seq, head, dv>
}

// Of two products one is what belongs to each pair of a query and a key (Shaw et al., arXiv:1803.02155): a bias.
// CHECK-LABEL: @relative
// CHECK: %[[BIAS:.*]] = model.contract ["dh"] %arg0, %arg3
// CHECK: model.attention "key" ["dh"] %arg0, %arg1, %arg2 bias(%[[BIAS]] : !model.tensor<f32, seq, key>) scale 1.000000e+00
func.func @relative(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %r: !model.tensor<f32, seq, key, dh>) -> !model.tensor<f32, seq, dv> {
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.contract ["dh"] %q, %r : !model.tensor<f32, seq, dh>, !model.tensor<f32, seq, key, dh>
  %2 = model.add %1, %0 : !model.tensor<f32, seq, key>, !model.tensor<f32, seq, key>
  %3 = model.softmax "key" %2 : !model.tensor<f32, seq, key>
  %4 = model.contract ["key"] %3, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %4 : !model.tensor<f32, seq, dv>
}

// What replaces scores hands no gradient on to them, what is added does: where a row keeps nothing, its weights are NaN, and so would the
// gradients of all keys be.
// CHECK-LABEL: @hidden
// REMARK: Function=hidden{{.*}}attention is not fused: `where` stands between the scores and their softmax{{.*}}hides some
// CHECK-NOT: model.attention
// CHECK: return
func.func @hidden(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %m: !model.tensor<i1, seq, key>) -> !model.tensor<f32, seq, dv> {
  %inf = model.constant 0xFFF0000000000000 : f64
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %1 = model.where %m, %0, %inf : !model.tensor<i1, seq, key>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %2 = model.softmax "key" %1 : !model.tensor<f32, seq, key>
  %3 = model.contract ["key"] %2, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %3 : !model.tensor<f32, seq, dv>
}

// CHECK-LABEL: @no_product
// REMARK: Function=no_product{{.*}}attention is not fused: its scores are no product of queries and keys
// CHECK-NOT: model.attention
// CHECK: return
func.func @no_product(%s: !model.tensor<f32, seq, key>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %0 = model.softmax "key" %s : !model.tensor<f32, seq, key>
  %1 = model.contract ["key"] %0, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %1 : !model.tensor<f32, seq, dv>
}

// Nothing is dropped of what is scaled.
// CHECK-LABEL: @scaled_weights
// REMARK: Function=scaled_weights{{.*}}attention is not fused: a factor stands between its weights and their values
// CHECK-NOT: model.attention
// CHECK: return
func.func @scaled_weights(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) -> !model.tensor<f32, seq, dv> {
  %two = model.constant 2.0 : f64
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %w = model.mul %p, %two : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// A rate of 1, with the factor outside: 0 / 0 is NaN, where a kernel that drops has 0.
// CHECK-LABEL: @all_dropped
// REMARK: Function=all_dropped{{.*}}attention is not fused: `div` stands between its weights and their values
// CHECK-NOT: model.attention
// CHECK: return
func.func @all_dropped(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %d: !model.tensor<i1, seq, key>) -> !model.tensor<f32, seq, dv> {
  %zero = model.constant 0.0 : f64
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %x = model.where %d, %p, %zero : !model.tensor<i1, seq, key>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %w = model.div %x, %zero : !model.tensor<f32, seq, key>, !model.tensor<f32>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, dv>
}

// Several draws of what is computed once.
// CHECK-LABEL: @dropped_for_each_sample
// REMARK: Function=dropped_for_each_sample{{.*}}attention is not fused: what is dropped has `sample`, which its weights lack
// CHECK-NOT: model.attention
// CHECK: return
func.func @dropped_for_each_sample(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %d: !model.tensor<i1, seq, key, sample>) -> !model.tensor<f32, seq, sample, dv> {
  %zero = model.constant 0.0 : f64
  %0 = model.contract ["dh"] %q, %k : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>
  %p = model.softmax "key" %0 : !model.tensor<f32, seq, key>
  %w = model.where %d, %p, %zero : !model.tensor<i1, seq, key, sample>, !model.tensor<f32, seq, key>, !model.tensor<f32>
  %o = model.contract ["key"] %w, %v : !model.tensor<f32, seq, key, sample>, !model.tensor<f32, key, dv>
  return %o : !model.tensor<f32, seq, sample, dv>
}
