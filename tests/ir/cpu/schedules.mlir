// Schedules: what is printed can be read back and prints the same; each stands once, before the module.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t

// CHECK-DAG: #attention = #cpu.attention<tile = 8x48, value_tile = 6x64, unroll = 4, accumulators = 24, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16>
// CHECK-DAG: #attention1 = #cpu.attention<tile = 6x16, value_tile = 6x16, unroll = 4, accumulators = 12, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16, split_tasks = 64, split_keys = 128>
// CHECK-DAG: #attention_grad1 = #cpu.attention_grad<tile = 6x16, depth_tile = 6x16, value_tile = 6x16, unroll = 4, accumulators = 12, rows = 48, keys = 96, split_tasks = 64, split_keys = 192>
// CHECK-DAG: #attention_grad = #cpu.attention_grad<tile = 8x48, depth_tile = 6x64, value_tile = 8x32, unroll = 4, accumulators = 24, rows = 48, keys = 96>
// CHECK-DAG: #contraction = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 192, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8>
// CHECK-DAG: #contraction1 = #cpu.contraction<tile = 6x16, accumulators = 12, rows = 48, columns = 192, k = 768, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8, rows_first = true, few = 2x32>
// CHECK-DAG: #pack = #cpu.pack<panels = 4, rows = 512>
// CHECK-DAG: #rows = #cpu.rows<unroll = 4, elements = 8192>
// CHECK-DAG: #scatter = #cpu.scatter<elements = 8192, tasks = 64>
// CHECK-LABEL: func.func @schedules
func.func @schedules() {
  // CHECK: schedule = {avx512 = #contraction, "x86-64-v3" = #contraction1}
  kernel.fused contraction "" () -> () attributes {schedule = {
    avx512 = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 192, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8>,
    "x86-64-v3" = #cpu.contraction<tile = 6x16, accumulators = 12, rows = 48, columns = 192, k = 768, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8, rows_first = true, few = 2x32>}} { kernel.yield }
  // CHECK: schedule = {avx512 = #pack}
  kernel.fused pack "" () -> () attributes {schedule = {avx512 = #cpu.pack<panels = 4, rows = 512>}} { kernel.yield }
  // CHECK: schedule = {avx512 = #attention, "x86-64-v3" = #attention1}
  kernel.fused attention "" () -> () attributes {schedule = {avx512 = #cpu.attention<tile = 8x48, value_tile = 6x64, unroll = 4, accumulators = 24, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16>,
    "x86-64-v3" = #cpu.attention<tile = 6x16, value_tile = 6x16, unroll = 4, accumulators = 12, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16, split_tasks = 64, split_keys = 128>}} { kernel.yield }
  // CHECK: schedule = {avx512 = #attention_grad, "x86-64-v3" = #attention_grad1}
  kernel.fused attention_grad "" () -> () attributes {schedule = {avx512 = #cpu.attention_grad<tile = 8x48, depth_tile = 6x64, value_tile = 8x32, unroll = 4, accumulators = 24, rows = 48, keys = 96>,
    "x86-64-v3" = #cpu.attention_grad<tile = 6x16, depth_tile = 6x16, value_tile = 6x16, unroll = 4, accumulators = 12, rows = 48, keys = 96, split_tasks = 64, split_keys = 192>}} { kernel.yield }
  // CHECK: schedule = {avx512 = #rows, "x86-64-v3" = #rows}
  kernel.fused rows "" () -> () attributes {schedule = {avx512 = #cpu.rows<unroll = 4, elements = 8192>, "x86-64-v3" = #cpu.rows<unroll = 4, elements = 8192>}} { kernel.yield }
  // CHECK: schedule = {avx512 = #rows}
  kernel.fused table "" () -> () attributes {schedule = {avx512 = #cpu.rows<unroll = 4, elements = 8192>}} { kernel.yield }
  // CHECK: schedule = {avx512 = #scatter}
  kernel.fused scatter "" () -> () attributes {schedule = {avx512 = #cpu.scatter<elements = 8192, tasks = 64>}} { kernel.yield }
  return
}
