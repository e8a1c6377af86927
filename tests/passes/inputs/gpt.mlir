// Made by: dump-model examples/gpt/gpt.weft logits loss vocab=65 model=32 head=4 layer=2 position=16
module attributes {weft.settings = {head = 4 : i64, layer = 2 : i64, model = 32 : i64, position = 16 : i64, vocab = 65 : i64}, weft.source = "examples/gpt/gpt.weft"} {
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
    %x = model.add %0, %2 : <f32, batch, seq, model>, <f32, seq, model>
    %x_0 = model.repeat "layer" carry(%x_1 = %x : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_2 = model.param @layer.norm1.weight : <f32, model>
      %bias_3 = model.param @layer.norm1.bias : <f32, model>
      %21 = model.sum ["model"] %x_1 : <f32, batch, seq, model>
      %22 = model.constant 3.200000e+01 : f64
      %23 = model.div %21, %22 : <f32, batch, seq>, <f32>
      %24 = model.sub %x_1, %23 : <f32, batch, seq, model>, <f32, batch, seq>
      %25 = model.sum ["model"] %x_1 : <f32, batch, seq, model>
      %26 = model.constant 3.200000e+01 : f64
      %27 = model.div %25, %26 : <f32, batch, seq>, <f32>
      %28 = model.sub %x_1, %27 : <f32, batch, seq, model>, <f32, batch, seq>
      %29 = model.constant 2.000000e+00 : f64
      %30 = model.pow %28, %29 : <f32, batch, seq, model>, <f32>
      %31 = model.sum ["model"] %30 : <f32, batch, seq, model>
      %32 = model.constant 3.200000e+01 : f64
      %33 = model.div %31, %32 : <f32, batch, seq>, <f32>
      %eps_4 = model.constant 1.000000e-05 : f64
      %34 = model.add %33, %eps_4 : <f32, batch, seq>, <f32>
      %35 = model.rsqrt %34 : <f32, batch, seq>
      %36 = model.mul %24, %35 : <f32, batch, seq, model>, <f32, batch, seq>
      %37 = model.mul %36, %weight_2 : <f32, batch, seq, model>, <f32, model>
      %norm1 = model.add %37, %bias_3 : <f32, batch, seq, model>, <f32, model>
      %weight_5 = model.param @layer.attn.q.weight : <f32, model, head, dh>
      %bias_6 = model.param @layer.attn.q.bias : <f32, head, dh>
      %38 = model.mul %norm1, %weight_5 : <f32, batch, seq, model>, <f32, model, head, dh>
      %39 = model.sum ["model"] %38 : <f32, batch, seq, model, head, dh>
      %q = model.add %39, %bias_6 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %weight_7 = model.param @layer.attn.k.weight : <f32, model, head, dh>
      %bias_8 = model.param @layer.attn.k.bias : <f32, head, dh>
      %40 = model.mul %norm1, %weight_7 : <f32, batch, seq, model>, <f32, model, head, dh>
      %41 = model.sum ["model"] %40 : <f32, batch, seq, model, head, dh>
      %k = model.add %41, %bias_8 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %k_9 = model.regroup %k ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %weight_10 = model.param @layer.attn.v.weight : <f32, model, head, dh>
      %bias_11 = model.param @layer.attn.v.bias : <f32, head, dh>
      %42 = model.mul %norm1, %weight_10 : <f32, batch, seq, model>, <f32, model, head, dh>
      %43 = model.sum ["model"] %42 : <f32, batch, seq, model, head, dh>
      %v = model.add %43, %bias_11 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %v_12 = model.regroup %v ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %44 = model.index "key"
      %45 = model.index "seq"
      %46 = model.compare le %44, %45 : <i64, key>, <i64, seq>
      %q_13 = model.regroup %q ["dh"] as ["dh_1"] : <f32, batch, seq, head, dh>
      %k_14 = model.regroup %k_9 ["dh"] as ["dh_1"] : <f32, batch, key, head, dh>
      %47 = model.constant 8.000000e+00 : f64
      %48 = model.sqrt %47 : <f32>
      %49 = model.constant 1.000000e+00 : f64
      %scale = model.div %49, %48 : <f32>, <f32>
      %50 = model.mul %q_13, %k_14 : <f32, batch, seq, head, dh_1>, <f32, batch, key, head, dh_1>
      %51 = model.sum ["dh_1"] %50 : <f32, batch, seq, head, dh_1, key>
      %scores = model.mul %51, %scale : <f32, batch, seq, head, key>, <f32>
      %52 = model.constant 0xFFF0000000000000 : f64
      %53 = model.where %46, %scores, %52 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %top = model.reduce_max ["key"] %53 : <f32, batch, seq, head, key>
      %54 = model.sub %scores, %top : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %55 = model.constant 0xFFF0000000000000 : f64
      %56 = model.where %46, %54, %55 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %e = model.exp %56 : <f32, batch, seq, head, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, head, key>
      %57 = model.constant 0.000000e+00 : f64
      %58 = model.compare gt %all, %57 : <f32, batch, seq, head>, <f32>
      %59 = model.constant 1.000000e+00 : f64
      %60 = model.where %58, %all, %59 : <i1, batch, seq, head>, <f32, batch, seq, head>, <f32>
      %weights = model.div %e, %60 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %61 = model.mul %weights, %v_12 : <f32, batch, seq, head, key>, <f32, batch, key, head, dh>
      %62 = model.sum ["key"] %61 : <f32, batch, seq, head, key, dh>
      %weight_15 = model.param @layer.attn.out.weight : <f32, head, dh, model>
      %bias_16 = model.param @layer.attn.out.bias : <f32, model>
      %63 = model.mul %62, %weight_15 : <f32, batch, seq, head, dh>, <f32, head, dh, model>
      %64 = model.sum ["head", "dh"] %63 : <f32, batch, seq, head, dh, model>
      %out = model.add %64, %bias_16 : <f32, batch, seq, model>, <f32, model>
      %x_17 = model.add %x_1, %out : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_18 = model.param @layer.norm2.weight : <f32, model>
      %bias_19 = model.param @layer.norm2.bias : <f32, model>
      %65 = model.sum ["model"] %x_17 : <f32, batch, seq, model>
      %66 = model.constant 3.200000e+01 : f64
      %67 = model.div %65, %66 : <f32, batch, seq>, <f32>
      %68 = model.sub %x_17, %67 : <f32, batch, seq, model>, <f32, batch, seq>
      %69 = model.sum ["model"] %x_17 : <f32, batch, seq, model>
      %70 = model.constant 3.200000e+01 : f64
      %71 = model.div %69, %70 : <f32, batch, seq>, <f32>
      %72 = model.sub %x_17, %71 : <f32, batch, seq, model>, <f32, batch, seq>
      %73 = model.constant 2.000000e+00 : f64
      %74 = model.pow %72, %73 : <f32, batch, seq, model>, <f32>
      %75 = model.sum ["model"] %74 : <f32, batch, seq, model>
      %76 = model.constant 3.200000e+01 : f64
      %77 = model.div %75, %76 : <f32, batch, seq>, <f32>
      %eps_20 = model.constant 1.000000e-05 : f64
      %78 = model.add %77, %eps_20 : <f32, batch, seq>, <f32>
      %79 = model.rsqrt %78 : <f32, batch, seq>
      %80 = model.mul %68, %79 : <f32, batch, seq, model>, <f32, batch, seq>
      %81 = model.mul %80, %weight_18 : <f32, batch, seq, model>, <f32, model>
      %norm2 = model.add %81, %bias_19 : <f32, batch, seq, model>, <f32, model>
      %weight_21 = model.param @layer.ffn.up.weight : <f32, model, ff>
      %bias_22 = model.param @layer.ffn.up.bias : <f32, ff>
      %82 = model.mul %norm2, %weight_21 : <f32, batch, seq, model>, <f32, model, ff>
      %83 = model.sum ["model"] %82 : <f32, batch, seq, model, ff>
      %up = model.add %83, %bias_22 : <f32, batch, seq, ff>, <f32, ff>
      %84 = model.constant 5.000000e-01 : f64
      %85 = model.mul %84, %up : <f32>, <f32, batch, seq, ff>
      %86 = model.constant 0.79788456080286541 : f64
      %87 = model.constant 4.471500e-02 : f64
      %88 = model.constant 3.000000e+00 : f64
      %89 = model.pow %up, %88 : <f32, batch, seq, ff>, <f32>
      %90 = model.mul %87, %89 : <f32>, <f32, batch, seq, ff>
      %91 = model.add %up, %90 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %92 = model.mul %86, %91 : <f32>, <f32, batch, seq, ff>
      %93 = model.tanh %92 : <f32, batch, seq, ff>
      %94 = model.constant 1.000000e+00 : f64
      %95 = model.add %94, %93 : <f32>, <f32, batch, seq, ff>
      %96 = model.mul %85, %95 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_23 = model.param @layer.ffn.down.weight : <f32, ff, model>
      %bias_24 = model.param @layer.ffn.down.bias : <f32, model>
      %97 = model.mul %96, %weight_23 : <f32, batch, seq, ff>, <f32, ff, model>
      %98 = model.sum ["ff"] %97 : <f32, batch, seq, ff, model>
      %down = model.add %98, %bias_24 : <f32, batch, seq, model>, <f32, model>
      %x_25 = model.add %x_17, %down : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_25 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %bias = model.param @norm.bias : <f32, model>
    %3 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
    %4 = model.constant 3.200000e+01 : f64
    %5 = model.div %3, %4 : <f32, batch, seq>, <f32>
    %6 = model.sub %x_0, %5 : <f32, batch, seq, model>, <f32, batch, seq>
    %7 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
    %8 = model.constant 3.200000e+01 : f64
    %9 = model.div %7, %8 : <f32, batch, seq>, <f32>
    %10 = model.sub %x_0, %9 : <f32, batch, seq, model>, <f32, batch, seq>
    %11 = model.constant 2.000000e+00 : f64
    %12 = model.pow %10, %11 : <f32, batch, seq, model>, <f32>
    %13 = model.sum ["model"] %12 : <f32, batch, seq, model>
    %14 = model.constant 3.200000e+01 : f64
    %15 = model.div %13, %14 : <f32, batch, seq>, <f32>
    %eps = model.constant 1.000000e-05 : f64
    %16 = model.add %15, %eps : <f32, batch, seq>, <f32>
    %17 = model.rsqrt %16 : <f32, batch, seq>
    %18 = model.mul %6, %17 : <f32, batch, seq, model>, <f32, batch, seq>
    %19 = model.mul %18, %weight : <f32, batch, seq, model>, <f32, model>
    %norm = model.add %19, %bias : <f32, batch, seq, model>, <f32, model>
    %20 = model.mul %norm, %table : <f32, batch, seq, model>, <f32, vocab, model>
    %output = model.sum ["model"] %20 : <f32, batch, seq, model, vocab>
    return %output : !model.tensor<f32, batch, seq, vocab>
  }
  func.func @loss(%tokens: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "tokens"}, %next: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "next"}) -> (!model.tensor<f32> {weft.name = "output"}) attributes {weft.entry = "loss", weft.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %place = model.param @place : <f32, position, model>
    %0 = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <i64, batch, seq>
    %1 = model.index "seq"
    %2 = model.gather %place "position" = %1 : <f32, position, model>, <i64, seq>
    %x = model.add %0, %2 : <f32, batch, seq, model>, <f32, seq, model>
    %x_0 = model.repeat "layer" carry(%x_1 = %x : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_2 = model.param @layer.norm1.weight : <f32, model>
      %bias_3 = model.param @layer.norm1.bias : <f32, model>
      %32 = model.sum ["model"] %x_1 : <f32, batch, seq, model>
      %33 = model.constant 3.200000e+01 : f64
      %34 = model.div %32, %33 : <f32, batch, seq>, <f32>
      %35 = model.sub %x_1, %34 : <f32, batch, seq, model>, <f32, batch, seq>
      %36 = model.sum ["model"] %x_1 : <f32, batch, seq, model>
      %37 = model.constant 3.200000e+01 : f64
      %38 = model.div %36, %37 : <f32, batch, seq>, <f32>
      %39 = model.sub %x_1, %38 : <f32, batch, seq, model>, <f32, batch, seq>
      %40 = model.constant 2.000000e+00 : f64
      %41 = model.pow %39, %40 : <f32, batch, seq, model>, <f32>
      %42 = model.sum ["model"] %41 : <f32, batch, seq, model>
      %43 = model.constant 3.200000e+01 : f64
      %44 = model.div %42, %43 : <f32, batch, seq>, <f32>
      %eps_4 = model.constant 1.000000e-05 : f64
      %45 = model.add %44, %eps_4 : <f32, batch, seq>, <f32>
      %46 = model.rsqrt %45 : <f32, batch, seq>
      %47 = model.mul %35, %46 : <f32, batch, seq, model>, <f32, batch, seq>
      %48 = model.mul %47, %weight_2 : <f32, batch, seq, model>, <f32, model>
      %norm1 = model.add %48, %bias_3 : <f32, batch, seq, model>, <f32, model>
      %weight_5 = model.param @layer.attn.q.weight : <f32, model, head, dh>
      %bias_6 = model.param @layer.attn.q.bias : <f32, head, dh>
      %49 = model.mul %norm1, %weight_5 : <f32, batch, seq, model>, <f32, model, head, dh>
      %50 = model.sum ["model"] %49 : <f32, batch, seq, model, head, dh>
      %q = model.add %50, %bias_6 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %weight_7 = model.param @layer.attn.k.weight : <f32, model, head, dh>
      %bias_8 = model.param @layer.attn.k.bias : <f32, head, dh>
      %51 = model.mul %norm1, %weight_7 : <f32, batch, seq, model>, <f32, model, head, dh>
      %52 = model.sum ["model"] %51 : <f32, batch, seq, model, head, dh>
      %k = model.add %52, %bias_8 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %k_9 = model.regroup %k ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %weight_10 = model.param @layer.attn.v.weight : <f32, model, head, dh>
      %bias_11 = model.param @layer.attn.v.bias : <f32, head, dh>
      %53 = model.mul %norm1, %weight_10 : <f32, batch, seq, model>, <f32, model, head, dh>
      %54 = model.sum ["model"] %53 : <f32, batch, seq, model, head, dh>
      %v = model.add %54, %bias_11 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %v_12 = model.regroup %v ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %55 = model.index "key"
      %56 = model.index "seq"
      %57 = model.compare le %55, %56 : <i64, key>, <i64, seq>
      %q_13 = model.regroup %q ["dh"] as ["dh_1"] : <f32, batch, seq, head, dh>
      %k_14 = model.regroup %k_9 ["dh"] as ["dh_1"] : <f32, batch, key, head, dh>
      %58 = model.constant 8.000000e+00 : f64
      %59 = model.sqrt %58 : <f32>
      %60 = model.constant 1.000000e+00 : f64
      %scale = model.div %60, %59 : <f32>, <f32>
      %61 = model.mul %q_13, %k_14 : <f32, batch, seq, head, dh_1>, <f32, batch, key, head, dh_1>
      %62 = model.sum ["dh_1"] %61 : <f32, batch, seq, head, dh_1, key>
      %scores = model.mul %62, %scale : <f32, batch, seq, head, key>, <f32>
      %63 = model.constant 0xFFF0000000000000 : f64
      %64 = model.where %57, %scores, %63 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %top_15 = model.reduce_max ["key"] %64 : <f32, batch, seq, head, key>
      %65 = model.sub %scores, %top_15 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %66 = model.constant 0xFFF0000000000000 : f64
      %67 = model.where %57, %65, %66 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %e = model.exp %67 : <f32, batch, seq, head, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, head, key>
      %68 = model.constant 0.000000e+00 : f64
      %69 = model.compare gt %all, %68 : <f32, batch, seq, head>, <f32>
      %70 = model.constant 1.000000e+00 : f64
      %71 = model.where %69, %all, %70 : <i1, batch, seq, head>, <f32, batch, seq, head>, <f32>
      %weights = model.div %e, %71 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %72 = model.mul %weights, %v_12 : <f32, batch, seq, head, key>, <f32, batch, key, head, dh>
      %73 = model.sum ["key"] %72 : <f32, batch, seq, head, key, dh>
      %weight_16 = model.param @layer.attn.out.weight : <f32, head, dh, model>
      %bias_17 = model.param @layer.attn.out.bias : <f32, model>
      %74 = model.mul %73, %weight_16 : <f32, batch, seq, head, dh>, <f32, head, dh, model>
      %75 = model.sum ["head", "dh"] %74 : <f32, batch, seq, head, dh, model>
      %out = model.add %75, %bias_17 : <f32, batch, seq, model>, <f32, model>
      %x_18 = model.add %x_1, %out : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_19 = model.param @layer.norm2.weight : <f32, model>
      %bias_20 = model.param @layer.norm2.bias : <f32, model>
      %76 = model.sum ["model"] %x_18 : <f32, batch, seq, model>
      %77 = model.constant 3.200000e+01 : f64
      %78 = model.div %76, %77 : <f32, batch, seq>, <f32>
      %79 = model.sub %x_18, %78 : <f32, batch, seq, model>, <f32, batch, seq>
      %80 = model.sum ["model"] %x_18 : <f32, batch, seq, model>
      %81 = model.constant 3.200000e+01 : f64
      %82 = model.div %80, %81 : <f32, batch, seq>, <f32>
      %83 = model.sub %x_18, %82 : <f32, batch, seq, model>, <f32, batch, seq>
      %84 = model.constant 2.000000e+00 : f64
      %85 = model.pow %83, %84 : <f32, batch, seq, model>, <f32>
      %86 = model.sum ["model"] %85 : <f32, batch, seq, model>
      %87 = model.constant 3.200000e+01 : f64
      %88 = model.div %86, %87 : <f32, batch, seq>, <f32>
      %eps_21 = model.constant 1.000000e-05 : f64
      %89 = model.add %88, %eps_21 : <f32, batch, seq>, <f32>
      %90 = model.rsqrt %89 : <f32, batch, seq>
      %91 = model.mul %79, %90 : <f32, batch, seq, model>, <f32, batch, seq>
      %92 = model.mul %91, %weight_19 : <f32, batch, seq, model>, <f32, model>
      %norm2 = model.add %92, %bias_20 : <f32, batch, seq, model>, <f32, model>
      %weight_22 = model.param @layer.ffn.up.weight : <f32, model, ff>
      %bias_23 = model.param @layer.ffn.up.bias : <f32, ff>
      %93 = model.mul %norm2, %weight_22 : <f32, batch, seq, model>, <f32, model, ff>
      %94 = model.sum ["model"] %93 : <f32, batch, seq, model, ff>
      %up = model.add %94, %bias_23 : <f32, batch, seq, ff>, <f32, ff>
      %95 = model.constant 5.000000e-01 : f64
      %96 = model.mul %95, %up : <f32>, <f32, batch, seq, ff>
      %97 = model.constant 0.79788456080286541 : f64
      %98 = model.constant 4.471500e-02 : f64
      %99 = model.constant 3.000000e+00 : f64
      %100 = model.pow %up, %99 : <f32, batch, seq, ff>, <f32>
      %101 = model.mul %98, %100 : <f32>, <f32, batch, seq, ff>
      %102 = model.add %up, %101 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %103 = model.mul %97, %102 : <f32>, <f32, batch, seq, ff>
      %104 = model.tanh %103 : <f32, batch, seq, ff>
      %105 = model.constant 1.000000e+00 : f64
      %106 = model.add %105, %104 : <f32>, <f32, batch, seq, ff>
      %107 = model.mul %96, %106 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_24 = model.param @layer.ffn.down.weight : <f32, ff, model>
      %bias_25 = model.param @layer.ffn.down.bias : <f32, model>
      %108 = model.mul %107, %weight_24 : <f32, batch, seq, ff>, <f32, ff, model>
      %109 = model.sum ["ff"] %108 : <f32, batch, seq, ff, model>
      %down = model.add %109, %bias_25 : <f32, batch, seq, model>, <f32, model>
      %x_26 = model.add %x_18, %down : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_26 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %bias = model.param @norm.bias : <f32, model>
    %3 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
    %4 = model.constant 3.200000e+01 : f64
    %5 = model.div %3, %4 : <f32, batch, seq>, <f32>
    %6 = model.sub %x_0, %5 : <f32, batch, seq, model>, <f32, batch, seq>
    %7 = model.sum ["model"] %x_0 : <f32, batch, seq, model>
    %8 = model.constant 3.200000e+01 : f64
    %9 = model.div %7, %8 : <f32, batch, seq>, <f32>
    %10 = model.sub %x_0, %9 : <f32, batch, seq, model>, <f32, batch, seq>
    %11 = model.constant 2.000000e+00 : f64
    %12 = model.pow %10, %11 : <f32, batch, seq, model>, <f32>
    %13 = model.sum ["model"] %12 : <f32, batch, seq, model>
    %14 = model.constant 3.200000e+01 : f64
    %15 = model.div %13, %14 : <f32, batch, seq>, <f32>
    %eps = model.constant 1.000000e-05 : f64
    %16 = model.add %15, %eps : <f32, batch, seq>, <f32>
    %17 = model.rsqrt %16 : <f32, batch, seq>
    %18 = model.mul %6, %17 : <f32, batch, seq, model>, <f32, batch, seq>
    %19 = model.mul %18, %weight : <f32, batch, seq, model>, <f32, model>
    %norm = model.add %19, %bias : <f32, batch, seq, model>, <f32, model>
    %20 = model.mul %norm, %table : <f32, batch, seq, model>, <f32, vocab, model>
    %21 = model.sum ["model"] %20 : <f32, batch, seq, model, vocab>
    %top = model.reduce_max ["vocab"] %21 : <f32, batch, seq, vocab>
    %22 = model.sub %21, %top : <f32, batch, seq, vocab>, <f32, batch, seq>
    %23 = model.exp %22 : <f32, batch, seq, vocab>
    %24 = model.sum ["vocab"] %23 : <f32, batch, seq, vocab>
    %25 = model.log %24 : <f32, batch, seq>
    %26 = model.add %top, %25 : <f32, batch, seq>, <f32, batch, seq>
    %27 = model.gather %21 "vocab" = %next : <f32, batch, seq, vocab>, <i64, batch, seq>
    %28 = model.sub %26, %27 : <f32, batch, seq>, <f32, batch, seq>
    %29 = model.sum ["batch", "seq"] %28 : <f32, batch, seq>
    %30 = model.extent <batch * seq>
    %31 = model.to_float %30 : <i64>
    %output = model.div %29, %31 : <f32>, <f32>
    return %output : !model.tensor<f32>
  }
}
