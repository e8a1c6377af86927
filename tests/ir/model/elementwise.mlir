// Leaves and elementwise ops: text, and the dimensions that results get.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t
// RUN: weft-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=TYPE

// CHECK-LABEL: func.func @leaves
func.func @leaves() -> (!model.tensor<f32>, !model.tensor<i32>, !model.tensor<i1>, !model.tensor<index<seq>, seq>,
                        !model.tensor<i32>, !model.tensor<f32, batch, seq>) {
  // CHECK: model.constant 5.000000e-01 : f64
  %0 = model.constant 0.5 : f64
  // CHECK: model.constant 7 : i64
  %1 = model.constant 7 : i64
  // CHECK: model.constant true
  %2 = model.constant true
  // CHECK: model.index "seq"
  %3 = model.index "seq"
  // CHECK: model.extent <batch * seq + 1>
  %4 = model.extent <seq * batch + 1>
  // CHECK: model.random "layer.drop" : <f32, batch, seq>
  %5 = model.random "layer.drop" : !model.tensor<f32, batch, seq>
  return %0, %1, %2, %3, %4, %5 : !model.tensor<f32>, !model.tensor<i32>, !model.tensor<i1>, !model.tensor<index<seq>, seq>,
    !model.tensor<i32>, !model.tensor<f32, batch, seq>
}

// CHECK-LABEL: func.func @unary
func.func @unary(%x: !model.tensor<f32, a>, %n: !model.tensor<i32, a>, %s: !model.tensor<i1, a>) {
  // CHECK: model.neg %{{.*}} : <f32, a>
  %0 = model.neg %x : !model.tensor<f32, a>
  // CHECK: model.neg %{{.*}} : <i32, a>
  %1 = model.neg %n : !model.tensor<i32, a>
  // CHECK: model.exp %{{.*}} : <f32, a>
  %2 = model.exp %x : !model.tensor<f32, a>
  // CHECK: model.log %{{.*}} : <f32, a>
  %3 = model.log %x : !model.tensor<f32, a>
  // CHECK: model.sqrt %{{.*}} : <f32, a>
  %4 = model.sqrt %x : !model.tensor<f32, a>
  // CHECK: model.rsqrt %{{.*}} : <f32, a>
  %5 = model.rsqrt %x : !model.tensor<f32, a>
  // CHECK: model.sin %{{.*}} : <f32, a>
  %6 = model.sin %x : !model.tensor<f32, a>
  // CHECK: model.cos %{{.*}} : <f32, a>
  %7 = model.cos %x : !model.tensor<f32, a>
  // CHECK: model.tanh %{{.*}} : <f32, a>
  %8 = model.tanh %x : !model.tensor<f32, a>
  // CHECK: model.erf %{{.*}} : <f32, a>
  %9 = model.erf %x : !model.tensor<f32, a>
  // CHECK: model.not %{{.*}} : <i1, a>
  %10 = model.not %s : !model.tensor<i1, a>
  // CHECK: model.floor %{{.*}} : <f32, a>
  // TYPE: "model.floor"({{.*}}) : (!model.tensor<f32, a>) -> !model.tensor<i32, a>
  %11 = model.floor %x : !model.tensor<f32, a>
  // CHECK: model.to_float %{{.*}} : <i32, a>
  // TYPE: "model.to_float"({{.*}}) : (!model.tensor<i32, a>) -> !model.tensor<f32, a>
  %12 = model.to_float %n : !model.tensor<i32, a>
  // CHECK: model.to_float %{{.*}} : <i1, a>
  // TYPE: "model.to_float"({{.*}}) : (!model.tensor<i1, a>) -> !model.tensor<f32, a>
  %13 = model.to_float %s : !model.tensor<i1, a>
  // CHECK: model.to_int %{{.*}} : <i1, a>
  // TYPE: "model.to_int"({{.*}}) : (!model.tensor<i1, a>) -> !model.tensor<i32, a>
  %14 = model.to_int %s : !model.tensor<i1, a>
  // CHECK: model.clamp "b" %{{.*}} : <i32, a>
  %15 = model.clamp "b" %n : !model.tensor<i32, a>
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, b>, %n: !model.tensor<i32, a>,
                  %m: !model.tensor<i32, b>, %s: !model.tensor<i1, a>, %t: !model.tensor<i1, b>) {
  // CHECK: model.add %{{.*}}, %{{.*}} : <f32, b>, <f32, a, b>
  // The operand that has all dimensions says their order, wherever it stands.
  // TYPE: "model.add"({{.*}}) : (!model.tensor<f32, b>, !model.tensor<f32, a, b>) -> !model.tensor<f32, a, b>
  %0 = model.add %y, %x : !model.tensor<f32, b>, !model.tensor<f32, a, b>
  // CHECK: model.sub %{{.*}}, %{{.*}} : <i32, b>, <i32, a>
  // TYPE: "model.sub"({{.*}}) : (!model.tensor<i32, b>, !model.tensor<i32, a>) -> !model.tensor<i32, b, a>
  %1 = model.sub %m, %n : !model.tensor<i32, b>, !model.tensor<i32, a>
  // CHECK: model.mul %{{.*}}, %{{.*}} : <f32, a, b>, <f32, b>
  %2 = model.mul %x, %y : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  // CHECK: model.div %{{.*}}, %{{.*}} : <f32, a, b>, <f32, b>
  %3 = model.div %x, %y : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  // CHECK: model.floordiv %{{.*}}, %{{.*}} : <i32, a>, <i32, b>
  %4 = model.floordiv %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.mod %{{.*}}, %{{.*}} : <i32, a>, <i32, b>
  %5 = model.mod %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.pow %{{.*}}, %{{.*}} : <f32, a, b>, <f32, b>
  %6 = model.pow %x, %y : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  // CHECK: model.max %{{.*}}, %{{.*}} : <f32, a, b>, <f32, b>
  %7 = model.max %x, %y : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  // CHECK: model.min %{{.*}}, %{{.*}} : <i32, a>, <i32, b>
  %8 = model.min %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.and %{{.*}}, %{{.*}} : <i1, a>, <i1, b>
  %9 = model.and %s, %t : !model.tensor<i1, a>, !model.tensor<i1, b>
  // CHECK: model.or %{{.*}}, %{{.*}} : <i1, a>, <i1, b>
  %10 = model.or %s, %t : !model.tensor<i1, a>, !model.tensor<i1, b>
  return
}

