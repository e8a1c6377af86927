// Made by: dump-model examples/gpt/gpt.weft train generate vocab=65 model=32 head=4 layer=2 position=16
module attributes {weft.decodings = [{argument = "tokens", dim = "seq", entry = "logits", max = 256 : i64, name = "generate", start = 0 : i64}], weft.settings = {head = 4 : i64, layer = 2 : i64, model = 32 : i64, position = 16 : i64, vocab = 65 : i64}, weft.source = "examples/gpt/gpt.weft", weft.trainings = [{data = {arguments = {next = "next", tokens = "tokens"}, kind = "text"}, entry = "loss", gradient = "train.gradient", loss = "train.loss", name = "train", update = "train.update"}]} {
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
    %x = model.add %0, %2 : <f32, batch, seq, model>, <f32, seq, model>
    %3 = model.random "#0" : <f32, batch, seq, model>
    %rate = model.constant 0.000000e+00 : f64
    %4 = model.compare lt %3, %rate : <f32, batch, seq, model>, <f32>
    %rate_0 = model.constant 0.000000e+00 : f64
    %5 = model.constant 1.000000e+00 : f64
    %6 = model.sub %5, %rate_0 : <f32>, <f32>
    %7 = model.div %x, %6 : <f32, batch, seq, model>, <f32>
    %8 = model.constant 0.000000e+00 : f64
    %x_1 = model.where %4, %8, %7 : <i1, batch, seq, model>, <f32>, <f32, batch, seq, model>
    %x_2 = model.repeat "layer" carry(%x_3 = %x_1 : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_4 = model.param @layer.norm1.weight : <f32, model>
      %bias_5 = model.param @layer.norm1.bias : <f32, model>
      %38 = model.sum ["model"] %x_3 : <f32, batch, seq, model>
      %39 = model.constant 3.200000e+01 : f64
      %40 = model.div %38, %39 : <f32, batch, seq>, <f32>
      %41 = model.sub %x_3, %40 : <f32, batch, seq, model>, <f32, batch, seq>
      %42 = model.sum ["model"] %x_3 : <f32, batch, seq, model>
      %43 = model.constant 3.200000e+01 : f64
      %44 = model.div %42, %43 : <f32, batch, seq>, <f32>
      %45 = model.sub %x_3, %44 : <f32, batch, seq, model>, <f32, batch, seq>
      %46 = model.constant 2.000000e+00 : f64
      %47 = model.pow %45, %46 : <f32, batch, seq, model>, <f32>
      %48 = model.sum ["model"] %47 : <f32, batch, seq, model>
      %49 = model.constant 3.200000e+01 : f64
      %50 = model.div %48, %49 : <f32, batch, seq>, <f32>
      %eps_6 = model.constant 1.000000e-05 : f64
      %51 = model.add %50, %eps_6 : <f32, batch, seq>, <f32>
      %52 = model.rsqrt %51 : <f32, batch, seq>
      %53 = model.mul %41, %52 : <f32, batch, seq, model>, <f32, batch, seq>
      %54 = model.mul %53, %weight_4 : <f32, batch, seq, model>, <f32, model>
      %norm1 = model.add %54, %bias_5 : <f32, batch, seq, model>, <f32, model>
      %weight_7 = model.param @layer.attn.q.weight : <f32, model, head, dh>
      %bias_8 = model.param @layer.attn.q.bias : <f32, head, dh>
      %55 = model.mul %norm1, %weight_7 : <f32, batch, seq, model>, <f32, model, head, dh>
      %56 = model.sum ["model"] %55 : <f32, batch, seq, model, head, dh>
      %q = model.add %56, %bias_8 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %weight_9 = model.param @layer.attn.k.weight : <f32, model, head, dh>
      %bias_10 = model.param @layer.attn.k.bias : <f32, head, dh>
      %57 = model.mul %norm1, %weight_9 : <f32, batch, seq, model>, <f32, model, head, dh>
      %58 = model.sum ["model"] %57 : <f32, batch, seq, model, head, dh>
      %k = model.add %58, %bias_10 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %k_11 = model.regroup %k ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %weight_12 = model.param @layer.attn.v.weight : <f32, model, head, dh>
      %bias_13 = model.param @layer.attn.v.bias : <f32, head, dh>
      %59 = model.mul %norm1, %weight_12 : <f32, batch, seq, model>, <f32, model, head, dh>
      %60 = model.sum ["model"] %59 : <f32, batch, seq, model, head, dh>
      %v = model.add %60, %bias_13 : <f32, batch, seq, head, dh>, <f32, head, dh>
      %v_14 = model.regroup %v ["seq"] as ["key"] : <f32, batch, seq, head, dh>
      %61 = model.index "key"
      %62 = model.index "seq"
      %63 = model.compare le %61, %62 : <i64, key>, <i64, seq>
      %q_15 = model.regroup %q ["dh"] as ["dh_1"] : <f32, batch, seq, head, dh>
      %k_16 = model.regroup %k_11 ["dh"] as ["dh_1"] : <f32, batch, key, head, dh>
      %64 = model.constant 8.000000e+00 : f64
      %65 = model.sqrt %64 : <f32>
      %66 = model.constant 1.000000e+00 : f64
      %scale = model.div %66, %65 : <f32>, <f32>
      %67 = model.mul %q_15, %k_16 : <f32, batch, seq, head, dh_1>, <f32, batch, key, head, dh_1>
      %68 = model.sum ["dh_1"] %67 : <f32, batch, seq, head, dh_1, key>
      %scores = model.mul %68, %scale : <f32, batch, seq, head, key>, <f32>
      %69 = model.constant 0xFFF0000000000000 : f64
      %70 = model.where %63, %scores, %69 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %top_17 = model.reduce_max ["key"] %70 : <f32, batch, seq, head, key>
      %71 = model.sub %scores, %top_17 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %72 = model.constant 0xFFF0000000000000 : f64
      %73 = model.where %63, %71, %72 : <i1, key, seq>, <f32, batch, seq, head, key>, <f32>
      %e = model.exp %73 : <f32, batch, seq, head, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, head, key>
      %74 = model.constant 0.000000e+00 : f64
      %75 = model.compare gt %all, %74 : <f32, batch, seq, head>, <f32>
      %76 = model.constant 1.000000e+00 : f64
      %77 = model.where %75, %all, %76 : <i1, batch, seq, head>, <f32, batch, seq, head>, <f32>
      %weights = model.div %e, %77 : <f32, batch, seq, head, key>, <f32, batch, seq, head>
      %78 = model.mul %weights, %v_14 : <f32, batch, seq, head, key>, <f32, batch, key, head, dh>
      %79 = model.sum ["key"] %78 : <f32, batch, seq, head, key, dh>
      %weight_18 = model.param @layer.attn.out.weight : <f32, head, dh, model>
      %bias_19 = model.param @layer.attn.out.bias : <f32, model>
      %80 = model.mul %79, %weight_18 : <f32, batch, seq, head, dh>, <f32, head, dh, model>
      %81 = model.sum ["head", "dh"] %80 : <f32, batch, seq, head, dh, model>
      %out = model.add %81, %bias_19 : <f32, batch, seq, model>, <f32, model>
      %82 = model.random "layer" : <f32, batch, seq, model>
      %rate_20 = model.constant 0.000000e+00 : f64
      %83 = model.compare lt %82, %rate_20 : <f32, batch, seq, model>, <f32>
      %rate_21 = model.constant 0.000000e+00 : f64
      %84 = model.constant 1.000000e+00 : f64
      %85 = model.sub %84, %rate_21 : <f32>, <f32>
      %86 = model.div %out, %85 : <f32, batch, seq, model>, <f32>
      %87 = model.constant 0.000000e+00 : f64
      %88 = model.where %83, %87, %86 : <i1, batch, seq, model>, <f32>, <f32, batch, seq, model>
      %x_22 = model.add %x_3, %88 : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_23 = model.param @layer.norm2.weight : <f32, model>
      %bias_24 = model.param @layer.norm2.bias : <f32, model>
      %89 = model.sum ["model"] %x_22 : <f32, batch, seq, model>
      %90 = model.constant 3.200000e+01 : f64
      %91 = model.div %89, %90 : <f32, batch, seq>, <f32>
      %92 = model.sub %x_22, %91 : <f32, batch, seq, model>, <f32, batch, seq>
      %93 = model.sum ["model"] %x_22 : <f32, batch, seq, model>
      %94 = model.constant 3.200000e+01 : f64
      %95 = model.div %93, %94 : <f32, batch, seq>, <f32>
      %96 = model.sub %x_22, %95 : <f32, batch, seq, model>, <f32, batch, seq>
      %97 = model.constant 2.000000e+00 : f64
      %98 = model.pow %96, %97 : <f32, batch, seq, model>, <f32>
      %99 = model.sum ["model"] %98 : <f32, batch, seq, model>
      %100 = model.constant 3.200000e+01 : f64
      %101 = model.div %99, %100 : <f32, batch, seq>, <f32>
      %eps_25 = model.constant 1.000000e-05 : f64
      %102 = model.add %101, %eps_25 : <f32, batch, seq>, <f32>
      %103 = model.rsqrt %102 : <f32, batch, seq>
      %104 = model.mul %92, %103 : <f32, batch, seq, model>, <f32, batch, seq>
      %105 = model.mul %104, %weight_23 : <f32, batch, seq, model>, <f32, model>
      %norm2 = model.add %105, %bias_24 : <f32, batch, seq, model>, <f32, model>
      %weight_26 = model.param @layer.ffn.up.weight : <f32, model, ff>
      %bias_27 = model.param @layer.ffn.up.bias : <f32, ff>
      %106 = model.mul %norm2, %weight_26 : <f32, batch, seq, model>, <f32, model, ff>
      %107 = model.sum ["model"] %106 : <f32, batch, seq, model, ff>
      %up = model.add %107, %bias_27 : <f32, batch, seq, ff>, <f32, ff>
      %108 = model.constant 5.000000e-01 : f64
      %109 = model.mul %108, %up : <f32>, <f32, batch, seq, ff>
      %110 = model.constant 0.79788456080286541 : f64
      %111 = model.constant 4.471500e-02 : f64
      %112 = model.constant 3.000000e+00 : f64
      %113 = model.pow %up, %112 : <f32, batch, seq, ff>, <f32>
      %114 = model.mul %111, %113 : <f32>, <f32, batch, seq, ff>
      %115 = model.add %up, %114 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %116 = model.mul %110, %115 : <f32>, <f32, batch, seq, ff>
      %117 = model.tanh %116 : <f32, batch, seq, ff>
      %118 = model.constant 1.000000e+00 : f64
      %119 = model.add %118, %117 : <f32>, <f32, batch, seq, ff>
      %120 = model.mul %109, %119 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_28 = model.param @layer.ffn.down.weight : <f32, ff, model>
      %bias_29 = model.param @layer.ffn.down.bias : <f32, model>
      %121 = model.mul %120, %weight_28 : <f32, batch, seq, ff>, <f32, ff, model>
      %122 = model.sum ["ff"] %121 : <f32, batch, seq, ff, model>
      %down = model.add %122, %bias_29 : <f32, batch, seq, model>, <f32, model>
      %123 = model.random "layer#1" : <f32, batch, seq, model>
      %rate_30 = model.constant 0.000000e+00 : f64
      %124 = model.compare lt %123, %rate_30 : <f32, batch, seq, model>, <f32>
      %rate_31 = model.constant 0.000000e+00 : f64
      %125 = model.constant 1.000000e+00 : f64
      %126 = model.sub %125, %rate_31 : <f32>, <f32>
      %127 = model.div %down, %126 : <f32, batch, seq, model>, <f32>
      %128 = model.constant 0.000000e+00 : f64
      %129 = model.where %124, %128, %127 : <i1, batch, seq, model>, <f32>, <f32, batch, seq, model>
      %x_32 = model.add %x_22, %129 : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_32 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %bias = model.param @norm.bias : <f32, model>
    %9 = model.sum ["model"] %x_2 : <f32, batch, seq, model>
    %10 = model.constant 3.200000e+01 : f64
    %11 = model.div %9, %10 : <f32, batch, seq>, <f32>
    %12 = model.sub %x_2, %11 : <f32, batch, seq, model>, <f32, batch, seq>
    %13 = model.sum ["model"] %x_2 : <f32, batch, seq, model>
    %14 = model.constant 3.200000e+01 : f64
    %15 = model.div %13, %14 : <f32, batch, seq>, <f32>
    %16 = model.sub %x_2, %15 : <f32, batch, seq, model>, <f32, batch, seq>
    %17 = model.constant 2.000000e+00 : f64
    %18 = model.pow %16, %17 : <f32, batch, seq, model>, <f32>
    %19 = model.sum ["model"] %18 : <f32, batch, seq, model>
    %20 = model.constant 3.200000e+01 : f64
    %21 = model.div %19, %20 : <f32, batch, seq>, <f32>
    %eps = model.constant 1.000000e-05 : f64
    %22 = model.add %21, %eps : <f32, batch, seq>, <f32>
    %23 = model.rsqrt %22 : <f32, batch, seq>
    %24 = model.mul %12, %23 : <f32, batch, seq, model>, <f32, batch, seq>
    %25 = model.mul %24, %weight : <f32, batch, seq, model>, <f32, model>
    %norm = model.add %25, %bias : <f32, batch, seq, model>, <f32, model>
    %26 = model.mul %norm, %table : <f32, batch, seq, model>, <f32, vocab, model>
    %27 = model.sum ["model"] %26 : <f32, batch, seq, model, vocab>
    %top = model.reduce_max ["vocab"] %27 : <f32, batch, seq, vocab>
    %28 = model.sub %27, %top : <f32, batch, seq, vocab>, <f32, batch, seq>
    %29 = model.exp %28 : <f32, batch, seq, vocab>
    %30 = model.sum ["vocab"] %29 : <f32, batch, seq, vocab>
    %31 = model.log %30 : <f32, batch, seq>
    %32 = model.add %top, %31 : <f32, batch, seq>, <f32, batch, seq>
    %33 = model.gather %27 "vocab" = %next : <f32, batch, seq, vocab>, <i64, batch, seq>
    %34 = model.sub %32, %33 : <f32, batch, seq>, <f32, batch, seq>
    %35 = model.sum ["batch", "seq"] %34 : <f32, batch, seq>
    %36 = model.extent <batch * seq>
    %37 = model.to_float %36 : <i64>
    %output = model.div %35, %37 : <f32>, <f32>
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
    %peak = model.constant 1.000000e-03 : f64
    %warmup = model.constant 100 : i64
    %least = model.constant 0.000000e+00 : f64
    %84 = model.constant 5.000000e-01 : f64
    %85 = model.constant 3.1415926535897931 : f64
    %86 = model.constant 0 : i64
    %87 = model.sub %step, %warmup : <i64>, <i64>
    %88 = model.max %86, %87 : <i64>, <i64>
    %89 = model.constant 1 : i64
    %90 = model.sub %steps, %warmup : <i64>, <i64>
    %91 = model.max %89, %90 : <i64>, <i64>
    %92 = model.to_float %88 : <i64>
    %93 = model.to_float %91 : <i64>
    %94 = model.div %92, %93 : <f32>, <f32>
    %95 = model.constant 1.000000e+00 : f64
    %96 = model.min %95, %94 : <f32>, <f32>
    %97 = model.mul %85, %96 : <f32>, <f32>
    %98 = model.cos %97 : <f32>
    %99 = model.constant 1.000000e+00 : f64
    %100 = model.add %99, %98 : <f32>, <f32>
    %down = model.mul %84, %100 : <f32>, <f32>
    %101 = model.constant 1 : i64
    %102 = model.max %warmup, %101 : <i64>, <i64>
    %103 = model.to_float %step : <i64>
    %104 = model.to_float %102 : <i64>
    %105 = model.div %103, %104 : <f32>, <f32>
    %106 = model.constant 1.000000e+00 : f64
    %107 = model.min %106, %105 : <f32>, <f32>
    %108 = model.sub %peak, %least : <f32>, <f32>
    %109 = model.mul %108, %down : <f32>, <f32>
    %110 = model.add %least, %109 : <f32>, <f32>
    %111 = model.mul %107, %110 : <f32>, <f32>
    %table = model.param @table : <f32, vocab, model>
    %m = model.param @"m/table" : <f32, vocab, model>
    %v = model.param @"v/table" : <f32, vocab, model>
    %beta1 = model.constant 9.000000e-01 : f64
    %112 = model.mul %beta1, %m : <f32>, <f32, vocab, model>
    %beta1_0 = model.constant 9.000000e-01 : f64
    %113 = model.constant 1.000000e+00 : f64
    %114 = model.sub %113, %beta1_0 : <f32>, <f32>
    %115 = model.mul %114, %64 : <f32>, <f32, vocab, model>
    %m_1 = model.add %112, %115 : <f32, vocab, model>, <f32, vocab, model>
    %beta2 = model.constant 0.94999999999999996 : f64
    %116 = model.mul %beta2, %v : <f32>, <f32, vocab, model>
    %beta2_2 = model.constant 0.94999999999999996 : f64
    %117 = model.constant 1.000000e+00 : f64
    %118 = model.sub %117, %beta2_2 : <f32>, <f32>
    %119 = model.constant 2.000000e+00 : f64
    %120 = model.pow %64, %119 : <f32, vocab, model>, <f32>
    %121 = model.mul %118, %120 : <f32>, <f32, vocab, model>
    %v_3 = model.add %116, %121 : <f32, vocab, model>, <f32, vocab, model>
    %beta1_4 = model.constant 9.000000e-01 : f64
    %122 = model.to_float %step : <i64>
    %123 = model.pow %beta1_4, %122 : <f32>, <f32>
    %124 = model.constant 1.000000e+00 : f64
    %125 = model.sub %124, %123 : <f32>, <f32>
    %mean = model.div %m_1, %125 : <f32, vocab, model>, <f32>
    %beta2_5 = model.constant 0.94999999999999996 : f64
    %126 = model.to_float %step : <i64>
    %127 = model.pow %beta2_5, %126 : <f32>, <f32>
    %128 = model.constant 1.000000e+00 : f64
    %129 = model.sub %128, %127 : <f32>, <f32>
    %spread = model.div %v_3, %129 : <f32, vocab, model>, <f32>
    %130 = model.mul %111, %mean : <f32>, <f32, vocab, model>
    %131 = model.sqrt %spread : <f32, vocab, model>
    %eps = model.constant 1.000000e-08 : f64
    %132 = model.add %131, %eps : <f32, vocab, model>, <f32>
    %update = model.div %130, %132 : <f32, vocab, model>, <f32, vocab, model>
    %decay = model.constant 1.000000e-01 : f64
    %133 = model.mul %111, %decay : <f32>, <f32>
    %134 = model.constant 1.000000e+00 : f64
    %135 = model.sub %134, %133 : <f32>, <f32>
    %kept = model.mul %table, %135 : <f32, vocab, model>, <f32>
    %next = model.sub %kept, %update : <f32, vocab, model>, <f32, vocab, model>
    model.assign @"m/table", %m_1 : <f32, vocab, model>
    model.assign @"v/table", %v_3 : <f32, vocab, model>
    model.assign @table, %next : <f32, vocab, model>
    %place = model.param @place : <f32, position, model>
    %m_6 = model.param @"m/place" : <f32, position, model>
    %v_7 = model.param @"v/place" : <f32, position, model>
    %beta1_8 = model.constant 9.000000e-01 : f64
    %136 = model.mul %beta1_8, %m_6 : <f32>, <f32, position, model>
    %beta1_9 = model.constant 9.000000e-01 : f64
    %137 = model.constant 1.000000e+00 : f64
    %138 = model.sub %137, %beta1_9 : <f32>, <f32>
    %139 = model.mul %138, %65 : <f32>, <f32, position, model>
    %m_10 = model.add %136, %139 : <f32, position, model>, <f32, position, model>
    %beta2_11 = model.constant 0.94999999999999996 : f64
    %140 = model.mul %beta2_11, %v_7 : <f32>, <f32, position, model>
    %beta2_12 = model.constant 0.94999999999999996 : f64
    %141 = model.constant 1.000000e+00 : f64
    %142 = model.sub %141, %beta2_12 : <f32>, <f32>
    %143 = model.constant 2.000000e+00 : f64
    %144 = model.pow %65, %143 : <f32, position, model>, <f32>
    %145 = model.mul %142, %144 : <f32>, <f32, position, model>
    %v_13 = model.add %140, %145 : <f32, position, model>, <f32, position, model>
    %beta1_14 = model.constant 9.000000e-01 : f64
    %146 = model.to_float %step : <i64>
    %147 = model.pow %beta1_14, %146 : <f32>, <f32>
    %148 = model.constant 1.000000e+00 : f64
    %149 = model.sub %148, %147 : <f32>, <f32>
    %mean_15 = model.div %m_10, %149 : <f32, position, model>, <f32>
    %beta2_16 = model.constant 0.94999999999999996 : f64
    %150 = model.to_float %step : <i64>
    %151 = model.pow %beta2_16, %150 : <f32>, <f32>
    %152 = model.constant 1.000000e+00 : f64
    %153 = model.sub %152, %151 : <f32>, <f32>
    %spread_17 = model.div %v_13, %153 : <f32, position, model>, <f32>
    %154 = model.mul %111, %mean_15 : <f32>, <f32, position, model>
    %155 = model.sqrt %spread_17 : <f32, position, model>
    %eps_18 = model.constant 1.000000e-08 : f64
    %156 = model.add %155, %eps_18 : <f32, position, model>, <f32>
    %update_19 = model.div %154, %156 : <f32, position, model>, <f32, position, model>
    %decay_20 = model.constant 1.000000e-01 : f64
    %157 = model.mul %111, %decay_20 : <f32>, <f32>
    %158 = model.constant 1.000000e+00 : f64
    %159 = model.sub %158, %157 : <f32>, <f32>
    %kept_21 = model.mul %place, %159 : <f32, position, model>, <f32>
    %next_22 = model.sub %kept_21, %update_19 : <f32, position, model>, <f32, position, model>
    model.assign @"m/place", %m_10 : <f32, position, model>
    model.assign @"v/place", %v_13 : <f32, position, model>
    model.assign @place, %next_22 : <f32, position, model>
    %layer.norm1.weight = model.param @layer.norm1.weight : <f32, layer, model>
    %m_23 = model.param @"m/layer.norm1.weight" : <f32, layer, model>
    %v_24 = model.param @"v/layer.norm1.weight" : <f32, layer, model>
    %beta1_25 = model.constant 9.000000e-01 : f64
    %160 = model.mul %beta1_25, %m_23 : <f32>, <f32, layer, model>
    %beta1_26 = model.constant 9.000000e-01 : f64
    %161 = model.constant 1.000000e+00 : f64
    %162 = model.sub %161, %beta1_26 : <f32>, <f32>
    %163 = model.mul %162, %66 : <f32>, <f32, layer, model>
    %m_27 = model.add %160, %163 : <f32, layer, model>, <f32, layer, model>
    %beta2_28 = model.constant 0.94999999999999996 : f64
    %164 = model.mul %beta2_28, %v_24 : <f32>, <f32, layer, model>
    %beta2_29 = model.constant 0.94999999999999996 : f64
    %165 = model.constant 1.000000e+00 : f64
    %166 = model.sub %165, %beta2_29 : <f32>, <f32>
    %167 = model.constant 2.000000e+00 : f64
    %168 = model.pow %66, %167 : <f32, layer, model>, <f32>
    %169 = model.mul %166, %168 : <f32>, <f32, layer, model>
    %v_30 = model.add %164, %169 : <f32, layer, model>, <f32, layer, model>
    %beta1_31 = model.constant 9.000000e-01 : f64
    %170 = model.to_float %step : <i64>
    %171 = model.pow %beta1_31, %170 : <f32>, <f32>
    %172 = model.constant 1.000000e+00 : f64
    %173 = model.sub %172, %171 : <f32>, <f32>
    %mean_32 = model.div %m_27, %173 : <f32, layer, model>, <f32>
    %beta2_33 = model.constant 0.94999999999999996 : f64
    %174 = model.to_float %step : <i64>
    %175 = model.pow %beta2_33, %174 : <f32>, <f32>
    %176 = model.constant 1.000000e+00 : f64
    %177 = model.sub %176, %175 : <f32>, <f32>
    %spread_34 = model.div %v_30, %177 : <f32, layer, model>, <f32>
    %178 = model.mul %111, %mean_32 : <f32>, <f32, layer, model>
    %179 = model.sqrt %spread_34 : <f32, layer, model>
    %eps_35 = model.constant 1.000000e-08 : f64
    %180 = model.add %179, %eps_35 : <f32, layer, model>, <f32>
    %update_36 = model.div %178, %180 : <f32, layer, model>, <f32, layer, model>
    %next_37 = model.sub %layer.norm1.weight, %update_36 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm1.weight", %m_27 : <f32, layer, model>
    model.assign @"v/layer.norm1.weight", %v_30 : <f32, layer, model>
    model.assign @layer.norm1.weight, %next_37 : <f32, layer, model>
    %layer.norm1.bias = model.param @layer.norm1.bias : <f32, layer, model>
    %m_38 = model.param @"m/layer.norm1.bias" : <f32, layer, model>
    %v_39 = model.param @"v/layer.norm1.bias" : <f32, layer, model>
    %beta1_40 = model.constant 9.000000e-01 : f64
    %181 = model.mul %beta1_40, %m_38 : <f32>, <f32, layer, model>
    %beta1_41 = model.constant 9.000000e-01 : f64
    %182 = model.constant 1.000000e+00 : f64
    %183 = model.sub %182, %beta1_41 : <f32>, <f32>
    %184 = model.mul %183, %67 : <f32>, <f32, layer, model>
    %m_42 = model.add %181, %184 : <f32, layer, model>, <f32, layer, model>
    %beta2_43 = model.constant 0.94999999999999996 : f64
    %185 = model.mul %beta2_43, %v_39 : <f32>, <f32, layer, model>
    %beta2_44 = model.constant 0.94999999999999996 : f64
    %186 = model.constant 1.000000e+00 : f64
    %187 = model.sub %186, %beta2_44 : <f32>, <f32>
    %188 = model.constant 2.000000e+00 : f64
    %189 = model.pow %67, %188 : <f32, layer, model>, <f32>
    %190 = model.mul %187, %189 : <f32>, <f32, layer, model>
    %v_45 = model.add %185, %190 : <f32, layer, model>, <f32, layer, model>
    %beta1_46 = model.constant 9.000000e-01 : f64
    %191 = model.to_float %step : <i64>
    %192 = model.pow %beta1_46, %191 : <f32>, <f32>
    %193 = model.constant 1.000000e+00 : f64
    %194 = model.sub %193, %192 : <f32>, <f32>
    %mean_47 = model.div %m_42, %194 : <f32, layer, model>, <f32>
    %beta2_48 = model.constant 0.94999999999999996 : f64
    %195 = model.to_float %step : <i64>
    %196 = model.pow %beta2_48, %195 : <f32>, <f32>
    %197 = model.constant 1.000000e+00 : f64
    %198 = model.sub %197, %196 : <f32>, <f32>
    %spread_49 = model.div %v_45, %198 : <f32, layer, model>, <f32>
    %199 = model.mul %111, %mean_47 : <f32>, <f32, layer, model>
    %200 = model.sqrt %spread_49 : <f32, layer, model>
    %eps_50 = model.constant 1.000000e-08 : f64
    %201 = model.add %200, %eps_50 : <f32, layer, model>, <f32>
    %update_51 = model.div %199, %201 : <f32, layer, model>, <f32, layer, model>
    %next_52 = model.sub %layer.norm1.bias, %update_51 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm1.bias", %m_42 : <f32, layer, model>
    model.assign @"v/layer.norm1.bias", %v_45 : <f32, layer, model>
    model.assign @layer.norm1.bias, %next_52 : <f32, layer, model>
    %layer.attn.q.weight = model.param @layer.attn.q.weight : <f32, layer, model, head, dh>
    %m_53 = model.param @"m/layer.attn.q.weight" : <f32, layer, model, head, dh>
    %v_54 = model.param @"v/layer.attn.q.weight" : <f32, layer, model, head, dh>
    %beta1_55 = model.constant 9.000000e-01 : f64
    %202 = model.mul %beta1_55, %m_53 : <f32>, <f32, layer, model, head, dh>
    %beta1_56 = model.constant 9.000000e-01 : f64
    %203 = model.constant 1.000000e+00 : f64
    %204 = model.sub %203, %beta1_56 : <f32>, <f32>
    %205 = model.mul %204, %68 : <f32>, <f32, layer, model, head, dh>
    %m_57 = model.add %202, %205 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta2_58 = model.constant 0.94999999999999996 : f64
    %206 = model.mul %beta2_58, %v_54 : <f32>, <f32, layer, model, head, dh>
    %beta2_59 = model.constant 0.94999999999999996 : f64
    %207 = model.constant 1.000000e+00 : f64
    %208 = model.sub %207, %beta2_59 : <f32>, <f32>
    %209 = model.constant 2.000000e+00 : f64
    %210 = model.pow %68, %209 : <f32, layer, model, head, dh>, <f32>
    %211 = model.mul %208, %210 : <f32>, <f32, layer, model, head, dh>
    %v_60 = model.add %206, %211 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta1_61 = model.constant 9.000000e-01 : f64
    %212 = model.to_float %step : <i64>
    %213 = model.pow %beta1_61, %212 : <f32>, <f32>
    %214 = model.constant 1.000000e+00 : f64
    %215 = model.sub %214, %213 : <f32>, <f32>
    %mean_62 = model.div %m_57, %215 : <f32, layer, model, head, dh>, <f32>
    %beta2_63 = model.constant 0.94999999999999996 : f64
    %216 = model.to_float %step : <i64>
    %217 = model.pow %beta2_63, %216 : <f32>, <f32>
    %218 = model.constant 1.000000e+00 : f64
    %219 = model.sub %218, %217 : <f32>, <f32>
    %spread_64 = model.div %v_60, %219 : <f32, layer, model, head, dh>, <f32>
    %220 = model.mul %111, %mean_62 : <f32>, <f32, layer, model, head, dh>
    %221 = model.sqrt %spread_64 : <f32, layer, model, head, dh>
    %eps_65 = model.constant 1.000000e-08 : f64
    %222 = model.add %221, %eps_65 : <f32, layer, model, head, dh>, <f32>
    %update_66 = model.div %220, %222 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %decay_67 = model.constant 1.000000e-01 : f64
    %223 = model.mul %111, %decay_67 : <f32>, <f32>
    %224 = model.constant 1.000000e+00 : f64
    %225 = model.sub %224, %223 : <f32>, <f32>
    %kept_68 = model.mul %layer.attn.q.weight, %225 : <f32, layer, model, head, dh>, <f32>
    %next_69 = model.sub %kept_68, %update_66 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    model.assign @"m/layer.attn.q.weight", %m_57 : <f32, layer, model, head, dh>
    model.assign @"v/layer.attn.q.weight", %v_60 : <f32, layer, model, head, dh>
    model.assign @layer.attn.q.weight, %next_69 : <f32, layer, model, head, dh>
    %layer.attn.q.bias = model.param @layer.attn.q.bias : <f32, layer, head, dh>
    %m_70 = model.param @"m/layer.attn.q.bias" : <f32, layer, head, dh>
    %v_71 = model.param @"v/layer.attn.q.bias" : <f32, layer, head, dh>
    %beta1_72 = model.constant 9.000000e-01 : f64
    %226 = model.mul %beta1_72, %m_70 : <f32>, <f32, layer, head, dh>
    %beta1_73 = model.constant 9.000000e-01 : f64
    %227 = model.constant 1.000000e+00 : f64
    %228 = model.sub %227, %beta1_73 : <f32>, <f32>
    %229 = model.mul %228, %69 : <f32>, <f32, layer, head, dh>
    %m_74 = model.add %226, %229 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta2_75 = model.constant 0.94999999999999996 : f64
    %230 = model.mul %beta2_75, %v_71 : <f32>, <f32, layer, head, dh>
    %beta2_76 = model.constant 0.94999999999999996 : f64
    %231 = model.constant 1.000000e+00 : f64
    %232 = model.sub %231, %beta2_76 : <f32>, <f32>
    %233 = model.constant 2.000000e+00 : f64
    %234 = model.pow %69, %233 : <f32, layer, head, dh>, <f32>
    %235 = model.mul %232, %234 : <f32>, <f32, layer, head, dh>
    %v_77 = model.add %230, %235 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta1_78 = model.constant 9.000000e-01 : f64
    %236 = model.to_float %step : <i64>
    %237 = model.pow %beta1_78, %236 : <f32>, <f32>
    %238 = model.constant 1.000000e+00 : f64
    %239 = model.sub %238, %237 : <f32>, <f32>
    %mean_79 = model.div %m_74, %239 : <f32, layer, head, dh>, <f32>
    %beta2_80 = model.constant 0.94999999999999996 : f64
    %240 = model.to_float %step : <i64>
    %241 = model.pow %beta2_80, %240 : <f32>, <f32>
    %242 = model.constant 1.000000e+00 : f64
    %243 = model.sub %242, %241 : <f32>, <f32>
    %spread_81 = model.div %v_77, %243 : <f32, layer, head, dh>, <f32>
    %244 = model.mul %111, %mean_79 : <f32>, <f32, layer, head, dh>
    %245 = model.sqrt %spread_81 : <f32, layer, head, dh>
    %eps_82 = model.constant 1.000000e-08 : f64
    %246 = model.add %245, %eps_82 : <f32, layer, head, dh>, <f32>
    %update_83 = model.div %244, %246 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %next_84 = model.sub %layer.attn.q.bias, %update_83 : <f32, layer, head, dh>, <f32, layer, head, dh>
    model.assign @"m/layer.attn.q.bias", %m_74 : <f32, layer, head, dh>
    model.assign @"v/layer.attn.q.bias", %v_77 : <f32, layer, head, dh>
    model.assign @layer.attn.q.bias, %next_84 : <f32, layer, head, dh>
    %layer.attn.k.weight = model.param @layer.attn.k.weight : <f32, layer, model, head, dh>
    %m_85 = model.param @"m/layer.attn.k.weight" : <f32, layer, model, head, dh>
    %v_86 = model.param @"v/layer.attn.k.weight" : <f32, layer, model, head, dh>
    %beta1_87 = model.constant 9.000000e-01 : f64
    %247 = model.mul %beta1_87, %m_85 : <f32>, <f32, layer, model, head, dh>
    %beta1_88 = model.constant 9.000000e-01 : f64
    %248 = model.constant 1.000000e+00 : f64
    %249 = model.sub %248, %beta1_88 : <f32>, <f32>
    %250 = model.mul %249, %70 : <f32>, <f32, layer, model, head, dh>
    %m_89 = model.add %247, %250 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta2_90 = model.constant 0.94999999999999996 : f64
    %251 = model.mul %beta2_90, %v_86 : <f32>, <f32, layer, model, head, dh>
    %beta2_91 = model.constant 0.94999999999999996 : f64
    %252 = model.constant 1.000000e+00 : f64
    %253 = model.sub %252, %beta2_91 : <f32>, <f32>
    %254 = model.constant 2.000000e+00 : f64
    %255 = model.pow %70, %254 : <f32, layer, model, head, dh>, <f32>
    %256 = model.mul %253, %255 : <f32>, <f32, layer, model, head, dh>
    %v_92 = model.add %251, %256 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta1_93 = model.constant 9.000000e-01 : f64
    %257 = model.to_float %step : <i64>
    %258 = model.pow %beta1_93, %257 : <f32>, <f32>
    %259 = model.constant 1.000000e+00 : f64
    %260 = model.sub %259, %258 : <f32>, <f32>
    %mean_94 = model.div %m_89, %260 : <f32, layer, model, head, dh>, <f32>
    %beta2_95 = model.constant 0.94999999999999996 : f64
    %261 = model.to_float %step : <i64>
    %262 = model.pow %beta2_95, %261 : <f32>, <f32>
    %263 = model.constant 1.000000e+00 : f64
    %264 = model.sub %263, %262 : <f32>, <f32>
    %spread_96 = model.div %v_92, %264 : <f32, layer, model, head, dh>, <f32>
    %265 = model.mul %111, %mean_94 : <f32>, <f32, layer, model, head, dh>
    %266 = model.sqrt %spread_96 : <f32, layer, model, head, dh>
    %eps_97 = model.constant 1.000000e-08 : f64
    %267 = model.add %266, %eps_97 : <f32, layer, model, head, dh>, <f32>
    %update_98 = model.div %265, %267 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %decay_99 = model.constant 1.000000e-01 : f64
    %268 = model.mul %111, %decay_99 : <f32>, <f32>
    %269 = model.constant 1.000000e+00 : f64
    %270 = model.sub %269, %268 : <f32>, <f32>
    %kept_100 = model.mul %layer.attn.k.weight, %270 : <f32, layer, model, head, dh>, <f32>
    %next_101 = model.sub %kept_100, %update_98 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    model.assign @"m/layer.attn.k.weight", %m_89 : <f32, layer, model, head, dh>
    model.assign @"v/layer.attn.k.weight", %v_92 : <f32, layer, model, head, dh>
    model.assign @layer.attn.k.weight, %next_101 : <f32, layer, model, head, dh>
    %layer.attn.k.bias = model.param @layer.attn.k.bias : <f32, layer, head, dh>
    %m_102 = model.param @"m/layer.attn.k.bias" : <f32, layer, head, dh>
    %v_103 = model.param @"v/layer.attn.k.bias" : <f32, layer, head, dh>
    %beta1_104 = model.constant 9.000000e-01 : f64
    %271 = model.mul %beta1_104, %m_102 : <f32>, <f32, layer, head, dh>
    %beta1_105 = model.constant 9.000000e-01 : f64
    %272 = model.constant 1.000000e+00 : f64
    %273 = model.sub %272, %beta1_105 : <f32>, <f32>
    %274 = model.mul %273, %71 : <f32>, <f32, layer, head, dh>
    %m_106 = model.add %271, %274 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta2_107 = model.constant 0.94999999999999996 : f64
    %275 = model.mul %beta2_107, %v_103 : <f32>, <f32, layer, head, dh>
    %beta2_108 = model.constant 0.94999999999999996 : f64
    %276 = model.constant 1.000000e+00 : f64
    %277 = model.sub %276, %beta2_108 : <f32>, <f32>
    %278 = model.constant 2.000000e+00 : f64
    %279 = model.pow %71, %278 : <f32, layer, head, dh>, <f32>
    %280 = model.mul %277, %279 : <f32>, <f32, layer, head, dh>
    %v_109 = model.add %275, %280 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta1_110 = model.constant 9.000000e-01 : f64
    %281 = model.to_float %step : <i64>
    %282 = model.pow %beta1_110, %281 : <f32>, <f32>
    %283 = model.constant 1.000000e+00 : f64
    %284 = model.sub %283, %282 : <f32>, <f32>
    %mean_111 = model.div %m_106, %284 : <f32, layer, head, dh>, <f32>
    %beta2_112 = model.constant 0.94999999999999996 : f64
    %285 = model.to_float %step : <i64>
    %286 = model.pow %beta2_112, %285 : <f32>, <f32>
    %287 = model.constant 1.000000e+00 : f64
    %288 = model.sub %287, %286 : <f32>, <f32>
    %spread_113 = model.div %v_109, %288 : <f32, layer, head, dh>, <f32>
    %289 = model.mul %111, %mean_111 : <f32>, <f32, layer, head, dh>
    %290 = model.sqrt %spread_113 : <f32, layer, head, dh>
    %eps_114 = model.constant 1.000000e-08 : f64
    %291 = model.add %290, %eps_114 : <f32, layer, head, dh>, <f32>
    %update_115 = model.div %289, %291 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %next_116 = model.sub %layer.attn.k.bias, %update_115 : <f32, layer, head, dh>, <f32, layer, head, dh>
    model.assign @"m/layer.attn.k.bias", %m_106 : <f32, layer, head, dh>
    model.assign @"v/layer.attn.k.bias", %v_109 : <f32, layer, head, dh>
    model.assign @layer.attn.k.bias, %next_116 : <f32, layer, head, dh>
    %layer.attn.v.weight = model.param @layer.attn.v.weight : <f32, layer, model, head, dh>
    %m_117 = model.param @"m/layer.attn.v.weight" : <f32, layer, model, head, dh>
    %v_118 = model.param @"v/layer.attn.v.weight" : <f32, layer, model, head, dh>
    %beta1_119 = model.constant 9.000000e-01 : f64
    %292 = model.mul %beta1_119, %m_117 : <f32>, <f32, layer, model, head, dh>
    %beta1_120 = model.constant 9.000000e-01 : f64
    %293 = model.constant 1.000000e+00 : f64
    %294 = model.sub %293, %beta1_120 : <f32>, <f32>
    %295 = model.mul %294, %72 : <f32>, <f32, layer, model, head, dh>
    %m_121 = model.add %292, %295 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta2_122 = model.constant 0.94999999999999996 : f64
    %296 = model.mul %beta2_122, %v_118 : <f32>, <f32, layer, model, head, dh>
    %beta2_123 = model.constant 0.94999999999999996 : f64
    %297 = model.constant 1.000000e+00 : f64
    %298 = model.sub %297, %beta2_123 : <f32>, <f32>
    %299 = model.constant 2.000000e+00 : f64
    %300 = model.pow %72, %299 : <f32, layer, model, head, dh>, <f32>
    %301 = model.mul %298, %300 : <f32>, <f32, layer, model, head, dh>
    %v_124 = model.add %296, %301 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %beta1_125 = model.constant 9.000000e-01 : f64
    %302 = model.to_float %step : <i64>
    %303 = model.pow %beta1_125, %302 : <f32>, <f32>
    %304 = model.constant 1.000000e+00 : f64
    %305 = model.sub %304, %303 : <f32>, <f32>
    %mean_126 = model.div %m_121, %305 : <f32, layer, model, head, dh>, <f32>
    %beta2_127 = model.constant 0.94999999999999996 : f64
    %306 = model.to_float %step : <i64>
    %307 = model.pow %beta2_127, %306 : <f32>, <f32>
    %308 = model.constant 1.000000e+00 : f64
    %309 = model.sub %308, %307 : <f32>, <f32>
    %spread_128 = model.div %v_124, %309 : <f32, layer, model, head, dh>, <f32>
    %310 = model.mul %111, %mean_126 : <f32>, <f32, layer, model, head, dh>
    %311 = model.sqrt %spread_128 : <f32, layer, model, head, dh>
    %eps_129 = model.constant 1.000000e-08 : f64
    %312 = model.add %311, %eps_129 : <f32, layer, model, head, dh>, <f32>
    %update_130 = model.div %310, %312 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    %decay_131 = model.constant 1.000000e-01 : f64
    %313 = model.mul %111, %decay_131 : <f32>, <f32>
    %314 = model.constant 1.000000e+00 : f64
    %315 = model.sub %314, %313 : <f32>, <f32>
    %kept_132 = model.mul %layer.attn.v.weight, %315 : <f32, layer, model, head, dh>, <f32>
    %next_133 = model.sub %kept_132, %update_130 : <f32, layer, model, head, dh>, <f32, layer, model, head, dh>
    model.assign @"m/layer.attn.v.weight", %m_121 : <f32, layer, model, head, dh>
    model.assign @"v/layer.attn.v.weight", %v_124 : <f32, layer, model, head, dh>
    model.assign @layer.attn.v.weight, %next_133 : <f32, layer, model, head, dh>
    %layer.attn.v.bias = model.param @layer.attn.v.bias : <f32, layer, head, dh>
    %m_134 = model.param @"m/layer.attn.v.bias" : <f32, layer, head, dh>
    %v_135 = model.param @"v/layer.attn.v.bias" : <f32, layer, head, dh>
    %beta1_136 = model.constant 9.000000e-01 : f64
    %316 = model.mul %beta1_136, %m_134 : <f32>, <f32, layer, head, dh>
    %beta1_137 = model.constant 9.000000e-01 : f64
    %317 = model.constant 1.000000e+00 : f64
    %318 = model.sub %317, %beta1_137 : <f32>, <f32>
    %319 = model.mul %318, %73 : <f32>, <f32, layer, head, dh>
    %m_138 = model.add %316, %319 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta2_139 = model.constant 0.94999999999999996 : f64
    %320 = model.mul %beta2_139, %v_135 : <f32>, <f32, layer, head, dh>
    %beta2_140 = model.constant 0.94999999999999996 : f64
    %321 = model.constant 1.000000e+00 : f64
    %322 = model.sub %321, %beta2_140 : <f32>, <f32>
    %323 = model.constant 2.000000e+00 : f64
    %324 = model.pow %73, %323 : <f32, layer, head, dh>, <f32>
    %325 = model.mul %322, %324 : <f32>, <f32, layer, head, dh>
    %v_141 = model.add %320, %325 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %beta1_142 = model.constant 9.000000e-01 : f64
    %326 = model.to_float %step : <i64>
    %327 = model.pow %beta1_142, %326 : <f32>, <f32>
    %328 = model.constant 1.000000e+00 : f64
    %329 = model.sub %328, %327 : <f32>, <f32>
    %mean_143 = model.div %m_138, %329 : <f32, layer, head, dh>, <f32>
    %beta2_144 = model.constant 0.94999999999999996 : f64
    %330 = model.to_float %step : <i64>
    %331 = model.pow %beta2_144, %330 : <f32>, <f32>
    %332 = model.constant 1.000000e+00 : f64
    %333 = model.sub %332, %331 : <f32>, <f32>
    %spread_145 = model.div %v_141, %333 : <f32, layer, head, dh>, <f32>
    %334 = model.mul %111, %mean_143 : <f32>, <f32, layer, head, dh>
    %335 = model.sqrt %spread_145 : <f32, layer, head, dh>
    %eps_146 = model.constant 1.000000e-08 : f64
    %336 = model.add %335, %eps_146 : <f32, layer, head, dh>, <f32>
    %update_147 = model.div %334, %336 : <f32, layer, head, dh>, <f32, layer, head, dh>
    %next_148 = model.sub %layer.attn.v.bias, %update_147 : <f32, layer, head, dh>, <f32, layer, head, dh>
    model.assign @"m/layer.attn.v.bias", %m_138 : <f32, layer, head, dh>
    model.assign @"v/layer.attn.v.bias", %v_141 : <f32, layer, head, dh>
    model.assign @layer.attn.v.bias, %next_148 : <f32, layer, head, dh>
    %layer.attn.out.weight = model.param @layer.attn.out.weight : <f32, layer, head, dh, model>
    %m_149 = model.param @"m/layer.attn.out.weight" : <f32, layer, head, dh, model>
    %v_150 = model.param @"v/layer.attn.out.weight" : <f32, layer, head, dh, model>
    %beta1_151 = model.constant 9.000000e-01 : f64
    %337 = model.mul %beta1_151, %m_149 : <f32>, <f32, layer, head, dh, model>
    %beta1_152 = model.constant 9.000000e-01 : f64
    %338 = model.constant 1.000000e+00 : f64
    %339 = model.sub %338, %beta1_152 : <f32>, <f32>
    %340 = model.mul %339, %74 : <f32>, <f32, layer, head, dh, model>
    %m_153 = model.add %337, %340 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %beta2_154 = model.constant 0.94999999999999996 : f64
    %341 = model.mul %beta2_154, %v_150 : <f32>, <f32, layer, head, dh, model>
    %beta2_155 = model.constant 0.94999999999999996 : f64
    %342 = model.constant 1.000000e+00 : f64
    %343 = model.sub %342, %beta2_155 : <f32>, <f32>
    %344 = model.constant 2.000000e+00 : f64
    %345 = model.pow %74, %344 : <f32, layer, head, dh, model>, <f32>
    %346 = model.mul %343, %345 : <f32>, <f32, layer, head, dh, model>
    %v_156 = model.add %341, %346 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %beta1_157 = model.constant 9.000000e-01 : f64
    %347 = model.to_float %step : <i64>
    %348 = model.pow %beta1_157, %347 : <f32>, <f32>
    %349 = model.constant 1.000000e+00 : f64
    %350 = model.sub %349, %348 : <f32>, <f32>
    %mean_158 = model.div %m_153, %350 : <f32, layer, head, dh, model>, <f32>
    %beta2_159 = model.constant 0.94999999999999996 : f64
    %351 = model.to_float %step : <i64>
    %352 = model.pow %beta2_159, %351 : <f32>, <f32>
    %353 = model.constant 1.000000e+00 : f64
    %354 = model.sub %353, %352 : <f32>, <f32>
    %spread_160 = model.div %v_156, %354 : <f32, layer, head, dh, model>, <f32>
    %355 = model.mul %111, %mean_158 : <f32>, <f32, layer, head, dh, model>
    %356 = model.sqrt %spread_160 : <f32, layer, head, dh, model>
    %eps_161 = model.constant 1.000000e-08 : f64
    %357 = model.add %356, %eps_161 : <f32, layer, head, dh, model>, <f32>
    %update_162 = model.div %355, %357 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    %decay_163 = model.constant 1.000000e-01 : f64
    %358 = model.mul %111, %decay_163 : <f32>, <f32>
    %359 = model.constant 1.000000e+00 : f64
    %360 = model.sub %359, %358 : <f32>, <f32>
    %kept_164 = model.mul %layer.attn.out.weight, %360 : <f32, layer, head, dh, model>, <f32>
    %next_165 = model.sub %kept_164, %update_162 : <f32, layer, head, dh, model>, <f32, layer, head, dh, model>
    model.assign @"m/layer.attn.out.weight", %m_153 : <f32, layer, head, dh, model>
    model.assign @"v/layer.attn.out.weight", %v_156 : <f32, layer, head, dh, model>
    model.assign @layer.attn.out.weight, %next_165 : <f32, layer, head, dh, model>
    %layer.attn.out.bias = model.param @layer.attn.out.bias : <f32, layer, model>
    %m_166 = model.param @"m/layer.attn.out.bias" : <f32, layer, model>
    %v_167 = model.param @"v/layer.attn.out.bias" : <f32, layer, model>
    %beta1_168 = model.constant 9.000000e-01 : f64
    %361 = model.mul %beta1_168, %m_166 : <f32>, <f32, layer, model>
    %beta1_169 = model.constant 9.000000e-01 : f64
    %362 = model.constant 1.000000e+00 : f64
    %363 = model.sub %362, %beta1_169 : <f32>, <f32>
    %364 = model.mul %363, %75 : <f32>, <f32, layer, model>
    %m_170 = model.add %361, %364 : <f32, layer, model>, <f32, layer, model>
    %beta2_171 = model.constant 0.94999999999999996 : f64
    %365 = model.mul %beta2_171, %v_167 : <f32>, <f32, layer, model>
    %beta2_172 = model.constant 0.94999999999999996 : f64
    %366 = model.constant 1.000000e+00 : f64
    %367 = model.sub %366, %beta2_172 : <f32>, <f32>
    %368 = model.constant 2.000000e+00 : f64
    %369 = model.pow %75, %368 : <f32, layer, model>, <f32>
    %370 = model.mul %367, %369 : <f32>, <f32, layer, model>
    %v_173 = model.add %365, %370 : <f32, layer, model>, <f32, layer, model>
    %beta1_174 = model.constant 9.000000e-01 : f64
    %371 = model.to_float %step : <i64>
    %372 = model.pow %beta1_174, %371 : <f32>, <f32>
    %373 = model.constant 1.000000e+00 : f64
    %374 = model.sub %373, %372 : <f32>, <f32>
    %mean_175 = model.div %m_170, %374 : <f32, layer, model>, <f32>
    %beta2_176 = model.constant 0.94999999999999996 : f64
    %375 = model.to_float %step : <i64>
    %376 = model.pow %beta2_176, %375 : <f32>, <f32>
    %377 = model.constant 1.000000e+00 : f64
    %378 = model.sub %377, %376 : <f32>, <f32>
    %spread_177 = model.div %v_173, %378 : <f32, layer, model>, <f32>
    %379 = model.mul %111, %mean_175 : <f32>, <f32, layer, model>
    %380 = model.sqrt %spread_177 : <f32, layer, model>
    %eps_178 = model.constant 1.000000e-08 : f64
    %381 = model.add %380, %eps_178 : <f32, layer, model>, <f32>
    %update_179 = model.div %379, %381 : <f32, layer, model>, <f32, layer, model>
    %next_180 = model.sub %layer.attn.out.bias, %update_179 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.attn.out.bias", %m_170 : <f32, layer, model>
    model.assign @"v/layer.attn.out.bias", %v_173 : <f32, layer, model>
    model.assign @layer.attn.out.bias, %next_180 : <f32, layer, model>
    %layer.norm2.weight = model.param @layer.norm2.weight : <f32, layer, model>
    %m_181 = model.param @"m/layer.norm2.weight" : <f32, layer, model>
    %v_182 = model.param @"v/layer.norm2.weight" : <f32, layer, model>
    %beta1_183 = model.constant 9.000000e-01 : f64
    %382 = model.mul %beta1_183, %m_181 : <f32>, <f32, layer, model>
    %beta1_184 = model.constant 9.000000e-01 : f64
    %383 = model.constant 1.000000e+00 : f64
    %384 = model.sub %383, %beta1_184 : <f32>, <f32>
    %385 = model.mul %384, %76 : <f32>, <f32, layer, model>
    %m_185 = model.add %382, %385 : <f32, layer, model>, <f32, layer, model>
    %beta2_186 = model.constant 0.94999999999999996 : f64
    %386 = model.mul %beta2_186, %v_182 : <f32>, <f32, layer, model>
    %beta2_187 = model.constant 0.94999999999999996 : f64
    %387 = model.constant 1.000000e+00 : f64
    %388 = model.sub %387, %beta2_187 : <f32>, <f32>
    %389 = model.constant 2.000000e+00 : f64
    %390 = model.pow %76, %389 : <f32, layer, model>, <f32>
    %391 = model.mul %388, %390 : <f32>, <f32, layer, model>
    %v_188 = model.add %386, %391 : <f32, layer, model>, <f32, layer, model>
    %beta1_189 = model.constant 9.000000e-01 : f64
    %392 = model.to_float %step : <i64>
    %393 = model.pow %beta1_189, %392 : <f32>, <f32>
    %394 = model.constant 1.000000e+00 : f64
    %395 = model.sub %394, %393 : <f32>, <f32>
    %mean_190 = model.div %m_185, %395 : <f32, layer, model>, <f32>
    %beta2_191 = model.constant 0.94999999999999996 : f64
    %396 = model.to_float %step : <i64>
    %397 = model.pow %beta2_191, %396 : <f32>, <f32>
    %398 = model.constant 1.000000e+00 : f64
    %399 = model.sub %398, %397 : <f32>, <f32>
    %spread_192 = model.div %v_188, %399 : <f32, layer, model>, <f32>
    %400 = model.mul %111, %mean_190 : <f32>, <f32, layer, model>
    %401 = model.sqrt %spread_192 : <f32, layer, model>
    %eps_193 = model.constant 1.000000e-08 : f64
    %402 = model.add %401, %eps_193 : <f32, layer, model>, <f32>
    %update_194 = model.div %400, %402 : <f32, layer, model>, <f32, layer, model>
    %next_195 = model.sub %layer.norm2.weight, %update_194 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm2.weight", %m_185 : <f32, layer, model>
    model.assign @"v/layer.norm2.weight", %v_188 : <f32, layer, model>
    model.assign @layer.norm2.weight, %next_195 : <f32, layer, model>
    %layer.norm2.bias = model.param @layer.norm2.bias : <f32, layer, model>
    %m_196 = model.param @"m/layer.norm2.bias" : <f32, layer, model>
    %v_197 = model.param @"v/layer.norm2.bias" : <f32, layer, model>
    %beta1_198 = model.constant 9.000000e-01 : f64
    %403 = model.mul %beta1_198, %m_196 : <f32>, <f32, layer, model>
    %beta1_199 = model.constant 9.000000e-01 : f64
    %404 = model.constant 1.000000e+00 : f64
    %405 = model.sub %404, %beta1_199 : <f32>, <f32>
    %406 = model.mul %405, %77 : <f32>, <f32, layer, model>
    %m_200 = model.add %403, %406 : <f32, layer, model>, <f32, layer, model>
    %beta2_201 = model.constant 0.94999999999999996 : f64
    %407 = model.mul %beta2_201, %v_197 : <f32>, <f32, layer, model>
    %beta2_202 = model.constant 0.94999999999999996 : f64
    %408 = model.constant 1.000000e+00 : f64
    %409 = model.sub %408, %beta2_202 : <f32>, <f32>
    %410 = model.constant 2.000000e+00 : f64
    %411 = model.pow %77, %410 : <f32, layer, model>, <f32>
    %412 = model.mul %409, %411 : <f32>, <f32, layer, model>
    %v_203 = model.add %407, %412 : <f32, layer, model>, <f32, layer, model>
    %beta1_204 = model.constant 9.000000e-01 : f64
    %413 = model.to_float %step : <i64>
    %414 = model.pow %beta1_204, %413 : <f32>, <f32>
    %415 = model.constant 1.000000e+00 : f64
    %416 = model.sub %415, %414 : <f32>, <f32>
    %mean_205 = model.div %m_200, %416 : <f32, layer, model>, <f32>
    %beta2_206 = model.constant 0.94999999999999996 : f64
    %417 = model.to_float %step : <i64>
    %418 = model.pow %beta2_206, %417 : <f32>, <f32>
    %419 = model.constant 1.000000e+00 : f64
    %420 = model.sub %419, %418 : <f32>, <f32>
    %spread_207 = model.div %v_203, %420 : <f32, layer, model>, <f32>
    %421 = model.mul %111, %mean_205 : <f32>, <f32, layer, model>
    %422 = model.sqrt %spread_207 : <f32, layer, model>
    %eps_208 = model.constant 1.000000e-08 : f64
    %423 = model.add %422, %eps_208 : <f32, layer, model>, <f32>
    %update_209 = model.div %421, %423 : <f32, layer, model>, <f32, layer, model>
    %next_210 = model.sub %layer.norm2.bias, %update_209 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.norm2.bias", %m_200 : <f32, layer, model>
    model.assign @"v/layer.norm2.bias", %v_203 : <f32, layer, model>
    model.assign @layer.norm2.bias, %next_210 : <f32, layer, model>
    %layer.ffn.up.weight = model.param @layer.ffn.up.weight : <f32, layer, model, ff>
    %m_211 = model.param @"m/layer.ffn.up.weight" : <f32, layer, model, ff>
    %v_212 = model.param @"v/layer.ffn.up.weight" : <f32, layer, model, ff>
    %beta1_213 = model.constant 9.000000e-01 : f64
    %424 = model.mul %beta1_213, %m_211 : <f32>, <f32, layer, model, ff>
    %beta1_214 = model.constant 9.000000e-01 : f64
    %425 = model.constant 1.000000e+00 : f64
    %426 = model.sub %425, %beta1_214 : <f32>, <f32>
    %427 = model.mul %426, %78 : <f32>, <f32, layer, model, ff>
    %m_215 = model.add %424, %427 : <f32, layer, model, ff>, <f32, layer, model, ff>
    %beta2_216 = model.constant 0.94999999999999996 : f64
    %428 = model.mul %beta2_216, %v_212 : <f32>, <f32, layer, model, ff>
    %beta2_217 = model.constant 0.94999999999999996 : f64
    %429 = model.constant 1.000000e+00 : f64
    %430 = model.sub %429, %beta2_217 : <f32>, <f32>
    %431 = model.constant 2.000000e+00 : f64
    %432 = model.pow %78, %431 : <f32, layer, model, ff>, <f32>
    %433 = model.mul %430, %432 : <f32>, <f32, layer, model, ff>
    %v_218 = model.add %428, %433 : <f32, layer, model, ff>, <f32, layer, model, ff>
    %beta1_219 = model.constant 9.000000e-01 : f64
    %434 = model.to_float %step : <i64>
    %435 = model.pow %beta1_219, %434 : <f32>, <f32>
    %436 = model.constant 1.000000e+00 : f64
    %437 = model.sub %436, %435 : <f32>, <f32>
    %mean_220 = model.div %m_215, %437 : <f32, layer, model, ff>, <f32>
    %beta2_221 = model.constant 0.94999999999999996 : f64
    %438 = model.to_float %step : <i64>
    %439 = model.pow %beta2_221, %438 : <f32>, <f32>
    %440 = model.constant 1.000000e+00 : f64
    %441 = model.sub %440, %439 : <f32>, <f32>
    %spread_222 = model.div %v_218, %441 : <f32, layer, model, ff>, <f32>
    %442 = model.mul %111, %mean_220 : <f32>, <f32, layer, model, ff>
    %443 = model.sqrt %spread_222 : <f32, layer, model, ff>
    %eps_223 = model.constant 1.000000e-08 : f64
    %444 = model.add %443, %eps_223 : <f32, layer, model, ff>, <f32>
    %update_224 = model.div %442, %444 : <f32, layer, model, ff>, <f32, layer, model, ff>
    %decay_225 = model.constant 1.000000e-01 : f64
    %445 = model.mul %111, %decay_225 : <f32>, <f32>
    %446 = model.constant 1.000000e+00 : f64
    %447 = model.sub %446, %445 : <f32>, <f32>
    %kept_226 = model.mul %layer.ffn.up.weight, %447 : <f32, layer, model, ff>, <f32>
    %next_227 = model.sub %kept_226, %update_224 : <f32, layer, model, ff>, <f32, layer, model, ff>
    model.assign @"m/layer.ffn.up.weight", %m_215 : <f32, layer, model, ff>
    model.assign @"v/layer.ffn.up.weight", %v_218 : <f32, layer, model, ff>
    model.assign @layer.ffn.up.weight, %next_227 : <f32, layer, model, ff>
    %layer.ffn.up.bias = model.param @layer.ffn.up.bias : <f32, layer, ff>
    %m_228 = model.param @"m/layer.ffn.up.bias" : <f32, layer, ff>
    %v_229 = model.param @"v/layer.ffn.up.bias" : <f32, layer, ff>
    %beta1_230 = model.constant 9.000000e-01 : f64
    %448 = model.mul %beta1_230, %m_228 : <f32>, <f32, layer, ff>
    %beta1_231 = model.constant 9.000000e-01 : f64
    %449 = model.constant 1.000000e+00 : f64
    %450 = model.sub %449, %beta1_231 : <f32>, <f32>
    %451 = model.mul %450, %79 : <f32>, <f32, layer, ff>
    %m_232 = model.add %448, %451 : <f32, layer, ff>, <f32, layer, ff>
    %beta2_233 = model.constant 0.94999999999999996 : f64
    %452 = model.mul %beta2_233, %v_229 : <f32>, <f32, layer, ff>
    %beta2_234 = model.constant 0.94999999999999996 : f64
    %453 = model.constant 1.000000e+00 : f64
    %454 = model.sub %453, %beta2_234 : <f32>, <f32>
    %455 = model.constant 2.000000e+00 : f64
    %456 = model.pow %79, %455 : <f32, layer, ff>, <f32>
    %457 = model.mul %454, %456 : <f32>, <f32, layer, ff>
    %v_235 = model.add %452, %457 : <f32, layer, ff>, <f32, layer, ff>
    %beta1_236 = model.constant 9.000000e-01 : f64
    %458 = model.to_float %step : <i64>
    %459 = model.pow %beta1_236, %458 : <f32>, <f32>
    %460 = model.constant 1.000000e+00 : f64
    %461 = model.sub %460, %459 : <f32>, <f32>
    %mean_237 = model.div %m_232, %461 : <f32, layer, ff>, <f32>
    %beta2_238 = model.constant 0.94999999999999996 : f64
    %462 = model.to_float %step : <i64>
    %463 = model.pow %beta2_238, %462 : <f32>, <f32>
    %464 = model.constant 1.000000e+00 : f64
    %465 = model.sub %464, %463 : <f32>, <f32>
    %spread_239 = model.div %v_235, %465 : <f32, layer, ff>, <f32>
    %466 = model.mul %111, %mean_237 : <f32>, <f32, layer, ff>
    %467 = model.sqrt %spread_239 : <f32, layer, ff>
    %eps_240 = model.constant 1.000000e-08 : f64
    %468 = model.add %467, %eps_240 : <f32, layer, ff>, <f32>
    %update_241 = model.div %466, %468 : <f32, layer, ff>, <f32, layer, ff>
    %next_242 = model.sub %layer.ffn.up.bias, %update_241 : <f32, layer, ff>, <f32, layer, ff>
    model.assign @"m/layer.ffn.up.bias", %m_232 : <f32, layer, ff>
    model.assign @"v/layer.ffn.up.bias", %v_235 : <f32, layer, ff>
    model.assign @layer.ffn.up.bias, %next_242 : <f32, layer, ff>
    %layer.ffn.down.weight = model.param @layer.ffn.down.weight : <f32, layer, ff, model>
    %m_243 = model.param @"m/layer.ffn.down.weight" : <f32, layer, ff, model>
    %v_244 = model.param @"v/layer.ffn.down.weight" : <f32, layer, ff, model>
    %beta1_245 = model.constant 9.000000e-01 : f64
    %469 = model.mul %beta1_245, %m_243 : <f32>, <f32, layer, ff, model>
    %beta1_246 = model.constant 9.000000e-01 : f64
    %470 = model.constant 1.000000e+00 : f64
    %471 = model.sub %470, %beta1_246 : <f32>, <f32>
    %472 = model.mul %471, %80 : <f32>, <f32, layer, ff, model>
    %m_247 = model.add %469, %472 : <f32, layer, ff, model>, <f32, layer, ff, model>
    %beta2_248 = model.constant 0.94999999999999996 : f64
    %473 = model.mul %beta2_248, %v_244 : <f32>, <f32, layer, ff, model>
    %beta2_249 = model.constant 0.94999999999999996 : f64
    %474 = model.constant 1.000000e+00 : f64
    %475 = model.sub %474, %beta2_249 : <f32>, <f32>
    %476 = model.constant 2.000000e+00 : f64
    %477 = model.pow %80, %476 : <f32, layer, ff, model>, <f32>
    %478 = model.mul %475, %477 : <f32>, <f32, layer, ff, model>
    %v_250 = model.add %473, %478 : <f32, layer, ff, model>, <f32, layer, ff, model>
    %beta1_251 = model.constant 9.000000e-01 : f64
    %479 = model.to_float %step : <i64>
    %480 = model.pow %beta1_251, %479 : <f32>, <f32>
    %481 = model.constant 1.000000e+00 : f64
    %482 = model.sub %481, %480 : <f32>, <f32>
    %mean_252 = model.div %m_247, %482 : <f32, layer, ff, model>, <f32>
    %beta2_253 = model.constant 0.94999999999999996 : f64
    %483 = model.to_float %step : <i64>
    %484 = model.pow %beta2_253, %483 : <f32>, <f32>
    %485 = model.constant 1.000000e+00 : f64
    %486 = model.sub %485, %484 : <f32>, <f32>
    %spread_254 = model.div %v_250, %486 : <f32, layer, ff, model>, <f32>
    %487 = model.mul %111, %mean_252 : <f32>, <f32, layer, ff, model>
    %488 = model.sqrt %spread_254 : <f32, layer, ff, model>
    %eps_255 = model.constant 1.000000e-08 : f64
    %489 = model.add %488, %eps_255 : <f32, layer, ff, model>, <f32>
    %update_256 = model.div %487, %489 : <f32, layer, ff, model>, <f32, layer, ff, model>
    %decay_257 = model.constant 1.000000e-01 : f64
    %490 = model.mul %111, %decay_257 : <f32>, <f32>
    %491 = model.constant 1.000000e+00 : f64
    %492 = model.sub %491, %490 : <f32>, <f32>
    %kept_258 = model.mul %layer.ffn.down.weight, %492 : <f32, layer, ff, model>, <f32>
    %next_259 = model.sub %kept_258, %update_256 : <f32, layer, ff, model>, <f32, layer, ff, model>
    model.assign @"m/layer.ffn.down.weight", %m_247 : <f32, layer, ff, model>
    model.assign @"v/layer.ffn.down.weight", %v_250 : <f32, layer, ff, model>
    model.assign @layer.ffn.down.weight, %next_259 : <f32, layer, ff, model>
    %layer.ffn.down.bias = model.param @layer.ffn.down.bias : <f32, layer, model>
    %m_260 = model.param @"m/layer.ffn.down.bias" : <f32, layer, model>
    %v_261 = model.param @"v/layer.ffn.down.bias" : <f32, layer, model>
    %beta1_262 = model.constant 9.000000e-01 : f64
    %493 = model.mul %beta1_262, %m_260 : <f32>, <f32, layer, model>
    %beta1_263 = model.constant 9.000000e-01 : f64
    %494 = model.constant 1.000000e+00 : f64
    %495 = model.sub %494, %beta1_263 : <f32>, <f32>
    %496 = model.mul %495, %81 : <f32>, <f32, layer, model>
    %m_264 = model.add %493, %496 : <f32, layer, model>, <f32, layer, model>
    %beta2_265 = model.constant 0.94999999999999996 : f64
    %497 = model.mul %beta2_265, %v_261 : <f32>, <f32, layer, model>
    %beta2_266 = model.constant 0.94999999999999996 : f64
    %498 = model.constant 1.000000e+00 : f64
    %499 = model.sub %498, %beta2_266 : <f32>, <f32>
    %500 = model.constant 2.000000e+00 : f64
    %501 = model.pow %81, %500 : <f32, layer, model>, <f32>
    %502 = model.mul %499, %501 : <f32>, <f32, layer, model>
    %v_267 = model.add %497, %502 : <f32, layer, model>, <f32, layer, model>
    %beta1_268 = model.constant 9.000000e-01 : f64
    %503 = model.to_float %step : <i64>
    %504 = model.pow %beta1_268, %503 : <f32>, <f32>
    %505 = model.constant 1.000000e+00 : f64
    %506 = model.sub %505, %504 : <f32>, <f32>
    %mean_269 = model.div %m_264, %506 : <f32, layer, model>, <f32>
    %beta2_270 = model.constant 0.94999999999999996 : f64
    %507 = model.to_float %step : <i64>
    %508 = model.pow %beta2_270, %507 : <f32>, <f32>
    %509 = model.constant 1.000000e+00 : f64
    %510 = model.sub %509, %508 : <f32>, <f32>
    %spread_271 = model.div %v_267, %510 : <f32, layer, model>, <f32>
    %511 = model.mul %111, %mean_269 : <f32>, <f32, layer, model>
    %512 = model.sqrt %spread_271 : <f32, layer, model>
    %eps_272 = model.constant 1.000000e-08 : f64
    %513 = model.add %512, %eps_272 : <f32, layer, model>, <f32>
    %update_273 = model.div %511, %513 : <f32, layer, model>, <f32, layer, model>
    %next_274 = model.sub %layer.ffn.down.bias, %update_273 : <f32, layer, model>, <f32, layer, model>
    model.assign @"m/layer.ffn.down.bias", %m_264 : <f32, layer, model>
    model.assign @"v/layer.ffn.down.bias", %v_267 : <f32, layer, model>
    model.assign @layer.ffn.down.bias, %next_274 : <f32, layer, model>
    %norm.weight = model.param @norm.weight : <f32, model>
    %m_275 = model.param @"m/norm.weight" : <f32, model>
    %v_276 = model.param @"v/norm.weight" : <f32, model>
    %beta1_277 = model.constant 9.000000e-01 : f64
    %514 = model.mul %beta1_277, %m_275 : <f32>, <f32, model>
    %beta1_278 = model.constant 9.000000e-01 : f64
    %515 = model.constant 1.000000e+00 : f64
    %516 = model.sub %515, %beta1_278 : <f32>, <f32>
    %517 = model.mul %516, %82 : <f32>, <f32, model>
    %m_279 = model.add %514, %517 : <f32, model>, <f32, model>
    %beta2_280 = model.constant 0.94999999999999996 : f64
    %518 = model.mul %beta2_280, %v_276 : <f32>, <f32, model>
    %beta2_281 = model.constant 0.94999999999999996 : f64
    %519 = model.constant 1.000000e+00 : f64
    %520 = model.sub %519, %beta2_281 : <f32>, <f32>
    %521 = model.constant 2.000000e+00 : f64
    %522 = model.pow %82, %521 : <f32, model>, <f32>
    %523 = model.mul %520, %522 : <f32>, <f32, model>
    %v_282 = model.add %518, %523 : <f32, model>, <f32, model>
    %beta1_283 = model.constant 9.000000e-01 : f64
    %524 = model.to_float %step : <i64>
    %525 = model.pow %beta1_283, %524 : <f32>, <f32>
    %526 = model.constant 1.000000e+00 : f64
    %527 = model.sub %526, %525 : <f32>, <f32>
    %mean_284 = model.div %m_279, %527 : <f32, model>, <f32>
    %beta2_285 = model.constant 0.94999999999999996 : f64
    %528 = model.to_float %step : <i64>
    %529 = model.pow %beta2_285, %528 : <f32>, <f32>
    %530 = model.constant 1.000000e+00 : f64
    %531 = model.sub %530, %529 : <f32>, <f32>
    %spread_286 = model.div %v_282, %531 : <f32, model>, <f32>
    %532 = model.mul %111, %mean_284 : <f32>, <f32, model>
    %533 = model.sqrt %spread_286 : <f32, model>
    %eps_287 = model.constant 1.000000e-08 : f64
    %534 = model.add %533, %eps_287 : <f32, model>, <f32>
    %update_288 = model.div %532, %534 : <f32, model>, <f32, model>
    %next_289 = model.sub %norm.weight, %update_288 : <f32, model>, <f32, model>
    model.assign @"m/norm.weight", %m_279 : <f32, model>
    model.assign @"v/norm.weight", %v_282 : <f32, model>
    model.assign @norm.weight, %next_289 : <f32, model>
    %norm.bias = model.param @norm.bias : <f32, model>
    %m_290 = model.param @"m/norm.bias" : <f32, model>
    %v_291 = model.param @"v/norm.bias" : <f32, model>
    %beta1_292 = model.constant 9.000000e-01 : f64
    %535 = model.mul %beta1_292, %m_290 : <f32>, <f32, model>
    %beta1_293 = model.constant 9.000000e-01 : f64
    %536 = model.constant 1.000000e+00 : f64
    %537 = model.sub %536, %beta1_293 : <f32>, <f32>
    %538 = model.mul %537, %83 : <f32>, <f32, model>
    %m_294 = model.add %535, %538 : <f32, model>, <f32, model>
    %beta2_295 = model.constant 0.94999999999999996 : f64
    %539 = model.mul %beta2_295, %v_291 : <f32>, <f32, model>
    %beta2_296 = model.constant 0.94999999999999996 : f64
    %540 = model.constant 1.000000e+00 : f64
    %541 = model.sub %540, %beta2_296 : <f32>, <f32>
    %542 = model.constant 2.000000e+00 : f64
    %543 = model.pow %83, %542 : <f32, model>, <f32>
    %544 = model.mul %541, %543 : <f32>, <f32, model>
    %v_297 = model.add %539, %544 : <f32, model>, <f32, model>
    %beta1_298 = model.constant 9.000000e-01 : f64
    %545 = model.to_float %step : <i64>
    %546 = model.pow %beta1_298, %545 : <f32>, <f32>
    %547 = model.constant 1.000000e+00 : f64
    %548 = model.sub %547, %546 : <f32>, <f32>
    %mean_299 = model.div %m_294, %548 : <f32, model>, <f32>
    %beta2_300 = model.constant 0.94999999999999996 : f64
    %549 = model.to_float %step : <i64>
    %550 = model.pow %beta2_300, %549 : <f32>, <f32>
    %551 = model.constant 1.000000e+00 : f64
    %552 = model.sub %551, %550 : <f32>, <f32>
    %spread_301 = model.div %v_297, %552 : <f32, model>, <f32>
    %553 = model.mul %111, %mean_299 : <f32>, <f32, model>
    %554 = model.sqrt %spread_301 : <f32, model>
    %eps_302 = model.constant 1.000000e-08 : f64
    %555 = model.add %554, %eps_302 : <f32, model>, <f32>
    %update_303 = model.div %553, %555 : <f32, model>, <f32, model>
    %next_304 = model.sub %norm.bias, %update_303 : <f32, model>, <f32, model>
    model.assign @"m/norm.bias", %m_294 : <f32, model>
    model.assign @"v/norm.bias", %v_297 : <f32, model>
    model.assign @norm.bias, %next_304 : <f32, model>
    return %norm, %111 : !model.tensor<f32>, !model.tensor<f32>
  }
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
}
