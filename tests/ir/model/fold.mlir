// Folds: what is constant is computed, what changes nothing disappears, and what a fold must leave alone stays.
// RUN: weft-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @floats
func.func @floats() -> (!model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>,
                        !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>) {
  %two = model.constant 2.0 : f64
  %three = model.constant 3.0 : f64
  // CHECK-DAG: model.constant 5.000000e+00 : f64
  %0 = model.add %two, %three : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant -1.000000e+00 : f64
  %1 = model.sub %two, %three : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 6.000000e+00 : f64
  %2 = model.mul %two, %three : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 1.500000e+00 : f64
  %3 = model.div %three, %two : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 9.000000e+00 : f64
  %4 = model.pow %three, %two : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 3.000000e+00 : f64
  %5 = model.max %two, %three : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 2.000000e+00 : f64
  %6 = model.min %two, %three : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 0.000000e+00 : f64
  %7 = model.mod %two, %two : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-NOT: model.{{add|sub|mul|div|pow|max|min|mod}}
  return %0, %1, %2, %3, %4, %5, %6, %7 : !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>,
    !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>
}

// CHECK-LABEL: func.func @functions
func.func @functions() -> (!model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>) {
  %four = model.constant 4.0 : f64
  %zero = model.constant 0.0 : f64
  // In float64: the constant keeps digits that a float has not.
  // CHECK-DAG: model.constant 0.69314718055994529 : f64
  %half = model.constant 0.5 : f64
  %log = model.log %half : !model.tensor<f32>
  %0 = model.neg %log : !model.tensor<f32>
  // CHECK-DAG: model.constant 5.000000e-01 : f64
  %1 = model.rsqrt %four : !model.tensor<f32>
  // CHECK-DAG: model.constant 1.000000e+00 : f64
  %cos = model.cos %zero : !model.tensor<f32>
  %exp = model.exp %zero : !model.tensor<f32>
  %2 = model.mul %cos, %exp : !model.tensor<f32>, !model.tensor<f32>
  // CHECK-DAG: model.constant 0.000000e+00 : f64
  %sin = model.sin %zero : !model.tensor<f32>
  %tanh = model.tanh %sin : !model.tensor<f32>
  %erf = model.erf %tanh : !model.tensor<f32>
  %3 = model.sqrt %erf : !model.tensor<f32>
  // CHECK: return
  return %0, %1, %2, %3 : !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>, !model.tensor<f32>
}

// Whole numbers: floor division and remainder have the sign of the divisor.
// CHECK-LABEL: func.func @wholes
func.func @wholes() -> (!model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<f32>) {
  %a = model.constant -7 : i64
  %b = model.constant 2 : i64
  // CHECK-DAG: model.constant -4 : i64
  %0 = model.floordiv %a, %b : !model.tensor<i32>, !model.tensor<i32>
  // CHECK-DAG: model.constant 1 : i64
  %1 = model.mod %a, %b : !model.tensor<i32>, !model.tensor<i32>
  // CHECK-DAG: model.constant 7 : i64
  %2 = model.neg %a : !model.tensor<i32>
  %x = model.constant -2.5 : f64
  // CHECK-DAG: model.constant -3 : i64
  %3 = model.floor %x : !model.tensor<f32>
  %yes = model.constant true
  // CHECK-DAG: model.constant 12 : i64
  %size = model.extent <12>
  %one = model.to_int %yes : !model.tensor<i1>
  %4 = model.mul %size, %one : !model.tensor<i32>, !model.tensor<i32>
  // CHECK-DAG: model.constant 2.000000e+00 : f64
  %5 = model.to_float %b : !model.tensor<i32>
  // CHECK: return
  return %0, %1, %2, %3, %4, %5 : !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<f32>
}

// CHECK-LABEL: func.func @switches
func.func @switches(%s: !model.tensor<i1, a>) -> (!model.tensor<i1>, !model.tensor<i1>, !model.tensor<i1, a>, !model.tensor<i1, a>, !model.tensor<i1, a>) {
  %yes = model.constant true
  %no = model.not %yes : !model.tensor<i1>
  // CHECK-DAG: %[[YES:.*]] = model.constant true
  // CHECK-DAG: %[[NO:.*]] = model.constant false
  %one = model.constant 1 : i64
  %0 = model.compare le %one, %one : !model.tensor<i32>, !model.tensor<i32>
  %1 = model.and %no, %yes : !model.tensor<i1>, !model.tensor<i1>
  %2 = model.and %s, %yes : !model.tensor<i1, a>, !model.tensor<i1>
  %3 = model.or %no, %s : !model.tensor<i1>, !model.tensor<i1, a>
  %twice = model.not %s : !model.tensor<i1, a>
  %4 = model.not %twice : !model.tensor<i1, a>
  // CHECK: return %[[YES]], %[[NO]], %arg0, %arg0, %arg0
  return %0, %1, %2, %3, %4 : !model.tensor<i1>, !model.tensor<i1>, !model.tensor<i1, a>, !model.tensor<i1, a>, !model.tensor<i1, a>
}

