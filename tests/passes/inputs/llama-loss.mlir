// Made by: dump-model examples/gpt/llama.weft loss vocab=50 model=12 ff=20 layer=2 group=2 rep=3 dh=4 position=16
module attributes {weft.settings = {dh = 4 : i64, ff = 20 : i64, group = 2 : i64, layer = 2 : i64, model = 12 : i64, position = 16 : i64, rep = 3 : i64, vocab = 50 : i64}, weft.source = "examples/gpt/llama.weft"} {
  model.dim @batch
  model.dim @position = <16>
  model.dim @seq bound <position>
  model.dim @key = <seq>
  model.dim @vocab = <50>
  model.dim @model = <12>
  model.dim @ff = <20>
  model.dim @layer = <2>
  model.dim @group = <2>
  model.dim @rep = <3>
  model.dim @dh = <4>
  model.dim @half = <2>
  model.dim @freq = <2>
  model.dim @dh_1 = <4>
  model.parameter @table : !model.tensor<f32, vocab, model> init normal value 2.000000e-02 {weft.origin = {block = "Llama", dims = [["vocab", ["vocab"]], ["model", ["model"]]]}}
  model.parameter @layer.norm1.weight : !model.tensor<f32, layer, model> loops 1 value 1.000000e+00 {weft.origin = {block = "RMSNorm", dims = [["d", ["model"]]]}}
  model.parameter @layer.attn.q_proj.weight : !model.tensor<f32, layer, model, group, rep, dh> loops 1 init uniform value 0.28867513459481292 {weft.origin = {block = "Project", dims = [["in", ["model"]], ["out", ["group", "rep", "dh"]]]}}
  model.parameter @layer.attn.k_proj.weight : !model.tensor<f32, layer, model, group, dh> loops 1 init uniform value 0.28867513459481292 {weft.origin = {block = "Project", dims = [["in", ["model"]], ["out", ["group", "dh"]]]}}
  model.parameter @layer.attn.v_proj.weight : !model.tensor<f32, layer, model, group, dh> loops 1 init uniform value 0.28867513459481292 {weft.origin = {block = "Project", dims = [["in", ["model"]], ["out", ["group", "dh"]]]}}
  model.parameter @layer.attn.o_proj.weight : !model.tensor<f32, layer, group, rep, dh, model> loops 1 init uniform value 0.20412414523193154 {weft.origin = {block = "Project", dims = [["in", ["group", "rep", "dh"]], ["out", ["model"]]]}}
  model.parameter @layer.norm2.weight : !model.tensor<f32, layer, model> loops 1 value 1.000000e+00 {weft.origin = {block = "RMSNorm", dims = [["d", ["model"]]]}}
  model.parameter @layer.mlp.gate.weight : !model.tensor<f32, layer, model, ff> loops 1 init uniform value 0.28867513459481292 {weft.origin = {block = "Project", dims = [["in", ["model"]], ["out", ["ff"]]]}}
  model.parameter @layer.mlp.up.weight : !model.tensor<f32, layer, model, ff> loops 1 init uniform value 0.28867513459481292 {weft.origin = {block = "Project", dims = [["in", ["model"]], ["out", ["ff"]]]}}
  model.parameter @layer.mlp.down.weight : !model.tensor<f32, layer, ff, model> loops 1 init uniform value 0.22360679774997896 {weft.origin = {block = "Project", dims = [["in", ["ff"]], ["out", ["model"]]]}}
  model.parameter @norm.weight : !model.tensor<f32, model> value 1.000000e+00 {weft.origin = {block = "RMSNorm", dims = [["d", ["model"]]]}}
  model.parameter @head.weight : !model.tensor<f32, model, vocab> init uniform value 0.28867513459481292 {weft.origin = {block = "Project", dims = [["in", ["model"]], ["out", ["vocab"]]]}}
  func.func @loss(%tokens: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "tokens"}, %next: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "next"}) -> (!model.tensor<f32> {weft.name = "output"}) attributes {weft.entry = "loss", weft.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %x = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <i64, batch, seq>
    %x_0 = model.repeat "layer" carry(%x_2 = %x : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_3 = model.param @layer.norm1.weight : <f32, model>
      %19 = model.constant 2.000000e+00 : f64
      %20 = model.pow %x_2, %19 : <f32, batch, seq, model>, <f32>
      %21 = model.sum ["model"] %20 : <f32, batch, seq, model>
      %22 = model.constant 1.200000e+01 : f64
      %23 = model.div %21, %22 : <f32, batch, seq>, <f32>
      %eps_4 = model.constant 9.9999999999999995E-7 : f64
      %24 = model.add %23, %eps_4 : <f32, batch, seq>, <f32>
      %25 = model.rsqrt %24 : <f32, batch, seq>
      %26 = model.mul %x_2, %25 : <f32, batch, seq, model>, <f32, batch, seq>
      %norm1 = model.mul %26, %weight_3 : <f32, batch, seq, model>, <f32, model>
      %weight_5 = model.param @layer.attn.q_proj.weight : <f32, model, group, rep, dh>
      %27 = model.mul %norm1, %weight_5 : <f32, batch, seq, model>, <f32, model, group, rep, dh>
      %q_proj = model.sum ["model"] %27 : <f32, batch, seq, model, group, rep, dh>
      %pair = model.regroup %q_proj ["dh"] as ["half", "freq"] : <f32, batch, seq, group, rep, dh>
      %a = model.pick %pair "half" = 0 : <f32, batch, seq, group, rep, half, freq>
      %b = model.pick %pair "half" = 1 : <f32, batch, seq, group, rep, half, freq>
      %28 = model.index "seq"
      %29 = model.index "freq"
      %30 = model.to_float %29 : <i64, freq>
      %31 = model.constant 2.000000e+00 : f64
      %32 = model.div %30, %31 : <f32, freq>, <f32>
      %base = model.constant 1.000000e+04 : f64
      %33 = model.pow %base, %32 : <f32>, <f32, freq>
      %34 = model.to_float %28 : <i64, seq>
      %angle = model.div %34, %33 : <f32, seq>, <f32, freq>
      %35 = model.cos %angle : <f32, seq, freq>
      %36 = model.mul %a, %35 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %37 = model.sin %angle : <f32, seq, freq>
      %38 = model.mul %b, %37 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %39 = model.sub %36, %38 : <f32, batch, seq, group, rep, freq>, <f32, batch, seq, group, rep, freq>
      %40 = model.cos %angle : <f32, seq, freq>
      %41 = model.mul %b, %40 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %42 = model.sin %angle : <f32, seq, freq>
      %43 = model.mul %a, %42 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %44 = model.add %41, %43 : <f32, batch, seq, group, rep, freq>, <f32, batch, seq, group, rep, freq>
      %q = model.stack "half" %39, %44 : !model.tensor<f32, batch, seq, group, rep, freq>, !model.tensor<f32, batch, seq, group, rep, freq>
      %q_6 = model.regroup %q ["half", "freq"] as ["dh"] : <f32, batch, seq, group, rep, freq, half>
      %weight_7 = model.param @layer.attn.k_proj.weight : <f32, model, group, dh>
      %45 = model.mul %norm1, %weight_7 : <f32, batch, seq, model>, <f32, model, group, dh>
      %k_proj = model.sum ["model"] %45 : <f32, batch, seq, model, group, dh>
      %pair_8 = model.regroup %k_proj ["dh"] as ["half", "freq"] : <f32, batch, seq, group, dh>
      %a_9 = model.pick %pair_8 "half" = 0 : <f32, batch, seq, group, half, freq>
      %b_10 = model.pick %pair_8 "half" = 1 : <f32, batch, seq, group, half, freq>
      %46 = model.index "seq"
      %47 = model.index "freq"
      %48 = model.to_float %47 : <i64, freq>
      %49 = model.constant 2.000000e+00 : f64
      %50 = model.div %48, %49 : <f32, freq>, <f32>
      %base_11 = model.constant 1.000000e+04 : f64
      %51 = model.pow %base_11, %50 : <f32>, <f32, freq>
      %52 = model.to_float %46 : <i64, seq>
      %angle_12 = model.div %52, %51 : <f32, seq>, <f32, freq>
      %53 = model.cos %angle_12 : <f32, seq, freq>
      %54 = model.mul %a_9, %53 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %55 = model.sin %angle_12 : <f32, seq, freq>
      %56 = model.mul %b_10, %55 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %57 = model.sub %54, %56 : <f32, batch, seq, group, freq>, <f32, batch, seq, group, freq>
      %58 = model.cos %angle_12 : <f32, seq, freq>
      %59 = model.mul %b_10, %58 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %60 = model.sin %angle_12 : <f32, seq, freq>
      %61 = model.mul %a_9, %60 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %62 = model.add %59, %61 : <f32, batch, seq, group, freq>, <f32, batch, seq, group, freq>
      %k = model.stack "half" %57, %62 : !model.tensor<f32, batch, seq, group, freq>, !model.tensor<f32, batch, seq, group, freq>
      %k_13 = model.regroup %k ["half", "freq"] as ["dh"] : <f32, batch, seq, group, freq, half>
      %weight_14 = model.param @layer.attn.v_proj.weight : <f32, model, group, dh>
      %63 = model.mul %norm1, %weight_14 : <f32, batch, seq, model>, <f32, model, group, dh>
      %v_proj = model.sum ["model"] %63 : <f32, batch, seq, model, group, dh>
      %64 = model.regroup %k_13 ["seq"] as ["key"] : <f32, batch, seq, group, dh>
      %65 = model.regroup %v_proj ["seq"] as ["key"] : <f32, batch, seq, group, dh>
      %66 = model.index "key"
      %67 = model.index "seq"
      %68 = model.compare le %66, %67 : <i64, key>, <i64, seq>
      %q_15 = model.regroup %q_6 ["dh"] as ["dh_1"] : <f32, batch, seq, group, rep, dh>
      %k_16 = model.regroup %64 ["dh"] as ["dh_1"] : <f32, batch, key, group, dh>
      %69 = model.constant 4.000000e+00 : f64
      %70 = model.sqrt %69 : <f32>
      %71 = model.constant 1.000000e+00 : f64
      %scale = model.div %71, %70 : <f32>, <f32>
      %72 = model.mul %q_15, %k_16 : <f32, batch, seq, group, rep, dh_1>, <f32, batch, key, group, dh_1>
      %73 = model.sum ["dh_1"] %72 : <f32, batch, seq, group, rep, dh_1, key>
      %scores = model.mul %73, %scale : <f32, batch, seq, group, rep, key>, <f32>
      %74 = model.constant 0xFFF0000000000000 : f64
      %75 = model.where %68, %scores, %74 : <i1, key, seq>, <f32, batch, seq, group, rep, key>, <f32>
      %top_17 = model.reduce_max ["key"] %75 : <f32, batch, seq, group, rep, key>
      %76 = model.sub %scores, %top_17 : <f32, batch, seq, group, rep, key>, <f32, batch, seq, group, rep>
      %77 = model.constant 0xFFF0000000000000 : f64
      %78 = model.where %68, %76, %77 : <i1, key, seq>, <f32, batch, seq, group, rep, key>, <f32>
      %e = model.exp %78 : <f32, batch, seq, group, rep, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, group, rep, key>
      %79 = model.constant 0.000000e+00 : f64
      %80 = model.compare gt %all, %79 : <f32, batch, seq, group, rep>, <f32>
      %81 = model.constant 1.000000e+00 : f64
      %82 = model.where %80, %all, %81 : <i1, batch, seq, group, rep>, <f32, batch, seq, group, rep>, <f32>
      %weights = model.div %e, %82 : <f32, batch, seq, group, rep, key>, <f32, batch, seq, group, rep>
      %83 = model.mul %weights, %65 : <f32, batch, seq, group, rep, key>, <f32, batch, key, group, dh>
      %y = model.sum ["key"] %83 : <f32, batch, seq, group, rep, key, dh>
      %weight_18 = model.param @layer.attn.o_proj.weight : <f32, group, rep, dh, model>
      %84 = model.mul %y, %weight_18 : <f32, batch, seq, group, rep, dh>, <f32, group, rep, dh, model>
      %o_proj = model.sum ["group", "rep", "dh"] %84 : <f32, batch, seq, group, rep, dh, model>
      %x_19 = model.add %x_2, %o_proj : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_20 = model.param @layer.norm2.weight : <f32, model>
      %85 = model.constant 2.000000e+00 : f64
      %86 = model.pow %x_19, %85 : <f32, batch, seq, model>, <f32>
      %87 = model.sum ["model"] %86 : <f32, batch, seq, model>
      %88 = model.constant 1.200000e+01 : f64
      %89 = model.div %87, %88 : <f32, batch, seq>, <f32>
      %eps_21 = model.constant 9.9999999999999995E-7 : f64
      %90 = model.add %89, %eps_21 : <f32, batch, seq>, <f32>
      %91 = model.rsqrt %90 : <f32, batch, seq>
      %92 = model.mul %x_19, %91 : <f32, batch, seq, model>, <f32, batch, seq>
      %norm2 = model.mul %92, %weight_20 : <f32, batch, seq, model>, <f32, model>
      %weight_22 = model.param @layer.mlp.gate.weight : <f32, model, ff>
      %93 = model.mul %norm2, %weight_22 : <f32, batch, seq, model>, <f32, model, ff>
      %gate = model.sum ["model"] %93 : <f32, batch, seq, model, ff>
      %94 = model.neg %gate : <f32, batch, seq, ff>
      %95 = model.exp %94 : <f32, batch, seq, ff>
      %96 = model.constant 1.000000e+00 : f64
      %97 = model.add %96, %95 : <f32>, <f32, batch, seq, ff>
      %98 = model.constant 1.000000e+00 : f64
      %99 = model.div %98, %97 : <f32>, <f32, batch, seq, ff>
      %100 = model.mul %gate, %99 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_23 = model.param @layer.mlp.up.weight : <f32, model, ff>
      %101 = model.mul %norm2, %weight_23 : <f32, batch, seq, model>, <f32, model, ff>
      %up = model.sum ["model"] %101 : <f32, batch, seq, model, ff>
      %102 = model.mul %100, %up : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_24 = model.param @layer.mlp.down.weight : <f32, ff, model>
      %103 = model.mul %102, %weight_24 : <f32, batch, seq, ff>, <f32, ff, model>
      %down = model.sum ["ff"] %103 : <f32, batch, seq, ff, model>
      %x_25 = model.add %x_19, %down : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_25 : !model.tensor<f32, batch, seq, model>
    }
    %weight = model.param @norm.weight : <f32, model>
    %0 = model.constant 2.000000e+00 : f64
    %1 = model.pow %x_0, %0 : <f32, batch, seq, model>, <f32>
    %2 = model.sum ["model"] %1 : <f32, batch, seq, model>
    %3 = model.constant 1.200000e+01 : f64
    %4 = model.div %2, %3 : <f32, batch, seq>, <f32>
    %eps = model.constant 9.9999999999999995E-7 : f64
    %5 = model.add %4, %eps : <f32, batch, seq>, <f32>
    %6 = model.rsqrt %5 : <f32, batch, seq>
    %7 = model.mul %x_0, %6 : <f32, batch, seq, model>, <f32, batch, seq>
    %norm = model.mul %7, %weight : <f32, batch, seq, model>, <f32, model>
    %weight_1 = model.param @head.weight : <f32, model, vocab>
    %8 = model.mul %norm, %weight_1 : <f32, batch, seq, model>, <f32, model, vocab>
    %head = model.sum ["model"] %8 : <f32, batch, seq, model, vocab>
    %top = model.reduce_max ["vocab"] %head : <f32, batch, seq, vocab>
    %9 = model.sub %head, %top : <f32, batch, seq, vocab>, <f32, batch, seq>
    %10 = model.exp %9 : <f32, batch, seq, vocab>
    %11 = model.sum ["vocab"] %10 : <f32, batch, seq, vocab>
    %12 = model.log %11 : <f32, batch, seq>
    %13 = model.add %top, %12 : <f32, batch, seq>, <f32, batch, seq>
    %14 = model.gather %head "vocab" = %next : <f32, batch, seq, vocab>, <i64, batch, seq>
    %15 = model.sub %13, %14 : <f32, batch, seq>, <f32, batch, seq>
    %16 = model.sum ["batch", "seq"] %15 : <f32, batch, seq>
    %17 = model.extent <batch * seq>
    %18 = model.to_float %17 : <i64>
    %output = model.div %16, %18 : <f32>, <f32>
    return %output : !model.tensor<f32>
  }
}
