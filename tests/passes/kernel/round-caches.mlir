// Which caches become whole numbers that share scales.
// RUN: weft-opt %s --weft-round-caches=as=int8 --remark-format=emitRemark --remarks-filter=weft-round-caches 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: weft-opt %s --weft-round-caches=as=int8 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=LAYOUT
// RUN: weft-opt %s --weft-round-caches=as=int8 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage=precision=bf16 | FileCheck %s --check-prefix=BOTH
// RUN: weft-opt %s --weft-round-caches=as=bf16 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=NARROW
// RUN: weft-opt %s --weft-round-caches=as=float32 --weft-materialize-copies --weft-choose-layouts --weft-choose-storage=precision=bf16 | FileCheck %s --check-prefix=WIDE
// RUN: weft-opt %s --weft-round-caches --weft-materialize-copies --weft-choose-layouts --weft-choose-storage | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: storage
// WIDE-NOT: model.storage

// CHECK: module attributes {model.caches = "int8"}
model.dim @batch
model.dim @new
model.dim @known
model.dim @room
model.dim @all = <known + new>
model.dim @head = <2>
model.dim @dh = <32>
model.dim @odd = <40>
model.dim @layer = <3>

// Keys of all layers, of which each pass of the loop has its own; what attention reads are those known so far.
// CHECK-LABEL: func.func @attends
// CHECK-SAME: {model.cache = "k", model.storage = i8})
// CHECK: kernel.fused rows "twice"
// CHECK: kernel.fused pack "k.round"
// CHECK: model.insert_part
// CHECK: kernel.fused attention
// LAYOUT-LABEL: func.func @attends
// LAYOUT: rows "twice"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<new: "64", head: "32", dh: "1">]
// LAYOUT: pack "k.round"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<new: "64", head: "32", dh: "1", storage = i8>]
// LAYOUT: attention "a"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<all: "64", head: "32", dh: "1", storage = i8>, #kernel.layout<all: "64", head: "32", dh: "1", storage = i8>,
// Beside bf16 what is rounded may be so already.
// BOTH-LABEL: func.func @attends
// BOTH: pack "k.round"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1", storage = bf16>, #kernel.layout<new: "64", head: "32", dh: "1", storage = i8>]
// Where they are bf16, the kernel that computes rows writes them there.
// NARROW-LABEL: func.func @attends
// NARROW-SAME: model.storage = bf16
// NARROW-NOT: kernel.fused pack
// NARROW: attention "a"{{.*}}layouts = [#kernel.layout<new: "64", head: "32", dh: "1">, #kernel.layout<all: "64", head: "32", dh: "1", storage = bf16>, #kernel.layout<all: "64", head: "32", dh: "1", storage = bf16>,
func.func @attends(%x: !model.tensor<f32, new, head, dh>, %k: !model.tensor<f32, layer, room, head, dh> {model.cache = "k"})
    -> (!model.tensor<f32, new, head, dh>, !model.tensor<f32, layer, room, head, dh> {model.cache = "k"}) {
  %y:2 = model.repeat "layer" carry(%c = %x : <f32, new, head, dh>) slices(%slice = %k : <f32, layer, room, head, dh>) -> (!model.tensor<f32, new, head, dh>, !model.tensor<f32, layer, room, head, dh>) {
    %twice = kernel.fused rows "twice" (%a = %c : !model.tensor<f32, new, head, dh>) -> (!model.tensor<f32, new, head, dh>) {
      %0 = model.add %a, %a : !model.tensor<f32, new, head, dh>, !model.tensor<f32, new, head, dh>
      kernel.yield %0 : !model.tensor<f32, new, head, dh>
    }
    %rows = model.insert_part %twice into %slice "room" as "new" at <known> : !model.tensor<f32, new, head, dh>, !model.tensor<f32, room, head, dh> -> !model.tensor<f32, room, head, dh>
    %keys = model.part %rows "room" as "all" at <0> : !model.tensor<f32, room, head, dh>
    %o = kernel.fused attention "a" (%a = %c : !model.tensor<f32, new, head, dh>, %b = %keys : !model.tensor<f32, all, head, dh>, %d = %keys : !model.tensor<f32, all, head, dh>) -> (!model.tensor<f32, new, head, dh>) {
      %p, %lse = model.attention "all" ["dh"] %a, %b, %d scale 0.5 : !model.tensor<f32, new, head, dh>, !model.tensor<f32, all, head, dh>, !model.tensor<f32, all, head, dh>
      kernel.yield %p : !model.tensor<f32, new, head, dh>
    }
    model.yield %o, %rows : !model.tensor<f32, new, head, dh>, !model.tensor<f32, room, head, dh>
  }
  return %y#0, %y#1 : !model.tensor<f32, new, head, dh>, !model.tensor<f32, layer, room, head, dh>
}

