// Made by: dump-model examples/gpt/llama.weft logits vocab=50 model=12 ff=20 layer=2 group=2 rep=3 dh=4 position=16
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
  func.func @logits(%tokens: !model.tensor<i64, batch, seq> {weft.index = "vocab", weft.name = "tokens"}) -> (!model.tensor<f32, batch, seq, vocab> {weft.name = "output"}) attributes {weft.entry = "logits", weft.kind = "plain"} {
    %table = model.param @table : <f32, vocab, model>
    %x = model.gather %table "vocab" = %tokens : <f32, vocab, model>, <i64, batch, seq>
    %x_0 = model.repeat "layer" carry(%x_2 = %x : <f32, batch, seq, model>) -> !model.tensor<f32, batch, seq, model> {
      %weight_3 = model.param @layer.norm1.weight : <f32, model>
      %9 = model.constant 2.000000e+00 : f64
      %10 = model.pow %x_2, %9 : <f32, batch, seq, model>, <f32>
      %11 = model.sum ["model"] %10 : <f32, batch, seq, model>
      %12 = model.constant 1.200000e+01 : f64
      %13 = model.div %11, %12 : <f32, batch, seq>, <f32>
      %eps_4 = model.constant 9.9999999999999995E-7 : f64
      %14 = model.add %13, %eps_4 : <f32, batch, seq>, <f32>
      %15 = model.rsqrt %14 : <f32, batch, seq>
      %16 = model.mul %x_2, %15 : <f32, batch, seq, model>, <f32, batch, seq>
      %norm1 = model.mul %16, %weight_3 : <f32, batch, seq, model>, <f32, model>
      %weight_5 = model.param @layer.attn.q_proj.weight : <f32, model, group, rep, dh>
      %17 = model.mul %norm1, %weight_5 : <f32, batch, seq, model>, <f32, model, group, rep, dh>
      %q_proj = model.sum ["model"] %17 : <f32, batch, seq, model, group, rep, dh>
      %pair = model.regroup %q_proj ["dh"] as ["half", "freq"] : <f32, batch, seq, group, rep, dh>
      %a = model.pick %pair "half" = 0 : <f32, batch, seq, group, rep, half, freq>
      %b = model.pick %pair "half" = 1 : <f32, batch, seq, group, rep, half, freq>
      %18 = model.index "seq"
      %19 = model.index "freq"
      %20 = model.to_float %19 : <i64, freq>
      %21 = model.constant 2.000000e+00 : f64
      %22 = model.div %20, %21 : <f32, freq>, <f32>
      %base = model.constant 1.000000e+04 : f64
      %23 = model.pow %base, %22 : <f32>, <f32, freq>
      %24 = model.to_float %18 : <i64, seq>
      %angle = model.div %24, %23 : <f32, seq>, <f32, freq>
      %25 = model.cos %angle : <f32, seq, freq>
      %26 = model.mul %a, %25 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %27 = model.sin %angle : <f32, seq, freq>
      %28 = model.mul %b, %27 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %29 = model.sub %26, %28 : <f32, batch, seq, group, rep, freq>, <f32, batch, seq, group, rep, freq>
      %30 = model.cos %angle : <f32, seq, freq>
      %31 = model.mul %b, %30 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %32 = model.sin %angle : <f32, seq, freq>
      %33 = model.mul %a, %32 : <f32, batch, seq, group, rep, freq>, <f32, seq, freq>
      %34 = model.add %31, %33 : <f32, batch, seq, group, rep, freq>, <f32, batch, seq, group, rep, freq>
      %q = model.stack "half" %29, %34 : !model.tensor<f32, batch, seq, group, rep, freq>, !model.tensor<f32, batch, seq, group, rep, freq>
      %q_6 = model.regroup %q ["half", "freq"] as ["dh"] : <f32, batch, seq, group, rep, freq, half>
      %weight_7 = model.param @layer.attn.k_proj.weight : <f32, model, group, dh>
      %35 = model.mul %norm1, %weight_7 : <f32, batch, seq, model>, <f32, model, group, dh>
      %k_proj = model.sum ["model"] %35 : <f32, batch, seq, model, group, dh>
      %pair_8 = model.regroup %k_proj ["dh"] as ["half", "freq"] : <f32, batch, seq, group, dh>
      %a_9 = model.pick %pair_8 "half" = 0 : <f32, batch, seq, group, half, freq>
      %b_10 = model.pick %pair_8 "half" = 1 : <f32, batch, seq, group, half, freq>
      %36 = model.index "seq"
      %37 = model.index "freq"
      %38 = model.to_float %37 : <i64, freq>
      %39 = model.constant 2.000000e+00 : f64
      %40 = model.div %38, %39 : <f32, freq>, <f32>
      %base_11 = model.constant 1.000000e+04 : f64
      %41 = model.pow %base_11, %40 : <f32>, <f32, freq>
      %42 = model.to_float %36 : <i64, seq>
      %angle_12 = model.div %42, %41 : <f32, seq>, <f32, freq>
      %43 = model.cos %angle_12 : <f32, seq, freq>
      %44 = model.mul %a_9, %43 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %45 = model.sin %angle_12 : <f32, seq, freq>
      %46 = model.mul %b_10, %45 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %47 = model.sub %44, %46 : <f32, batch, seq, group, freq>, <f32, batch, seq, group, freq>
      %48 = model.cos %angle_12 : <f32, seq, freq>
      %49 = model.mul %b_10, %48 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %50 = model.sin %angle_12 : <f32, seq, freq>
      %51 = model.mul %a_9, %50 : <f32, batch, seq, group, freq>, <f32, seq, freq>
      %52 = model.add %49, %51 : <f32, batch, seq, group, freq>, <f32, batch, seq, group, freq>
      %k = model.stack "half" %47, %52 : !model.tensor<f32, batch, seq, group, freq>, !model.tensor<f32, batch, seq, group, freq>
      %k_13 = model.regroup %k ["half", "freq"] as ["dh"] : <f32, batch, seq, group, freq, half>
      %weight_14 = model.param @layer.attn.v_proj.weight : <f32, model, group, dh>
      %53 = model.mul %norm1, %weight_14 : <f32, batch, seq, model>, <f32, model, group, dh>
      %v_proj = model.sum ["model"] %53 : <f32, batch, seq, model, group, dh>
      %54 = model.regroup %k_13 ["seq"] as ["key"] : <f32, batch, seq, group, dh>
      %55 = model.regroup %v_proj ["seq"] as ["key"] : <f32, batch, seq, group, dh>
      %56 = model.index "key"
      %57 = model.index "seq"
      %58 = model.compare le %56, %57 : <i64, key>, <i64, seq>
      %q_15 = model.regroup %q_6 ["dh"] as ["dh_1"] : <f32, batch, seq, group, rep, dh>
      %k_16 = model.regroup %54 ["dh"] as ["dh_1"] : <f32, batch, key, group, dh>
      %59 = model.constant 4.000000e+00 : f64
      %60 = model.sqrt %59 : <f32>
      %61 = model.constant 1.000000e+00 : f64
      %scale = model.div %61, %60 : <f32>, <f32>
      %62 = model.mul %q_15, %k_16 : <f32, batch, seq, group, rep, dh_1>, <f32, batch, key, group, dh_1>
      %63 = model.sum ["dh_1"] %62 : <f32, batch, seq, group, rep, dh_1, key>
      %scores = model.mul %63, %scale : <f32, batch, seq, group, rep, key>, <f32>
      %64 = model.constant 0xFFF0000000000000 : f64
      %65 = model.where %58, %scores, %64 : <i1, key, seq>, <f32, batch, seq, group, rep, key>, <f32>
      %top = model.reduce_max ["key"] %65 : <f32, batch, seq, group, rep, key>
      %66 = model.sub %scores, %top : <f32, batch, seq, group, rep, key>, <f32, batch, seq, group, rep>
      %67 = model.constant 0xFFF0000000000000 : f64
      %68 = model.where %58, %66, %67 : <i1, key, seq>, <f32, batch, seq, group, rep, key>, <f32>
      %e = model.exp %68 : <f32, batch, seq, group, rep, key>
      %all = model.sum ["key"] %e : <f32, batch, seq, group, rep, key>
      %69 = model.constant 0.000000e+00 : f64
      %70 = model.compare gt %all, %69 : <f32, batch, seq, group, rep>, <f32>
      %71 = model.constant 1.000000e+00 : f64
      %72 = model.where %70, %all, %71 : <i1, batch, seq, group, rep>, <f32, batch, seq, group, rep>, <f32>
      %weights = model.div %e, %72 : <f32, batch, seq, group, rep, key>, <f32, batch, seq, group, rep>
      %73 = model.mul %weights, %55 : <f32, batch, seq, group, rep, key>, <f32, batch, key, group, dh>
      %y = model.sum ["key"] %73 : <f32, batch, seq, group, rep, key, dh>
      %weight_17 = model.param @layer.attn.o_proj.weight : <f32, group, rep, dh, model>
      %74 = model.mul %y, %weight_17 : <f32, batch, seq, group, rep, dh>, <f32, group, rep, dh, model>
      %o_proj = model.sum ["group", "rep", "dh"] %74 : <f32, batch, seq, group, rep, dh, model>
      %x_18 = model.add %x_2, %o_proj : <f32, batch, seq, model>, <f32, batch, seq, model>
      %weight_19 = model.param @layer.norm2.weight : <f32, model>
      %75 = model.constant 2.000000e+00 : f64
      %76 = model.pow %x_18, %75 : <f32, batch, seq, model>, <f32>
      %77 = model.sum ["model"] %76 : <f32, batch, seq, model>
      %78 = model.constant 1.200000e+01 : f64
      %79 = model.div %77, %78 : <f32, batch, seq>, <f32>
      %eps_20 = model.constant 9.9999999999999995E-7 : f64
      %80 = model.add %79, %eps_20 : <f32, batch, seq>, <f32>
      %81 = model.rsqrt %80 : <f32, batch, seq>
      %82 = model.mul %x_18, %81 : <f32, batch, seq, model>, <f32, batch, seq>
      %norm2 = model.mul %82, %weight_19 : <f32, batch, seq, model>, <f32, model>
      %weight_21 = model.param @layer.mlp.gate.weight : <f32, model, ff>
      %83 = model.mul %norm2, %weight_21 : <f32, batch, seq, model>, <f32, model, ff>
      %gate = model.sum ["model"] %83 : <f32, batch, seq, model, ff>
      %84 = model.neg %gate : <f32, batch, seq, ff>
      %85 = model.exp %84 : <f32, batch, seq, ff>
      %86 = model.constant 1.000000e+00 : f64
      %87 = model.add %86, %85 : <f32>, <f32, batch, seq, ff>
      %88 = model.constant 1.000000e+00 : f64
      %89 = model.div %88, %87 : <f32>, <f32, batch, seq, ff>
      %90 = model.mul %gate, %89 : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_22 = model.param @layer.mlp.up.weight : <f32, model, ff>
      %91 = model.mul %norm2, %weight_22 : <f32, batch, seq, model>, <f32, model, ff>
      %up = model.sum ["model"] %91 : <f32, batch, seq, model, ff>
      %92 = model.mul %90, %up : <f32, batch, seq, ff>, <f32, batch, seq, ff>
      %weight_23 = model.param @layer.mlp.down.weight : <f32, ff, model>
      %93 = model.mul %92, %weight_23 : <f32, batch, seq, ff>, <f32, ff, model>
      %down = model.sum ["ff"] %93 : <f32, batch, seq, ff, model>
      %x_24 = model.add %x_18, %down : <f32, batch, seq, model>, <f32, batch, seq, model>
      model.yield %x_24 : !model.tensor<f32, batch, seq, model>
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
    return %head : !model.tensor<f32, batch, seq, vocab>
  }
}
