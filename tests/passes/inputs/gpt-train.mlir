// Made by: dump-model tests/frontend/systems/gpt.weft train generate vocab=65 model=32 head=4 ff=128 layer=2 position=16
module attributes {weft.decodings = [{argument = "tokens", dim = "seq", entry = "logits", max = 8 : i64, name = "generate", start = 0 : i64}], weft.settings = {ff = 128 : i64, head = 4 : i64, layer = 2 : i64, model = 32 : i64, position = 16 : i64, vocab = 65 : i64}, weft.source = "tests/frontend/systems/gpt.weft", weft.trainings = [{gradient = "train.gradient", loss = "train.loss", name = "train", update = "train.update"}]} {
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
  model.parameter @"m/table" : !model.tensor<f32, vocab, model> kind optimizer of @table {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/table" : !model.tensor<f32, vocab, model> kind optimizer of @table {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/place" : !model.tensor<f32, position, model> kind optimizer of @place {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/place" : !model.tensor<f32, position, model> kind optimizer of @place {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.norm1.weight" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm1.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.norm1.weight" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm1.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.norm1.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm1.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.norm1.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm1.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.q.weight" : !model.tensor<f32, layer, model, head, dh> loops 1 kind optimizer of @layer.attn.q.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.q.weight" : !model.tensor<f32, layer, model, head, dh> loops 1 kind optimizer of @layer.attn.q.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.q.bias" : !model.tensor<f32, layer, head, dh> loops 1 kind optimizer of @layer.attn.q.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.q.bias" : !model.tensor<f32, layer, head, dh> loops 1 kind optimizer of @layer.attn.q.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.k.weight" : !model.tensor<f32, layer, model, head, dh> loops 1 kind optimizer of @layer.attn.k.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.k.weight" : !model.tensor<f32, layer, model, head, dh> loops 1 kind optimizer of @layer.attn.k.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.k.bias" : !model.tensor<f32, layer, head, dh> loops 1 kind optimizer of @layer.attn.k.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.k.bias" : !model.tensor<f32, layer, head, dh> loops 1 kind optimizer of @layer.attn.k.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.v.weight" : !model.tensor<f32, layer, model, head, dh> loops 1 kind optimizer of @layer.attn.v.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.v.weight" : !model.tensor<f32, layer, model, head, dh> loops 1 kind optimizer of @layer.attn.v.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.v.bias" : !model.tensor<f32, layer, head, dh> loops 1 kind optimizer of @layer.attn.v.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.v.bias" : !model.tensor<f32, layer, head, dh> loops 1 kind optimizer of @layer.attn.v.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.out.weight" : !model.tensor<f32, layer, head, dh, model> loops 1 kind optimizer of @layer.attn.out.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.out.weight" : !model.tensor<f32, layer, head, dh, model> loops 1 kind optimizer of @layer.attn.out.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.attn.out.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.attn.out.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.attn.out.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.attn.out.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.norm2.weight" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm2.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.norm2.weight" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm2.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.norm2.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm2.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.norm2.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.norm2.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.ffn.up.weight" : !model.tensor<f32, layer, model, ff> loops 1 kind optimizer of @layer.ffn.up.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.ffn.up.weight" : !model.tensor<f32, layer, model, ff> loops 1 kind optimizer of @layer.ffn.up.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.ffn.up.bias" : !model.tensor<f32, layer, ff> loops 1 kind optimizer of @layer.ffn.up.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.ffn.up.bias" : !model.tensor<f32, layer, ff> loops 1 kind optimizer of @layer.ffn.up.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.ffn.down.weight" : !model.tensor<f32, layer, ff, model> loops 1 kind optimizer of @layer.ffn.down.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.ffn.down.weight" : !model.tensor<f32, layer, ff, model> loops 1 kind optimizer of @layer.ffn.down.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/layer.ffn.down.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.ffn.down.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/layer.ffn.down.bias" : !model.tensor<f32, layer, model> loops 1 kind optimizer of @layer.ffn.down.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/norm.weight" : !model.tensor<f32, model> kind optimizer of @norm.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/norm.weight" : !model.tensor<f32, model> kind optimizer of @norm.weight {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"m/norm.bias" : !model.tensor<f32, model> kind optimizer of @norm.bias {weft.origin = {block = "adamw", dims = []}}
  model.parameter @"v/norm.bias" : !model.tensor<f32, model> kind optimizer of @norm.bias {weft.origin = {block = "adamw", dims = []}}
  func.func @train.loss(%tokens: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "tokens"}, %next: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "next"}) -> (!model.tensor<f32> {weft.name = "output"}) attributes {weft.entry = "train.loss", weft.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %place = model.param @place : <f32, position, model>
    %0 = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <i64, batch, seq>
    %1 = model.index "seq"
    %2 = model.gather %place "position" = %1 : <f32, position, model>, <i64, seq>
    %3 = model.add %0, %2 : <f32, batch, seq, model>, <f32, seq, model>
    %4 = model.random "x" : <f32, batch, seq, model>
    %rate = model.constant 0.000000e+00 : f64
    %5 = model.compare lt %4, %rate : <f32, batch, seq, model>, <f32>
    %6 = model.constant 1 : i64
    %rate_0 = model.constant 0 : i64
    %7 = model.sub %6, %rate_0 : <i64>, <i64>
    %8 = model.to_float %7 : <i64>
    %9 = model.div %3, %8 : <f32, batch, seq, model>, <f32>
    %10 = model.constant 0.000000e+00 : f64
    %x = model.where %5, %10, %9 : <i1, batch, seq, model>, <f32>, <f32, batch, seq, model>
    %x_1 = model.repeat "layer" carry(%x_2 = %x : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_3 = model.param @layer.norm1.weight : <f32, model>
      %bias_4 = model.param @layer.norm1.bias : <f32, model>
      %40 = model.sum ["model"] %x_2 : <f32, batch, seq, model>
      %41 = model.constant 3.200000e+01 : f64
      %42 = model.div %40, %41 : <f32, batch, seq>, <f32>
      %43 = model.sub %x_2, %42 : <f32, batch, seq, model>, <f32, batch, seq>
      %44 = model.sum ["model"] %x_2 : <f32, batch, seq, model>
      %45 = model.constant 3.200000e+01 : f64
      %46 = model.div %44, %45 : <f32, batch, seq>, <f32>
      %47 = model.sub %x_2, %46 : <f32, batch, seq, model>, <f32, batch, seq>
      %48 = model.constant 2.000000e+00 : f64
      %49 = model.pow %47, %48 : <f32, batch, seq, model>, <f32>
      %50 = model.sum ["model"] %49 : <f32, batch, seq, model>
      %51 = model.constant 3.200000e+01 : f64
      %52 = model.div %50, %51 : <f32, batch, seq>, <f32>
      %eps_5 = model.constant 1.000000e-05 : f64
      %53 = model.add %52, %eps_5 : <f32, batch, seq>, <f32>
      %54 = model.rsqrt %53 : <f32, batch, seq>
      %55 = model.mul %43, %54 : <f32, batch, seq, model>, <f32, batch, seq>
      %56 = model.mul %55, %weight_3 : <f32, batch, seq, model>, <f32, model>
      %norm1 = model.add %56, %bias_4 : <f32, batch, seq, model>, <f32, model>
      %weight_6 = model.param @layer.attn.q.weight : <f32, model, head, dh>
      %bias_7 = model.param @layer.attn.q.bias : <f32, head, dh>
      %57 = model.mul %norm1, %weight_6 : <f32, batch, seq, model>, <f32, model, head, dh>
      %58 = model.sum ["model"] %57 : <f32, batch, seq, model, head, dh>
      %q = model.add %58, %bias_7 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %weight_8 = model.param @layer.attn.k.weight : <f32, model, head, dh>
      %bias_9 = model.param @layer.attn.k.bias : <f32, head, dh>
      %59 = model.mul %norm1, %weight_8 : <f32, batch, seq, model>, <f32, model, head, dh>
      %60 = model.sum ["model"] %59 : <f32, batch, seq, model, head, dh>
      %k = model.add %60, %bias_9 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %k_10 = model.regroup %k ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %weight_11 = model.param @layer.attn.v.weight : <f32, model, head, dh>
      %bias_12 = model.param @layer.attn.v.bias : <f32, head, dh>
      %61 = model.mul %norm1, %weight_11 : <f32, batch, seq, model>, <f32, model, head, dh>
      %62 = model.sum ["model"] %61 : <f32, batch, seq, model, head, dh>
      %v = model.add %62, %bias_12 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %v_13 = model.regroup %v ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %63 = model.index "key"
      %64 = model.index "seq"
      %65 = model.compare le %63, %64 : <i64, key>, <i64, seq>
      %q_14 = model.regroup %q ["dh"] as ["dh_1"] : <f32, batch, seq, head, dh>
      %k_15 = model.regroup %k_10 ["dh"] as ["dh_1"] : <f32, batch, key, head, dh>
      %66 = model.constant 8.000000e+00 : f64
      %67 = model.sqrt %66 : <f32>
      %68 = model.constant 1.000000e+00 : f64
      %scale = model.div %68, %67 : <f32>, <f32>
      %69 = model.mul %q_14, %k_15 : <f32, batch, seq, head, dh_1>, <f32, batch, key, head, dh_1>
      %70 = model.sum ["dh_1"] %69 : <f32, batch, seq, head, dh_1, key>
      %scores = model.mul %70, %scale : <f32, batch, seq, head, key>, <f32>
      %71 = model.constant 0xFFF0000000000000 : f64
      %72 = model.where %65, %scores, %71 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %top_16 = model.reduce_max ["key"] %72 : <f32, batch, seq, head, key>
      %73 = model.sub %scores, %top_16 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %74 = model.constant 0xFFF0000000000000 : f64
      %75 = model.where %65, %73, %74 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %e = model.exp %75 : <f32, batch, seq, head, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, head, key>
      %76 = model.constant 0.000000e+00 : f64
      %77 = model.compare gt %all, %76 : <f32, batch, seq, head>, <f32>
      %78 = model.constant 1.000000e+00 : f64
      %79 = model.where %77, %all, %78 : <i1, batch, seq, head>, <f32, batch, seq, head>, <f32>
      %weights = model.div %e, %79 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %80 = model.mul %weights, %v_13 : <f32, batch, seq, head, key>, <f32, batch, key, head, dh>
      %81 = model.sum ["key"] %80 : <f32, batch, seq, head, key, dh>
      %weight_17 = model.param @layer.attn.out.weight : <f32, head, dh, model>
      %bias_18 = model.param @layer.attn.out.bias : <f32, model>
      %82 = model.mul %81, %weight_17 : <f32, batch, seq, head, dh>, <f32, head, dh, model>
      %83 = model.sum ["head", "dh"] %82 : <f32, batch, seq, head, dh, model>
      %out = model.add %83, %bias_18 : <f32, batch, seq, model>, <f32, model>
      %84 = model.random "layer" : <f32, batch, seq, model>
      %rate_19 = model.constant 0.000000e+00 : f64
      %85 = model.compare lt %84, %rate_19 : <f32, batch, seq, model>, <f32>
      %86 = model.constant 1 : i64
      %rate_20 = model.constant 0 : i64
      %87 = model.sub %86, %rate_20 : <i64>, <i64>
      %88 = model.to_float %87 : <i64>
      %89 = model.div %out, %88 : <f32, batch, seq, model>, <f32>
      %90 = model.constant 0.000000e+00 : f64
      %91 = model.where %85, %90, %89 : <i1, batch, seq, model>, <f32>, <f32, batch, seq, model>
      %x_21 = model.add %x_2, %91 : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_22 = model.param @layer.norm2.weight : <f32, model>
      %bias_23 = model.param @layer.norm2.bias : <f32, model>
      %92 = model.sum ["model"] %x_21 : <f32, batch, seq, model>
      %93 = model.constant 3.200000e+01 : f64
      %94 = model.div %92, %93 : <f32, batch, seq>, <f32>
      %95 = model.sub %x_21, %94 : <f32, batch, seq, model>, <f32, batch, seq>
      %96 = model.sum ["model"] %x_21 : <f32, batch, seq, model>
      %97 = model.constant 3.200000e+01 : f64
      %98 = model.div %96, %97 : <f32, batch, seq>, <f32>
      %99 = model.sub %x_21, %98 : <f32, batch, seq, model>, <f32, batch, seq>
      %100 = model.constant 2.000000e+00 : f64
      %101 = model.pow %99, %100 : <f32, batch, seq, model>, <f32>
      %102 = model.sum ["model"] %101 : <f32, batch, seq, model>
      %103 = model.constant 3.200000e+01 : f64
      %104 = model.div %102, %103 : <f32, batch, seq>, <f32>
      %eps_24 = model.constant 1.000000e-05 : f64
      %105 = model.add %104, %eps_24 : <f32, batch, seq>, <f32>
      %106 = model.rsqrt %105 : <f32, batch, seq>
      %107 = model.mul %95, %106 : <f32, batch, seq, model>, <f32, batch, seq>
      %108 = model.mul %107, %weight_22 : <f32, batch, seq, model>, <f32, model>
      %norm2 = model.add %108, %bias_23 : <f32, batch, seq, model>, <f32, model>
      %weight_25 = model.param @layer.ffn.up.weight : <f32, model, ff>
      %bias_26 = model.param @layer.ffn.up.bias : <f32, ff>
      %109 = model.mul %norm2, %weight_25 : <f32, batch, seq, model>, <f32, model, ff>
      %110 = model.sum ["model"] %109 : <f32, batch, seq, model, ff>
      %up = model.add %110, %bias_26 : <f32, batch, seq, ff>, <f32, ff>
      %111 = model.constant 5.000000e-01 : f64
      %112 = model.mul %111, %up : <f32>, <f32, batch, seq, ff>
      %113 = model.constant 0.79788456080286541 : f64
      %114 = model.constant 4.471500e-02 : f64
      %115 = model.constant 3.000000e+00 : f64
      %116 = model.pow %up, %115 : <f32, batch, seq, ff>, <f32>
      %117 = model.mul %114, %116 : <f32>, <f32, batch, seq, ff>
      %118 = model.add %up, %117 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %119 = model.mul %113, %118 : <f32>, <f32, batch, seq, ff>
      %120 = model.tanh %119 : <f32, batch, seq, ff>
      %121 = model.constant 1.000000e+00 : f64
      %122 = model.add %121, %120 : <f32>, <f32, batch, seq, ff>
      %123 = model.mul %112, %122 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_27 = model.param @layer.ffn.down.weight : <f32, ff, model>
      %bias_28 = model.param @layer.ffn.down.bias : <f32, model>
      %124 = model.mul %123, %weight_27 : <f32, batch, seq, ff>, <f32, ff, model>
      %125 = model.sum ["ff"] %124 : <f32, batch, seq, ff, model>
      %down = model.add %125, %bias_28 : <f32, batch, seq, model>, <f32, model>
      %126 = model.random "layer#1" : <f32, batch, seq, model>
      %rate_29 = model.constant 0.000000e+00 : f64
      %127 = model.compare lt %126, %rate_29 : <f32, batch, seq, model>, <f32>
      %128 = model.constant 1 : i64
      %rate_30 = model.constant 0 : i64
      %129 = model.sub %128, %rate_30 : <i64>, <i64>
      %130 = model.to_float %129 : <i64>
      %131 = model.div %down, %130 : <f32, batch, seq, model>, <f32>
      %132 = model.constant 0.000000e+00 : f64
      %133 = model.where %127, %132, %131 : <i1, batch, seq, model>, <f32>, <f32, batch, seq, model>
      %x_31 = model.add %x_21, %133 : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_31 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %bias = model.param @norm.bias : <f32, model>
    %11 = model.sum ["model"] %x_1 : <f32, batch, seq, model>
    %12 = model.constant 3.200000e+01 : f64
    %13 = model.div %11, %12 : <f32, batch, seq>, <f32>
    %14 = model.sub %x_1, %13 : <f32, batch, seq, model>, <f32, batch, seq>
    %15 = model.sum ["model"] %x_1 : <f32, batch, seq, model>
    %16 = model.constant 3.200000e+01 : f64
    %17 = model.div %15, %16 : <f32, batch, seq>, <f32>
    %18 = model.sub %x_1, %17 : <f32, batch, seq, model>, <f32, batch, seq>
    %19 = model.constant 2.000000e+00 : f64
    %20 = model.pow %18, %19 : <f32, batch, seq, model>, <f32>
    %21 = model.sum ["model"] %20 : <f32, batch, seq, model>
    %22 = model.constant 3.200000e+01 : f64
    %23 = model.div %21, %22 : <f32, batch, seq>, <f32>
    %eps = model.constant 1.000000e-05 : f64
    %24 = model.add %23, %eps : <f32, batch, seq>, <f32>
    %25 = model.rsqrt %24 : <f32, batch, seq>
    %26 = model.mul %14, %25 : <f32, batch, seq, model>, <f32, batch, seq>
    %27 = model.mul %26, %weight : <f32, batch, seq, model>, <f32, model>
    %norm = model.add %27, %bias : <f32, batch, seq, model>, <f32, model>
    %28 = model.mul %norm, %table : <f32, batch, seq, model>, <f32, vocab, model>
    %29 = model.sum ["model"] %28 : <f32, batch, seq, model, vocab>
    %top = model.reduce_max ["vocab"] %29 : <f32, batch, seq, vocab>
    %30 = model.sub %29, %top : <f32, batch, seq, vocab>, <f32, batch, seq>
    %31 = model.exp %30 : <f32, batch, seq, vocab>
    %32 = model.sum ["vocab"] %31 : <f32, batch, seq, vocab>
    %33 = model.log %32 : <f32, batch, seq>
    %34 = model.add %top, %33 : <f32, batch, seq>, <f32, batch, seq>
    %35 = model.gather %29 "vocab" = %next : <f32, batch, seq, vocab>, <i64, batch, seq>
    %36 = model.sub %34, %35 : <f32, batch, seq>, <f32, batch, seq>
    %37 = model.sum ["batch", "seq"] %36 : <f32, batch, seq>
    %38 = model.extent <batch * seq>
    %39 = model.to_float %38 : <i64>
    %output = model.div %37, %39 : <f32>, <f32>
    return %output : !model.tensor<f32>
  }
  func.func @train.update(%d.table: !model.tensor<f32, vocab, model> {weft.gradient_of = "table", weft.name = "table"}, %d.place: !model.tensor<f32, position, model> {weft.gradient_of = "place", weft.name = "place"}, %d.layer.norm1.weight: !model.tensor<f32, layer, model> {weft.gradient_of = "layer.norm1.weight", weft.name = "layer.norm1.weight"}, %d.layer.norm1.bias: !model.tensor<f32, layer, model> {weft.gradient_of = "layer.norm1.bias", weft.name = "layer.norm1.bias"}, %d.layer.attn.q.weight: !model.tensor<f32, layer, model, head, dh> {weft.gradient_of = "layer.attn.q.weight", weft.name = "layer.attn.q.weight"}, %d.layer.attn.q.bias: !model.tensor<f32, layer, head, dh> {weft.gradient_of = "layer.attn.q.bias", weft.name = "layer.attn.q.bias"}, %d.layer.attn.k.weight: !model.tensor<f32, layer, model, head, dh> {weft.gradient_of = "layer.attn.k.weight", weft.name = "layer.attn.k.weight"}, %d.layer.attn.k.bias: !model.tensor<f32, layer, head, dh> {weft.gradient_of = "layer.attn.k.bias", weft.name = "layer.attn.k.bias"}, %d.layer.attn.v.weight: !model.tensor<f32, layer, model, head, dh> {weft.gradient_of = "layer.attn.v.weight", weft.name = "layer.attn.v.weight"}, %d.layer.attn.v.bias: !model.tensor<f32, layer, head, dh> {weft.gradient_of = "layer.attn.v.bias", weft.name = "layer.attn.v.bias"}, %d.layer.attn.out.weight: !model.tensor<f32, layer, head, dh, model> {weft.gradient_of = "layer.attn.out.weight", weft.name = "layer.attn.out.weight"}, %d.layer.attn.out.bias: !model.tensor<f32, layer, model> {weft.gradient_of = "layer.attn.out.bias", weft.name = "layer.attn.out.bias"}, %d.layer.norm2.weight: !model.tensor<f32, layer, model> {weft.gradient_of = "layer.norm2.weight", weft.name = "layer.norm2.weight"}, %d.layer.norm2.bias: !model.tensor<f32, layer, model> {weft.gradient_of = "layer.norm2.bias", weft.name = "layer.norm2.bias"}, %d.layer.ffn.up.weight: !model.tensor<f32, layer, model, ff> {weft.gradient_of = "layer.ffn.up.weight", weft.name = "layer.ffn.up.weight"}, %d.layer.ffn.up.bias: !model.tensor<f32, layer, ff> {weft.gradient_of = "layer.ffn.up.bias", weft.name = "layer.ffn.up.bias"}, %d.layer.ffn.down.weight: !model.tensor<f32, layer, ff, model> {weft.gradient_of = "layer.ffn.down.weight", weft.name = "layer.ffn.down.weight"}, %d.layer.ffn.down.bias: !model.tensor<f32, layer, model> {weft.gradient_of = "layer.ffn.down.bias", weft.name = "layer.ffn.down.bias"}, %d.norm.weight: !model.tensor<f32, model> {weft.gradient_of = "norm.weight", weft.name = "norm.weight"}, %d.norm.bias: !model.tensor<f32, model> {weft.gradient_of = "norm.bias", weft.name = "norm.bias"}, %step: !model.tensor<i64> {weft.name = "step"}, %steps: !model.tensor<i64> {weft.name = "steps"}) -> (!model.tensor<f32> {weft.name = "norm"}, !model.tensor<f32> {weft.name = "rate"}) attributes {weft.entry = "train.update", weft.kind = "update"} {
    %0 = model.mul %d.table, %d.table : <f32, vocab, model>, <f32, vocab, model>
    %1 = model.sum ["vocab", "model"] %0 : <f32, vocab, model>
    %2 = model.mul %d.place, %d.place : <f32, position, model>, <f32, position, model>
    %3 = model.sum ["position", "model"] %2 : <f32, position, model>
    %4 = model.add %1, %3 : <f32>, <f32>
    %5 = model.mul %d.layer.norm1.weight, %d.layer.norm1.weight : <f32, layer, model>, <f32, layer, model>
    %6 = model.sum ["layer", "model"] %5 : <f32, layer, model>
    %7 = model.add %4, %6 : <f32>, <f32>
    %8 = model.mul %d.layer.norm1.bias, %d.layer.norm1.bias : <f32, layer, model>, <f32, layer, model>
    %9 = model.sum ["layer", "model"] %8 : <f32, layer, model>
    %10 = model.add %7, %9 : <f32>, <f32>
    %11 = model.mul %d.layer.attn.q.weight, %d.layer.attn.q.weight : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %12 = model.sum ["layer", "model", "head", "dh"] %11 : <f32, layer, model, head, dh>
    %13 = model.add %10, %12 : <f32>, <f32>
    %14 = model.mul %d.layer.attn.q.bias, %d.layer.attn.q.bias : <f32, layer, head, dh>, <f32, layer, head, dh>
    %15 = model.sum ["layer", "head", "dh"] %14 : <f32, layer, head, dh>
    %16 = model.add %13, %15 : <f32>, <f32>
    %17 = model.mul %d.layer.attn.k.weight, %d.layer.attn.k.weight : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %18 = model.sum ["layer", "model", "head", "dh"] %17 : <f32, layer, model, head, dh>
    %19 = model.add %16, %18 : <f32>, <f32>
    %20 = model.mul %d.layer.attn.k.bias, %d.layer.attn.k.bias : <f32, layer, head, dh>, <f32, layer, head, dh>
    %21 = model.sum ["layer", "head", "dh"] %20 : <f32, layer, head, dh>
    %22 = model.add %19, %21 : <f32>, <f32>
    %23 = model.mul %d.layer.attn.v.weight, %d.layer.attn.v.weight : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %24 = model.sum ["layer", "model", "head", "dh"] %23 : <f32, layer, model, head, dh>
    %25 = model.add %22, %24 : <f32>, <f32>
    %26 = model.mul %d.layer.attn.v.bias, %d.layer.attn.v.bias : <f32, layer, head, dh>, <f32, layer, head, dh>
    %27 = model.sum ["layer", "head", "dh"] %26 : <f32, layer, head, dh>
    %28 = model.add %25, %27 : <f32>, <f32>
    %29 = model.mul %d.layer.attn.out.weight, %d.layer.attn.out.weight : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %30 = model.sum ["layer", "head", "dh", "model"] %29 : <f32, layer, head, dh, model>
    %31 = model.add %28, %30 : <f32>, <f32>
    %32 = model.mul %d.layer.attn.out.bias, %d.layer.attn.out.bias : <f32, layer, model>, <f32, layer, model>
    %33 = model.sum ["layer", "model"] %32 : <f32, layer, model>
    %34 = model.add %31, %33 : <f32>, <f32>
    %35 = model.mul %d.layer.norm2.weight, %d.layer.norm2.weight : <f32, layer, model>, <f32, layer, model>
    %36 = model.sum ["layer", "model"] %35 : <f32, layer, model>
    %37 = model.add %34, %36 : <f32>, <f32>
    %38 = model.mul %d.layer.norm2.bias, %d.layer.norm2.bias : <f32, layer, model>, <f32, layer, model>
    %39 = model.sum ["layer", "model"] %38 : <f32, layer, model>
    %40 = model.add %37, %39 : <f32>, <f32>
    %41 = model.mul %d.layer.ffn.up.weight, %d.layer.ffn.up.weight : <f32, layer, model, ff>, <f32, layer, model, ff>
    %42 = model.sum ["layer", "model", "ff"] %41 : <f32, layer, model, ff>
    %43 = model.add %40, %42 : <f32>, <f32>
    %44 = model.mul %d.layer.ffn.up.bias, %d.layer.ffn.up.bias : <f32, layer, ff>, <f32, layer, ff>
    %45 = model.sum ["layer", "ff"] %44 : <f32, layer, ff>
    %46 = model.add %43, %45 : <f32>, <f32>
    %47 = model.mul %d.layer.ffn.down.weight, %d.layer.ffn.down.weight : <f32, layer, ff, model>, <f32, layer, ff, model>
    %48 = model.sum ["layer", "ff", "model"] %47 : <f32, layer, ff, model>
    %49 = model.add %46, %48 : <f32>, <f32>
    %50 = model.mul %d.layer.ffn.down.bias, %d.layer.ffn.down.bias : <f32, layer, model>, <f32, layer, model>
    %51 = model.sum ["layer", "model"] %50 : <f32, layer, model>
    %52 = model.add %49, %51 : <f32>, <f32>
    %53 = model.mul %d.norm.weight, %d.norm.weight : <f32, model>, <f32, model>
    %54 = model.sum ["model"] %53 : <f32, model>
    %55 = model.add %52, %54 : <f32>, <f32>
    %56 = model.mul %d.norm.bias, %d.norm.bias : <f32, model>, <f32, model>
    %57 = model.sum ["model"] %56 : <f32, model>
    %58 = model.add %55, %57 : <f32>, <f32>
    %norm = model.sqrt %58 : <f32>
    %59 = model.constant 1.000000e+00 : f64
    %60 = model.constant 9.9999999999999995E-7 : f64
    %61 = model.constant 1.000000e+00 : f64
    %62 = model.add %norm, %60 : <f32>, <f32>
    %63 = model.div %59, %62 : <f32>, <f32>
    %scale = model.min %63, %61 : <f32>, <f32>
    %64 = model.mul %d.table, %scale : <f32, vocab, model>, <f32>
    %65 = model.mul %d.place, %scale : <f32, position, model>, <f32>
    %66 = model.mul %d.layer.norm1.weight, %scale : <f32, layer, model>, <f32>
    %67 = model.mul %d.layer.norm1.bias, %scale : <f32, layer, model>, <f32>
    %68 = model.mul %d.layer.attn.q.weight, %scale : <f32, layer, model, head, dh>, <f32>
    %69 = model.mul %d.layer.attn.q.bias, %scale : <f32, layer, head, dh>, <f32>
    %70 = model.mul %d.layer.attn.k.weight, %scale : <f32, layer, model, head, dh>, <f32>
    %71 = model.mul %d.layer.attn.k.bias, %scale : <f32, layer, head, dh>, <f32>
    %72 = model.mul %d.layer.attn.v.weight, %scale : <f32, layer, model, head, dh>, <f32>
    %73 = model.mul %d.layer.attn.v.bias, %scale : <f32, layer, head, dh>, <f32>
    %74 = model.mul %d.layer.attn.out.weight, %scale : <f32, layer, head, dh, model>, <f32>
    %75 = model.mul %d.layer.attn.out.bias, %scale : <f32, layer, model>, <f32>
    %76 = model.mul %d.layer.norm2.weight, %scale : <f32, layer, model>, <f32>
    %77 = model.mul %d.layer.norm2.bias, %scale : <f32, layer, model>, <f32>
    %78 = model.mul %d.layer.ffn.up.weight, %scale : <f32, layer, model, ff>, <f32>
    %79 = model.mul %d.layer.ffn.up.bias, %scale : <f32, layer, ff>, <f32>
    %80 = model.mul %d.layer.ffn.down.weight, %scale : <f32, layer, ff, model>, <f32>
    %81 = model.mul %d.layer.ffn.down.bias, %scale : <f32, layer, model>, <f32>
    %82 = model.mul %d.norm.weight, %scale : <f32, model>, <f32>
    %83 = model.mul %d.norm.bias, %scale : <f32, model>, <f32>
    %84 = model.constant 1.000000e-03 : f64
    %table = model.param @table : <f32, vocab, model>
    %m = model.param @"m/table" : <f32, vocab, model>
    %v = model.param @"v/table" : <f32, vocab, model>
    %beta1 = model.constant 9.000000e-01 : f64
    %85 = model.mul %beta1, %m : <f32>, <f32, vocab, model>
    %beta1_0 = model.constant 9.000000e-01 : f64
    %86 = model.constant 1.000000e+00 : f64
    %87 = model.sub %86, %beta1_0 : <f32>, <f32>
    %88 = model.mul %87, %64 : <f32>, <f32, vocab, model>
    %m_1 = model.add %85, %88 : <f32, vocab, model>, <f32, vocab, model>
    %beta2 = model.constant 0.99899999999999999 : f64
    %89 = model.mul %beta2, %v : <f32>, <f32, vocab, model>
    %beta2_2 = model.constant 0.99899999999999999 : f64
    %90 = model.constant 1.000000e+00 : f64
    %91 = model.sub %90, %beta2_2 : <f32>, <f32>
    %92 = model.constant 2.000000e+00 : f64
    %93 = model.pow %64, %92 : <f32, vocab, model>, <f32>
    %94 = model.mul %91, %93 : <f32>, <f32, vocab, model>
    %v_3 = model.add %89, %94 : <f32, vocab, model>, <f32, vocab, model>
    %beta1_4 = model.constant 9.000000e-01 : f64
    %95 = model.to_float %step : <i64>
    %96 = model.pow %beta1_4, %95 : <f32>, <f32>
    %97 = model.constant 1.000000e+00 : f64
    %98 = model.sub %97, %96 : <f32>, <f32>
    %mean = model.div %m_1, %98 : <f32, vocab, model>, <f32>
    %beta2_5 = model.constant 0.99899999999999999 : f64
    %99 = model.to_float %step : <i64>
    %100 = model.pow %beta2_5, %99 : <f32>, <f32>
    %101 = model.constant 1.000000e+00 : f64
    %102 = model.sub %101, %100 : <f32>, <f32>
    %spread = model.div %v_3, %102 : <f32, vocab, model>, <f32>
    %103 = model.mul %84, %mean : <f32>, <f32, vocab, model>
    %104 = model.sqrt %spread : <f32, vocab, model>
    %eps = model.constant 1.000000e-08 : f64
    %105 = model.add %104, %eps : <f32, vocab, model>, <f32>
    %update = model.div %103, %105 : <f32, vocab, model>, <f32, vocab, model>
    %decay = model.constant 1.000000e-01 : f64
    %106 = model.mul %84, %decay : <f32>, <f32>
    %107 = model.constant 1.000000e+00 : f64
    %108 = model.sub %107, %106 : <f32>, <f32>
    %kept = model.mul %table, %108 : <f32, vocab, model>, <f32>
    %decay_6 = model.constant 1.000000e-01 : f64
    %109 = model.mul %84, %decay_6 : <f32>, <f32>
    %110 = model.constant 1.000000e+00 : f64
    %111 = model.sub %110, %109 : <f32>, <f32>
    %kept_7 = model.mul %table, %111 : <f32, vocab, model>, <f32>
    %next = model.sub %kept_7, %update : <f32, vocab, model>, <f32, vocab, model>
    model.assign @"m/table", %m_1 : <f32, vocab, model>
    model.assign @"v/table", %v_3 : <f32, vocab, model>
    model.assign @table, %next : <f32, vocab, model>
    %place = model.param @place : <f32, position, model>
    %m_8 = model.param @"m/place" : <f32, position, model>
    %v_9 = model.param @"v/place" : <f32, position, model>
    %beta1_10 = model.constant 9.000000e-01 : f64
    %112 = model.mul %beta1_10, %m_8 : <f32>, <f32, position, model>
    %beta1_11 = model.constant 9.000000e-01 : f64
    %113 = model.constant 1.000000e+00 : f64
    %114 = model.sub %113, %beta1_11 : <f32>, <f32>
    %115 = model.mul %114, %65 : <f32>, <f32, position, model>
    %m_12 = model.add %112, %115 : <f32, position, model>, <f32, position, model>
    %beta2_13 = model.constant 0.99899999999999999 : f64
    %116 = model.mul %beta2_13, %v_9 : <f32>, <f32, position, model>
    %beta2_14 = model.constant 0.99899999999999999 : f64
    %117 = model.constant 1.000000e+00 : f64
    %118 = model.sub %117, %beta2_14 : <f32>, <f32>
    %119 = model.constant 2.000000e+00 : f64
    %120 = model.pow %65, %119 : <f32, position, model>, <f32>
    %121 = model.mul %118, %120 : <f32>, <f32, position, model>
    %v_15 = model.add %116, %121 : <f32, position, model>, <f32, position, model>
    %beta1_16 = model.constant 9.000000e-01 : f64
    %122 = model.to_float %step : <i64>
    %123 = model.pow %beta1_16, %122 : <f32>, <f32>
    %124 = model.constant 1.000000e+00 : f64
    %125 = model.sub %124, %123 : <f32>, <f32>
    %mean_17 = model.div %m_12, %125 : <f32, position, model>, <f32>
    %beta2_18 = model.constant 0.99899999999999999 : f64
    %126 = model.to_float %step : <i64>
    %127 = model.pow %beta2_18, %126 : <f32>, <f32>
    %128 = model.constant 1.000000e+00 : f64
    %129 = model.sub %128, %127 : <f32>, <f32>
    %spread_19 = model.div %v_15, %129 : <f32, position, model>, <f32>
    %130 = model.mul %84, %mean_17 : <f32>, <f32, position, model>
    %131 = model.sqrt %spread_19 : <f32, position, model>
    %eps_20 = model.constant 1.000000e-08 : f64
    %132 = model.add %131, %eps_20 : <f32, position, model>, <f32>
    %update_21 = model.div %130, %132 : <f32, position, model>, <f32, position, model>
    %decay_22 = model.constant 1.000000e-01 : f64
    %133 = model.mul %84, %decay_22 : <f32>, <f32>
    %134 = model.constant 1.000000e+00 : f64
    %135 = model.sub %134, %133 : <f32>, <f32>
    %kept_23 = model.mul %place, %135 : <f32, position, model>, <f32>
    %decay_24 = model.constant 1.000000e-01 : f64
    %136 = model.mul %84, %decay_24 : <f32>, <f32>
    %137 = model.constant 1.000000e+00 : f64
    %138 = model.sub %137, %136 : <f32>, <f32>
    %kept_25 = model.mul %place, %138 : <f32, position, model>, <f32>
    %next_26 = model.sub %kept_25, %update_21 : <f32, position, model>, <f32, position, model>
    model.assign @"m/place", %m_12 : <f32, position, model>
    model.assign @"v/place", %v_15 : <f32, position, model>
    model.assign @place, %next_26 : <f32, position, model>
    %layer.norm1.weight = model.param @layer.norm1.weight : <f32, layer, model>
    %m_27 = model.param @"m/layer.norm1.weight" : <f32, layer, model>
    %v_28 = model.param @"v/layer.norm1.weight" : <f32, layer, model>
    %beta1_29 = model.constant 9.000000e-01 : f64
    %139 = model.mul %beta1_29, %m_27 : <f32>, <f32, layer, model>
    %beta1_30 = model.constant 9.000000e-01 : f64
    %140 = model.constant 1.000000e+00 : f64
    %141 = model.sub %140, %beta1_30 : <f32>, <f32>
    %142 = model.mul %141, %66 : <f32>, <f32, layer, model>
    %m_31 = model.add %139, %142 : <f32, layer, model>, <f32, layer, model>
    %beta2_32 = model.constant 0.99899999999999999 : f64
    %143 = model.mul %beta2_32, %v_28 : <f32>, <f32, layer, model>
    %beta2_33 = model.constant 0.99899999999999999 : f64
    %144 = model.constant 1.000000e+00 : f64
    %145 = model.sub %144, %beta2_33 : <f32>, <f32>
    %146 = model.constant 2.000000e+00 : f64
    %147 = model.pow %66, %146 : <f32, layer, model>, <f32>
    %148 = model.mul %145, %147 : <f32>, <f32, layer, model>
    %v_34 = model.add %143, %148 : <f32, layer, model>, <f32, layer, model>
    %beta1_35 = model.constant 9.000000e-01 : f64
    %149 = model.to_float %step : <i64>
    %150 = model.pow %beta1_35, %149 : <f32>, <f32>
    %151 = model.constant 1.000000e+00 : f64
    %152 = model.sub %151, %150 : <f32>, <f32>
    %mean_36 = model.div %m_31, %152 : <f32, layer, model>, <f32>
    %beta2_37 = model.constant 0.99899999999999999 : f64
    %153 = model.to_float %step : <i64>
    %154 = model.pow %beta2_37, %153 : <f32>, <f32>
    %155 = model.constant 1.000000e+00 : f64
    %156 = model.sub %155, %154 : <f32>, <f32>
    %spread_38 = model.div %v_34, %156 : <f32, layer, model>, <f32>
    %157 = model.mul %84, %mean_36 : <f32>, <f32, layer, model>
    %158 = model.sqrt %spread_38 : <f32, layer, model>
    %eps_39 = model.constant 1.000000e-08 : f64
    %159 = model.add %158, %eps_39 : <f32, layer, model>, <f32>
    %update_40 = model.div %157, %159 : <f32, layer, model>, <f32, layer, model>
    %decay_41 = model.constant 1.000000e-01 : f64
    %160 = model.mul %84, %decay_41 : <f32>, <f32>
    %161 = model.constant 1.000000e+00 : f64
    %162 = model.sub %161, %160 : <f32>, <f32>
    %kept_42 = model.mul %layer.norm1.weight, %162 : <f32, layer, model>, <f32>
    %next_43 = model.sub %kept_42, %update_40 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm1.weight", %m_31 : <f32, layer, model>
    model.assign @"v/layer.norm1.weight", %v_34 : <f32, layer, model>
    model.assign @layer.norm1.weight, %next_43 : <f32, layer, model>
    %layer.norm1.bias = model.param @layer.norm1.bias : <f32, layer, model>
    %m_44 = model.param @"m/layer.norm1.bias" : <f32, layer, model>
    %v_45 = model.param @"v/layer.norm1.bias" : <f32, layer, model>
    %beta1_46 = model.constant 9.000000e-01 : f64
    %163 = model.mul %beta1_46, %m_44 : <f32>, <f32, layer, model>
    %beta1_47 = model.constant 9.000000e-01 : f64
    %164 = model.constant 1.000000e+00 : f64
    %165 = model.sub %164, %beta1_47 : <f32>, <f32>
    %166 = model.mul %165, %67 : <f32>, <f32, layer, model>
    %m_48 = model.add %163, %166 : <f32, layer, model>, <f32, layer, model>
    %beta2_49 = model.constant 0.99899999999999999 : f64
    %167 = model.mul %beta2_49, %v_45 : <f32>, <f32, layer, model>
    %beta2_50 = model.constant 0.99899999999999999 : f64
    %168 = model.constant 1.000000e+00 : f64
    %169 = model.sub %168, %beta2_50 : <f32>, <f32>
    %170 = model.constant 2.000000e+00 : f64
    %171 = model.pow %67, %170 : <f32, layer, model>, <f32>
    %172 = model.mul %169, %171 : <f32>, <f32, layer, model>
    %v_51 = model.add %167, %172 : <f32, layer, model>, <f32, layer, model>
    %beta1_52 = model.constant 9.000000e-01 : f64
    %173 = model.to_float %step : <i64>
    %174 = model.pow %beta1_52, %173 : <f32>, <f32>
    %175 = model.constant 1.000000e+00 : f64
    %176 = model.sub %175, %174 : <f32>, <f32>
    %mean_53 = model.div %m_48, %176 : <f32, layer, model>, <f32>
    %beta2_54 = model.constant 0.99899999999999999 : f64
    %177 = model.to_float %step : <i64>
    %178 = model.pow %beta2_54, %177 : <f32>, <f32>
    %179 = model.constant 1.000000e+00 : f64
    %180 = model.sub %179, %178 : <f32>, <f32>
    %spread_55 = model.div %v_51, %180 : <f32, layer, model>, <f32>
    %181 = model.mul %84, %mean_53 : <f32>, <f32, layer, model>
    %182 = model.sqrt %spread_55 : <f32, layer, model>
    %eps_56 = model.constant 1.000000e-08 : f64
    %183 = model.add %182, %eps_56 : <f32, layer, model>, <f32>
    %update_57 = model.div %181, %183 : <f32, layer, model>, <f32, layer, model>
    %decay_58 = model.constant 1.000000e-01 : f64
    %184 = model.mul %84, %decay_58 : <f32>, <f32>
    %185 = model.constant 1.000000e+00 : f64
    %186 = model.sub %185, %184 : <f32>, <f32>
    %kept_59 = model.mul %layer.norm1.bias, %186 : <f32, layer, model>, <f32>
    %next_60 = model.sub %kept_59, %update_57 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm1.bias", %m_48 : <f32, layer, model>
    model.assign @"v/layer.norm1.bias", %v_51 : <f32, layer, model>
    model.assign @layer.norm1.bias, %next_60 : <f32, layer, model>
    %layer.attn.q.weight = model.param @layer.attn.q.weight : <f32, layer, model, head, dh>
    %m_61 = model.param @"m/layer.attn.q.weight" : <f32, layer, model, head, dh>
    %v_62 = model.param @"v/layer.attn.q.weight" : <f32, layer, model, head, dh>
    %beta1_63 = model.constant 9.000000e-01 : f64
    %187 = model.mul %beta1_63, %m_61 : <f32>, <f32, layer, model, head, dh>
    %beta1_64 = model.constant 9.000000e-01 : f64
    %188 = model.constant 1.000000e+00 : f64
    %189 = model.sub %188, %beta1_64 : <f32>, <f32>
    %190 = model.mul %189, %68 : <f32>, <f32, layer, model, head, dh>
    %m_65 = model.add %187, %190 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta2_66 = model.constant 0.99899999999999999 : f64
    %191 = model.mul %beta2_66, %v_62 : <f32>, <f32, layer, model, head, dh>
    %beta2_67 = model.constant 0.99899999999999999 : f64
    %192 = model.constant 1.000000e+00 : f64
    %193 = model.sub %192, %beta2_67 : <f32>, <f32>
    %194 = model.constant 2.000000e+00 : f64
    %195 = model.pow %68, %194 : <f32, layer, model, head, dh>, <f32>
    %196 = model.mul %193, %195 : <f32>, <f32, layer, model, head, dh>
    %v_68 = model.add %191, %196 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta1_69 = model.constant 9.000000e-01 : f64
    %197 = model.to_float %step : <i64>
    %198 = model.pow %beta1_69, %197 : <f32>, <f32>
    %199 = model.constant 1.000000e+00 : f64
    %200 = model.sub %199, %198 : <f32>, <f32>
    %mean_70 = model.div %m_65, %200 : <f32, layer, model, head, dh>, <f32>
    %beta2_71 = model.constant 0.99899999999999999 : f64
    %201 = model.to_float %step : <i64>
    %202 = model.pow %beta2_71, %201 : <f32>, <f32>
    %203 = model.constant 1.000000e+00 : f64
    %204 = model.sub %203, %202 : <f32>, <f32>
    %spread_72 = model.div %v_68, %204 : <f32, layer, model, head, dh>, <f32>
    %205 = model.mul %84, %mean_70 : <f32>, <f32, layer, model, head, dh>
    %206 = model.sqrt %spread_72 : <f32, layer, model, head, dh>
    %eps_73 = model.constant 1.000000e-08 : f64
    %207 = model.add %206, %eps_73 : <f32, layer, model, head, dh>, <f32>
    %update_74 = model.div %205, %207 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %decay_75 = model.constant 1.000000e-01 : f64
    %208 = model.mul %84, %decay_75 : <f32>, <f32>
    %209 = model.constant 1.000000e+00 : f64
    %210 = model.sub %209, %208 : <f32>, <f32>
    %kept_76 = model.mul %layer.attn.q.weight, %210 : <f32, layer, model, head, dh>, <f32>
    %decay_77 = model.constant 1.000000e-01 : f64
    %211 = model.mul %84, %decay_77 : <f32>, <f32>
    %212 = model.constant 1.000000e+00 : f64
    %213 = model.sub %212, %211 : <f32>, <f32>
    %kept_78 = model.mul %layer.attn.q.weight, %213 : <f32, layer, model, head, dh>, <f32>
    %next_79 = model.sub %kept_78, %update_74 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    model.assign @"m/layer.attn.q.weight", %m_65 : <f32, layer, model, head, dh>
    model.assign @"v/layer.attn.q.weight", %v_68 : <f32, layer, model, head, dh>
    model.assign @layer.attn.q.weight, %next_79 : <f32, layer, model, head, dh>
    %layer.attn.q.bias = model.param @layer.attn.q.bias : <f32, layer, head, dh>
    %m_80 = model.param @"m/layer.attn.q.bias" : <f32, layer, head, dh>
    %v_81 = model.param @"v/layer.attn.q.bias" : <f32, layer, head, dh>
    %beta1_82 = model.constant 9.000000e-01 : f64
    %214 = model.mul %beta1_82, %m_80 : <f32>, <f32, layer, head, dh>
    %beta1_83 = model.constant 9.000000e-01 : f64
    %215 = model.constant 1.000000e+00 : f64
    %216 = model.sub %215, %beta1_83 : <f32>, <f32>
    %217 = model.mul %216, %69 : <f32>, <f32, layer, head, dh>
    %m_84 = model.add %214, %217 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta2_85 = model.constant 0.99899999999999999 : f64
    %218 = model.mul %beta2_85, %v_81 : <f32>, <f32, layer, head, dh>
    %beta2_86 = model.constant 0.99899999999999999 : f64
    %219 = model.constant 1.000000e+00 : f64
    %220 = model.sub %219, %beta2_86 : <f32>, <f32>
    %221 = model.constant 2.000000e+00 : f64
    %222 = model.pow %69, %221 : <f32, layer, head, dh>, <f32>
    %223 = model.mul %220, %222 : <f32>, <f32, layer, head, dh>
    %v_87 = model.add %218, %223 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta1_88 = model.constant 9.000000e-01 : f64
    %224 = model.to_float %step : <i64>
    %225 = model.pow %beta1_88, %224 : <f32>, <f32>
    %226 = model.constant 1.000000e+00 : f64
    %227 = model.sub %226, %225 : <f32>, <f32>
    %mean_89 = model.div %m_84, %227 : <f32, layer, head, dh>, <f32>
    %beta2_90 = model.constant 0.99899999999999999 : f64
    %228 = model.to_float %step : <i64>
    %229 = model.pow %beta2_90, %228 : <f32>, <f32>
    %230 = model.constant 1.000000e+00 : f64
    %231 = model.sub %230, %229 : <f32>, <f32>
    %spread_91 = model.div %v_87, %231 : <f32, layer, head, dh>, <f32>
    %232 = model.mul %84, %mean_89 : <f32>, <f32, layer, head, dh>
    %233 = model.sqrt %spread_91 : <f32, layer, head, dh>
    %eps_92 = model.constant 1.000000e-08 : f64
    %234 = model.add %233, %eps_92 : <f32, layer, head, dh>, <f32>
    %update_93 = model.div %232, %234 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %decay_94 = model.constant 1.000000e-01 : f64
    %235 = model.mul %84, %decay_94 : <f32>, <f32>
    %236 = model.constant 1.000000e+00 : f64
    %237 = model.sub %236, %235 : <f32>, <f32>
    %kept_95 = model.mul %layer.attn.q.bias, %237 : <f32, layer, head, dh>, <f32>
    %next_96 = model.sub %kept_95, %update_93 : <f32, layer, head, dh>, <f32, layer, head, dh>
    model.assign @"m/layer.attn.q.bias", %m_84 : <f32, layer, head, dh>
    model.assign @"v/layer.attn.q.bias", %v_87 : <f32, layer, head, dh>
    model.assign @layer.attn.q.bias, %next_96 : <f32, layer, head, dh>
    %layer.attn.k.weight = model.param @layer.attn.k.weight : <f32, layer, model, head, dh>
    %m_97 = model.param @"m/layer.attn.k.weight" : <f32, layer, model, head, dh>
    %v_98 = model.param @"v/layer.attn.k.weight" : <f32, layer, model, head, dh>
    %beta1_99 = model.constant 9.000000e-01 : f64
    %238 = model.mul %beta1_99, %m_97 : <f32>, <f32, layer, model, head, dh>
    %beta1_100 = model.constant 9.000000e-01 : f64
    %239 = model.constant 1.000000e+00 : f64
    %240 = model.sub %239, %beta1_100 : <f32>, <f32>
    %241 = model.mul %240, %70 : <f32>, <f32, layer, model, head, dh>
    %m_101 = model.add %238, %241 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta2_102 = model.constant 0.99899999999999999 : f64
    %242 = model.mul %beta2_102, %v_98 : <f32>, <f32, layer, model, head, dh>
    %beta2_103 = model.constant 0.99899999999999999 : f64
    %243 = model.constant 1.000000e+00 : f64
    %244 = model.sub %243, %beta2_103 : <f32>, <f32>
    %245 = model.constant 2.000000e+00 : f64
    %246 = model.pow %70, %245 : <f32, layer, model, head, dh>, <f32>
    %247 = model.mul %244, %246 : <f32>, <f32, layer, model, head, dh>
    %v_104 = model.add %242, %247 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta1_105 = model.constant 9.000000e-01 : f64
    %248 = model.to_float %step : <i64>
    %249 = model.pow %beta1_105, %248 : <f32>, <f32>
    %250 = model.constant 1.000000e+00 : f64
    %251 = model.sub %250, %249 : <f32>, <f32>
    %mean_106 = model.div %m_101, %251 : <f32, layer, model, head, dh>, <f32>
    %beta2_107 = model.constant 0.99899999999999999 : f64
    %252 = model.to_float %step : <i64>
    %253 = model.pow %beta2_107, %252 : <f32>, <f32>
    %254 = model.constant 1.000000e+00 : f64
    %255 = model.sub %254, %253 : <f32>, <f32>
    %spread_108 = model.div %v_104, %255 : <f32, layer, model, head, dh>, <f32>
    %256 = model.mul %84, %mean_106 : <f32>, <f32, layer, model, head, dh>
    %257 = model.sqrt %spread_108 : <f32, layer, model, head, dh>
    %eps_109 = model.constant 1.000000e-08 : f64
    %258 = model.add %257, %eps_109 : <f32, layer, model, head, dh>, <f32>
    %update_110 = model.div %256, %258 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %decay_111 = model.constant 1.000000e-01 : f64
    %259 = model.mul %84, %decay_111 : <f32>, <f32>
    %260 = model.constant 1.000000e+00 : f64
    %261 = model.sub %260, %259 : <f32>, <f32>
    %kept_112 = model.mul %layer.attn.k.weight, %261 : <f32, layer, model, head, dh>, <f32>
    %decay_113 = model.constant 1.000000e-01 : f64
    %262 = model.mul %84, %decay_113 : <f32>, <f32>
    %263 = model.constant 1.000000e+00 : f64
    %264 = model.sub %263, %262 : <f32>, <f32>
    %kept_114 = model.mul %layer.attn.k.weight, %264 : <f32, layer, model, head, dh>, <f32>
    %next_115 = model.sub %kept_114, %update_110 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    model.assign @"m/layer.attn.k.weight", %m_101 : <f32, layer, model, head, dh>
    model.assign @"v/layer.attn.k.weight", %v_104 : <f32, layer, model, head, dh>
    model.assign @layer.attn.k.weight, %next_115 : <f32, layer, model, head, dh>
    %layer.attn.k.bias = model.param @layer.attn.k.bias : <f32, layer, head, dh>
    %m_116 = model.param @"m/layer.attn.k.bias" : <f32, layer, head, dh>
    %v_117 = model.param @"v/layer.attn.k.bias" : <f32, layer, head, dh>
    %beta1_118 = model.constant 9.000000e-01 : f64
    %265 = model.mul %beta1_118, %m_116 : <f32>, <f32, layer, head, dh>
    %beta1_119 = model.constant 9.000000e-01 : f64
    %266 = model.constant 1.000000e+00 : f64
    %267 = model.sub %266, %beta1_119 : <f32>, <f32>
    %268 = model.mul %267, %71 : <f32>, <f32, layer, head, dh>
    %m_120 = model.add %265, %268 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta2_121 = model.constant 0.99899999999999999 : f64
    %269 = model.mul %beta2_121, %v_117 : <f32>, <f32, layer, head, dh>
    %beta2_122 = model.constant 0.99899999999999999 : f64
    %270 = model.constant 1.000000e+00 : f64
    %271 = model.sub %270, %beta2_122 : <f32>, <f32>
    %272 = model.constant 2.000000e+00 : f64
    %273 = model.pow %71, %272 : <f32, layer, head, dh>, <f32>
    %274 = model.mul %271, %273 : <f32>, <f32, layer, head, dh>
    %v_123 = model.add %269, %274 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta1_124 = model.constant 9.000000e-01 : f64
    %275 = model.to_float %step : <i64>
    %276 = model.pow %beta1_124, %275 : <f32>, <f32>
    %277 = model.constant 1.000000e+00 : f64
    %278 = model.sub %277, %276 : <f32>, <f32>
    %mean_125 = model.div %m_120, %278 : <f32, layer, head, dh>, <f32>
    %beta2_126 = model.constant 0.99899999999999999 : f64
    %279 = model.to_float %step : <i64>
    %280 = model.pow %beta2_126, %279 : <f32>, <f32>
    %281 = model.constant 1.000000e+00 : f64
    %282 = model.sub %281, %280 : <f32>, <f32>
    %spread_127 = model.div %v_123, %282 : <f32, layer, head, dh>, <f32>
    %283 = model.mul %84, %mean_125 : <f32>, <f32, layer, head, dh>
    %284 = model.sqrt %spread_127 : <f32, layer, head, dh>
    %eps_128 = model.constant 1.000000e-08 : f64
    %285 = model.add %284, %eps_128 : <f32, layer, head, dh>, <f32>
    %update_129 = model.div %283, %285 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %decay_130 = model.constant 1.000000e-01 : f64
    %286 = model.mul %84, %decay_130 : <f32>, <f32>
    %287 = model.constant 1.000000e+00 : f64
    %288 = model.sub %287, %286 : <f32>, <f32>
    %kept_131 = model.mul %layer.attn.k.bias, %288 : <f32, layer, head, dh>, <f32>
    %next_132 = model.sub %kept_131, %update_129 : <f32, layer, head, dh>, <f32, layer, head, dh>
    model.assign @"m/layer.attn.k.bias", %m_120 : <f32, layer, head, dh>
    model.assign @"v/layer.attn.k.bias", %v_123 : <f32, layer, head, dh>
    model.assign @layer.attn.k.bias, %next_132 : <f32, layer, head, dh>
    %layer.attn.v.weight = model.param @layer.attn.v.weight : <f32, layer, model, head, dh>
    %m_133 = model.param @"m/layer.attn.v.weight" : <f32, layer, model, head, dh>
    %v_134 = model.param @"v/layer.attn.v.weight" : <f32, layer, model, head, dh>
    %beta1_135 = model.constant 9.000000e-01 : f64
    %289 = model.mul %beta1_135, %m_133 : <f32>, <f32, layer, model, head, dh>
    %beta1_136 = model.constant 9.000000e-01 : f64
    %290 = model.constant 1.000000e+00 : f64
    %291 = model.sub %290, %beta1_136 : <f32>, <f32>
    %292 = model.mul %291, %72 : <f32>, <f32, layer, model, head, dh>
    %m_137 = model.add %289, %292 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta2_138 = model.constant 0.99899999999999999 : f64
    %293 = model.mul %beta2_138, %v_134 : <f32>, <f32, layer, model, head, dh>
    %beta2_139 = model.constant 0.99899999999999999 : f64
    %294 = model.constant 1.000000e+00 : f64
    %295 = model.sub %294, %beta2_139 : <f32>, <f32>
    %296 = model.constant 2.000000e+00 : f64
    %297 = model.pow %72, %296 : <f32, layer, model, head, dh>, <f32>
    %298 = model.mul %295, %297 : <f32>, <f32, layer, model, head, dh>
    %v_140 = model.add %293, %298 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta1_141 = model.constant 9.000000e-01 : f64
    %299 = model.to_float %step : <i64>
    %300 = model.pow %beta1_141, %299 : <f32>, <f32>
    %301 = model.constant 1.000000e+00 : f64
    %302 = model.sub %301, %300 : <f32>, <f32>
    %mean_142 = model.div %m_137, %302 : <f32, layer, model, head, dh>, <f32>
    %beta2_143 = model.constant 0.99899999999999999 : f64
    %303 = model.to_float %step : <i64>
    %304 = model.pow %beta2_143, %303 : <f32>, <f32>
    %305 = model.constant 1.000000e+00 : f64
    %306 = model.sub %305, %304 : <f32>, <f32>
    %spread_144 = model.div %v_140, %306 : <f32, layer, model, head, dh>, <f32>
    %307 = model.mul %84, %mean_142 : <f32>, <f32, layer, model, head, dh>
    %308 = model.sqrt %spread_144 : <f32, layer, model, head, dh>
    %eps_145 = model.constant 1.000000e-08 : f64
    %309 = model.add %308, %eps_145 : <f32, layer, model, head, dh>, <f32>
    %update_146 = model.div %307, %309 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %decay_147 = model.constant 1.000000e-01 : f64
    %310 = model.mul %84, %decay_147 : <f32>, <f32>
    %311 = model.constant 1.000000e+00 : f64
    %312 = model.sub %311, %310 : <f32>, <f32>
    %kept_148 = model.mul %layer.attn.v.weight, %312 : <f32, layer, model, head, dh>, <f32>
    %decay_149 = model.constant 1.000000e-01 : f64
    %313 = model.mul %84, %decay_149 : <f32>, <f32>
    %314 = model.constant 1.000000e+00 : f64
    %315 = model.sub %314, %313 : <f32>, <f32>
    %kept_150 = model.mul %layer.attn.v.weight, %315 : <f32, layer, model, head, dh>, <f32>
    %next_151 = model.sub %kept_150, %update_146 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    model.assign @"m/layer.attn.v.weight", %m_137 : <f32, layer, model, head, dh>
    model.assign @"v/layer.attn.v.weight", %v_140 : <f32, layer, model, head, dh>
    model.assign @layer.attn.v.weight, %next_151 : <f32, layer, model, head, dh>
    %layer.attn.v.bias = model.param @layer.attn.v.bias : <f32, layer, head, dh>
    %m_152 = model.param @"m/layer.attn.v.bias" : <f32, layer, head, dh>
    %v_153 = model.param @"v/layer.attn.v.bias" : <f32, layer, head, dh>
    %beta1_154 = model.constant 9.000000e-01 : f64
    %316 = model.mul %beta1_154, %m_152 : <f32>, <f32, layer, head, dh>
    %beta1_155 = model.constant 9.000000e-01 : f64
    %317 = model.constant 1.000000e+00 : f64
    %318 = model.sub %317, %beta1_155 : <f32>, <f32>
    %319 = model.mul %318, %73 : <f32>, <f32, layer, head, dh>
    %m_156 = model.add %316, %319 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta2_157 = model.constant 0.99899999999999999 : f64
    %320 = model.mul %beta2_157, %v_153 : <f32>, <f32, layer, head, dh>
    %beta2_158 = model.constant 0.99899999999999999 : f64
    %321 = model.constant 1.000000e+00 : f64
    %322 = model.sub %321, %beta2_158 : <f32>, <f32>
    %323 = model.constant 2.000000e+00 : f64
    %324 = model.pow %73, %323 : <f32, layer, head, dh>, <f32>
    %325 = model.mul %322, %324 : <f32>, <f32, layer, head, dh>
    %v_159 = model.add %320, %325 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta1_160 = model.constant 9.000000e-01 : f64
    %326 = model.to_float %step : <i64>
    %327 = model.pow %beta1_160, %326 : <f32>, <f32>
    %328 = model.constant 1.000000e+00 : f64
    %329 = model.sub %328, %327 : <f32>, <f32>
    %mean_161 = model.div %m_156, %329 : <f32, layer, head, dh>, <f32>
    %beta2_162 = model.constant 0.99899999999999999 : f64
    %330 = model.to_float %step : <i64>
    %331 = model.pow %beta2_162, %330 : <f32>, <f32>
    %332 = model.constant 1.000000e+00 : f64
    %333 = model.sub %332, %331 : <f32>, <f32>
    %spread_163 = model.div %v_159, %333 : <f32, layer, head, dh>, <f32>
    %334 = model.mul %84, %mean_161 : <f32>, <f32, layer, head, dh>
    %335 = model.sqrt %spread_163 : <f32, layer, head, dh>
    %eps_164 = model.constant 1.000000e-08 : f64
    %336 = model.add %335, %eps_164 : <f32, layer, head, dh>, <f32>
    %update_165 = model.div %334, %336 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %decay_166 = model.constant 1.000000e-01 : f64
    %337 = model.mul %84, %decay_166 : <f32>, <f32>
    %338 = model.constant 1.000000e+00 : f64
    %339 = model.sub %338, %337 : <f32>, <f32>
    %kept_167 = model.mul %layer.attn.v.bias, %339 : <f32, layer, head, dh>, <f32>
    %next_168 = model.sub %kept_167, %update_165 : <f32, layer, head, dh>, <f32, layer, head, dh>
    model.assign @"m/layer.attn.v.bias", %m_156 : <f32, layer, head, dh>
    model.assign @"v/layer.attn.v.bias", %v_159 : <f32, layer, head, dh>
    model.assign @layer.attn.v.bias, %next_168 : <f32, layer, head, dh>
    %layer.attn.out.weight = model.param @layer.attn.out.weight : <f32, layer, head, dh, model>
    %m_169 = model.param @"m/layer.attn.out.weight" : <f32, layer, head, dh, model>
    %v_170 = model.param @"v/layer.attn.out.weight" : <f32, layer, head, dh, model>
    %beta1_171 = model.constant 9.000000e-01 : f64
    %340 = model.mul %beta1_171, %m_169 : <f32>, <f32, layer, head, dh, model>
    %beta1_172 = model.constant 9.000000e-01 : f64
    %341 = model.constant 1.000000e+00 : f64
    %342 = model.sub %341, %beta1_172 : <f32>, <f32>
    %343 = model.mul %342, %74 : <f32>, <f32, layer, head, dh, model>
    %m_173 = model.add %340, %343 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %beta2_174 = model.constant 0.99899999999999999 : f64
    %344 = model.mul %beta2_174, %v_170 : <f32>, <f32, layer, head, dh, model>
    %beta2_175 = model.constant 0.99899999999999999 : f64
    %345 = model.constant 1.000000e+00 : f64
    %346 = model.sub %345, %beta2_175 : <f32>, <f32>
    %347 = model.constant 2.000000e+00 : f64
    %348 = model.pow %74, %347 : <f32, layer, head, dh, model>, <f32>
    %349 = model.mul %346, %348 : <f32>, <f32, layer, head, dh, model>
    %v_176 = model.add %344, %349 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %beta1_177 = model.constant 9.000000e-01 : f64
    %350 = model.to_float %step : <i64>
    %351 = model.pow %beta1_177, %350 : <f32>, <f32>
    %352 = model.constant 1.000000e+00 : f64
    %353 = model.sub %352, %351 : <f32>, <f32>
    %mean_178 = model.div %m_173, %353 : <f32, layer, head, dh, model>, <f32>
    %beta2_179 = model.constant 0.99899999999999999 : f64
    %354 = model.to_float %step : <i64>
    %355 = model.pow %beta2_179, %354 : <f32>, <f32>
    %356 = model.constant 1.000000e+00 : f64
    %357 = model.sub %356, %355 : <f32>, <f32>
    %spread_180 = model.div %v_176, %357 : <f32, layer, head, dh, model>, <f32>
    %358 = model.mul %84, %mean_178 : <f32>, <f32, layer, head, dh, model>
    %359 = model.sqrt %spread_180 : <f32, layer, head, dh, model>
    %eps_181 = model.constant 1.000000e-08 : f64
    %360 = model.add %359, %eps_181 : <f32, layer, head, dh, model>, <f32>
    %update_182 = model.div %358, %360 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %decay_183 = model.constant 1.000000e-01 : f64
    %361 = model.mul %84, %decay_183 : <f32>, <f32>
    %362 = model.constant 1.000000e+00 : f64
    %363 = model.sub %362, %361 : <f32>, <f32>
    %kept_184 = model.mul %layer.attn.out.weight, %363 : <f32, layer, head, dh, model>, <f32>
    %decay_185 = model.constant 1.000000e-01 : f64
    %364 = model.mul %84, %decay_185 : <f32>, <f32>
    %365 = model.constant 1.000000e+00 : f64
    %366 = model.sub %365, %364 : <f32>, <f32>
    %kept_186 = model.mul %layer.attn.out.weight, %366 : <f32, layer, head, dh, model>, <f32>
    %next_187 = model.sub %kept_186, %update_182 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    model.assign @"m/layer.attn.out.weight", %m_173 : <f32, layer, head, dh, model>
    model.assign @"v/layer.attn.out.weight", %v_176 : <f32, layer, head, dh, model>
    model.assign @layer.attn.out.weight, %next_187 : <f32, layer, head, dh, model>
    %layer.attn.out.bias = model.param @layer.attn.out.bias : <f32, layer, model>
    %m_188 = model.param @"m/layer.attn.out.bias" : <f32, layer, model>
    %v_189 = model.param @"v/layer.attn.out.bias" : <f32, layer, model>
    %beta1_190 = model.constant 9.000000e-01 : f64
    %367 = model.mul %beta1_190, %m_188 : <f32>, <f32, layer, model>
    %beta1_191 = model.constant 9.000000e-01 : f64
    %368 = model.constant 1.000000e+00 : f64
    %369 = model.sub %368, %beta1_191 : <f32>, <f32>
    %370 = model.mul %369, %75 : <f32>, <f32, layer, model>
    %m_192 = model.add %367, %370 : <f32, layer, model>, <f32, layer, model>
    %beta2_193 = model.constant 0.99899999999999999 : f64
    %371 = model.mul %beta2_193, %v_189 : <f32>, <f32, layer, model>
    %beta2_194 = model.constant 0.99899999999999999 : f64
    %372 = model.constant 1.000000e+00 : f64
    %373 = model.sub %372, %beta2_194 : <f32>, <f32>
    %374 = model.constant 2.000000e+00 : f64
    %375 = model.pow %75, %374 : <f32, layer, model>, <f32>
    %376 = model.mul %373, %375 : <f32>, <f32, layer, model>
    %v_195 = model.add %371, %376 : <f32, layer, model>, <f32, layer, model>
    %beta1_196 = model.constant 9.000000e-01 : f64
    %377 = model.to_float %step : <i64>
    %378 = model.pow %beta1_196, %377 : <f32>, <f32>
    %379 = model.constant 1.000000e+00 : f64
    %380 = model.sub %379, %378 : <f32>, <f32>
    %mean_197 = model.div %m_192, %380 : <f32, layer, model>, <f32>
    %beta2_198 = model.constant 0.99899999999999999 : f64
    %381 = model.to_float %step : <i64>
    %382 = model.pow %beta2_198, %381 : <f32>, <f32>
    %383 = model.constant 1.000000e+00 : f64
    %384 = model.sub %383, %382 : <f32>, <f32>
    %spread_199 = model.div %v_195, %384 : <f32, layer, model>, <f32>
    %385 = model.mul %84, %mean_197 : <f32>, <f32, layer, model>
    %386 = model.sqrt %spread_199 : <f32, layer, model>
    %eps_200 = model.constant 1.000000e-08 : f64
    %387 = model.add %386, %eps_200 : <f32, layer, model>, <f32>
    %update_201 = model.div %385, %387 : <f32, layer, model>, <f32, layer, model>
    %decay_202 = model.constant 1.000000e-01 : f64
    %388 = model.mul %84, %decay_202 : <f32>, <f32>
    %389 = model.constant 1.000000e+00 : f64
    %390 = model.sub %389, %388 : <f32>, <f32>
    %kept_203 = model.mul %layer.attn.out.bias, %390 : <f32, layer, model>, <f32>
    %next_204 = model.sub %kept_203, %update_201 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.attn.out.bias", %m_192 : <f32, layer, model>
    model.assign @"v/layer.attn.out.bias", %v_195 : <f32, layer, model>
    model.assign @layer.attn.out.bias, %next_204 : <f32, layer, model>
    %layer.norm2.weight = model.param @layer.norm2.weight : <f32, layer, model>
    %m_205 = model.param @"m/layer.norm2.weight" : <f32, layer, model>
    %v_206 = model.param @"v/layer.norm2.weight" : <f32, layer, model>
    %beta1_207 = model.constant 9.000000e-01 : f64
    %391 = model.mul %beta1_207, %m_205 : <f32>, <f32, layer, model>
    %beta1_208 = model.constant 9.000000e-01 : f64
    %392 = model.constant 1.000000e+00 : f64
    %393 = model.sub %392, %beta1_208 : <f32>, <f32>
    %394 = model.mul %393, %76 : <f32>, <f32, layer, model>
    %m_209 = model.add %391, %394 : <f32, layer, model>, <f32, layer, model>
    %beta2_210 = model.constant 0.99899999999999999 : f64
    %395 = model.mul %beta2_210, %v_206 : <f32>, <f32, layer, model>
    %beta2_211 = model.constant 0.99899999999999999 : f64
    %396 = model.constant 1.000000e+00 : f64
    %397 = model.sub %396, %beta2_211 : <f32>, <f32>
    %398 = model.constant 2.000000e+00 : f64
    %399 = model.pow %76, %398 : <f32, layer, model>, <f32>
    %400 = model.mul %397, %399 : <f32>, <f32, layer, model>
    %v_212 = model.add %395, %400 : <f32, layer, model>, <f32, layer, model>
    %beta1_213 = model.constant 9.000000e-01 : f64
    %401 = model.to_float %step : <i64>
    %402 = model.pow %beta1_213, %401 : <f32>, <f32>
    %403 = model.constant 1.000000e+00 : f64
    %404 = model.sub %403, %402 : <f32>, <f32>
    %mean_214 = model.div %m_209, %404 : <f32, layer, model>, <f32>
    %beta2_215 = model.constant 0.99899999999999999 : f64
    %405 = model.to_float %step : <i64>
    %406 = model.pow %beta2_215, %405 : <f32>, <f32>
    %407 = model.constant 1.000000e+00 : f64
    %408 = model.sub %407, %406 : <f32>, <f32>
    %spread_216 = model.div %v_212, %408 : <f32, layer, model>, <f32>
    %409 = model.mul %84, %mean_214 : <f32>, <f32, layer, model>
    %410 = model.sqrt %spread_216 : <f32, layer, model>
    %eps_217 = model.constant 1.000000e-08 : f64
    %411 = model.add %410, %eps_217 : <f32, layer, model>, <f32>
    %update_218 = model.div %409, %411 : <f32, layer, model>, <f32, layer, model>
    %decay_219 = model.constant 1.000000e-01 : f64
    %412 = model.mul %84, %decay_219 : <f32>, <f32>
    %413 = model.constant 1.000000e+00 : f64
    %414 = model.sub %413, %412 : <f32>, <f32>
    %kept_220 = model.mul %layer.norm2.weight, %414 : <f32, layer, model>, <f32>
    %next_221 = model.sub %kept_220, %update_218 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm2.weight", %m_209 : <f32, layer, model>
    model.assign @"v/layer.norm2.weight", %v_212 : <f32, layer, model>
    model.assign @layer.norm2.weight, %next_221 : <f32, layer, model>
    %layer.norm2.bias = model.param @layer.norm2.bias : <f32, layer, model>
    %m_222 = model.param @"m/layer.norm2.bias" : <f32, layer, model>
    %v_223 = model.param @"v/layer.norm2.bias" : <f32, layer, model>
    %beta1_224 = model.constant 9.000000e-01 : f64
    %415 = model.mul %beta1_224, %m_222 : <f32>, <f32, layer, model>
    %beta1_225 = model.constant 9.000000e-01 : f64
    %416 = model.constant 1.000000e+00 : f64
    %417 = model.sub %416, %beta1_225 : <f32>, <f32>
    %418 = model.mul %417, %77 : <f32>, <f32, layer, model>
    %m_226 = model.add %415, %418 : <f32, layer, model>, <f32, layer, model>
    %beta2_227 = model.constant 0.99899999999999999 : f64
    %419 = model.mul %beta2_227, %v_223 : <f32>, <f32, layer, model>
    %beta2_228 = model.constant 0.99899999999999999 : f64
    %420 = model.constant 1.000000e+00 : f64
    %421 = model.sub %420, %beta2_228 : <f32>, <f32>
    %422 = model.constant 2.000000e+00 : f64
    %423 = model.pow %77, %422 : <f32, layer, model>, <f32>
    %424 = model.mul %421, %423 : <f32>, <f32, layer, model>
    %v_229 = model.add %419, %424 : <f32, layer, model>, <f32, layer, model>
    %beta1_230 = model.constant 9.000000e-01 : f64
    %425 = model.to_float %step : <i64>
    %426 = model.pow %beta1_230, %425 : <f32>, <f32>
    %427 = model.constant 1.000000e+00 : f64
    %428 = model.sub %427, %426 : <f32>, <f32>
    %mean_231 = model.div %m_226, %428 : <f32, layer, model>, <f32>
    %beta2_232 = model.constant 0.99899999999999999 : f64
    %429 = model.to_float %step : <i64>
    %430 = model.pow %beta2_232, %429 : <f32>, <f32>
    %431 = model.constant 1.000000e+00 : f64
    %432 = model.sub %431, %430 : <f32>, <f32>
    %spread_233 = model.div %v_229, %432 : <f32, layer, model>, <f32>
    %433 = model.mul %84, %mean_231 : <f32>, <f32, layer, model>
    %434 = model.sqrt %spread_233 : <f32, layer, model>
    %eps_234 = model.constant 1.000000e-08 : f64
    %435 = model.add %434, %eps_234 : <f32, layer, model>, <f32>
    %update_235 = model.div %433, %435 : <f32, layer, model>, <f32, layer, model>
    %decay_236 = model.constant 1.000000e-01 : f64
    %436 = model.mul %84, %decay_236 : <f32>, <f32>
    %437 = model.constant 1.000000e+00 : f64
    %438 = model.sub %437, %436 : <f32>, <f32>
    %kept_237 = model.mul %layer.norm2.bias, %438 : <f32, layer, model>, <f32>
    %next_238 = model.sub %kept_237, %update_235 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm2.bias", %m_226 : <f32, layer, model>
    model.assign @"v/layer.norm2.bias", %v_229 : <f32, layer, model>
    model.assign @layer.norm2.bias, %next_238 : <f32, layer, model>
    %layer.ffn.up.weight = model.param @layer.ffn.up.weight : <f32, layer, model, ff>
    %m_239 = model.param @"m/layer.ffn.up.weight" : <f32, layer, model, ff>
    %v_240 = model.param @"v/layer.ffn.up.weight" : <f32, layer, model, ff>
    %beta1_241 = model.constant 9.000000e-01 : f64
    %439 = model.mul %beta1_241, %m_239 : <f32>, <f32, layer, model, ff>
    %beta1_242 = model.constant 9.000000e-01 : f64
    %440 = model.constant 1.000000e+00 : f64
    %441 = model.sub %440, %beta1_242 : <f32>, <f32>
    %442 = model.mul %441, %78 : <f32>, <f32, layer, model, ff>
    %m_243 = model.add %439, %442 : <f32, layer, model, ff>, <f32, layer, model, ff>
    %beta2_244 = model.constant 0.99899999999999999 : f64
    %443 = model.mul %beta2_244, %v_240 : <f32>, <f32, layer, model, ff>
    %beta2_245 = model.constant 0.99899999999999999 : f64
    %444 = model.constant 1.000000e+00 : f64
    %445 = model.sub %444, %beta2_245 : <f32>, <f32>
    %446 = model.constant 2.000000e+00 : f64
    %447 = model.pow %78, %446 : <f32, layer, model, ff>, <f32>
    %448 = model.mul %445, %447 : <f32>, <f32, layer, model, ff>
    %v_246 = model.add %443, %448 : <f32, layer, model, ff>, <f32, layer, model, ff>
    %beta1_247 = model.constant 9.000000e-01 : f64
    %449 = model.to_float %step : <i64>
    %450 = model.pow %beta1_247, %449 : <f32>, <f32>
    %451 = model.constant 1.000000e+00 : f64
    %452 = model.sub %451, %450 : <f32>, <f32>
    %mean_248 = model.div %m_243, %452 : <f32, layer, model, ff>, <f32>
    %beta2_249 = model.constant 0.99899999999999999 : f64
    %453 = model.to_float %step : <i64>
    %454 = model.pow %beta2_249, %453 : <f32>, <f32>
    %455 = model.constant 1.000000e+00 : f64
    %456 = model.sub %455, %454 : <f32>, <f32>
    %spread_250 = model.div %v_246, %456 : <f32, layer, model, ff>, <f32>
    %457 = model.mul %84, %mean_248 : <f32>, <f32, layer, model, ff>
    %458 = model.sqrt %spread_250 : <f32, layer, model, ff>
    %eps_251 = model.constant 1.000000e-08 : f64
    %459 = model.add %458, %eps_251 : <f32, layer, model, ff>, <f32>
    %update_252 = model.div %457, %459 : <f32, layer, model, ff>, <f32, layer, model, ff>
    %decay_253 = model.constant 1.000000e-01 : f64
    %460 = model.mul %84, %decay_253 : <f32>, <f32>
    %461 = model.constant 1.000000e+00 : f64
    %462 = model.sub %461, %460 : <f32>, <f32>
    %kept_254 = model.mul %layer.ffn.up.weight, %462 : <f32, layer, model, ff>, <f32>
    %decay_255 = model.constant 1.000000e-01 : f64
    %463 = model.mul %84, %decay_255 : <f32>, <f32>
    %464 = model.constant 1.000000e+00 : f64
    %465 = model.sub %464, %463 : <f32>, <f32>
    %kept_256 = model.mul %layer.ffn.up.weight, %465 : <f32, layer, model, ff>, <f32>
    %next_257 = model.sub %kept_256, %update_252 : <f32, layer, model, ff>, <f32, layer, model, ff>
    model.assign @"m/layer.ffn.up.weight", %m_243 : <f32, layer, model, ff>
    model.assign @"v/layer.ffn.up.weight", %v_246 : <f32, layer, model, ff>
    model.assign @layer.ffn.up.weight, %next_257 : <f32, layer, model, ff>
    %layer.ffn.up.bias = model.param @layer.ffn.up.bias : <f32, layer, ff>
    %m_258 = model.param @"m/layer.ffn.up.bias" : <f32, layer, ff>
    %v_259 = model.param @"v/layer.ffn.up.bias" : <f32, layer, ff>
    %beta1_260 = model.constant 9.000000e-01 : f64
    %466 = model.mul %beta1_260, %m_258 : <f32>, <f32, layer, ff>
    %beta1_261 = model.constant 9.000000e-01 : f64
    %467 = model.constant 1.000000e+00 : f64
    %468 = model.sub %467, %beta1_261 : <f32>, <f32>
    %469 = model.mul %468, %79 : <f32>, <f32, layer, ff>
    %m_262 = model.add %466, %469 : <f32, layer, ff>, <f32, layer, ff>
    %beta2_263 = model.constant 0.99899999999999999 : f64
    %470 = model.mul %beta2_263, %v_259 : <f32>, <f32, layer, ff>
    %beta2_264 = model.constant 0.99899999999999999 : f64
    %471 = model.constant 1.000000e+00 : f64
    %472 = model.sub %471, %beta2_264 : <f32>, <f32>
    %473 = model.constant 2.000000e+00 : f64
    %474 = model.pow %79, %473 : <f32, layer, ff>, <f32>
    %475 = model.mul %472, %474 : <f32>, <f32, layer, ff>
    %v_265 = model.add %470, %475 : <f32, layer, ff>, <f32, layer, ff>
    %beta1_266 = model.constant 9.000000e-01 : f64
    %476 = model.to_float %step : <i64>
    %477 = model.pow %beta1_266, %476 : <f32>, <f32>
    %478 = model.constant 1.000000e+00 : f64
    %479 = model.sub %478, %477 : <f32>, <f32>
    %mean_267 = model.div %m_262, %479 : <f32, layer, ff>, <f32>
    %beta2_268 = model.constant 0.99899999999999999 : f64
    %480 = model.to_float %step : <i64>
    %481 = model.pow %beta2_268, %480 : <f32>, <f32>
    %482 = model.constant 1.000000e+00 : f64
    %483 = model.sub %482, %481 : <f32>, <f32>
    %spread_269 = model.div %v_265, %483 : <f32, layer, ff>, <f32>
    %484 = model.mul %84, %mean_267 : <f32>, <f32, layer, ff>
    %485 = model.sqrt %spread_269 : <f32, layer, ff>
    %eps_270 = model.constant 1.000000e-08 : f64
    %486 = model.add %485, %eps_270 : <f32, layer, ff>, <f32>
    %update_271 = model.div %484, %486 : <f32, layer, ff>, <f32, layer, ff>
    %decay_272 = model.constant 1.000000e-01 : f64
    %487 = model.mul %84, %decay_272 : <f32>, <f32>
    %488 = model.constant 1.000000e+00 : f64
    %489 = model.sub %488, %487 : <f32>, <f32>
    %kept_273 = model.mul %layer.ffn.up.bias, %489 : <f32, layer, ff>, <f32>
    %next_274 = model.sub %kept_273, %update_271 : <f32, layer, ff>, <f32, layer, ff>
    model.assign @"m/layer.ffn.up.bias", %m_262 : <f32, layer, ff>
    model.assign @"v/layer.ffn.up.bias", %v_265 : <f32, layer, ff>
    model.assign @layer.ffn.up.bias, %next_274 : <f32, layer, ff>
    %layer.ffn.down.weight = model.param @layer.ffn.down.weight : <f32, layer, ff, model>
    %m_275 = model.param @"m/layer.ffn.down.weight" : <f32, layer, ff, model>
    %v_276 = model.param @"v/layer.ffn.down.weight" : <f32, layer, ff, model>
    %beta1_277 = model.constant 9.000000e-01 : f64
    %490 = model.mul %beta1_277, %m_275 : <f32>, <f32, layer, ff, model>
    %beta1_278 = model.constant 9.000000e-01 : f64
    %491 = model.constant 1.000000e+00 : f64
    %492 = model.sub %491, %beta1_278 : <f32>, <f32>
    %493 = model.mul %492, %80 : <f32>, <f32, layer, ff, model>
    %m_279 = model.add %490, %493 : <f32, layer, ff, model>, <f32, layer, ff, model>
    %beta2_280 = model.constant 0.99899999999999999 : f64
    %494 = model.mul %beta2_280, %v_276 : <f32>, <f32, layer, ff, model>
    %beta2_281 = model.constant 0.99899999999999999 : f64
    %495 = model.constant 1.000000e+00 : f64
    %496 = model.sub %495, %beta2_281 : <f32>, <f32>
    %497 = model.constant 2.000000e+00 : f64
    %498 = model.pow %80, %497 : <f32, layer, ff, model>, <f32>
    %499 = model.mul %496, %498 : <f32>, <f32, layer, ff, model>
    %v_282 = model.add %494, %499 : <f32, layer, ff, model>, <f32, layer, ff, model>
    %beta1_283 = model.constant 9.000000e-01 : f64
    %500 = model.to_float %step : <i64>
    %501 = model.pow %beta1_283, %500 : <f32>, <f32>
    %502 = model.constant 1.000000e+00 : f64
    %503 = model.sub %502, %501 : <f32>, <f32>
    %mean_284 = model.div %m_279, %503 : <f32, layer, ff, model>, <f32>
    %beta2_285 = model.constant 0.99899999999999999 : f64
    %504 = model.to_float %step : <i64>
    %505 = model.pow %beta2_285, %504 : <f32>, <f32>
    %506 = model.constant 1.000000e+00 : f64
    %507 = model.sub %506, %505 : <f32>, <f32>
    %spread_286 = model.div %v_282, %507 : <f32, layer, ff, model>, <f32>
    %508 = model.mul %84, %mean_284 : <f32>, <f32, layer, ff, model>
    %509 = model.sqrt %spread_286 : <f32, layer, ff, model>
    %eps_287 = model.constant 1.000000e-08 : f64
    %510 = model.add %509, %eps_287 : <f32, layer, ff, model>, <f32>
    %update_288 = model.div %508, %510 : <f32, layer, ff, model>, <f32, layer, ff, model>
    %decay_289 = model.constant 1.000000e-01 : f64
    %511 = model.mul %84, %decay_289 : <f32>, <f32>
    %512 = model.constant 1.000000e+00 : f64
    %513 = model.sub %512, %511 : <f32>, <f32>
    %kept_290 = model.mul %layer.ffn.down.weight, %513 : <f32, layer, ff, model>, <f32>
    %decay_291 = model.constant 1.000000e-01 : f64
    %514 = model.mul %84, %decay_291 : <f32>, <f32>
    %515 = model.constant 1.000000e+00 : f64
    %516 = model.sub %515, %514 : <f32>, <f32>
    %kept_292 = model.mul %layer.ffn.down.weight, %516 : <f32, layer, ff, model>, <f32>
    %next_293 = model.sub %kept_292, %update_288 : <f32, layer, ff, model>, <f32, layer, ff, model>
    model.assign @"m/layer.ffn.down.weight", %m_279 : <f32, layer, ff, model>
    model.assign @"v/layer.ffn.down.weight", %v_282 : <f32, layer, ff, model>
    model.assign @layer.ffn.down.weight, %next_293 : <f32, layer, ff, model>
    %layer.ffn.down.bias = model.param @layer.ffn.down.bias : <f32, layer, model>
    %m_294 = model.param @"m/layer.ffn.down.bias" : <f32, layer, model>
    %v_295 = model.param @"v/layer.ffn.down.bias" : <f32, layer, model>
    %beta1_296 = model.constant 9.000000e-01 : f64
    %517 = model.mul %beta1_296, %m_294 : <f32>, <f32, layer, model>
    %beta1_297 = model.constant 9.000000e-01 : f64
    %518 = model.constant 1.000000e+00 : f64
    %519 = model.sub %518, %beta1_297 : <f32>, <f32>
    %520 = model.mul %519, %81 : <f32>, <f32, layer, model>
    %m_298 = model.add %517, %520 : <f32, layer, model>, <f32, layer, model>
    %beta2_299 = model.constant 0.99899999999999999 : f64
    %521 = model.mul %beta2_299, %v_295 : <f32>, <f32, layer, model>
    %beta2_300 = model.constant 0.99899999999999999 : f64
    %522 = model.constant 1.000000e+00 : f64
    %523 = model.sub %522, %beta2_300 : <f32>, <f32>
    %524 = model.constant 2.000000e+00 : f64
    %525 = model.pow %81, %524 : <f32, layer, model>, <f32>
    %526 = model.mul %523, %525 : <f32>, <f32, layer, model>
    %v_301 = model.add %521, %526 : <f32, layer, model>, <f32, layer, model>
    %beta1_302 = model.constant 9.000000e-01 : f64
    %527 = model.to_float %step : <i64>
    %528 = model.pow %beta1_302, %527 : <f32>, <f32>
    %529 = model.constant 1.000000e+00 : f64
    %530 = model.sub %529, %528 : <f32>, <f32>
    %mean_303 = model.div %m_298, %530 : <f32, layer, model>, <f32>
    %beta2_304 = model.constant 0.99899999999999999 : f64
    %531 = model.to_float %step : <i64>
    %532 = model.pow %beta2_304, %531 : <f32>, <f32>
    %533 = model.constant 1.000000e+00 : f64
    %534 = model.sub %533, %532 : <f32>, <f32>
    %spread_305 = model.div %v_301, %534 : <f32, layer, model>, <f32>
    %535 = model.mul %84, %mean_303 : <f32>, <f32, layer, model>
    %536 = model.sqrt %spread_305 : <f32, layer, model>
    %eps_306 = model.constant 1.000000e-08 : f64
    %537 = model.add %536, %eps_306 : <f32, layer, model>, <f32>
    %update_307 = model.div %535, %537 : <f32, layer, model>, <f32, layer, model>
    %decay_308 = model.constant 1.000000e-01 : f64
    %538 = model.mul %84, %decay_308 : <f32>, <f32>
    %539 = model.constant 1.000000e+00 : f64
    %540 = model.sub %539, %538 : <f32>, <f32>
    %kept_309 = model.mul %layer.ffn.down.bias, %540 : <f32, layer, model>, <f32>
    %next_310 = model.sub %kept_309, %update_307 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.ffn.down.bias", %m_298 : <f32, layer, model>
    model.assign @"v/layer.ffn.down.bias", %v_301 : <f32, layer, model>
    model.assign @layer.ffn.down.bias, %next_310 : <f32, layer, model>
    %norm.weight = model.param @norm.weight : <f32, model>
    %m_311 = model.param @"m/norm.weight" : <f32, model>
    %v_312 = model.param @"v/norm.weight" : <f32, model>
    %beta1_313 = model.constant 9.000000e-01 : f64
    %541 = model.mul %beta1_313, %m_311 : <f32>, <f32, model>
    %beta1_314 = model.constant 9.000000e-01 : f64
    %542 = model.constant 1.000000e+00 : f64
    %543 = model.sub %542, %beta1_314 : <f32>, <f32>
    %544 = model.mul %543, %82 : <f32>, <f32, model>
    %m_315 = model.add %541, %544 : <f32, model>, <f32, model>
    %beta2_316 = model.constant 0.99899999999999999 : f64
    %545 = model.mul %beta2_316, %v_312 : <f32>, <f32, model>
    %beta2_317 = model.constant 0.99899999999999999 : f64
    %546 = model.constant 1.000000e+00 : f64
    %547 = model.sub %546, %beta2_317 : <f32>, <f32>
    %548 = model.constant 2.000000e+00 : f64
    %549 = model.pow %82, %548 : <f32, model>, <f32>
    %550 = model.mul %547, %549 : <f32>, <f32, model>
    %v_318 = model.add %545, %550 : <f32, model>, <f32, model>
    %beta1_319 = model.constant 9.000000e-01 : f64
    %551 = model.to_float %step : <i64>
    %552 = model.pow %beta1_319, %551 : <f32>, <f32>
    %553 = model.constant 1.000000e+00 : f64
    %554 = model.sub %553, %552 : <f32>, <f32>
    %mean_320 = model.div %m_315, %554 : <f32, model>, <f32>
    %beta2_321 = model.constant 0.99899999999999999 : f64
    %555 = model.to_float %step : <i64>
    %556 = model.pow %beta2_321, %555 : <f32>, <f32>
    %557 = model.constant 1.000000e+00 : f64
    %558 = model.sub %557, %556 : <f32>, <f32>
    %spread_322 = model.div %v_318, %558 : <f32, model>, <f32>
    %559 = model.mul %84, %mean_320 : <f32>, <f32, model>
    %560 = model.sqrt %spread_322 : <f32, model>
    %eps_323 = model.constant 1.000000e-08 : f64
    %561 = model.add %560, %eps_323 : <f32, model>, <f32>
    %update_324 = model.div %559, %561 : <f32, model>, <f32, model>
    %decay_325 = model.constant 1.000000e-01 : f64
    %562 = model.mul %84, %decay_325 : <f32>, <f32>
    %563 = model.constant 1.000000e+00 : f64
    %564 = model.sub %563, %562 : <f32>, <f32>
    %kept_326 = model.mul %norm.weight, %564 : <f32, model>, <f32>
    %next_327 = model.sub %kept_326, %update_324 : <f32, model>, <f32, model>
    model.assign @"m/norm.weight", %m_315 : <f32, model>
    model.assign @"v/norm.weight", %v_318 : <f32, model>
    model.assign @norm.weight, %next_327 : <f32, model>
    %norm.bias = model.param @norm.bias : <f32, model>
    %m_328 = model.param @"m/norm.bias" : <f32, model>
    %v_329 = model.param @"v/norm.bias" : <f32, model>
    %beta1_330 = model.constant 9.000000e-01 : f64
    %565 = model.mul %beta1_330, %m_328 : <f32>, <f32, model>
    %beta1_331 = model.constant 9.000000e-01 : f64
    %566 = model.constant 1.000000e+00 : f64
    %567 = model.sub %566, %beta1_331 : <f32>, <f32>
    %568 = model.mul %567, %83 : <f32>, <f32, model>
    %m_332 = model.add %565, %568 : <f32, model>, <f32, model>
    %beta2_333 = model.constant 0.99899999999999999 : f64
    %569 = model.mul %beta2_333, %v_329 : <f32>, <f32, model>
    %beta2_334 = model.constant 0.99899999999999999 : f64
    %570 = model.constant 1.000000e+00 : f64
    %571 = model.sub %570, %beta2_334 : <f32>, <f32>
    %572 = model.constant 2.000000e+00 : f64
    %573 = model.pow %83, %572 : <f32, model>, <f32>
    %574 = model.mul %571, %573 : <f32>, <f32, model>
    %v_335 = model.add %569, %574 : <f32, model>, <f32, model>
    %beta1_336 = model.constant 9.000000e-01 : f64
    %575 = model.to_float %step : <i64>
    %576 = model.pow %beta1_336, %575 : <f32>, <f32>
    %577 = model.constant 1.000000e+00 : f64
    %578 = model.sub %577, %576 : <f32>, <f32>
    %mean_337 = model.div %m_332, %578 : <f32, model>, <f32>
    %beta2_338 = model.constant 0.99899999999999999 : f64
    %579 = model.to_float %step : <i64>
    %580 = model.pow %beta2_338, %579 : <f32>, <f32>
    %581 = model.constant 1.000000e+00 : f64
    %582 = model.sub %581, %580 : <f32>, <f32>
    %spread_339 = model.div %v_335, %582 : <f32, model>, <f32>
    %583 = model.mul %84, %mean_337 : <f32>, <f32, model>
    %584 = model.sqrt %spread_339 : <f32, model>
    %eps_340 = model.constant 1.000000e-08 : f64
    %585 = model.add %584, %eps_340 : <f32, model>, <f32>
    %update_341 = model.div %583, %585 : <f32, model>, <f32, model>
    %decay_342 = model.constant 1.000000e-01 : f64
    %586 = model.mul %84, %decay_342 : <f32>, <f32>
    %587 = model.constant 1.000000e+00 : f64
    %588 = model.sub %587, %586 : <f32>, <f32>
    %kept_343 = model.mul %norm.bias, %588 : <f32, model>, <f32>
    %next_344 = model.sub %kept_343, %update_341 : <f32, model>, <f32, model>
    model.assign @"m/norm.bias", %m_332 : <f32, model>
    model.assign @"v/norm.bias", %v_335 : <f32, model>
    model.assign @norm.bias, %next_344 : <f32, model>
    return %norm, %84 : !model.tensor<f32>, !model.tensor<f32>
  }
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
}
