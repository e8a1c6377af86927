// Made by: dump-model tests/frontend/systems/gpt.weft logits loss vocab=65 model=32 head=4 ff=128 layer=2 position=16
module attributes {weft.settings = {ff = 128 : i64, head = 4 : i64, layer = 2 : i64, model = 32 : i64, position = 16 : i64, vocab = 65 : i64}, weft.source = "tests/frontend/systems/gpt.weft"} {
  model.dim @batch
  model.dim @position = <16>
  model.dim @seq bound <position>
  model.dim @key = <seq>
  model.dim @vocab = <65>
  model.dim @model = <32>
  model.dim @head = <4>
  model.dim @dh = <8>
  model.dim @ff = <128>
  model.dim @layer = <2>
  model.dim @dh_1 = <8>
  model.parameter @table : !model.tensor<f32, vocab, model> init normal value 2.000000e-02 {weft.origin = {block = "GPT", dims = [["vocab", ["vocab"]], ["model", ["model"]]]}}
  model.parameter @place : !model.tensor<f32, position, model> init normal value 2.000000e-02 {weft.origin = {block = "GPT", dims = [["position", ["position"]], ["model", ["model"]]]}}
  model.parameter @layer.norm1.weight : !model.tensor<f32, layer, model> loops 1 value 1.000000e+00 {weft.origin = {block = "LayerNorm", dims = [["d", ["model"]]]}}
  model.parameter @layer.norm1.bias : !model.tensor<f32, layer, model> loops 1 {weft.origin = {block = "LayerNorm", dims = [["d", ["model"]]]}}
  model.parameter @layer.attn.q.weight : !model.tensor<f32, layer, model, head, dh> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["in", ["model"]], ["out", ["head", "dh"]]]}}
  model.parameter @layer.attn.q.bias : !model.tensor<f32, layer, head, dh> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["out", ["head", "dh"]]]}}
  model.parameter @layer.attn.k.weight : !model.tensor<f32, layer, model, head, dh> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["in", ["model"]], ["out", ["head", "dh"]]]}}
  model.parameter @layer.attn.k.bias : !model.tensor<f32, layer, head, dh> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["out", ["head", "dh"]]]}}
  model.parameter @layer.attn.v.weight : !model.tensor<f32, layer, model, head, dh> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["in", ["model"]], ["out", ["head", "dh"]]]}}
  model.parameter @layer.attn.v.bias : !model.tensor<f32, layer, head, dh> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["out", ["head", "dh"]]]}}
  model.parameter @layer.attn.out.weight : !model.tensor<f32, layer, head, dh, model> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["in", ["head", "dh"]], ["out", ["model"]]]}}
  model.parameter @layer.attn.out.bias : !model.tensor<f32, layer, model> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["out", ["model"]]]}}
  model.parameter @layer.norm2.weight : !model.tensor<f32, layer, model> loops 1 value 1.000000e+00 {weft.origin = {block = "LayerNorm", dims = [["d", ["model"]]]}}
  model.parameter @layer.norm2.bias : !model.tensor<f32, layer, model> loops 1 {weft.origin = {block = "LayerNorm", dims = [["d", ["model"]]]}}
  model.parameter @layer.ffn.up.weight : !model.tensor<f32, layer, model, ff> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["in", ["model"]], ["out", ["ff"]]]}}
  model.parameter @layer.ffn.up.bias : !model.tensor<f32, layer, ff> loops 1 init uniform value 0.17677669529663687 {weft.origin = {block = "Linear", dims = [["out", ["ff"]]]}}
  model.parameter @layer.ffn.down.weight : !model.tensor<f32, layer, ff, model> loops 1 init uniform value 0.088388347648318433 {weft.origin = {block = "Linear", dims = [["in", ["ff"]], ["out", ["model"]]]}}
  model.parameter @layer.ffn.down.bias : !model.tensor<f32, layer, model> loops 1 init uniform value 0.088388347648318433 {weft.origin = {block = "Linear", dims = [["out", ["model"]]]}}
  model.parameter @norm.weight : !model.tensor<f32, model> value 1.000000e+00 {weft.origin = {block = "LayerNorm", dims = [["d", ["model"]]]}}
  model.parameter @norm.bias : !model.tensor<f32, model> {weft.origin = {block = "LayerNorm", dims = [["d", ["model"]]]}}
  func.func @logits(%tokens: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "tokens"}) -> (!model.tensor<f32, batch, seq, vocab> {weft.name = "output"}) attributes {weft.entry = "logits", weft.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %place = model.param @place : <f32, position, model>
    %0 = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <i64, batch, seq>
    %1 = model.index "seq"
    %2 = model.gather %place "position" = %1 : <f32, position, model>, <i64, seq>
    %3 = model.add %0, %2 : <f32, batch, seq, model>, <f32, seq, model>
    %x = model.repeat "layer" carry(%x_0 = %3 : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_1 = model.param @layer.norm1.weight : <f32, model>
      %bias_2 = model.param @layer.norm1.bias : <f32, model>
      %22 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
      %23 = model.constant 3.200000e+01 : f64
      %24 = model.div %22, %23 : <f32, batch, seq>, <f32>
      %25 = model.sub %x_0, %24 : <f32, batch, seq, model>, <f32, batch, seq>
      %26 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
      %27 = model.constant 3.200000e+01 : f64
      %28 = model.div %26, %27 : <f32, batch, seq>, <f32>
      %29 = model.sub %x_0, %28 : <f32, batch, seq, model>, <f32, batch, seq>
      %30 = model.constant 2.000000e+00 : f64
      %31 = model.pow %29, %30 : <f32, batch, seq, model>, <f32>
      %32 = model.sum ["model"] %31 : <f32, batch, seq, model>
      %33 = model.constant 3.200000e+01 : f64
      %34 = model.div %32, %33 : <f32, batch, seq>, <f32>
      %eps_3 = model.constant 1.000000e-05 : f64
      %35 = model.add %34, %eps_3 : <f32, batch, seq>, <f32>
      %36 = model.rsqrt %35 : <f32, batch, seq>
      %37 = model.mul %25, %36 : <f32, batch, seq, model>, <f32, batch, seq>
      %38 = model.mul %37, %weight_1 : <f32, batch, seq, model>, <f32, model>
      %norm1 = model.add %38, %bias_2 : <f32, batch, seq, model>, <f32, model>
      %weight_4 = model.param @layer.attn.q.weight : <f32, model, head, dh>
      %bias_5 = model.param @layer.attn.q.bias : <f32, head, dh>
      %39 = model.mul %norm1, %weight_4 : <f32, batch, seq, model>, <f32, model, head, dh>
      %40 = model.sum ["model"] %39 : <f32, batch, seq, model, head, dh>
      %q = model.add %40, %bias_5 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %weight_6 = model.param @layer.attn.k.weight : <f32, model, head, dh>
      %bias_7 = model.param @layer.attn.k.bias : <f32, head, dh>
      %41 = model.mul %norm1, %weight_6 : <f32, batch, seq, model>, <f32, model, head, dh>
      %42 = model.sum ["model"] %41 : <f32, batch, seq, model, head, dh>
      %k = model.add %42, %bias_7 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %k_8 = model.regroup %k ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %weight_9 = model.param @layer.attn.v.weight : <f32, model, head, dh>
      %bias_10 = model.param @layer.attn.v.bias : <f32, head, dh>
      %43 = model.mul %norm1, %weight_9 : <f32, batch, seq, model>, <f32, model, head, dh>
      %44 = model.sum ["model"] %43 : <f32, batch, seq, model, head, dh>
      %v = model.add %44, %bias_10 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %v_11 = model.regroup %v ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %45 = model.index "key"
      %46 = model.index "seq"
      %47 = model.compare le %45, %46 : <i64, key>, <i64, seq>
      %q_12 = model.regroup %q ["dh"] as ["dh_1"] : <f32, batch, seq, head, dh>
      %k_13 = model.regroup %k_8 ["dh"] as ["dh_1"] : <f32, batch, key, head, dh>
      %48 = model.constant 8.000000e+00 : f64
      %49 = model.sqrt %48 : <f32>
      %50 = model.constant 1.000000e+00 : f64
      %scale = model.div %50, %49 : <f32>, <f32>
      %51 = model.mul %q_12, %k_13 : <f32, batch, seq, head, dh_1>, <f32, batch, key, head, dh_1>
      %52 = model.sum ["dh_1"] %51 : <f32, batch, seq, head, dh_1, key>
      %scores = model.mul %52, %scale : <f32, batch, seq, head, key>, <f32>
      %53 = model.constant 0xFFF0000000000000 : f64
      %54 = model.where %47, %scores, %53 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %top = model.reduce_max ["key"] %54 : <f32, batch, seq, head, key>
      %55 = model.sub %scores, %top : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %56 = model.constant 0xFFF0000000000000 : f64
      %57 = model.where %47, %55, %56 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %e = model.exp %57 : <f32, batch, seq, head, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, head, key>
      %58 = model.constant 0.000000e+00 : f64
      %59 = model.compare gt %all, %58 : <f32, batch, seq, head>, <f32>
      %60 = model.constant 1.000000e+00 : f64
      %61 = model.where %59, %all, %60 : <i1, batch, seq, head>, <f32, batch, seq, head>, <f32>
      %weights = model.div %e, %61 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %62 = model.mul %weights, %v_11 : <f32, batch, seq, head, key>, <f32, batch, key, head, dh>
      %63 = model.sum ["key"] %62 : <f32, batch, seq, head, key, dh>
      %weight_14 = model.param @layer.attn.out.weight : <f32, head, dh, model>
      %bias_15 = model.param @layer.attn.out.bias : <f32, model>
      %64 = model.mul %63, %weight_14 : <f32, batch, seq, head, dh>, <f32, head, dh, model>
      %65 = model.sum ["head", "dh"] %64 : <f32, batch, seq, head, dh, model>
      %out = model.add %65, %bias_15 : <f32, batch, seq, model>, <f32, model>
      %x_16 = model.add %x_0, %out : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_17 = model.param @layer.norm2.weight : <f32, model>
      %bias_18 = model.param @layer.norm2.bias : <f32, model>
      %66 = model.sum ["model"] %x_16 : <f32, batch, seq, model>
      %67 = model.constant 3.200000e+01 : f64
      %68 = model.div %66, %67 : <f32, batch, seq>, <f32>
      %69 = model.sub %x_16, %68 : <f32, batch, seq, model>, <f32, batch, seq>
      %70 = model.sum ["model"] %x_16 : <f32, batch, seq, model>
      %71 = model.constant 3.200000e+01 : f64
      %72 = model.div %70, %71 : <f32, batch, seq>, <f32>
      %73 = model.sub %x_16, %72 : <f32, batch, seq, model>, <f32, batch, seq>
      %74 = model.constant 2.000000e+00 : f64
      %75 = model.pow %73, %74 : <f32, batch, seq, model>, <f32>
      %76 = model.sum ["model"] %75 : <f32, batch, seq, model>
      %77 = model.constant 3.200000e+01 : f64
      %78 = model.div %76, %77 : <f32, batch, seq>, <f32>
      %eps_19 = model.constant 1.000000e-05 : f64
      %79 = model.add %78, %eps_19 : <f32, batch, seq>, <f32>
      %80 = model.rsqrt %79 : <f32, batch, seq>
      %81 = model.mul %69, %80 : <f32, batch, seq, model>, <f32, batch, seq>
      %82 = model.mul %81, %weight_17 : <f32, batch, seq, model>, <f32, model>
      %norm2 = model.add %82, %bias_18 : <f32, batch, seq, model>, <f32, model>
      %weight_20 = model.param @layer.ffn.up.weight : <f32, model, ff>
      %bias_21 = model.param @layer.ffn.up.bias : <f32, ff>
      %83 = model.mul %norm2, %weight_20 : <f32, batch, seq, model>, <f32, model, ff>
      %84 = model.sum ["model"] %83 : <f32, batch, seq, model, ff>
      %up = model.add %84, %bias_21 : <f32, batch, seq, ff>, <f32, ff>
      %85 = model.constant 5.000000e-01 : f64
      %86 = model.mul %85, %up : <f32>, <f32, batch, seq, ff>
      %87 = model.constant 0.79788456080286541 : f64
      %88 = model.constant 4.471500e-02 : f64
      %89 = model.constant 3.000000e+00 : f64
      %90 = model.pow %up, %89 : <f32, batch, seq, ff>, <f32>
      %91 = model.mul %88, %90 : <f32>, <f32, batch, seq, ff>
      %92 = model.add %up, %91 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %93 = model.mul %87, %92 : <f32>, <f32, batch, seq, ff>
      %94 = model.tanh %93 : <f32, batch, seq, ff>
      %95 = model.constant 1.000000e+00 : f64
      %96 = model.add %95, %94 : <f32>, <f32, batch, seq, ff>
      %97 = model.mul %86, %96 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_22 = model.param @layer.ffn.down.weight : <f32, ff, model>
      %bias_23 = model.param @layer.ffn.down.bias : <f32, model>
      %98 = model.mul %97, %weight_22 : <f32, batch, seq, ff>, <f32, ff, model>
      %99 = model.sum ["ff"] %98 : <f32, batch, seq, ff, model>
      %down = model.add %99, %bias_23 : <f32, batch, seq, model>, <f32, model>
      %x_24 = model.add %x_16, %down : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_24 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %bias = model.param @norm.bias : <f32, model>
    %4 = model.sum ["model"] %x : <f32, batch, seq, model>
    %5 = model.constant 3.200000e+01 : f64
    %6 = model.div %4, %5 : <f32, batch, seq>, <f32>
    %7 = model.sub %x, %6 : <f32, batch, seq, model>, <f32, batch, seq>
    %8 = model.sum ["model"] %x : <f32, batch, seq, model>
    %9 = model.constant 3.200000e+01 : f64
    %10 = model.div %8, %9 : <f32, batch, seq>, <f32>
    %11 = model.sub %x, %10 : <f32, batch, seq, model>, <f32, batch, seq>
    %12 = model.constant 2.000000e+00 : f64
    %13 = model.pow %11, %12 : <f32, batch, seq, model>, <f32>
    %14 = model.sum ["model"] %13 : <f32, batch, seq, model>
    %15 = model.constant 3.200000e+01 : f64
    %16 = model.div %14, %15 : <f32, batch, seq>, <f32>
    %eps = model.constant 1.000000e-05 : f64
    %17 = model.add %16, %eps : <f32, batch, seq>, <f32>
    %18 = model.rsqrt %17 : <f32, batch, seq>
    %19 = model.mul %7, %18 : <f32, batch, seq, model>, <f32, batch, seq>
    %20 = model.mul %19, %weight : <f32, batch, seq, model>, <f32, model>
    %norm = model.add %20, %bias : <f32, batch, seq, model>, <f32, model>
    %21 = model.mul %norm, %table : <f32, batch, seq, model>, <f32, vocab, model>
    %output = model.sum ["model"] %21 : <f32, batch, seq, model, vocab>
    return %output : !model.tensor<f32, batch, seq, vocab>
  }
  func.func @loss(%tokens: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "tokens"}, %next: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "next"}) -> (!model.tensor<f32> {weft.name = "output"}) attributes {weft.entry = "loss", weft.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %place = model.param @place : <f32, position, model>
    %0 = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <i64, batch, seq>
    %1 = model.index "seq"
    %2 = model.gather %place "position" = %1 : <f32, position, model>, <i64, seq>
    %3 = model.add %0, %2 : <f32, batch, seq, model>, <f32, seq, model>
    %x = model.repeat "layer" carry(%x_0 = %3 : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_1 = model.param @layer.norm1.weight : <f32, model>
      %bias_2 = model.param @layer.norm1.bias : <f32, model>
      %33 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
      %34 = model.constant 3.200000e+01 : f64
      %35 = model.div %33, %34 : <f32, batch, seq>, <f32>
      %36 = model.sub %x_0, %35 : <f32, batch, seq, model>, <f32, batch, seq>
      %37 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
      %38 = model.constant 3.200000e+01 : f64
      %39 = model.div %37, %38 : <f32, batch, seq>, <f32>
      %40 = model.sub %x_0, %39 : <f32, batch, seq, model>, <f32, batch, seq>
      %41 = model.constant 2.000000e+00 : f64
      %42 = model.pow %40, %41 : <f32, batch, seq, model>, <f32>
      %43 = model.sum ["model"] %42 : <f32, batch, seq, model>
      %44 = model.constant 3.200000e+01 : f64
      %45 = model.div %43, %44 : <f32, batch, seq>, <f32>
      %eps_3 = model.constant 1.000000e-05 : f64
      %46 = model.add %45, %eps_3 : <f32, batch, seq>, <f32>
      %47 = model.rsqrt %46 : <f32, batch, seq>
      %48 = model.mul %36, %47 : <f32, batch, seq, model>, <f32, batch, seq>
      %49 = model.mul %48, %weight_1 : <f32, batch, seq, model>, <f32, model>
      %norm1 = model.add %49, %bias_2 : <f32, batch, seq, model>, <f32, model>
      %weight_4 = model.param @layer.attn.q.weight : <f32, model, head, dh>
      %bias_5 = model.param @layer.attn.q.bias : <f32, head, dh>
      %50 = model.mul %norm1, %weight_4 : <f32, batch, seq, model>, <f32, model, head, dh>
      %51 = model.sum ["model"] %50 : <f32, batch, seq, model, head, dh>
      %q = model.add %51, %bias_5 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %weight_6 = model.param @layer.attn.k.weight : <f32, model, head, dh>
      %bias_7 = model.param @layer.attn.k.bias : <f32, head, dh>
      %52 = model.mul %norm1, %weight_6 : <f32, batch, seq, model>, <f32, model, head, dh>
      %53 = model.sum ["model"] %52 : <f32, batch, seq, model, head, dh>
      %k = model.add %53, %bias_7 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %k_8 = model.regroup %k ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %weight_9 = model.param @layer.attn.v.weight : <f32, model, head, dh>
      %bias_10 = model.param @layer.attn.v.bias : <f32, head, dh>
      %54 = model.mul %norm1, %weight_9 : <f32, batch, seq, model>, <f32, model, head, dh>
      %55 = model.sum ["model"] %54 : <f32, batch, seq, model, head, dh>
      %v = model.add %55, %bias_10 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %v_11 = model.regroup %v ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %56 = model.index "key"
      %57 = model.index "seq"
      %58 = model.compare le %56, %57 : <i64, key>, <i64, seq>
      %q_12 = model.regroup %q ["dh"] as ["dh_1"] : <f32, batch, seq, head, dh>
      %k_13 = model.regroup %k_8 ["dh"] as ["dh_1"] : <f32, batch, key, head, dh>
      %59 = model.constant 8.000000e+00 : f64
      %60 = model.sqrt %59 : <f32>
      %61 = model.constant 1.000000e+00 : f64
      %scale = model.div %61, %60 : <f32>, <f32>
      %62 = model.mul %q_12, %k_13 : <f32, batch, seq, head, dh_1>, <f32, batch, key, head, dh_1>
      %63 = model.sum ["dh_1"] %62 : <f32, batch, seq, head, dh_1, key>
      %scores = model.mul %63, %scale : <f32, batch, seq, head, key>, <f32>
      %64 = model.constant 0xFFF0000000000000 : f64
      %65 = model.where %58, %scores, %64 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %top_14 = model.reduce_max ["key"] %65 : <f32, batch, seq, head, key>
      %66 = model.sub %scores, %top_14 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %67 = model.constant 0xFFF0000000000000 : f64
      %68 = model.where %58, %66, %67 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %e = model.exp %68 : <f32, batch, seq, head, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, head, key>
      %69 = model.constant 0.000000e+00 : f64
      %70 = model.compare gt %all, %69 : <f32, batch, seq, head>, <f32>
      %71 = model.constant 1.000000e+00 : f64
      %72 = model.where %70, %all, %71 : <i1, batch, seq, head>, <f32, batch, seq, head>, <f32>
      %weights = model.div %e, %72 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %73 = model.mul %weights, %v_11 : <f32, batch, seq, head, key>, <f32, batch, key, head, dh>
      %74 = model.sum ["key"] %73 : <f32, batch, seq, head, key, dh>
      %weight_15 = model.param @layer.attn.out.weight : <f32, head, dh, model>
      %bias_16 = model.param @layer.attn.out.bias : <f32, model>
      %75 = model.mul %74, %weight_15 : <f32, batch, seq, head, dh>, <f32, head, dh, model>
      %76 = model.sum ["head", "dh"] %75 : <f32, batch, seq, head, dh, model>
      %out = model.add %76, %bias_16 : <f32, batch, seq, model>, <f32, model>
      %x_17 = model.add %x_0, %out : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_18 = model.param @layer.norm2.weight : <f32, model>
      %bias_19 = model.param @layer.norm2.bias : <f32, model>
      %77 = model.sum ["model"] %x_17 : <f32, batch, seq, model>
      %78 = model.constant 3.200000e+01 : f64
      %79 = model.div %77, %78 : <f32, batch, seq>, <f32>
      %80 = model.sub %x_17, %79 : <f32, batch, seq, model>, <f32, batch, seq>
      %81 = model.sum ["model"] %x_17 : <f32, batch, seq, model>
      %82 = model.constant 3.200000e+01 : f64
      %83 = model.div %81, %82 : <f32, batch, seq>, <f32>
      %84 = model.sub %x_17, %83 : <f32, batch, seq, model>, <f32, batch, seq>
      %85 = model.constant 2.000000e+00 : f64
      %86 = model.pow %84, %85 : <f32, batch, seq, model>, <f32>
      %87 = model.sum ["model"] %86 : <f32, batch, seq, model>
      %88 = model.constant 3.200000e+01 : f64
      %89 = model.div %87, %88 : <f32, batch, seq>, <f32>
      %eps_20 = model.constant 1.000000e-05 : f64
      %90 = model.add %89, %eps_20 : <f32, batch, seq>, <f32>
      %91 = model.rsqrt %90 : <f32, batch, seq>
      %92 = model.mul %80, %91 : <f32, batch, seq, model>, <f32, batch, seq>
      %93 = model.mul %92, %weight_18 : <f32, batch, seq, model>, <f32, model>
      %norm2 = model.add %93, %bias_19 : <f32, batch, seq, model>, <f32, model>
      %weight_21 = model.param @layer.ffn.up.weight : <f32, model, ff>
      %bias_22 = model.param @layer.ffn.up.bias : <f32, ff>
      %94 = model.mul %norm2, %weight_21 : <f32, batch, seq, model>, <f32, model, ff>
      %95 = model.sum ["model"] %94 : <f32, batch, seq, model, ff>
      %up = model.add %95, %bias_22 : <f32, batch, seq, ff>, <f32, ff>
      %96 = model.constant 5.000000e-01 : f64
      %97 = model.mul %96, %up : <f32>, <f32, batch, seq, ff>
      %98 = model.constant 0.79788456080286541 : f64
      %99 = model.constant 4.471500e-02 : f64
      %100 = model.constant 3.000000e+00 : f64
      %101 = model.pow %up, %100 : <f32, batch, seq, ff>, <f32>
      %102 = model.mul %99, %101 : <f32>, <f32, batch, seq, ff>
      %103 = model.add %up, %102 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %104 = model.mul %98, %103 : <f32>, <f32, batch, seq, ff>
      %105 = model.tanh %104 : <f32, batch, seq, ff>
      %106 = model.constant 1.000000e+00 : f64
      %107 = model.add %106, %105 : <f32>, <f32, batch, seq, ff>
      %108 = model.mul %97, %107 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_23 = model.param @layer.ffn.down.weight : <f32, ff, model>
      %bias_24 = model.param @layer.ffn.down.bias : <f32, model>
      %109 = model.mul %108, %weight_23 : <f32, batch, seq, ff>, <f32, ff, model>
      %110 = model.sum ["ff"] %109 : <f32, batch, seq, ff, model>
      %down = model.add %110, %bias_24 : <f32, batch, seq, model>, <f32, model>
      %x_25 = model.add %x_17, %down : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_25 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %bias = model.param @norm.bias : <f32, model>
    %4 = model.sum ["model"] %x : <f32, batch, seq, model>
    %5 = model.constant 3.200000e+01 : f64
    %6 = model.div %4, %5 : <f32, batch, seq>, <f32>
    %7 = model.sub %x, %6 : <f32, batch, seq, model>, <f32, batch, seq>
    %8 = model.sum ["model"] %x : <f32, batch, seq, model>
    %9 = model.constant 3.200000e+01 : f64
    %10 = model.div %8, %9 : <f32, batch, seq>, <f32>
    %11 = model.sub %x, %10 : <f32, batch, seq, model>, <f32, batch, seq>
    %12 = model.constant 2.000000e+00 : f64
    %13 = model.pow %11, %12 : <f32, batch, seq, model>, <f32>
    %14 = model.sum ["model"] %13 : <f32, batch, seq, model>
    %15 = model.constant 3.200000e+01 : f64
    %16 = model.div %14, %15 : <f32, batch, seq>, <f32>
    %eps = model.constant 1.000000e-05 : f64
    %17 = model.add %16, %eps : <f32, batch, seq>, <f32>
    %18 = model.rsqrt %17 : <f32, batch, seq>
    %19 = model.mul %7, %18 : <f32, batch, seq, model>, <f32, batch, seq>
    %20 = model.mul %19, %weight : <f32, batch, seq, model>, <f32, model>
    %norm = model.add %20, %bias : <f32, batch, seq, model>, <f32, model>
    %21 = model.mul %norm, %table : <f32, batch, seq, model>, <f32, vocab, model>
    %22 = model.sum ["model"] %21 : <f32, batch, seq, model, vocab>
    %top = model.reduce_max ["vocab"] %22 : <f32, batch, seq, vocab>
    %23 = model.sub %22, %top : <f32, batch, seq, vocab>, <f32, batch, seq>
    %24 = model.exp %23 : <f32, batch, seq, vocab>
    %25 = model.sum ["vocab"] %24 : <f32, batch, seq, vocab>
    %26 = model.log %25 : <f32, batch, seq>
    %27 = model.add %top, %26 : <f32, batch, seq>, <f32, batch, seq>
    %28 = model.gather %22 "vocab" = %next : <f32, batch, seq, vocab>, <i64, batch, seq>
    %29 = model.sub %27, %28 : <f32, batch, seq>, <f32, batch, seq>
    %30 = model.sum ["batch", "seq"] %29 : <f32, batch, seq>
    %31 = model.extent <batch * seq>
    %32 = model.to_float %31 : <i64>
    %output = model.div %30, %32 : <f32>, <f32>
    return %output : !model.tensor<f32>
  }
}
