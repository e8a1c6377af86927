"""What `config.json` says of a model is held against the program: an eps, a base, an activation, a scaling or a tie that differs is
refused with both values and with what makes them fit; what the clause is silent on is named. Usage: import_config.py WEFT"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES.parent / "tests/record"))
import safetensors

LLAMA = {"architectures": ["LlamaForCausalLM"], "attention_bias": False, "attention_dropout": 0.0, "bos_token_id": 1, "hidden_act": "silu",
         "hidden_size": 8, "initializer_range": 0.02, "intermediate_size": 12, "max_position_embeddings": 16, "mlp_bias": False,
         "model_type": "llama", "num_attention_heads": 2, "num_hidden_layers": 1, "num_key_value_heads": 1, "pretraining_tp": 1,
         "rms_norm_eps": 1e-6, "rope_scaling": None, "rope_theta": 10000.0, "tie_word_embeddings": False, "use_cache": True, "vocab_size": 10}
SCALED = {"factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}
GPT2 = {"activation_function": "gelu_new", "attn_pdrop": 0.1, "layer_norm_epsilon": 1e-05, "model_type": "gpt2", "n_ctx": 16, "n_embd": 8,
        "n_head": 2, "n_layer": 1, "n_positions": 16, "scale_attn_weights": True, "summary_type": "cls_index", "vocab_size": 10}
BERT = {"hidden_act": "gelu", "hidden_dropout_prob": 0.1, "layer_norm_eps": 1e-12, "num_attention_heads": 2, "position_embedding_type": "absolute",
        "type_vocab_size": 2, "classifier_dropout": None}
VIT = {"hidden_act": "gelu", "layer_norm_eps": 1e-12, "num_attention_heads": 2, "qkv_bias": True, "patch_size": 2, "image_size": 4, "num_channels": 3}


class Model:
    """An example with small sizes, and a foreign folder that has its first parameters."""
    def __init__(self, weft, folder, example, sizes, config):
        self.weft, self.folder, self.example, self.sizes, self.config = weft, folder / example.replace("/", "-"), EXAMPLES / example, sizes, config
        self.foreign = self.folder / "theirs"
        self.foreign.mkdir(parents=True)
        self.fill("")

    def run(self, command, *words, sets="", code=0):
        given = ",".join(filter(None, (self.sizes, sets)))
        done = subprocess.run([str(word) for word in (self.weft, command, self.example, "--set", given, *words)], capture_output=True, text=True)
        assert done.returncode == code, (command, words, sets, done.returncode, done.stderr)
        return done.stderr

    def fill(self, sets):
        """Parameters of the model under these settings, as others would have them."""
        self.run("init", "--seed", 1, "-o", self.folder / "first", sets=sets)
        self.run("export", "--from", self.folder / "first", "-o", self.foreign / "model.safetensors", sets=sets)

    def take(self, changes=None, without=(), sets="", code=0):
        config = {key: value for key, value in {**self.config, **(changes or {})}.items() if key not in without}
        (self.foreign / "config.json").write_text(json.dumps(config))
        return self.run("import", "--from", self.foreign, "-o", self.folder / "ours", sets=sets, code=code)

    def fits(self, changes=None, without=(), sets="", says=""):
        said = self.take(changes, without, sets)
        assert said == says, (changes, said)

    def differs(self, what, changes=None, without=(), sets="", lines=1):
        said = self.take(changes, without, sets, code=1)
        assert what in said and said.count("\n") == lines and "config.json: " in said, (what, said)
        return said

    def mended(self, what, changes=None, without=(), sets=""):
        """It differs, and the settings that the message names make it fit."""
        said = self.differs(what, changes, without, sets)
        given = dict(each.split("=") for each in [*filter(None, sets.split(",")), *re.findall(r"--set ([^`]+)`", said)])
        self.fits(changes, without, ",".join(f"{name}={value}" for name, value in given.items()))


def llama(weft, folder):
    model = Model(weft, folder, "gpt/llama.weft", "vocab=10,position=16,model=8,group=1,rep=2,dh=4,ff=12,layer=1", LLAMA)
    model.fits()
    model.mended("`rope_theta` is 500000.0, here `base` is 10000: a program that fits is made with `--set base=500000`", {"rope_theta": 500000.0})
    model.mended("`rope_theta` is not said, which means 10000, here `base` is 500000", without=["rope_theta"], sets="base=500000")
    model.mended("`rms_norm_eps` is 1e-05, here `eps` is 1e-06", {"rms_norm_eps": 1e-5})
    model.fits({"rms_norm_eps": 9.999999974752427e-07})  # rounded to a float on its way
    model.differs('`hidden_act` is "gelu", the clause says silu: the program\'s text is of another model', {"hidden_act": "gelu"})
    model.fits({"hidden_act": "swish"})
    model.differs("`rms_norm_eps` is \"1e-6\", here `eps` is 1e-06: a number was expected\n", {"rms_norm_eps": "1e-6"})
    model.differs("`rms_norm_eps` is false, here `eps` is 1e-06: a number was expected\n", {"rms_norm_eps": False})
    model.differs("`tie_word_embeddings` is 1, here `tied` is false: true or false was expected\n", {"tie_word_embeddings": 1})
    model.differs("it says no `rms_norm_eps`; is it `rms_norm_epz`?", {"rms_norm_epz": 1e-6}, ["rms_norm_eps"])
    model.differs("`num_attention_heads` is 4, here it is 2 (group = 1, rep = 2)", {"num_attention_heads": 4})
    # scaled rotations: all that is said of them counts, wherever it stands
    model.mended("`rope_scaling.factor` is 8.0, here `stretch` is 1", {"rope_scaling": SCALED})
    model.fits({"rope_scaling": SCALED}, sets="stretch=8.0")
    model.fits({"rope_parameters": {**SCALED, "rope_theta": 10000.0}}, ["rope_theta", "rope_scaling"], sets="stretch=8.0")
    model.fits({"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}, ["rope_theta", "rope_scaling"])
    model.mended("`rope_theta` is 5000.0, here `base` is 10000", {"rope_parameters": {"rope_type": "default", "rope_theta": 5000.0}}, ["rope_theta"])
    model.differs("`rope_scaling.factor` is not said, which means 1, here `stretch` is 8", sets="stretch=8.0")
    model.fits({}, ["rope_scaling"])  # as before there was any scaling
    model.differs("`rope_scaling.factor` is not said, which means 1, here `stretch` is 8", without=["rope_scaling"], sets="stretch=8.0")
    # what a file says in two places
    newer = {**SCALED, "rope_theta": 10000.0}
    model.fits({"rope_scaling": SCALED, "rope_parameters": newer}, sets="stretch=8.0")
    model.fits({"rope_parameters": newer}, sets="stretch=8.0")  # beside `"rope_scaling": null`
    model.differs("`rope_scaling.factor` is 8.0, here `stretch` is 1", {"rope_parameters": newer})
    model.differs("`rope_theta` is 10000.0, and `rope_parameters.rope_theta` is 5000.0: which one counts?",
                  {"rope_parameters": {"rope_type": "default", "rope_theta": 5000.0}}, lines=2)
    model.differs('`rope_scaling` is null, and `rope_parameters` is {', {"rope_scaling": {"rope_type": "default"}, "rope_parameters": newer}, sets="stretch=8.0")
    model.differs('`rope_scaling.type` is "linear", and `rope_scaling.rope_type` is "llama3": which one counts?',
                  {"rope_scaling": {**SCALED, "type": "linear"}}, sets="stretch=8.0", lines=2)
    model.differs('`rope_scaling.rope_type` is "linear", the clause says "llama3"', {"rope_scaling": {**SCALED, "rope_type": "linear"}}, sets="stretch=8.0")
    model.differs('`rope_scaling.rope_type` is "linear"', {"rope_scaling": {"type": "linear", "factor": 8.0}}, sets="stretch=8.0", lines=4)
    model.differs("`rope_scaling.low_freq_factor` is 2.0, the clause says 1", {"rope_scaling": {**SCALED, "low_freq_factor": 2.0}}, sets="stretch=8.0")
    model.differs("`rope_scaling.attention_factor` is 0.5, and the clause does not say what that is here",
                  {"rope_scaling": {**SCALED, "attention_factor": 0.5}}, sets="stretch=8.0")
    # what no rule is about, and changes results
    for field, value in (("sliding_window", 4096), ("attention_bias", True), ("mlp_bias", True), ("logit_scale", 0.0625), ("partial_rotary_factor", 0.5),
                         ("final_logit_softcapping", 30.0), ("layer_types", ["full_attention", "sliding_attention"]), ("query_pre_attn_scalar", 256),
                         ("layer_norm_eps", 1e-5), ("hidden_activation", "gelu_pytorch_tanh"), ("n_head", 2), ("num_experts_per_tok", 2)):
        model.differs(f"`{field}` is {json.dumps(value, separators=(',', ':'))}, and the clause does not say", {field: value})
    for field, value in (("sliding_window", None), ("layer_types", ["full_attention"]), ("logit_scale", 1), ("partial_rotary_factor", 1.0), ("rope_scaling", None)):
        model.fits({field: value})
    model.fits({"sliding_window": 4096, "use_sliding_window": False})
    said = model.take({"some_new_thing": 3})
    assert said.endswith("config.json: nothing here is compared with `some_new_thing`\n"), said
    # a model that ties its head to its table, and one that says nothing of it: that means it does
    model.differs("`tie_word_embeddings` is true, here `tied` is false", {"tie_word_embeddings": True})
    model.fill("tied=true")
    model.fits({"tie_word_embeddings": True}, sets="tied=true")
    model.fits({}, ["tie_word_embeddings"], sets="tied=true")
    model.differs("`tie_word_embeddings` is false, here `tied` is true", sets="tied=true")


def others(weft, folder):
    sizes = "vocab=10,position=16,model=8,head=2,layer=1"
    for example in ("gpt/gpt2.weft", "gpt/huggingface.weft"):
        model = Model(weft, folder, example, sizes, GPT2)
        model.fits()
        model.differs("`layer_norm_epsilon` is 1e-06, the clause says 1e-05", {"layer_norm_epsilon": 1e-6})
        model.differs("`scale_attn_by_inverse_layer_idx` is true, and the clause", {"scale_attn_by_inverse_layer_idx": True})
        model.differs("`tie_word_embeddings` is false, the clause says true", {"tie_word_embeddings": False})
    tensors = safetensors.read(model.foreign / "model.safetensors")
    name = next(each for each in tensors if each.endswith("attn.c_attn.weight"))
    safetensors.write(model.foreign / "model.safetensors", {**tensors, name: (tensors[name][0], [8, 3, 2, 4], tensors[name][2])})
    said = model.take(code=1)
    assert said.endswith('so that `weft export` makes them again: `"…" = …: [model, role, head, dh]`\n'), said
    safetensors.write(model.foreign / "model.safetensors", tensors)
    model.mended('`activation_function` is "gelu", here `act` is gelu_tanh: a program that fits is made with `--set act=gelu`', {"activation_function": "gelu"})
    model.differs('`activation_function` is "swiglu", which is no function here that Weft knows of', {"activation_function": "swiglu"})
    bert = Model(weft, folder, "bert/bert.weft", "vocab=50,position=16,model=8,head=2,ff=16,layer=1", BERT)
    bert.fits()
    bert.mended("`layer_norm_eps` is 1e-05, here `eps` is 1e-12", {"layer_norm_eps": 1e-5})
    bert.differs('`hidden_act` is "relu", the clause says gelu', {"hidden_act": "relu"})
    bert.differs('`position_embedding_type` is "relative_key", and the clause', {"position_embedding_type": "relative_key"})
    bert.differs("`is_decoder` is true, and the clause", {"is_decoder": True})
    vit = Model(weft, folder, "vit/vit-base.weft", "channel=3,height=4,width=4,ph=2,pw=2,model=8,head=2,ff=12,layer=1,kind=5", VIT)
    vit.fits()
    vit.mended("`layer_norm_eps` is 1e-06, here `eps` is 1e-12", {"layer_norm_eps": 1e-6})
    patches(vit)


def patches(vit):
    """The projection of patches comes back as it was, [out, channel, row, column]; another cut is refused with the layout that fits."""
    tensors = safetensors.read(vit.foreign / "model.safetensors")
    name = "vit.embeddings.patch_embeddings.projection.weight"
    assert tensors[name][1] == [8, 3, 2, 2], tensors[name][1]
    before = (vit.foreign / "model.safetensors").read_bytes()
    vit.fits()
    vit.run("export", "--from", vit.folder / "ours", "-o", vit.folder / "back.safetensors")
    assert (vit.folder / "back.safetensors").read_bytes() == before
    safetensors.write(vit.foreign / "model.safetensors", {**tensors, name: (tensors[name][0], [8, 12], tensors[name][2])})
    said = vit.take(code=1)
    assert f"`{name}` is [8, 12], the layout of `patches.weight` says [model = 8, channel = 3, ph = 2, pw = 2]" in said, said


PLAIN = """dim batch, model, ff
option act = relu, rate = 0.5, switch = true
entry run(x: [batch, model]) -> [batch, ff] {
  y = act(up: Linear[model, ff](x)) * rate
  if switch { y } else { -y }
}
weights theirs { Linear.weight: [out, in], option "rate" = 2 * rate, option "kind" = "plain", option "switch" = not switch, ignore option "hidden_act" }
weights square { "up" = up }
weights coarse { Linear.weight: [in, out] }
"""


def clauses(weft, folder):
    """What a clause may say of an option: an expression, a text, a switch, or nothing."""
    program = folder / "plain.weft"
    program.write_text(PLAIN)
    foreign = folder / "plain"
    foreign.mkdir()

    def run(command, *words, sets="model=4,ff=6", code=0):
        done = subprocess.run([str(word) for word in (weft, command, program, "--set", sets, *words)], capture_output=True, text=True)
        assert done.returncode == code, (words, done.stderr)
        return done.stderr

    run("init", "--seed", 1, "-o", folder / "plain-first")
    run("export", "--clause", "theirs", "--from", folder / "plain-first", "-o", foreign / "model.safetensors")
    for config, said in (({"rate": 1, "kind": "plain", "switch": False, "hidden_act": "any"}, ""),
                         ({"rate": 2, "kind": "plain", "switch": False}, "`rate` is 2, the clause says 1"),
                         ({"rate": 1, "kind": "plane", "switch": False}, '`kind` is "plane", the clause says "plain"'),
                         ({"rate": 1, "kind": "plain", "switch": True}, "`switch` is true, the clause says false"),
                         ({"rate": 1, "switch": False}, "it says no `kind`")):
        (foreign / "config.json").write_text(json.dumps(config))
        error = run("import", "--clause", "theirs", "--from", foreign, "-o", folder / "plain-ours", code=1 if said else 0)
        assert said in error and (said or not error), (said, error)
    # of an object of which the clause names a part, the other parts are said
    program.write_text(PLAIN.replace('"kind" = "plain"', '"kind.of.it" = "plain"'))
    (foreign / "config.json").write_text(json.dumps({"rate": 1, "switch": False, "kind": {"of": {"it": "plain", "them": 1}, "more": {"a": 2}}, "new": {"b": 3}}))
    error = run("import", "--clause", "theirs", "--from", foreign, "-o", folder / "plain-ours")
    assert error.endswith("nothing here is compared with `kind.more`, `kind.of.them`, `new`\n"), error
    program.write_text(PLAIN)
    deep = "[" * 100000
    (foreign / "config.json").write_text('{"rate":\n' + deep)
    error = run("import", "--clause", "theirs", "--from", foreign, "-o", folder / "none", code=1)
    assert "config.json: is not the JSON of a configuration: it is nested more than 200 deep at line 2, column 200" in error, error
    (foreign / "model.safetensors.index.json").write_text('{"weight_map": ' + deep)
    (foreign / "config.json").unlink()
    error = run("import", "--clause", "theirs", "--from", foreign, "-o", folder / "none", code=1)
    assert "index.json: is no index of safetensors files: it is nested more than 200 deep" in error, error
    # transposed, a square tensor has the same shape: the clause says which it is, or nothing is read or written
    for command, source in (("import", foreign / "model.safetensors"), ("export", folder / "plain-first")):
        error = run(command, "--clause", "square", "--from", source, "-o", folder / "none", sets="model=4,ff=4", code=1)
        assert "E0620" in error and "`model` and `ff` of `up.weight` are both 4 long" in error and "`Linear.weight: [in, out]` as here, or" in error, error
    run("export", "--clause", "square", "--from", folder / "plain-first", "-o", folder / "oblong")
    # a file that cuts axes finer than the clause would come back with fewer
    tensors = safetensors.read(folder / "oblong")
    safetensors.write(folder / "finer", {**tensors, "up.weight": (tensors["up.weight"][0], [4, 6, 1], tensors["up.weight"][2])})
    error = run("import", "--clause", "coarse", "--from", folder / "finer", "-o", folder / "none", code=1)
    assert "`up.weight` is [4, 6, 1], the layout of `up.weight` says [model = 4, ff = 6]" in error, error


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        for test in (llama, others, clauses):
            test(sys.argv[1], pathlib.Path(name))
    print("ok")