// CHECK-LABEL: func.func @neutral
func.func @neutral(%x: !model.tensor<f32, a, b>, %s: !model.tensor<i1>) -> (!model.tensor<f32, a, b>, !model.tensor<f32, a, b>,
    !model.tensor<f32, a, b>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>) {
  %zero = model.constant 0.0 : f64
  %one = model.constant 1.0 : f64
  %yes = model.constant true
  %nothing = model.constant -0.0 : f64
  %0 = model.add %nothing, %x : !model.tensor<f32>, !model.tensor<f32, a, b>
  %1 = model.sub %0, %zero : !model.tensor<f32, a, b>, !model.tensor<f32>
  %2 = model.mul %1, %one : !model.tensor<f32, a, b>, !model.tensor<f32>
  %3 = model.div %2, %one : !model.tensor<f32, a, b>, !model.tensor<f32>
  %4 = model.pow %3, %one : !model.tensor<f32, a, b>, !model.tensor<f32>
  %5 = model.neg %4 : !model.tensor<f32, a, b>
  %6 = model.neg %5 : !model.tensor<f32, a, b>
  %7 = model.where %yes, %6, %zero : !model.tensor<i1>, !model.tensor<f32, a, b>, !model.tensor<f32>
  %8 = model.where %s, %x, %x : !model.tensor<i1>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %9 = model.broadcast %x along [] : !model.tensor<f32, a, b>
  %10 = model.arrange %x : !model.tensor<f32, a, b> -> !model.tensor<f32, b, a>
  %11 = model.arrange %10 : !model.tensor<f32, b, a> -> !model.tensor<f32, a, b>
  %12 = model.regroup %x ["a", "b"] as ["a", "b"] : !model.tensor<f32, a, b>
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
  return %7, %8, %9, %11, %12, %4 : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>,
    !model.tensor<f32, a, b>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
}

// What looks neutral and is not.
// CHECK-LABEL: func.func @kept
func.func @kept(%x: !model.tensor<f32, a, b>, %y: !model.tensor<f32, a>) -> (!model.tensor<f32, a, b>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>,
    !model.tensor<f32, a, b>, !model.tensor<f32, a, b>) {
  // 0 * x is NaN where x is inf.
  // CHECK: model.mul
  %zero = model.constant 0.0 : f64
  %0 = model.mul %x, %zero : !model.tensor<f32, a, b>, !model.tensor<f32>
  // A condition with dimensions of its own, a branch that lacks some: the result is wider than the branch.
  // CHECK: model.where
  %yes = model.constant true
  %1 = model.where %yes, %y, %x : !model.tensor<i1>, !model.tensor<f32, a>, !model.tensor<f32, a, b>
  // Positions are counted in the order of the list, so this one transposes.
  // CHECK: model.regroup
  %2 = model.regroup %x ["b", "a"] as ["a", "b"] : !model.tensor<f32, a, b>
  // -0 + 0 is 0, and so is -0 - -0.
  // CHECK: model.add
  %3 = model.add %x, %zero : !model.tensor<f32, a, b>, !model.tensor<f32>
  // CHECK: model.sub
  %nothing = model.constant -0.0 : f64
  %4 = model.sub %x, %nothing : !model.tensor<f32, a, b>, !model.tensor<f32>
  return %0, %1, %2, %3, %4 : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>, !model.tensor<f32, a, b>,
    !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
}

// Whole numbers have 32 bits in a fold as they have in a kernel, also those that were sizes.
// CHECK-LABEL: func.func @edges
func.func @edges() -> (!model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>,
    !model.tensor<i32>, !model.tensor<f32>) {
  %most = model.constant 2147483647 : i64
  %least = model.constant -2147483648 : i64
  %one = model.constant 1 : i64
  %minus = model.constant -1 : i64
  %none = model.constant 0 : i64
  // CHECK-DAG: %[[LEAST:.*]] = model.constant -2147483648 : i64
  // CHECK-DAG: %[[MOST:.*]] = model.constant 2147483647 : i64
  // CHECK-DAG: %[[ONE:.*]] = model.constant 1 : i64
  // CHECK-DAG: %[[NONE:.*]] = model.constant 0 : i64
  // CHECK-DAG: %[[REAL:.*]] = model.constant 1.000000e+00 : f64
  %0 = model.add %most, %one : !model.tensor<i32>, !model.tensor<i32>
  %1 = model.neg %least : !model.tensor<i32>
  %2 = model.floordiv %least, %minus : !model.tensor<i32>, !model.tensor<i32>
  %3 = model.floordiv %one, %none : !model.tensor<i32>, !model.tensor<i32>
  %nan = model.constant 0x7FF8000000000000 : f64
  %4 = model.floor %nan : !model.tensor<f32>
  %inf = model.constant 0x7FF0000000000000 : f64
  %5 = model.floor %inf : !model.tensor<f32>
  %size = model.extent <4294967296>
  %6 = model.max %size, %one : !model.tensor<i32>, !model.tensor<i32>
  %7 = model.to_float %6 : !model.tensor<i32>
  // CHECK: return %[[LEAST]], %[[LEAST]], %[[MOST]], %[[NONE]], %[[NONE]], %[[MOST]], %[[ONE]], %[[REAL]]
  return %0, %1, %2, %3, %4, %5, %6, %7 : !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>, !model.tensor<i32>,
    !model.tensor<i32>, !model.tensor<i32>, !model.tensor<f32>
}
