// Kernels and their layouts: what is printed can be read back and prints the same.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t

// CHECK-LABEL: func.func @families
func.func @families(%x: !model.tensor<f32, seq, model>, %w: !model.tensor<f32, model, ff>) -> !model.tensor<f32, seq, ff> {
  // CHECK: kernel.fused rows "norm" (%[[A:.*]] = %{{.*}} : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
  // CHECK-NEXT: model.normalize ["model"] %[[A]]
  // CHECK-NEXT: kernel.yield %{{.*}} : !model.tensor<f32, seq, model>
  %n = kernel.fused rows "norm" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
    %0 = model.normalize ["model"] %a eps 1.0e-05 centered true : !model.tensor<f32, seq, model>
    kernel.yield %0 : !model.tensor<f32, seq, model>
  }
  // CHECK: kernel.fused contraction "up" ({{.*}}, {{.*}}) -> (!model.tensor<f32, seq, ff>)
  // CHECK-SAME: layouts = [#kernel.layout<seq: "model", model: "1">
  // CHECK-SAME: #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>
  // CHECK-SAME: #kernel.layout<seq: "ff", ff: "1">]
  // CHECK-SAME: schedule = {avx512 = #contraction}
  %y = kernel.fused contraction "up" (%a = %n : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, ff>)
      -> (!model.tensor<f32, seq, ff>)
      attributes {layouts = [#kernel.layout<seq: "model", model: "1">,
                             #kernel.panels<batch = [], rows = [model], columns = [ff], width = 16>,
                             #kernel.layout<seq: "ff", ff: "1">],
                  schedule = {avx512 = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 192, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8>}} {
    %0 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
    kernel.yield %0 : !model.tensor<f32, seq, ff>
  }
  // A table takes nothing; a scalar's layout is empty; a dimension may have any name.
  // CHECK: kernel.fused table "scale" () -> (!model.tensor<f32>) attributes {layouts = [#kernel.layout<>]}
  %s = kernel.fused table "scale" () -> (!model.tensor<f32>) attributes {layouts = [#kernel.layout<>]} {
    %0 = model.constant 0.5 : f64
    kernel.yield %0 : !model.tensor<f32>
  }
  // CHECK: kernel.fused pack "up.pack"
  // CHECK-SAME: #kernel.layout<"odd name": "batch * seq + 1">
  // CHECK-SAME: #kernel.panels<batch = [head], rows = ["odd name"], columns = [], width = 8>
  // CHECK: kernel.yield{{$}}
  kernel.fused pack "up.pack" (%a = %w : !model.tensor<f32, model, ff>, %b = %s : !model.tensor<f32>) -> ()
      attributes {layouts = [#kernel.layout<"odd name": "1 + seq * batch">,
                             #kernel.panels<batch = [head], rows = ["odd name"], columns = [], width = 8>]} {
    kernel.yield
  }
  return %y : !model.tensor<f32, seq, ff>
}

// The names of all families.
// CHECK-LABEL: func.func @names
func.func @names() {
  // CHECK: kernel.fused attention ""
  kernel.fused attention "" () -> () { kernel.yield }
  // CHECK: kernel.fused attention_grad ""
  kernel.fused attention_grad "" () -> () { kernel.yield }
  // CHECK: kernel.fused scatter ""
  kernel.fused scatter "" () -> () { kernel.yield }
  return
}
