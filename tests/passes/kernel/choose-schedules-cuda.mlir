// For GPUs: a schedule for each image, by its device's processors; what is said already stays, and is looked at.
// RUN: weft-opt %s --weft-choose-schedules=machines=cuda | FileCheck %s
// RUN: weft-opt %s --weft-choose-schedules=machines=cuda -o %t && weft-opt %t --weft-choose-schedules=machines=cuda | diff %t -
// RUN: not weft-opt %s --weft-choose-schedules=machines=none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: there are no schedules for `none`; there are for `cpu` and `cuda`
// RUN: sed 's/team = 16,/team = 8,/; s/model.neg/model.normalize ["k"]/; s/\] %a :/] %a eps 1.0e-05 centered true :/' %s > %t.team.mlir
// RUN: not weft-opt %t.team.mlir --weft-choose-schedules=machines=cuda 2>&1 | FileCheck %s --check-prefix=TEAM
// TEAM: error: 'kernel.fused' op has threads that need each other in teams of 8: `team` is at least 32

model.dim @m
model.dim @k = #model.size<64>
model.dim @n = #model.size<64>
model.dim @b
model.dim @few = #model.size<4>

// CHECK-DAG: [[C:#contraction[0-9]*]] = #cuda.contraction<rows = 64, columns = 64, depth = 16, thread_rows = 4, thread_columns = 4, unroll = 4>
// CHECK-DAG: [[SPLIT80:#contraction[0-9]*]] = #cuda.contraction<{{.*}}, splits = {{[0-9]+}}>
// CHECK-DAG: [[WHOLE:#contraction[0-9]*]] = #cuda.contraction<rows = 32, columns = 32, depth = 16, thread_rows = 2, thread_columns = 2, unroll = 4>
// CHECK-DAG: [[FEW:#few_rows[0-9]*]] = #cuda.few_rows<rows = 4, columns = 8, threads = 32, thread_columns = 4, thread_depth = 8>
// CHECK-DAG: [[BY:#by_rows[0-9]*]] = #cuda.by_rows<rows = {{[0-9]+}}, few = [[FEW]], many = [[C]]>
// CHECK-DAG: [[R80:#rows[0-9]*]] = #cuda.rows<threads = 256, team = 256, vector = 4, unroll = 1, blocks = 864>
// CHECK-DAG: [[R90:#rows[0-9]*]] = #cuda.rows<threads = 256, team = 256, vector = 4, unroll = 1, blocks = 1056>
// CHECK-DAG: [[MINE:#rows[0-9]*]] = #cuda.rows<threads = 64, team = 16, unroll = 1, blocks = 7>

// CHECK-LABEL: @kernels
func.func @kernels(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) {
  // CHECK: "product"
  // CHECK-SAME: schedule = {sm_80 = [[C]], sm_90a = [[C]]}
  %0 = kernel.fused contraction "product" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<k: "64", n: "1">, #kernel.layout<m: "64", n: "1">]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  // CHECK: "usual"
  // CHECK-SAME: schedule = {sm_80 = [[R80]], sm_90a = [[R90]]}
  %1 = kernel.fused rows "usual" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">]} {
    %c = model.exp %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  // CHECK: "mine"
  // CHECK-SAME: schedule = {sm_80 = [[MINE]], sm_90a = [[R90]]}
  %2 = kernel.fused rows "mine" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">],
                  schedule = {sm_80 = #cuda.rows<threads = 64, team = 16, unroll = 1, blocks = 7>}} {
    %c = model.neg %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  return
}

// A gradient of a weight has few tiles and a long depth; rows may be known to be few.
// CHECK-LABEL: @others
func.func @others(%p: !model.tensor<f32, b, m, k>, %q: !model.tensor<f32, b, m, n>, %x: !model.tensor<f32, m, k>, %y: !model.tensor<f32, m, n>, %z: !model.tensor<f32, few, k>, %w: !model.tensor<f32, k, n>) {
  // CHECK: "gradient"
  // CHECK-SAME: schedule = {sm_80 = [[SPLIT80]],
  %0 = kernel.fused contraction "gradient" (%a = %x : !model.tensor<f32, m, k>, %b = %y : !model.tensor<f32, m, n>) -> (!model.tensor<f32, k, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", n: "1">, #kernel.layout<k: "64", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, m, n>
    kernel.yield %c : !model.tensor<f32, k, n>
  }
  // CHECK: "few"
  // CHECK-SAME: schedule = {sm_80 = [[FEW]], sm_90a = [[FEW]]}
  %1 = kernel.fused contraction "few" (%a = %z : !model.tensor<f32, few, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, few, n>)
      attributes {layouts = [#kernel.layout<few: "64", k: "1">, #kernel.layout<k: "64", n: "1">, #kernel.layout<few: "64", n: "1">]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, few, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, few, n>
  }
  // Of a batch that comes with the data there are many.
  // CHECK: "states"
  // CHECK-SAME: schedule = {sm_80 = [[WHOLE]], sm_90a = [[WHOLE]]}
  %2 = kernel.fused contraction "states" (%a = %p : !model.tensor<f32, b, m, k>, %c = %q : !model.tensor<f32, b, m, n>) -> (!model.tensor<f32, b, k, n>)
      attributes {layouts = [#kernel.layout<b: "m * 64", m: "64", k: "1">, #kernel.layout<b: "m * 64", m: "64", n: "1">, #kernel.layout<b: "4096", k: "64", n: "1">]} {
    %3 = model.contract ["m"] %a, %c : !model.tensor<f32, b, m, k>, !model.tensor<f32, b, m, n>
    kernel.yield %3 : !model.tensor<f32, b, k, n>
  }
  return
}

// Of a step of a decoding nobody knows how many rows it has; most have few.
// CHECK-LABEL: @step
func.func @step(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>) attributes {model.kind = "advance"} {
  // CHECK: "product"
  // CHECK-SAME: schedule = {sm_80 = [[BY]], sm_90a =
  %0 = kernel.fused contraction "product" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<k: "64", n: "1">, #kernel.layout<m: "64", n: "1">]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}
