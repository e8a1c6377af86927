// Every kernel gets a schedule for each instruction set; what is said already stays.
// RUN: weft-opt %s --weft-choose-schedules | FileCheck %s
// RUN: weft-opt %s '--weft-choose-schedules=cores=2' -o %t.2 && FileCheck %s --check-prefix=CORES < %t.2
// What was chosen for so many cores is chosen again for them, and the module says how many they are.
// RUN: weft-opt %t.2 --weft-choose-schedules | diff %t.2 -
// CORES: #cpu.contraction<{{[^>]*}}, tasks = 4, long_sum = 8192, long_tasks = 2>
// CORES: module attributes {cpu.cores = 2 : i64}
// RUN: weft-opt %s --weft-choose-schedules -o %t && weft-opt %t --weft-choose-schedules | diff %t -

model.dim @m
model.dim @k = #model.size<64>
model.dim @n = #model.size<64>

// CHECK-DAG: [[C3:#contraction[0-9]*]] = #cpu.contraction<tile = 6x16, accumulators = 12, rows = 48, columns = 192, k = 768
// CHECK-DAG: [[C4:#contraction[0-9]*]] = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 96, k = 1024,{{[^>]*}}, long_tasks = 32>
// CHECK-DAG: [[P:#contraction[0-9]*]] = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 768, k = 256,{{[^>]*}}, rows_first = true>
// CHECK-DAG: [[W:#contraction[0-9]*]] = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 384, columns = 96, k = 768,{{[^>]*}}, long_tasks = 32>
// CHECK-DAG: [[B:#contraction[0-9]*]] = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 384, columns = 192, k = 256,{{[^>]*}}, long_tasks = 32>
// CHECK-DAG: [[MINE:#contraction[0-9]*]] = #cpu.contraction<tile = 6x64, accumulators = 24,
// CHECK-DAG: [[R2:#rows[0-9]*]] = #cpu.rows<unroll = 2,
// CHECK-DAG: [[R4:#rows[0-9]*]] = #cpu.rows<unroll = 4,
// CHECK-DAG: [[R1:#rows[0-9]*]] = #cpu.rows<unroll = 1,

// CHECK-LABEL: @contractions
func.func @contractions(%x: !model.tensor<f32, m, k>, %w: !model.tensor<f32, k, n>, %y: !model.tensor<f32, m, n>) {
  // CHECK: "plain"
  // CHECK-SAME: schedule = {avx512 = [[C4]], "x86-64-v3" = [[C3]]}
  %0 = kernel.fused contraction "plain" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                             #kernel.layout<m: "64", n: "1">]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  // Tasks that pack the right side, or both, have many rows to share that work.
  // CHECK: "within"
  // CHECK-SAME: schedule = {avx512 = [[W]],
  %within = kernel.fused contraction "within" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<k: "64", n: "1">, #kernel.layout<m: "64", n: "1">],
                  packs = [unit, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>]} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  // CHECK: "both"
  // CHECK-SAME: schedule = {avx512 = [[B]],
  %both = kernel.fused contraction "both" (%a = %x : !model.tensor<f32, m, k>, %b = %y : !model.tensor<f32, m, n>) -> (!model.tensor<f32, k, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", n: "1">, #kernel.layout<k: "64", n: "1">],
                  packs = [unit, #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>]} {
    %c = model.contract ["m"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, m, n>
    kernel.yield %c : !model.tensor<f32, k, n>
  }
  // Each task packs the left side, so more columns share that work, and for more tasks blocks get fewer rows first.
  // CHECK: "turned"
  // CHECK-SAME: avx512 = [[P]]
  %1 = kernel.fused contraction "turned" (%a = %x : !model.tensor<f32, m, k>, %b = %y : !model.tensor<f32, m, n>) -> (!model.tensor<f32, k, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.panels<batch = [], rows = [m], columns = [n], width = 16>,
                             #kernel.layout<k: "64", n: "1">]} {
    %c = model.contract ["m"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, m, n>
    kernel.yield %c : !model.tensor<f32, k, n>
  }
  // CHECK: "mine"
  // CHECK-SAME: schedule = {avx512 = [[MINE]], "x86-64-v3" = [[C3]]}
  %2 = kernel.fused contraction "mine" (%a = %x : !model.tensor<f32, m, k>, %b = %w : !model.tensor<f32, k, n>) -> (!model.tensor<f32, m, n>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.panels<batch = [], rows = [k], columns = [n], width = 16>,
                             #kernel.layout<m: "64", n: "1">],
                  schedule = {avx512 = #cpu.contraction<tile = 6x64, accumulators = 24, rows = 6, columns = 64, k = 2, work = 1,
                                                        tasks = 3, long_sum = 9, long_tasks = 5>}} {
    %c = model.contract ["k"] %a, %b : !model.tensor<f32, m, k>, !model.tensor<f32, k, n>
    kernel.yield %c : !model.tensor<f32, m, n>
  }
  return
}

// Functions that cost much fill the registers sooner; a table is computed number by number.
// CHECK-LABEL: @rows
func.func @rows(%x: !model.tensor<f32, m, k>) {
  // CHECK: "light"
  // CHECK-SAME: schedule = {avx512 = [[R4]], "x86-64-v3" = [[R4]]}
  %0 = kernel.fused rows "light" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">]} {
    %c = model.neg %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  // CHECK: "heavy"
  // CHECK-SAME: schedule = {avx512 = [[R2]], "x86-64-v3" = [[R2]]}
  %1 = kernel.fused rows "heavy" (%a = %x : !model.tensor<f32, m, k>) -> (!model.tensor<f32, m, k>)
      attributes {layouts = [#kernel.layout<m: "64", k: "1">, #kernel.layout<m: "64", k: "1">]} {
    %c = model.exp %a : !model.tensor<f32, m, k>
    kernel.yield %c : !model.tensor<f32, m, k>
  }
  // CHECK: "table"
  // CHECK-SAME: schedule = {avx512 = [[R1]], "x86-64-v3" = [[R1]]}
  %2 = kernel.fused table "table" () -> (!model.tensor<f32, k>) attributes {layouts = [#kernel.layout<k: "1">]} {
    %c = model.constant 0.5 : f64
    %d = model.broadcast %c along ["k"] : !model.tensor<f32>
    kernel.yield %d : !model.tensor<f32, k>
  }
  return
}

// Tunings that cannot be read are an error, and so are those for another kind of machine; what is no tuning is a warning at its line.
// tests/unit/tune has those that are.
// RUN: not weft-opt %s '--weft-choose-schedules=tuned=/nowhere' 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: cannot read the tunings /nowhere: No such file
// RUN: printf '# none\nkernel 1234\n' > %t.tuned
// RUN: not weft-opt %s '--weft-choose-schedules=machines=cuda tuned=%t.tuned' 2>&1 | FileCheck %s --check-prefix=GPU
// GPU: error: tuned schedules are for `cpu`, not for `cuda`
// RUN: weft-opt %s '--weft-choose-schedules=tuned=%t.tuned' -o %t.other 2>&1 | FileCheck %s --check-prefix=WARN
// WARN: tuned:2:1: warning: this tuning is not used: expected two things, with ` ` between
// RUN: diff %t %t.other
