// Both sides of a product are stored as bf16: of a parameter, and of what comes in, there is a copy.
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage=precision=bf16 --weft-narrow-operands | FileCheck %s
// RUN: weft-opt %s --weft-choose-layouts --weft-choose-storage --weft-narrow-operands | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: kernel.fused pack
// RUN: weft-opt %s --weft-pack-operands --weft-choose-layouts --weft-choose-storage=precision=bf16 --weft-narrow-operands=panels=true | FileCheck %s --check-prefix=PANELS

// Beside whole numbers too, which are as exact as bf16.
// RUN: weft-opt %s --weft-pack-operands --weft-choose-layouts --weft-choose-storage=precision=bf16 --weft-round-weights=as=int8,head=int8 --weft-narrow-operands=panels=true | FileCheck %s --check-prefix=WHOLE
// WHOLE-LABEL: @twice
// WHOLE: kernel.fused rows "up.narrow"
// WHOLE: kernel.fused contraction "up"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.panels<{{.*}}storage = i8>

model.dim @seq
model.dim @model = #model.size<8>
model.dim @ff = #model.size<16>
model.dim @key
model.dim @wide = #model.size<160>
model.parameter @w : !model.tensor<f32, model, ff>

// One copy of each, also where a product is not all that reads it.
// CHECK-LABEL: @twice
// PANELS-LABEL: @twice
// PANELS: kernel.fused rows "up.narrow"{{.*}}#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1", storage = bf16>]
// PANELS: kernel.fused pack "up.pack"{{.*}}storage = bf16>]
// PANELS-NOT: .narrow"
// PANELS: kernel.fused contraction "up"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.panels<{{.*}}storage = bf16>
// PANELS-NOT: .narrow"
// PANELS: kernel.fused contraction "again"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>
func.func @twice(%x: !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>) {
  // CHECK: kernel.fused pack "up.narrow"{{.*}}#kernel.layout<seq: "8", model: "1">, #kernel.layout<seq: "8", model: "1", storage = bf16>]
  %w = model.param @w : !model.tensor<f32, model, ff>
  // CHECK: kernel.fused pack "up.narrow"{{.*}}#kernel.layout<model: "16", ff: "1">, #kernel.layout<model: "16", ff: "1", storage = bf16>]
  // CHECK: kernel.fused contraction "up"{{.*}}layouts = [#kernel.layout<seq: "8", model: "1", storage = bf16>, #kernel.layout<model: "16", ff: "1", storage = bf16>
  %0 = kernel.fused contraction "up" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, seq, ff>) {
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
    kernel.yield %1 : !model.tensor<f32, seq, ff>
  }
  // CHECK-NOT: kernel.fused pack
  // CHECK: kernel.fused contraction "again"
  %2 = kernel.fused contraction "again" (%a = %x : !model.tensor<f32, seq, model>, %b = %w : !model.tensor<f32, model, ff>) -> (!model.tensor<f32, seq, ff>) {
    %1 = model.contract ["model"] %a, %b : !model.tensor<f32, seq, model>, !model.tensor<f32, model, ff>
    %3 = model.exp %1 : !model.tensor<f32, seq, ff>
    kernel.yield %3 : !model.tensor<f32, seq, ff>
  }
  return %0, %2 : !model.tensor<f32, seq, ff>, !model.tensor<f32, seq, ff>
}

// What an attention's products read of weights, which are in no memory.
// CHECK-LABEL: @attends
// PANELS-LABEL: @attends
// PANELS-NOT: .narrow"
// PANELS-NOT: narrow_weights
// PLAIN-LABEL: @attends
// PLAIN-NOT: narrow_weights
func.func @attends(%q: !model.tensor<f32, seq, model>, %k: !model.tensor<f32, key, model>, %v: !model.tensor<f32, key, model>) -> !model.tensor<f32, seq, model> {
  // CHECK: kernel.fused attention
  // CHECK: model.attention {{.*}} {narrow_weights}
  %0:2 = kernel.fused attention "attend" (%a = %q : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>, %c = %v : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>) {
    %1:2 = model.attention "key" ["model"] %a, %b, %c scale 1.0 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
    kernel.yield %1#0, %1#1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  }
  return %0#0 : !model.tensor<f32, seq, model>
}

// Of scores that are capped, products are by fused multiply-adds: of weights as they are.
// CHECK-LABEL: @capped
// CHECK-NOT: kernel.fused pack
// CHECK-NOT: narrow_weights
func.func @capped(%q: !model.tensor<f32, seq, model>, %k: !model.tensor<f32, key, model>, %v: !model.tensor<f32, key, model>) -> !model.tensor<f32, seq, model> {
  %0:2 = kernel.fused attention "attend" (%a = %q : !model.tensor<f32, seq, model>, %b = %k : !model.tensor<f32, key, model>, %c = %v : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>) {
    %1:2 = model.attention "key" ["model"] %a, %b, %c scale 1.0 cap 50.0 : !model.tensor<f32, seq, model>, !model.tensor<f32, key, model>, !model.tensor<f32, key, model>
    kernel.yield %1#0, %1#1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  }
  return %0#0 : !model.tensor<f32, seq, model>
}

// A depth of more than matrix instructions of a warp take is computed as rows, of weights as they are.
// CHECK-LABEL: @deep
// CHECK-NOT: narrow_weights
func.func @deep(%q: !model.tensor<f32, seq, wide>, %k: !model.tensor<f32, key, wide>, %v: !model.tensor<f32, key, model>) -> !model.tensor<f32, seq, model> {
  %0:2 = kernel.fused attention "attend" (%a = %q : !model.tensor<f32, seq, wide>, %b = %k : !model.tensor<f32, key, wide>, %c = %v : !model.tensor<f32, key, model>) -> (!model.tensor<f32, seq, model>, !model.tensor<f32, seq>) {
    %1:2 = model.attention "key" ["wide"] %a, %b, %c scale 1.0 : !model.tensor<f32, seq, wide>, !model.tensor<f32, key, wide>, !model.tensor<f32, key, model>
    kernel.yield %1#0, %1#1 : !model.tensor<f32, seq, model>, !model.tensor<f32, seq>
  }
  return %0#0 : !model.tensor<f32, seq, model>
}
