// For GPUs: the gradient of attention is cut into tiles where a bias has one too, and where keys lack positions of the batch; by matrix
// instructions only where nothing is added up over these.
// RUN: weft-opt %s --weft-choose-schedules=machines=cuda | FileCheck %s
// RUN: sed 's/{layouts/{schedule = {sm_80 = #cuda.mma_attention_grad<rows = 64, columns = 32, warps = 4, stages = 2>}, layouts/' %s > %t.mma.mlir
// RUN: not weft-opt %t.mma.mlir --weft-choose-schedules=machines=cuda 2>&1 | FileCheck %s --check-prefix=MMA

// CHECK-DAG: [[LARGE:#attention_grad[0-9]*]] = #cuda.attention_grad<rows = 16, columns = 16, thread_rows = 2, thread_columns = 1, unroll = 4>
// CHECK-DAG: [[SMALL:#attention_grad[0-9]*]] = #cuda.attention_grad<rows = 32, columns = 32, thread_rows = 2, thread_columns = 2, unroll = 4>
model.dim @b
model.dim @s
model.dim @t
model.dim @h = #model.size<8>
model.dim @d = #model.size<64>
model.dim @wide = #model.size<96>

// CHECK: "bias"
// CHECK-SAME: schedule = {sm_80 = [[SMALL]], sm_90a = [[SMALL]]}
// MMA: error: 'kernel.fused' op sums a gradient over `b`: its schedule is `cuda.attention_grad` or one of rows
func.func @bias(%q.in: !model.tensor<f32, b, h, s, d>, %k.in: !model.tensor<f32, b, h, t, d>, %b.in: !model.tensor<f32, h, s, t>, %l.in: !model.tensor<f32, b, h, s>) {
  %r:4 = kernel.fused attention_grad "bias" (%q = %q.in : !model.tensor<f32, b, h, s, d>, %k = %k.in : !model.tensor<f32, b, h, t, d>,
                                             %v = %k.in : !model.tensor<f32, b, h, t, d>, %bias = %b.in : !model.tensor<f32, h, s, t>,
                                             %o = %q.in : !model.tensor<f32, b, h, s, d>, %l = %l.in : !model.tensor<f32, b, h, s>, %g = %q.in : !model.tensor<f32, b, h, s, d>)
      -> (!model.tensor<f32, b, h, s, d>, !model.tensor<f32, b, h, t, d>, !model.tensor<f32, b, h, t, d>, !model.tensor<f32, h, s, t>)
      attributes {layouts = [#kernel.layout<b: "h * s * d", h: "s * d", s: "d", d: "1">, #kernel.layout<b: "h * t * d", h: "t * d", t: "d", d: "1">,
                             #kernel.layout<b: "h * t * d", h: "t * d", t: "d", d: "1">, #kernel.layout<h: "s * t", s: "t", t: "1">,
                             #kernel.layout<b: "h * s * d", h: "s * d", s: "d", d: "1">, #kernel.layout<b: "h * s", h: "s", s: "1">, #kernel.layout<b: "h * s * d", h: "s * d", s: "d", d: "1">,
                             #kernel.layout<b: "h * s * d", h: "s * d", s: "d", d: "1">, #kernel.layout<b: "h * t * d", h: "t * d", t: "d", d: "1">,
                             #kernel.layout<b: "h * t * d", h: "t * d", t: "d", d: "1">, #kernel.layout<h: "s * t", s: "t", t: "1">]} {
    %dq, %dk, %dv, %dbias = model.attention_grad "t" ["d"] %q, %k, %v bias(%bias : !model.tensor<f32, h, s, t>) of %o, %l by %g scale 1.250000e-01
        : !model.tensor<f32, b, h, s, d>, !model.tensor<f32, b, h, t, d>, !model.tensor<f32, b, h, t, d>, !model.tensor<f32, b, h, s, d>, !model.tensor<f32, b, h, s>, !model.tensor<f32, b, h, s, d>
    kernel.yield %dq, %dk, %dv, %dbias : !model.tensor<f32, b, h, s, d>, !model.tensor<f32, b, h, t, d>, !model.tensor<f32, b, h, t, d>, !model.tensor<f32, h, s, t>
  }
  return
}

// Keys of all of the batch, values of each: gradients of keys are summed, those of values are not.
// CHECK: "keys"
// CHECK-SAME: schedule = {sm_80 = [[LARGE]], sm_90a = [[LARGE]]}
func.func @keys(%q.in: !model.tensor<f32, b, s, wide>, %k.in: !model.tensor<f32, t, wide>, %v.in: !model.tensor<f32, b, t, wide>, %l.in: !model.tensor<f32, b, s>) {
  %r:3 = kernel.fused attention_grad "keys" (%q = %q.in : !model.tensor<f32, b, s, wide>, %k = %k.in : !model.tensor<f32, t, wide>, %v = %v.in : !model.tensor<f32, b, t, wide>,
                                             %o = %q.in : !model.tensor<f32, b, s, wide>, %l = %l.in : !model.tensor<f32, b, s>, %g = %q.in : !model.tensor<f32, b, s, wide>)
      -> (!model.tensor<f32, b, s, wide>, !model.tensor<f32, t, wide>, !model.tensor<f32, b, t, wide>)
      attributes {layouts = [#kernel.layout<b: "s * wide", s: "wide", wide: "1", storage = bf16>, #kernel.layout<t: "wide", wide: "1", storage = bf16>,
                             #kernel.layout<b: "t * wide", t: "wide", wide: "1", storage = bf16>,
                             #kernel.layout<b: "s * wide", s: "wide", wide: "1", storage = bf16>, #kernel.layout<b: "s", s: "1">, #kernel.layout<b: "s * wide", s: "wide", wide: "1", storage = bf16>,
                             #kernel.layout<b: "s * wide", s: "wide", wide: "1">, #kernel.layout<t: "wide", wide: "1">, #kernel.layout<b: "t * wide", t: "wide", wide: "1">]} {
    %dq, %dk, %dv = model.attention_grad "t" ["wide"] %q, %k, %v of %o, %l by %g scale 1.250000e-01
        : !model.tensor<f32, b, s, wide>, !model.tensor<f32, t, wide>, !model.tensor<f32, b, t, wide>, !model.tensor<f32, b, s, wide>, !model.tensor<f32, b, s>, !model.tensor<f32, b, s, wide>
    kernel.yield %dq, %dk, %dv : !model.tensor<f32, b, s, wide>, !model.tensor<f32, t, wide>, !model.tensor<f32, b, t, wide>
  }
  return
}
