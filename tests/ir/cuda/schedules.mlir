// Schedules: what is printed can be read back and prints the same; each stands once, before the module.
// RUN: weft-opt %s -o %t && weft-opt %t | diff %t - && FileCheck %s --input-file=%t

// CHECK-DAG: #attention = #cuda.attention<rows = 64, keys = 32, thread_rows = 4, thread_keys = 2, unroll = 4>
// CHECK-DAG: #attention_grad = #cuda.attention_grad<rows = 64, columns = 32, thread_rows = 4, thread_columns = 2, unroll = 4>
// CHECK-DAG: #contraction = #cuda.contraction<rows = 128, columns = 128, depth = 16, thread_rows = 8, thread_columns = 8, unroll = 4>
// CHECK-DAG: #mma = #cuda.mma<rows = 128, columns = 128, depth = 32, warps_down = 2, warps_across = 4, stages = 3, splits = 5>
// CHECK-DAG: #few_rows = #cuda.few_rows<rows = 4, columns = 16, threads = 128, thread_columns = 8, thread_depth = 8>
// CHECK-DAG: #by_rows = #cuda.by_rows<rows = 16, few = #few_rows, many = #wgmma>
// CHECK-DAG: #wgmma = #cuda.wgmma<rows = 128, columns = 256, consumers = 2, stages = 4, cluster = 2>
// CHECK-DAG: #rows = #cuda.rows<threads = 256, team = 32, unroll = 4, blocks = 864>
// CHECK-DAG: #scatter = #cuda.scatter<threads = 256, positions = 1, blocks = 864>
// CHECK-LABEL: func.func @schedules
func.func @schedules() {
  // CHECK: schedule = {sm_80 = #contraction}
  kernel.fused contraction "" () -> () attributes {schedule = {
    sm_80 = #cuda.contraction<rows = 128, columns = 128, depth = 16, thread_rows = 8, thread_columns = 8, unroll = 4>}} { kernel.yield }
  // CHECK: schedule = {sm_80 = #mma, sm_90a = #by_rows}
  kernel.fused contraction "" () -> () attributes {schedule = {
    sm_80 = #cuda.mma<rows = 128, columns = 128, depth = 32, warps_down = 2, warps_across = 4, stages = 3, splits = 5>,
    sm_90a = #cuda.by_rows<rows = 16, few = <rows = 4, columns = 16, threads = 128, thread_columns = 8, thread_depth = 8>,
                           many = #cuda.wgmma<rows = 128, columns = 256, consumers = 2, stages = 4, cluster = 2, splits = 1>>}} { kernel.yield }
  // CHECK: schedule = {sm_80 = #few_rows}
  kernel.fused contraction "" () -> () attributes {schedule = {
    sm_80 = #cuda.few_rows<rows = 4, columns = 16, threads = 128, thread_columns = 8, thread_depth = 8>}} { kernel.yield }
  // CHECK: schedule = {sm_80 = #attention}
  kernel.fused attention "" () -> () attributes {schedule = {sm_80 = #cuda.attention<rows = 64, keys = 32, thread_rows = 4, thread_keys = 2, unroll = 4>}} { kernel.yield }
  // CHECK: schedule = {sm_80 = #attention_grad}
  kernel.fused attention_grad "" () -> () attributes {schedule = {sm_80 = #cuda.attention_grad<rows = 64, columns = 32, thread_rows = 4, thread_columns = 2, unroll = 4>}} { kernel.yield }
  // CHECK: schedule = {sm_80 = #rows, sm_90a = #rows}
  kernel.fused rows "" () -> () attributes {schedule = {sm_80 = #cuda.rows<threads = 256, team = 32, unroll = 4, blocks = 864>, sm_90a = #cuda.rows<threads = 256, team = 32, unroll = 4, blocks = 864>}} { kernel.yield }
  // CHECK: schedule = {sm_80 = #scatter}
  kernel.fused scatter "" () -> () attributes {schedule = {sm_80 = #cuda.scatter<threads = 256, positions = 1, blocks = 864>}} { kernel.yield }
  return
}