// What another kernel reads too stays as it is, in all entries; a cache of another entry by that name too.
// REMARK: the cache `shared` stays as it is: it is read by other kernels than attention
// CHECK-LABEL: func.func @reads
// CHECK-SAME: {model.cache = "shared"})
func.func @reads(%x: !model.tensor<f32, new, dh>, %k: !model.tensor<f32, room, dh> {model.cache = "shared"})
    -> (!model.tensor<f32, dh>, !model.tensor<f32, room, dh> {model.cache = "shared"}) {
  %rows = model.insert_part %x into %k "room" as "new" at <known> : !model.tensor<f32, new, dh>, !model.tensor<f32, room, dh> -> !model.tensor<f32, room, dh>
  %s = kernel.fused rows "sum" (%a = %rows : !model.tensor<f32, room, dh>) -> (!model.tensor<f32, dh>) {
    %0 = model.sum ["room"] %a : !model.tensor<f32, room, dh>
    kernel.yield %0 : !model.tensor<f32, dh>
  }
  return %s, %rows : !model.tensor<f32, dh>, !model.tensor<f32, room, dh>
}
// CHECK-LABEL: func.func @inserts
// CHECK-SAME: {model.cache = "shared"})
// CHECK-NOT: pack
func.func @inserts(%x: !model.tensor<f32, new, dh>, %k: !model.tensor<f32, room, dh> {model.cache = "shared"}) -> (!model.tensor<f32, room, dh> {model.cache = "shared"}) {
  %rows = model.insert_part %x into %k "room" as "new" at <known> : !model.tensor<f32, new, dh>, !model.tensor<f32, room, dh> -> !model.tensor<f32, room, dh>
  return %rows : !model.tensor<f32, room, dh>
}

// REMARK: the cache `odd` stays as it is: it has rows that are not whole groups of 32 numbers
func.func @uneven(%x: !model.tensor<f32, new, odd>, %k: !model.tensor<f32, room, odd> {model.cache = "odd"}) -> (!model.tensor<f32, room, odd> {model.cache = "odd"}) {
  %rows = model.insert_part %x into %k "room" as "new" at <known> : !model.tensor<f32, new, odd>, !model.tensor<f32, room, odd> -> !model.tensor<f32, room, odd>
  return %rows : !model.tensor<f32, room, odd>
}

// What is computed once, as a whole, is rounded so.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: {model.cache = "whole", model.storage = i8})
// CHECK: %[[NEG:.*]] = kernel.fused rows "neg"
// CHECK: %[[PACK:.*]] = kernel.fused pack "whole.round" ({{.*}} = %[[NEG]]
// CHECK: return %[[PACK]]
func.func @whole(%x: !model.tensor<f32, room, dh>, %k: !model.tensor<f32, room, dh> {model.cache = "whole"}) -> (!model.tensor<f32, room, dh> {model.cache = "whole"}) {
  %s = kernel.fused rows "neg" (%a = %x : !model.tensor<f32, room, dh>) -> (!model.tensor<f32, room, dh>) {
    %0 = model.neg %a : !model.tensor<f32, room, dh>
    kernel.yield %0 : !model.tensor<f32, room, dh>
  }
  return %s : !model.tensor<f32, room, dh>
}

// Heads of 16 numbers: a group would be of two.
model.dim @half = <16>
// REMARK: the cache `halves` stays as it is: it has rows of keys or values that are not whole groups of 32 numbers
func.func @halves(%x: !model.tensor<f32, new, head, half>, %k: !model.tensor<f32, room, dh> {model.cache = "halves"})
    -> (!model.tensor<f32, new, head, half>, !model.tensor<f32, room, dh> {model.cache = "halves"}) {
  %m = model.regroup %x ["head", "half"] as ["dh"] : !model.tensor<f32, new, head, half>
  %rows = model.insert_part %m into %k "room" as "new" at <known> : !model.tensor<f32, new, dh>, !model.tensor<f32, room, dh> -> !model.tensor<f32, room, dh>
  %part = model.part %rows "room" as "all" at <0> : !model.tensor<f32, room, dh>
  %keys = model.regroup %part ["dh"] as ["head", "half"] : !model.tensor<f32, all, dh>
  %o = kernel.fused attention "a" (%a = %x : !model.tensor<f32, new, head, half>, %b = %keys : !model.tensor<f32, all, head, half>) -> (!model.tensor<f32, new, head, half>) {
    %p, %lse = model.attention "all" ["half"] %a, %b, %b scale 0.5 : !model.tensor<f32, new, head, half>, !model.tensor<f32, all, head, half>, !model.tensor<f32, all, head, half>
    kernel.yield %p : !model.tensor<f32, new, head, half>
  }
  return %o, %rows : !model.tensor<f32, new, head, half>, !model.tensor<f32, room, dh>
}