// CHECK-LABEL: func.func @choices
func.func @choices(%x: !model.tensor<f32, a, b>, %low: !model.tensor<f32>, %n: !model.tensor<i32, a>,
                   %m: !model.tensor<i32, b>, %s: !model.tensor<i1, b, a>) {
  // CHECK: model.compare lt %{{.*}}, %{{.*}} : <i32, a>, <i32, b>
  // TYPE: "model.compare"({{.*}}) {{.*}} : (!model.tensor<i32, a>, !model.tensor<i32, b>) -> !model.tensor<i1, a, b>
  %0 = model.compare lt %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.compare le
  %1 = model.compare le %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.compare gt
  %2 = model.compare gt %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.compare ge %{{.*}}, %{{.*}} : <f32, a, b>, <f32>
  %3 = model.compare ge %x, %low : !model.tensor<f32, a, b>, !model.tensor<f32>
  // CHECK: model.compare eq %{{.*}}, %{{.*}} : <i1, b, a>, <i1, b, a>
  %4 = model.compare eq %s, %s : !model.tensor<i1, b, a>, !model.tensor<i1, b, a>
  // CHECK: model.compare ne
  %5 = model.compare ne %n, %m : !model.tensor<i32, a>, !model.tensor<i32, b>
  // CHECK: model.where %{{.*}}, %{{.*}}, %{{.*}} : <i1, b, a>, <f32, a, b>, <f32>
  // The branches come before the condition where the order is chosen.
  // TYPE: "model.where"({{.*}}) : ({{.*}}) -> !model.tensor<f32, a, b>
  %6 = model.where %s, %x, %low : !model.tensor<i1, b, a>, !model.tensor<f32, a, b>, !model.tensor<f32>
  return
}
