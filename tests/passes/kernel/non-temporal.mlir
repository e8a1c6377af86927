// What an entry returns and nobody reads there goes past the caches, where it is more than they hold.
// RUN: weft-opt %s --weft-choose-schedules | FileCheck %s

model.dim @m
model.dim @k = #model.size<4096>
model.dim @n = #model.size<4096>
model.dim @i = #model.size<1024>
model.dim @layer = #model.size<2>
!x = !model.tensor<f32, m, k>
!y = !model.tensor<f32, m, n>
!w = !model.tensor<f32, k, n>

// CHECK-DAG: [[PAST:#contraction[0-9]*]] = #cpu.contraction<tile = 8x48, {{.*}}, rows_first = true, non_temporal = true>
// CHECK-DAG: [[KEPT:#contraction[0-9]*]] = #cpu.contraction<tile = 8x48, {{.*}}, rows_first = true>

// CHECK-LABEL: @gradients
func.func @gradients(%x: !x, %y: !y, %id: !model.tensor<index<k>, m>) -> (!w, !w, !w) {
  // CHECK: "returned"
  // CHECK-SAME: avx512 = [[PAST]]
  %0 = kernel.fused contraction "returned" (%a = %x : !x, %b = %y : !y) -> (!w) attributes {layouts = [#kernel.layout<m: "4096", k: "1">,
      #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<k: "4096", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !x, !y
    kernel.yield %c : !w
  }
  // Of what a scatter adds to, only some rows are read.
  // CHECK: "table"
  // CHECK-SAME: avx512 = [[PAST]]
  %1 = kernel.fused contraction "table" (%a = %x : !x, %b = %y : !y) -> (!w) attributes {layouts = [#kernel.layout<m: "4096", k: "1">,
      #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<k: "4096", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !x, !y
    kernel.yield %c : !w
  }
  %2 = kernel.fused scatter "scatter" (%a = %y : !y, %b = %id : !model.tensor<index<k>, m>, %t = %1 : !w) -> (!w) attributes {
      layouts = [#kernel.layout<m: "4096", n: "1">, #kernel.layout<m: "1">, #kernel.layout<k: "4096", n: "1">, #kernel.layout<k: "4096", n: "1">]} {
    %s = model.scatter %a "k" = %b : <f32, m, n>, <index<k>, m> -> <f32, k, n>
    %r = model.add %t, %s : <f32, k, n>, <f32, k, n>
    kernel.yield %r : !w
  }
  // CHECK: "read"
  // CHECK-SAME: avx512 = [[KEPT]]
  %3 = kernel.fused contraction "read" (%a = %x : !x, %b = %y : !y) -> (!w) attributes {layouts = [#kernel.layout<m: "4096", k: "1">,
      #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<k: "4096", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !x, !y
    kernel.yield %c : !w
  }
  %4 = kernel.fused rows "reader" (%a = %3 : !w) -> (!w) attributes {layouts = [#kernel.layout<k: "4096", n: "1">, #kernel.layout<k: "4096", n: "1">]} {
    %c = model.neg %a : !w
    kernel.yield %c : !w
  }
  // What is added to has just been read.
  // CHECK: "onto"
  // CHECK-SAME: avx512 = [[KEPT]]
  %5 = kernel.fused contraction "onto" (%a = %x : !x, %b = %y : !y, %t = %4 : !w) -> (!w) attributes {layouts = [#kernel.layout<m: "4096", k: "1">,
      #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<k: "4096", n: "1">, #kernel.layout<k: "4096", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !x, !y
    %d = model.add %t, %c : !w, !w
    kernel.yield %d : !w
  }
  return %0, %2, %5 : !w, !w, !w
}

// The gradients of a loop are one piece each; what a pass hands on is read by the next.
// CHECK-LABEL: @loop
func.func @loop(%x: !x, %y: !y, %w: !w) -> (!w, !model.tensor<f32, layer, k, n>) {
  %all:2 = model.repeat "layer" carry(%c = %w : <f32, k, n>) -> (!w, !model.tensor<f32, layer, k, n>) {
    // CHECK: "carried"
    // CHECK-SAME: avx512 = [[KEPT]]
    %0 = kernel.fused contraction "carried" (%a = %x : !x, %b = %y : !y) -> (!w) attributes {layouts = [#kernel.layout<m: "4096", k: "1">,
        #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<k: "4096", n: "1">]} {
      %p = model.contract ["m"] %a, %b : !x, !y
      kernel.yield %p : !w
    }
    // CHECK: "stacked"
    // CHECK-SAME: avx512 = [[PAST]]
    %1 = kernel.fused contraction "stacked" (%a = %x : !x, %b = %y : !y) -> (!w) attributes {layouts = [#kernel.layout<m: "4096", k: "1">,
        #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<k: "4096", n: "1">]} {
      %p = model.contract ["m"] %a, %b : !x, !y
      kernel.yield %p : !w
    }
    model.yield %0, %1 : !w, !w
  }
  return %all#0, %all#1 : !w, !model.tensor<f32, layer, k, n>
}

// An entry that returns little: the caches have it still when it is read.
// CHECK-LABEL: @small
func.func @small(%x: !model.tensor<f32, m, i>, %y: !y) -> !model.tensor<f32, i, n> {
  // CHECK: "small"
  // CHECK-SAME: avx512 = [[KEPT]]
  %0 = kernel.fused contraction "small" (%a = %x : !model.tensor<f32, m, i>, %b = %y : !y) -> (!model.tensor<f32, i, n>) attributes {layouts = [
      #kernel.layout<m: "1024", i: "1">, #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>, #kernel.layout<i: "4096", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !model.tensor<f32, m, i>, !y
    kernel.yield %c : !model.tensor<f32, i, n>
  }
  return %0 : !model.tensor<f32, i, n>
}
