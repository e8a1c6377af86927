// Which whole numbers are positions of a dimension follows from the operands.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t
// RUN: weft-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=TYPE

model.dim @vocab = <8>
model.dim @"or not"
model.dim @position
model.dim @seq bound <position>
model.dim @a
model.dim @pair = <2>
model.dim @both = <2 * a>

// CHECK-LABEL: func.func @made(%{{.*}}: !model.tensor<index<"or not">>
func.func @made(%o: !model.tensor<index<"or not">>, %x: !model.tensor<f32, vocab, a>, %n: !model.tensor<i32, a>) {
  // TYPE: "model.index"() {{.*}} -> !model.tensor<index<seq>, seq>
  %0 = model.index "seq"
  // TYPE: "model.clamp"({{.*}}) {{.*}} -> !model.tensor<index<vocab>, a>
  %1 = model.clamp "vocab" %n : !model.tensor<i32, a>
  // TYPE: "model.argmax"({{.*}}) {{.*}} -> !model.tensor<index<vocab>, a>
  %2 = model.argmax ["vocab"] %x : !model.tensor<f32, vocab, a>
  // TYPE: "model.top"({{.*}}) {{.*}} -> !model.tensor<index<vocab>, a, pair>
  %3 = model.top "pair" of "vocab" %x : !model.tensor<f32, vocab, a>
  // What is computed of positions is any whole number, up to their maximum: over nothing it is none.
  // TYPE: "model.add"({{.*}}) : {{.*}} -> !model.tensor<i32, a>
  %4 = model.add %1, %2 : !model.tensor<index<vocab>, a>, !model.tensor<index<vocab>, a>
  // TYPE: "model.neg"({{.*}}) : {{.*}} -> !model.tensor<i32, a>
  %5 = model.neg %1 : !model.tensor<index<vocab>, a>
  // TYPE: "model.reduce_max"({{.*}}) {{.*}} -> !model.tensor<i32>
  %6 = model.reduce_max ["a"] %1 : !model.tensor<index<vocab>, a>
  // TYPE: "model.cumsum"({{.*}}) {{.*}} -> !model.tensor<i32, a>
  %7 = model.cumsum "a" %1 : !model.tensor<index<vocab>, a>
  return
}

// CHECK-LABEL: func.func @chosen
func.func @chosen(%t: !model.tensor<index<vocab>, a>, %u: !model.tensor<index<vocab>>, %s: !model.tensor<index<seq>>,
                  %n: !model.tensor<i32, a>, %c: !model.tensor<i1, a>) {
  // TYPE: "model.max"({{.*}}) : {{.*}} -> !model.tensor<index<vocab>, a>
  %0 = model.max %t, %u : !model.tensor<index<vocab>, a>, !model.tensor<index<vocab>>
  // TYPE: "model.min"({{.*}}) : {{.*}} -> !model.tensor<i32, a>
  %1 = model.min %t, %s : !model.tensor<index<vocab>, a>, !model.tensor<index<seq>>
  // TYPE: "model.where"({{.*}}) : {{.*}} -> !model.tensor<index<vocab>, a>
  %2 = model.where %c, %t, %u : !model.tensor<i1, a>, !model.tensor<index<vocab>, a>, !model.tensor<index<vocab>>
  // TYPE: "model.where"({{.*}}) : {{.*}} -> !model.tensor<i32, a>
  %3 = model.where %c, %t, %n : !model.tensor<i1, a>, !model.tensor<index<vocab>, a>, !model.tensor<i32, a>
  // TYPE: "model.stack"({{.*}}) {{.*}} -> !model.tensor<index<vocab>, a, pair>
  %4 = model.stack "pair" %t, %u : !model.tensor<index<vocab>, a>, !model.tensor<index<vocab>>
  // TYPE: "model.stack"({{.*}}) {{.*}} -> !model.tensor<i32, a, pair>
  %5 = model.stack "pair" %t, %s : !model.tensor<index<vocab>, a>, !model.tensor<index<seq>>
  // TYPE: "model.concat"({{.*}}) {{.*}} -> !model.tensor<i32, both>
  %6 = model.concat "both" of ["a", "a"] %t, %n : !model.tensor<index<vocab>, a>, !model.tensor<i32, a>
  return
}

// A dimension is renamed, not what the elements are positions of; `arrange` says something else of those.
// CHECK-LABEL: func.func @moved
func.func @moved(%t: !model.tensor<index<seq>, seq>, %table: !model.tensor<f32, position>, %rows: !model.tensor<index<vocab>, seq>) {
  // TYPE: "model.regroup"({{.*}}) {{.*}} -> !model.tensor<index<seq>, a>
  %0 = model.regroup %t ["seq"] as ["a"] : !model.tensor<index<seq>, seq>
  // TYPE: "model.broadcast"({{.*}}) {{.*}} -> !model.tensor<index<seq>, seq, vocab>
  %1 = model.broadcast %t along ["vocab"] : !model.tensor<index<seq>, seq>
  // TYPE: "model.gather"({{.*}}) {{.*}} -> !model.tensor<index<vocab>, a>
  %2 = model.gather %rows "seq" = %0 : !model.tensor<index<vocab>, seq>, !model.tensor<index<seq>, a>
  // CHECK: model.arrange %{{.*}} : <index<seq>, seq> -> <i32, seq>
  %3 = model.arrange %t : !model.tensor<index<seq>, seq> -> !model.tensor<i32, seq>
  // CHECK: model.arrange %{{.*}} : <i32, seq> -> <index<position>, seq>
  %4 = model.arrange %3 : !model.tensor<i32, seq> -> !model.tensor<index<position>, seq>
  // `seq` is never larger than `position`.
  // CHECK: model.gather %{{.*}} "position" = %{{.*}} : <f32, position>, <index<seq>, seq>
  %5 = model.gather %table "position" = %t : !model.tensor<f32, position>, !model.tensor<index<seq>, seq>
  return
}
