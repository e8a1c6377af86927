// Which caches become whole numbers that share scales.
// RUN: weft-opt %s --weft-round-caches=as=int8 --remark-format=emitRemark --remarks-filter=weft-round-caches 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: weft-opt %s --weft-round-caches=as=int8 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=LAYOUT
// RUN: weft-opt %s --weft-round-caches=as=bf16 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=NARROW
// RUN: weft-opt %s --weft-round-caches=as=float32 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage=precision=bf16 | FileCheck %s --check-prefix=WIDE
// RUN: weft-opt %s --weft-round-caches --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: storage
// WIDE-NOT: model.storage

// CHECK: module attributes {model.caches = "int8"}
model.dim @new
model.dim @known
model.dim @room
model.dim @all = <known + new>
model.dim @head = <2>
model.dim @dh = <32>
model.dim @odd = <40>
model.dim @word = <96>
model.dim @layer = <3>

// Keys and values, in a loop over layers; what attention reads is a part of the cache.
// CHECK-LABEL: func.func @attends
// CHECK-SAME: {model.cache = "k", model.storage = i8}
// CHECK-SAME: {model.cache = "v", model.storage = i8}
// CHECK: kernel.fused rows "twice"
// CHECK: kernel.fused pack "twice.round"
// CHECK: kernel.fused pack "twice.round"
// CHECK: model.insert_part
// CHECK: kernel.fused attention
// LAYOUT-LABEL: func.func @attends
// LAYOUT: rows "twice"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<new: "64", head: "32", dh: "1">]
// LAYOUT: pack "twice.round"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<new: "64", head: "32", dh: "1", storage = i8>]
// LAYOUT: attention "attention"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<all: "64", head: "32", dh: "1", storage = i8>, #kernel.layout<all: "64", head: "32", dh: "1", storage = i8>,
// Where they are bf16, the kernel that computes rows writes them there.
// NARROW-LABEL: func.func @attends
// NARROW-SAME: model.storage = bf16
// NARROW-NOT: pack
// NARROW: attention "attention"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<all: "64", head: "32", dh: "1", storage = bf16>, #kernel.layout<all: "64", head: "32", dh: "1", storage = bf16>,
func.func @attends(%x: !model.tensor<f32, new, head, dh>,
    %k: !model.tensor<f32, layer, room, head, dh> {model.cache = "k"}, %v: !model.tensor<f32, layer, room, head, dh> {model.cache = "v"})
    -> (!model.tensor<f32, new, head, dh>, !model.tensor<f32, layer, room, head, dh> {model.cache = "k"}, !model.tensor<f32, layer, room, head, dh> {model.cache = "v"}) {
  %y:3 = model.repeat "layer" carry (%c = %x : !model.tensor<f32, new, head, dh>) slice (%ks = %k : !model.tensor<f32, layer, room, head, dh> as !model.tensor<f32, room, head, dh>, %vs = %v : !model.tensor<f32, layer, room, head, dh> as !model.tensor<f32, room, head, dh>) {
    %q = kernel.fused rows "twice" (%a = %c : !model.tensor<f32, new, head, dh>) -> (!model.tensor<f32, new, head, dh>) {
      %0 = model.add %a, %a : !model.tensor<f32, new, head, dh>, !model.tensor<f32, new, head, dh>
      kernel.yield %0 : !model.tensor<f32, new, head, dh>
    }
    %kc = model.insert_part %q into %ks "room" as "new" at <known> : !model.tensor<f32, new, head, dh>, !model.tensor<f32, room, head, dh> -> !model.tensor<f32, room, head, dh>
    %vc = model.insert_part %q into %vs "room" as "new" at <known> : !model.tensor<f32, new, head, dh>, !model.tensor<f32, room, head, dh> -> !model.tensor<f32, room, head, dh>
    %kp = model.part %kc "room" as "all" at <0> : !model.tensor<f32, room, head, dh> -> !model.tensor<f32, all, head, dh>
    %vp = model.part %vc "room" as "all" at <0> : !model.tensor<f32, room, head, dh> -> !model.tensor<f32, all, head, dh>
    model.yield %q : !model.tensor<f32, new, head, dh>
  }
  return %x, %k, %v : !model.tensor<f32, new, head, dh>, !model.tensor<f32, layer, room, head, dh>, !model.tensor<f32, layer, room, head, dh>
}
