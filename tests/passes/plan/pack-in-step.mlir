// RUN: weft-opt %s --weft-stage-fused --weft-stage-kernel --weft-stage-plan | FileCheck %s
// RUN: weft-opt %s --weft-stage-fused --weft-stage-kernel --weft-build-plan | FileCheck %s --check-prefix=AHEAD

module attributes {model.precision = "bf16"} {
model.dim @rows
model.dim @model = #model.size<32>
model.dim @ff = #model.size<48>
model.dim @odd = #model.size<5>
model.dim @layer = #model.size<3>
model.parameter @w : !model.tensor<f32, layer, model, ff> loops 1
model.parameter @o : !model.tensor<f32, layer, odd, model> loops 1

// 32 rows of 48 elements are cut into tasks of 1536: whole rows, a multiple of 16 of them. A task of the pack that transposes has two panels.
// CHECK-DAG: #[[FORWARD:.*]] = #cpu.pack<panels = 3, rows = 32, non_temporal = true>
// CHECK-DAG: #[[BACKWARD:.*]] = #cpu.pack<panels = 2, rows = 48, non_temporal = true>
// CHECK-DAG: #[[ROWS:.*]] = #cpu.rows<unroll = 4, elements = 1536>

// CHECK: plan.entry @step
// CHECK-SAME: packed = [#model.size<9216>, #model.size<9216>, #model.size<3072>, #model.size<1152>]
// CHECK: plan.launch @w.pack(
// CHECK: plan.launch @w.pack.2(
func.func @step(%x: !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, model> attributes {model.kind = "gradient"} {
  %1 = model.repeat "layer" carry(%c = %x : !model.tensor<f32, rows, model>) -> !model.tensor<f32, rows, model> {
    %w = model.param @w : !model.tensor<f32, model, ff>
    %o = model.param @o : !model.tensor<f32, odd, model>
    %h = model.contract ["model"] %c, %w : !model.tensor<f32, rows, model>, !model.tensor<f32, model, ff>
    %b = model.contract ["ff"] %h, %w : !model.tensor<f32, rows, ff>, !model.tensor<f32, model, ff>
    %n = model.contract ["model"] %b, %o : !model.tensor<f32, rows, model>, !model.tensor<f32, odd, model>
    %y = model.contract ["odd"] %n, %o : !model.tensor<f32, rows, odd>, !model.tensor<f32, odd, model>
    model.yield %y : !model.tensor<f32, rows, model>
  }
  return %1 : !model.tensor<f32, rows, model>
}

// The update has the buffers that the gradient's `prepare` fills, and fills them, matrix by matrix. One of five rows has no whole panels, nor whole
// pairs of rows, in which the next one could begin: it stays as it is.
// CHECK: plan.entry @update
// CHECK-SAME: packed = [#model.size<9216>, #model.size<9216>], slots
// CHECK: body
// CHECK: %[[W:.*]] = plan.parameter @w
// CHECK: %[[NEW:.*]] = plan.parameter @w
// CHECK: %[[FIRST:.*]] = plan.packed 0
// CHECK: %[[SECOND:.*]] = plan.packed 1
// CHECK: plan.launch @sub.in_step(%[[W]], %{{.*}}, %[[NEW]])
// CHECK-NEXT: plan.loop "layer"
// CHECK: %[[FROM:.*]] = plan.offset %[[NEW]] by <6144> times
// CHECK: %[[TO:.*]] = plan.offset %[[FIRST]] by <3072> times
// CHECK: plan.launch @w.pack.in_step(%[[FROM]], %[[TO]]) in_step
// CHECK: plan.loop "layer"
// CHECK: plan.offset %[[SECOND]] by <3072> times
// CHECK: plan.launch @w.pack.2.in_step({{.*}}) in_step
// CHECK-NOT: in_step
// CHECK: plan.kernel @w.pack.in_step
// CHECK: schedule = {avx512 = #[[FORWARD]], "x86-64-v3" = #[[FORWARD]]}
// CHECK: plan.kernel @w.pack.2.in_step
// CHECK: schedule = {avx512 = #[[BACKWARD]], "x86-64-v3" = #[[BACKWARD]]}
// CHECK: plan.kernel @sub.in_step
// CHECK: schedule = {avx512 = #[[ROWS]], "x86-64-v3" = #[[ROWS]]}
// AHEAD-NOT: in_step
func.func @update(%dw: !model.tensor<f32, layer, model, ff>, %do: !model.tensor<f32, layer, odd, model>) attributes {model.kind = "update"} {
  %w = model.param @w : !model.tensor<f32, layer, model, ff>
  %0 = model.sub %w, %dw : !model.tensor<f32, layer, model, ff>, !model.tensor<f32, layer, model, ff>
  model.assign @w, %0 : !model.tensor<f32, layer, model, ff>
  %o = model.param @o : !model.tensor<f32, layer, odd, model>
  %1 = model.sub %o, %do : !model.tensor<f32, layer, odd, model>, !model.tensor<f32, layer, odd, model>
  model.assign @o, %1 : !model.tensor<f32, layer, odd, model>
  return
}
}
