// RUN: weft-opt %s --weft-differentiate='entries=f,g,h,k,l,p' --canonicalize --cse | FileCheck %s

model.dim @a = #model.size<3>
model.dim @layer = #model.size<5>
model.dim @role = #model.size<2>
model.parameter @roles : !model.tensor<f32, role, a>
model.parameter @w : !model.tensor<f32, a>
model.parameter @gain : !model.tensor<f32, layer, a> loops 1

// Results first, then the gradients, each with the name of what it belongs to.
// CHECK-LABEL: func.func @f.gradient
// CHECK-SAME: -> (!model.tensor<f32>, !model.tensor<f32, a> {model.gradient_of = "w", model.name = "w"})
// CHECK-SAME: model.kind = "gradient"
// CHECK: return %{{.*}}, %arg0
func.func @f(%x: !model.tensor<f32, a>) -> !model.tensor<f32> {
  %w = model.param @w : <f32, a>
  %0 = model.mul %x, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %1 = model.sum ["a"] %0 : !model.tensor<f32, a>
  return %1 : !model.tensor<f32>
}

// A loop stacks what its backward pass needs; that runs the other way and stacks the gradients of its slices.
// CHECK-LABEL: func.func @g.gradient
// CHECK: %[[OUT:.*]]:2 = model.repeat "layer" carry
// CHECK: model.repeat "layer" reverse carry({{.*}}) slices({{.*}} = %[[OUT]]#1
// CHECK: return %{{.*}}, %{{.*}} : !model.tensor<f32>, !model.tensor<f32, layer, a>
func.func @g(%x: !model.tensor<f32, a>) -> !model.tensor<f32> {
  %0 = model.repeat "layer" carry(%c = %x : <f32, a>) -> !model.tensor<f32, a> {
    %gain = model.param @gain : <f32, a>
    %s = model.sin %c : !model.tensor<f32, a>
    %m = model.mul %s, %gain : !model.tensor<f32, a>, !model.tensor<f32, a>
    model.yield %m : !model.tensor<f32, a>
  }
  %1 = model.sum ["a"] %0 : !model.tensor<f32, a>
  return %1 : !model.tensor<f32>
}

// A value that does not reach the result has the gradient 0.
// CHECK-LABEL: func.func @h.gradient
// CHECK-DAG: %[[ZERO:.*]] = model.constant 0.0{{.*}}
// CHECK-DAG: model.broadcast %[[ZERO]] along ["a"]
// CHECK: return
func.func @h(%x: !model.tensor<f32, a>) -> !model.tensor<f32> {
  %w = model.param @w : <f32, a>
  %0 = model.compare gt %w, %x : !model.tensor<f32, a>, !model.tensor<f32, a>
  %1 = model.to_float %0 : !model.tensor<i1, a>
  %2 = model.sum ["a"] %1 : !model.tensor<f32, a>
  return %2 : !model.tensor<f32>
}

// Of several numbers, the first is differentiated; the others are given as they are.
// CHECK-LABEL: func.func @k.gradient
// CHECK-SAME: -> (!model.tensor<f32> {model.name = "loss"}, !model.tensor<f32> {model.name = "metric"}, !model.tensor<f32, a> {model.gradient_of = "w", model.name = "w"})
// CHECK: %[[METRIC:.*]] = model.reduce_max ["a"]
// CHECK: return %{{.*}}, %[[METRIC]], %arg0
func.func @k(%x: !model.tensor<f32, a>) -> (!model.tensor<f32> {model.name = "loss"}, !model.tensor<f32> {model.name = "metric"}) {
  %w = model.param @w : <f32, a>
  %0 = model.mul %x, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %1 = model.sum ["a"] %0 : !model.tensor<f32, a>
  %2 = model.reduce_max ["a"] %0 : !model.tensor<f32, a>
  return %1, %2 : !model.tensor<f32>, !model.tensor<f32>
}

// What a pass has along the dimension of its own loop is stacked under another name, as large, and has its own again behind.
// CHECK-LABEL: func.func @l.gradient
// CHECK: %[[SUMS:.*]]:2 = model.repeat "role" carry
// CHECK: %[[SUM:.*]] = model.cumsum "role"
// CHECK: %[[OTHER:.*]] = model.regroup %[[SUM]] ["role"] as ["role_1"] : <f32, a, role>
// CHECK: model.yield %{{.*}}, %[[OTHER]]
// CHECK: model.repeat "role" reverse carry({{.*}}) slices(%[[SLICE:.*]] = %[[SUMS]]#1
// CHECK: model.regroup %[[SLICE]] ["role_1"] as ["role"] : <f32, a, role_1>
func.func @l(%x: !model.tensor<f32, a>) -> !model.tensor<f32> {
  %w = model.param @w : <f32, a>
  %0 = model.repeat "role" carry(%c = %w : <f32, a>) -> !model.tensor<f32, a> {
    %wide = model.broadcast %c along ["role"] : !model.tensor<f32, a>
    %sums = model.cumsum "role" %wide : !model.tensor<f32, a, role>
    %squares = model.mul %sums, %sums : !model.tensor<f32, a, role>, !model.tensor<f32, a, role>
    %next = model.sum ["role"] %squares : !model.tensor<f32, a, role>
    model.yield %next : !model.tensor<f32, a>
  }
  %1 = model.sum ["a"] %0 : !model.tensor<f32, a>
  return %1 : !model.tensor<f32>
}

// The gradient of a pick lists dimensions as what was picked from does: two roles are not the inner loop.
// CHECK-LABEL: func.func @p.gradient
// CHECK: %[[PICKED:.*]] = model.where
// CHECK: %[[ORDERED:.*]] = model.arrange %[[PICKED]] : <f32, a, role> -> <f32, role, a>
// CHECK: model.mul %[[ORDERED]], %{{.*}} : <f32, role, a>, <f32, role, a>
func.func @p() -> !model.tensor<f32> {
  %roles = model.param @roles : <f32, role, a>
  %0 = model.sin %roles : !model.tensor<f32, role, a>
  %1 = model.pick %0 "role" = 1 : <f32, role, a>
  %2 = model.mul %1, %1 : !model.tensor<f32, a>, !model.tensor<f32, a>
  %3 = model.sum ["a"] %2 : !model.tensor<f32, a>
  return %3 : !model.tensor<f32>
}
