// Made by: dump-model tests/frontend/systems/attention.weft
module attributes {weft.source = "tests/frontend/systems/attention.weft"} {
  model.dim @batch
  model.dim @head
  model.dim @query
  model.dim @key
  model.dim @d
  model.dim @width
  func.func @single(%q: !model.tensor<f32, query, d> {weft.name = "q"}, %k: !model.tensor<f32, key, d> {weft.name = "k"}, %v: !model.tensor<f32, key, width> {weft.name = "v"}) -> (!model.tensor<f32, query, width> {weft.name = "output"}, !model.tensor<f32, query, key> {weft.name = "weights"}, !model.tensor<f32, query, key> {weft.name = "scores"}) attributes {weft.entry = "single", weft.kind = "plain"} {
    %mask = model.constant true
    %mask_0 = model.broadcast %mask along ["query", "key"] : <i1>
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, query, d>, <f32, key, d>
    %5 = model.sum ["d"] %4 : <f32, query, d, key>
    %scores = model.mul %5, %scale : <f32, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask_0, %scores, %6 : <i1, query, key>, <f32, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, query, key>
    %8 = model.sub %scores, %top : <f32, query, key>, <f32, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask_0, %8, %9 : <i1, query, key>, <f32, query, key>, <f32>
    %e = model.exp %10 : <f32, query, key>
    %all = model.sum ["key"] %e : <f32, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, query>, <f32, query>, <f32>
    %weights = model.div %e, %14 : <f32, query, key>, <f32, query>
    %15 = model.mul %weights, %v : <f32, query, key>, <f32, key, width>
    %output = model.sum ["key"] %15 : <f32, query, key, width>
    return %output, %weights, %scores : !model.tensor<f32, query, width>, !model.tensor<f32, query, key>, !model.tensor<f32, query, key>
  }
  func.func @batched(%q: !model.tensor<f32, batch, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, key, width> {weft.name = "v"}) -> (!model.tensor<f32, batch, query, width> {weft.name = "output"}) attributes {weft.entry = "batched", weft.kind = "plain"} {
    %mask = model.constant true
    %mask_0 = model.broadcast %mask along ["query", "key"] : <i1>
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, batch, query, d>, <f32, batch, key, d>
    %5 = model.sum ["d"] %4 : <f32, batch, query, d, key>
    %scores = model.mul %5, %scale : <f32, batch, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask_0, %scores, %6 : <i1, query, key>, <f32, batch, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, batch, query, key>
    %8 = model.sub %scores, %top : <f32, batch, query, key>, <f32, batch, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask_0, %8, %9 : <i1, query, key>, <f32, batch, query, key>, <f32>
    %e = model.exp %10 : <f32, batch, query, key>
    %all = model.sum ["key"] %e : <f32, batch, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, batch, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, batch, query>, <f32, batch, query>, <f32>
    %weights = model.div %e, %14 : <f32, batch, query, key>, <f32, batch, query>
    %15 = model.mul %weights, %v : <f32, batch, query, key>, <f32, batch, key, width>
    %output = model.sum ["key"] %15 : <f32, batch, query, key, width>
    return %output : !model.tensor<f32, batch, query, width>
  }
  func.func @bmm(%a: !model.tensor<f32, batch, query, d> {weft.name = "a"}, %b: !model.tensor<f32, batch, d, width> {weft.name = "b"}) -> (!model.tensor<f32, batch, query, width> {weft.name = "output"}) attributes {weft.entry = "bmm", weft.kind = "plain"} {
    %0 = model.mul %a, %b : <f32, batch, query, d>, <f32, batch, d, width>
    %output = model.sum ["d"] %0 : <f32, batch, query, d, width>
    return %output : !model.tensor<f32, batch, query, width>
  }
  func.func @heads(%q: !model.tensor<f32, batch, head, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, head, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, head, key, width> {weft.name = "v"}) -> (!model.tensor<f32, batch, head, query, width> {weft.name = "output"}) attributes {weft.entry = "heads", weft.kind = "plain"} {
    %mask = model.constant true
    %mask_0 = model.broadcast %mask along ["query", "key"] : <i1>
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, batch, head, query, d>, <f32, batch, head, key, d>
    %5 = model.sum ["d"] %4 : <f32, batch, head, query, d, key>
    %scores = model.mul %5, %scale : <f32, batch, head, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask_0, %scores, %6 : <i1, query, key>, <f32, batch, head, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, batch, head, query, key>
    %8 = model.sub %scores, %top : <f32, batch, head, query, key>, <f32, batch, head, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask_0, %8, %9 : <i1, query, key>, <f32, batch, head, query, key>, <f32>
    %e = model.exp %10 : <f32, batch, head, query, key>
    %all = model.sum ["key"] %e : <f32, batch, head, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, batch, head, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, batch, head, query>, <f32, batch, head, query>, <f32>
    %weights = model.div %e, %14 : <f32, batch, head, query, key>, <f32, batch, head, query>
    %15 = model.mul %weights, %v : <f32, batch, head, query, key>, <f32, batch, head, key, width>
    %output = model.sum ["key"] %15 : <f32, batch, head, query, key, width>
    return %output : !model.tensor<f32, batch, head, query, width>
  }
  func.func @mask2d(%q: !model.tensor<f32, batch, head, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, head, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, head, key, width> {weft.name = "v"}, %mask: !model.tensor<i1, query, key> {weft.name = "mask"}) -> (!model.tensor<f32, batch, head, query, width> {weft.name = "output"}) attributes {weft.entry = "mask2d", weft.kind = "plain"} {
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, batch, head, query, d>, <f32, batch, head, key, d>
    %5 = model.sum ["d"] %4 : <f32, batch, head, query, d, key>
    %scores = model.mul %5, %scale : <f32, batch, head, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask, %scores, %6 : <i1, query, key>, <f32, batch, head, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, batch, head, query, key>
    %8 = model.sub %scores, %top : <f32, batch, head, query, key>, <f32, batch, head, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask, %8, %9 : <i1, query, key>, <f32, batch, head, query, key>, <f32>
    %e = model.exp %10 : <f32, batch, head, query, key>
    %all = model.sum ["key"] %e : <f32, batch, head, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, batch, head, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, batch, head, query>, <f32, batch, head, query>, <f32>
    %weights = model.div %e, %14 : <f32, batch, head, query, key>, <f32, batch, head, query>
    %15 = model.mul %weights, %v : <f32, batch, head, query, key>, <f32, batch, head, key, width>
    %output = model.sum ["key"] %15 : <f32, batch, head, query, key, width>
    return %output : !model.tensor<f32, batch, head, query, width>
  }
  func.func @mask3d(%q: !model.tensor<f32, batch, head, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, head, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, head, key, width> {weft.name = "v"}, %mask: !model.tensor<i1, batch, query, key> {weft.name = "mask"}) -> (!model.tensor<f32, batch, head, query, width> {weft.name = "output"}) attributes {weft.entry = "mask3d", weft.kind = "plain"} {
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, batch, head, query, d>, <f32, batch, head, key, d>
    %5 = model.sum ["d"] %4 : <f32, batch, head, query, d, key>
    %scores = model.mul %5, %scale : <f32, batch, head, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask, %scores, %6 : <i1, batch, query, key>, <f32, batch, head, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, batch, head, query, key>
    %8 = model.sub %scores, %top : <f32, batch, head, query, key>, <f32, batch, head, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask, %8, %9 : <i1, batch, query, key>, <f32, batch, head, query, key>, <f32>
    %e = model.exp %10 : <f32, batch, head, query, key>
    %all = model.sum ["key"] %e : <f32, batch, head, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, batch, head, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, batch, head, query>, <f32, batch, head, query>, <f32>
    %weights = model.div %e, %14 : <f32, batch, head, query, key>, <f32, batch, head, query>
    %15 = model.mul %weights, %v : <f32, batch, head, query, key>, <f32, batch, head, key, width>
    %output = model.sum ["key"] %15 : <f32, batch, head, query, key, width>
    return %output : !model.tensor<f32, batch, head, query, width>
  }
  func.func @mask4d(%q: !model.tensor<f32, batch, head, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, head, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, head, key, width> {weft.name = "v"}, %mask: !model.tensor<i1, batch, head, query, key> {weft.name = "mask"}) -> (!model.tensor<f32, batch, head, query, width> {weft.name = "output"}) attributes {weft.entry = "mask4d", weft.kind = "plain"} {
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, batch, head, query, d>, <f32, batch, head, key, d>
    %5 = model.sum ["d"] %4 : <f32, batch, head, query, d, key>
    %scores = model.mul %5, %scale : <f32, batch, head, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask, %scores, %6 : <i1, batch, head, query, key>, <f32, batch, head, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, batch, head, query, key>
    %8 = model.sub %scores, %top : <f32, batch, head, query, key>, <f32, batch, head, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask, %8, %9 : <i1, batch, head, query, key>, <f32, batch, head, query, key>, <f32>
    %e = model.exp %10 : <f32, batch, head, query, key>
    %all = model.sum ["key"] %e : <f32, batch, head, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, batch, head, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, batch, head, query>, <f32, batch, head, query>, <f32>
    %weights = model.div %e, %14 : <f32, batch, head, query, key>, <f32, batch, head, query>
    %15 = model.mul %weights, %v : <f32, batch, head, query, key>, <f32, batch, head, key, width>
    %output = model.sum ["key"] %15 : <f32, batch, head, query, key, width>
    return %output : !model.tensor<f32, batch, head, query, width>
  }
  func.func @finite(%q: !model.tensor<f32, batch, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, key, width> {weft.name = "v"}, %mask: !model.tensor<i1, query, key> {weft.name = "mask"}) -> (!model.tensor<f32, batch, query, width> {weft.name = "output"}) attributes {weft.entry = "finite", weft.kind = "plain"} {
    %0 = model.mul %q, %k : <f32, batch, query, d>, <f32, batch, key, d>
    %1 = model.sum ["d"] %0 : <f32, batch, query, d, key>
    %2 = model.constant -9.000000e+15 : f64
    %3 = model.extent <d>
    %4 = model.to_float %3 : <i64>
    %5 = model.sqrt %4 : <f32>
    %6 = model.div %1, %5 : <f32, batch, query, key>, <f32>
    %7 = model.where %mask, %6, %2 : <i1, query, key>, <f32, batch, query, key>, <f32>
    %8 = model.reduce_max ["key"] %7 : <f32, batch, query, key>
    %9 = model.sub %7, %8 : <f32, batch, query, key>, <f32, batch, query>
    %e = model.exp %9 : <f32, batch, query, key>
    %10 = model.sum ["key"] %e : <f32, batch, query, key>
    %11 = model.div %e, %10 : <f32, batch, query, key>, <f32, batch, query>
    %12 = model.mul %11, %v : <f32, batch, query, key>, <f32, batch, key, width>
    %output = model.sum ["key"] %12 : <f32, batch, query, key, width>
    return %output : !model.tensor<f32, batch, query, width>
  }
  func.func @infinite(%q: !model.tensor<f32, batch, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, key, width> {weft.name = "v"}, %mask: !model.tensor<i1, query, key> {weft.name = "mask"}) -> (!model.tensor<f32, batch, query, width> {weft.name = "output"}) attributes {weft.entry = "infinite", weft.kind = "plain"} {
    %0 = model.mul %q, %k : <f32, batch, query, d>, <f32, batch, key, d>
    %1 = model.sum ["d"] %0 : <f32, batch, query, d, key>
    %2 = model.constant 0xFFF0000000000000 : f64
    %3 = model.extent <d>
    %4 = model.to_float %3 : <i64>
    %5 = model.sqrt %4 : <f32>
    %6 = model.div %1, %5 : <f32, batch, query, key>, <f32>
    %7 = model.where %mask, %6, %2 : <i1, query, key>, <f32, batch, query, key>, <f32>
    %8 = model.reduce_max ["key"] %7 : <f32, batch, query, key>
    %9 = model.sub %7, %8 : <f32, batch, query, key>, <f32, batch, query>
    %e = model.exp %9 : <f32, batch, query, key>
    %10 = model.sum ["key"] %e : <f32, batch, query, key>
    %11 = model.div %e, %10 : <f32, batch, query, key>, <f32, batch, query>
    %12 = model.mul %11, %v : <f32, batch, query, key>, <f32, batch, key, width>
    %output = model.sum ["key"] %12 : <f32, batch, query, key, width>
    return %output : !model.tensor<f32, batch, query, width>
  }
  func.func @zero(%q: !model.tensor<f32, batch, query, d> {weft.name = "q"}, %k: !model.tensor<f32, batch, key, d> {weft.name = "k"}, %v: !model.tensor<f32, batch, key, width> {weft.name = "v"}, %mask: !model.tensor<i1, query, key> {weft.name = "mask"}) -> (!model.tensor<f32, batch, query, width> {weft.name = "output"}) attributes {weft.entry = "zero", weft.kind = "plain"} {
    %0 = model.extent <d>
    %1 = model.to_float %0 : <i64>
    %2 = model.sqrt %1 : <f32>
    %3 = model.constant 1.000000e+00 : f64
    %scale = model.div %3, %2 : <f32>, <f32>
    %4 = model.mul %q, %k : <f32, batch, query, d>, <f32, batch, key, d>
    %5 = model.sum ["d"] %4 : <f32, batch, query, d, key>
    %scores = model.mul %5, %scale : <f32, batch, query, key>, <f32>
    %6 = model.constant 0xFFF0000000000000 : f64
    %7 = model.where %mask, %scores, %6 : <i1, query, key>, <f32, batch, query, key>, <f32>
    %top = model.reduce_max ["key"] %7 : <f32, batch, query, key>
    %8 = model.sub %scores, %top : <f32, batch, query, key>, <f32, batch, query>
    %9 = model.constant 0xFFF0000000000000 : f64
    %10 = model.where %mask, %8, %9 : <i1, query, key>, <f32, batch, query, key>, <f32>
    %e = model.exp %10 : <f32, batch, query, key>
    %all = model.sum ["key"] %e : <f32, batch, query, key>
    %11 = model.constant 0.000000e+00 : f64
    %12 = model.compare gt %all, %11 : <f32, batch, query>, <f32>
    %13 = model.constant 1.000000e+00 : f64
    %14 = model.where %12, %all, %13 : <i1, batch, query>, <f32, batch, query>, <f32>
    %weights = model.div %e, %14 : <f32, batch, query, key>, <f32, batch, query>
    %15 = model.mul %weights, %v : <f32, batch, query, key>, <f32, batch, key, width>
    %output = model.sum ["key"] %15 : <f32, batch, query, key, width>
    return %output : !model.tensor<f32, batch, query, width>
  }
}
