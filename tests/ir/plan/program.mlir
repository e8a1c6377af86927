// A program: kernels, entries, places, loops, launches. What is printed can be read back and prints the same.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t

model.parameter @layer.scale : !model.tensor<f32, layer, seq> loops 1

// CHECK: plan.kernel @scaled {
// CHECK-NEXT: ^bb0(%[[X:.*]]: !model.tensor<f32, seq>, %[[S:.*]]: !model.tensor<f32, seq>):
// CHECK-NEXT: kernel.fused rows "scaled" (%{{.*}} = %[[X]] : {{.*}}, %{{.*}} = %[[S]] : {{.*}})
plan.kernel @scaled {
^bb0(%x: !model.tensor<f32, seq>, %s: !model.tensor<f32, seq>):
  %0 = kernel.fused rows "scaled" (%a = %x : !model.tensor<f32, seq>, %b = %s : !model.tensor<f32, seq>) -> (!model.tensor<f32, seq>) {
    %1 = model.mul %a, %b : !model.tensor<f32, seq>, !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
// CHECK: plan.kernel @noise {
plan.kernel @noise {
  %0 = kernel.fused rows "noise" () -> (!model.tensor<f32, seq>) {
    %1 = model.random "noise" : !model.tensor<f32, seq>
    kernel.yield %1 : !model.tensor<f32, seq>
  }
}
// CHECK: plan.entry @run attributes {
// CHECK-SAME: inputs = [{model.name = "x", type = !model.tensor<f32, seq>}]
// CHECK-SAME: packed = [#model.size<64>]
// CHECK-SAME: slots = {{\[\[}}#model.size<seq * 4>], [#model.size<seq * 4>, #model.size<16>]]
// CHECK-SAME: } prepare {
plan.entry @run attributes {inputs = [{type = !model.tensor<f32, seq>, model.name = "x"}],
                            outputs = [{type = !model.tensor<f32, seq>, model.name = "y"}],
                            packed = [#model.size<64>],
                            slots = [[#model.size<4 * seq>], [#model.size<4 * seq>, #model.size<16>]]} prepare {
  // CHECK-NEXT: %[[PARAMETER:.*]] = plan.parameter @layer.scale
  %0 = plan.parameter @layer.scale
  // CHECK-NEXT: %[[PACKED:.*]] = plan.packed 0
  %1 = plan.packed 0
  // CHECK-NEXT: plan.copy %[[PARAMETER]] to %[[PACKED]], <64>
  plan.copy %0 to %1, <64>
  // CHECK-NEXT: } body {
} body {
  // CHECK-NEXT: plan.input 0
  %x = plan.input 0
  // CHECK-NEXT: plan.slot 1 : <seq * 4>
  %t = plan.slot 1 : <4 * seq>
  // CHECK-NEXT: plan.output 0
  %y = plan.output 0
  // CHECK-NEXT: plan.loop "layer" {
  // CHECK-NEXT: ^bb0(%[[PASS:.*]]: index):
  plan.loop "layer" {
  ^bb0(%pass: index):
    // CHECK-NEXT: %[[ALL:.*]] = plan.packed 0
    %0 = plan.packed 0
    // CHECK-NEXT: %[[SLICE:.*]] = plan.offset %[[ALL]] by <seq * 4> times %[[PASS]]
    %1 = plan.offset %0 by <seq * 4> times %pass
    // CHECK-NEXT: plan.launch @scaled(%{{.*}}, %[[SLICE]], %{{.*}})
    plan.launch @scaled(%x, %1, %t)
    // CHECK-NEXT: %[[KEY:.*]] = plan.random_key %[[PASS]] by [12]
    %key = plan.random_key %pass by [12]
    // CHECK-NEXT: plan.launch @noise(%{{.*}}, %[[KEY]])
    plan.launch @noise(%y, %key)
  }
  // CHECK: plan.loop "layer" reverse {
  plan.loop "layer" reverse {
  ^bb0(%pass: index):
  }
  // CHECK: %[[FURTHER:.*]] = plan.offset %{{.*}} by <16>{{$}}
  %2 = plan.offset %t by <16>
  // CHECK-NEXT: plan.copy %[[FURTHER]] to %{{.*}}, <16>
  plan.copy %2 to %y, <16>
  // CHECK-NEXT: %[[NEXT:.*]] = plan.reuse %[[FURTHER]]
  %3 = plan.reuse %2
  // CHECK-NEXT: plan.leave %[[NEXT]], %{{.*}}
  plan.leave %3, %y
}
