// Views and movement: text, and where dimensions come and go.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t
// RUN: weft-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=TYPE

// CHECK-LABEL: func.func @views
func.func @views(%x: !model.tensor<f32, a, b, c>) {
  // CHECK: model.broadcast %{{.*}} along ["d", "e"] : <f32, a, b, c>
  // TYPE: "model.broadcast"({{.*}}) {{.*}} -> !model.tensor<f32, a, b, c, d, e>
  %0 = model.broadcast %x along ["d", "e"] : !model.tensor<f32, a, b, c>
  // CHECK: model.arrange %{{.*}} : <f32, a, b, c> -> <f32, c, a, b>
  %1 = model.arrange %x : !model.tensor<f32, a, b, c> -> !model.tensor<f32, c, a, b>
  // CHECK: model.regroup %{{.*}} ["b"] as ["d"] : <f32, a, b, c>
  // TYPE: "model.regroup"({{.*}}) {{.*}} -> !model.tensor<f32, a, d, c>
  %2 = model.regroup %x ["b"] as ["d"] : !model.tensor<f32, a, b, c>
  // CHECK: model.regroup %{{.*}} ["b"] as ["d", "e"] : <f32, a, b, c>
  // TYPE: "model.regroup"({{.*}}) {{.*}} -> !model.tensor<f32, a, d, e, c>
  %3 = model.regroup %x ["b"] as ["d", "e"] : !model.tensor<f32, a, b, c>
  // CHECK: model.regroup %{{.*}} ["c", "a"] as ["d"] : <f32, a, b, c>
  // The group stands where the first of its dimensions stood in the type.
  // TYPE: "model.regroup"({{.*}}) {{.*}} -> !model.tensor<f32, d, b>
  %4 = model.regroup %x ["c", "a"] as ["d"] : !model.tensor<f32, a, b, c>
  // CHECK: model.part %{{.*}} "b" as "p" at <n + 1> : <f32, a, b, c>
  // TYPE: "model.part"({{.*}}) {{.*}} -> !model.tensor<f32, a, p, c>
  %5 = model.part %x "b" as "p" at <1 + n> : !model.tensor<f32, a, b, c>
  // CHECK: model.pick %{{.*}} "b" = 2 : <f32, a, b, c>
  // TYPE: "model.pick"({{.*}}) {{.*}} -> !model.tensor<f32, a, c>
  %6 = model.pick %x "b" = 2 : !model.tensor<f32, a, b, c>
  return
}

// CHECK-LABEL: func.func @movement
func.func @movement(%table: !model.tensor<f32, vocab, model>, %tokens: !model.tensor<i32, batch, seq>,
                    %rows: !model.tensor<f32, batch, seq, model>, %one: !model.tensor<f32, model>,
                    %again: !model.tensor<i32, vocab, model>) {
  // CHECK: model.gather %{{.*}} "vocab" = %{{.*}} : <f32, vocab, model>, <i32, batch, seq>
  // TYPE: "model.gather"({{.*}}) {{.*}} -> !model.tensor<f32, batch, seq, model>
  %0 = model.gather %table "vocab" = %tokens : !model.tensor<f32, vocab, model>, !model.tensor<i32, batch, seq>
  // An index that brings the dimension again, and meets another.
  // CHECK: model.gather %{{.*}} "vocab" = %{{.*}} : <f32, vocab, model>, <i32, vocab, model>
  // TYPE: "model.gather"({{.*}}) {{.*}} -> !model.tensor<f32, vocab, model>
  %1 = model.gather %table "vocab" = %again : !model.tensor<f32, vocab, model>, !model.tensor<i32, vocab, model>
  // CHECK: model.scatter %{{.*}} "vocab" = %{{.*}} : <f32, batch, seq, model>, <i32, batch, seq> -> <f32, vocab, model>
  %2 = model.scatter %rows "vocab" = %tokens : !model.tensor<f32, batch, seq, model>, !model.tensor<i32, batch, seq>
    -> !model.tensor<f32, vocab, model>
  // CHECK: model.insert_part %{{.*}} into %{{.*}} "token" as "seq" at <1> : <f32, batch, seq, model>, <f32, model> -> <f32, batch, token, model>
  %3 = model.insert_part %rows into %one "token" as "seq" at <1>
    : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model> -> !model.tensor<f32, batch, token, model>
  // CHECK: model.stack "pair" %{{.*}}, %{{.*}} : !model.tensor<f32, model>, !model.tensor<f32, batch, seq, model>
  // TYPE: "model.stack"({{.*}}) {{.*}} -> !model.tensor<f32, batch, seq, model, pair>
  %4 = model.stack "pair" %one, %rows : !model.tensor<f32, model>, !model.tensor<f32, batch, seq, model>
  // CHECK: model.concat "token" of ["seq", "vocab"] %{{.*}}, %{{.*}} : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, vocab, model>
  // TYPE: "model.concat"({{.*}}) {{.*}} -> !model.tensor<f32, batch, token, model>
  %5 = model.concat "token" of ["seq", "vocab"] %rows, %table : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, vocab, model>
  return
}
