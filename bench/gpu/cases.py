"""What a bundle for a machine with a GPU is made of: examples at small sizes, and programs that are timed at large ones."""

# Example -> the sizes that it leaves open; those of dimensions that only come with the data stand in RUN.
EXAMPLES = {
    "attention/attention": dict(d=16, width=24),
    "attention/heads": dict(qwidth=20, kwidth=12, vwidth=16, model=32, head=4),
    "attention/lengths": dict(d=16, width=24),
    "attention/masks": dict(d=16, width=24),
    "attention/pooling": {},
    "attention/scoring": dict(dq=12, dk=16, width=24, hidden=20),
    "bert/bert": dict(vocab=211, position=64, model=64, head=4, ff=96, layer=2),
    "bert/sentences": dict(vocab=211, position=64, model=64, head=4, ff=96, layer=2),
    "encoders/fused-projection": dict(model=48, head=4, ff=96, layer=2),
    "encoders/shared-projection": dict(model=48, head=4, ff=96, layer=2),
    "encoders/text-encoder": dict(vocab=211, model=60, head=4, ff=50, layer=2),
    "gpt/gpt": dict(vocab=211, position=64, model=64, head=4, layer=2),
    "gpt/gpt2": dict(vocab=211, position=64, model=64, head=4, layer=2),
    "gpt/llama": dict(vocab=211, position=64, model=64, group=2, rep=2, dh=16, ff=176, layer=2),
    "gpt/stories": dict(vocab=211, position=64, model=64, group=4, rep=2, dh=8, ff=172, layer=2),
    "pieces/positions": dict(pos=17, d=24, vocab=50),
    "translation/translation": dict(svocab=54, tvocab=61, model=48, head=4, ff=64, below=2, above=2),
    "translation/transformer": dict(norm="ScalarNorm", rate=0, svocab=54, tvocab=61, model=48, head=4, ff=64, below=2, above=2),
    "translation/transliteration": dict(svocab=51, tvocab=43, model=32, head=8, ff=128, below=2, above=2),
    "vit/mnist": dict(height=28, width=28, ph=7, pw=7, model=64, head=4, dh=16, ff=128, layer=2, digit=10),
    "vit/cifar": dict(channel=3, height=32, width=32, ph=8, pw=8, head=6, ff=32, layer=2, hidden1=16, **{"class": 10}),
    "vit/vit-base": dict(channel=3, height=32, width=32, ph=8, pw=8, model=48, head=4, ff=96, layer=2, kind=10),
}

RUN = dict(batch=2, head=3, query=9, key=13, seq=33, person=11, word=7, src=11, tgt=9, known=5, new=1, pos=17)
USUAL = 6  # of a dimension that RUN does not name

# Trainings of 20 steps on both devices: program, how it is built, data, options.
TRAININGS = [
    ("gpt/gpt", ["--config", "tiny"], "text:prose", ["--batch", "4", "--seq", "33"]),
    ("translation/translation", ["--config", "full", "--set", "svocab=24,tvocab=24,model=32,head=2,ff=32,below=1,above=1"], "pairs:pairs.tsv",
     ["--batch", "8", "--min-count", "1", "--validate-on", "8"]),
    ("vit/mnist", ["--config", "small"], "images:digits", ["--batch", "8"]),
]

# What is timed: its name, the program and how it is built, what is run of it and at which sizes, what one run is: FLOPs, bytes to and from
# memory, or tokens; and the families of kernels that count, or none where the whole run does. What an entry is given comes from this side of the
# bus and in float32, which PyTorch's does not. peers.py has the same by the names.
GPT2 = ["--config", "gpt2_124m"]


def product(rows, inner, columns):
    name = f"product {rows}x{inner}x{columns}"
    return name, "speeds/product", ["--set", f"in={inner},out={columns}"], "product", dict(row=rows), dict(flops=2 * rows * inner * columns), ["contraction"]


def attention(name, entry, batch, seq, passes):
    flops = passes * 2 * batch * 16 * seq * seq * 128 // 2  # causal: half
    return f"attention {name} {seq}", "speeds/attention", ["--set", "head=16,d=128"], entry, dict(batch=batch, seq=seq), dict(flops=flops), ["attention", "attention_grad"]


SPEEDS = [
    product(8192, 8192, 8192),
    product(32768, 768, 3072),
    product(32768, 3072, 768),
    product(1, 768, 50257),
    attention("forward", "attention", 4, 4096, 2),
    attention("backward", "loss.gradient", 4, 4096, 7),
    ("norm", "speeds/rows", ["--set", "model=768,class=50257"], "norm", dict(row=131072), dict(bytes=2 * 131072 * 768 * 4), ["rows"]),
    ("cross entropy", "speeds/rows", ["--set", "model=768,class=50257"], "entropy", dict(row=8192), dict(bytes=8192 * 50257 * 4), ["rows", "table"]),
    ("training step GPT-2 124M", "gpt/gpt", GPT2, "train", dict(batch=32, seq=1024), dict(tokens=32 * 1024), []),
    ("prefill GPT-2 124M", "gpt/gpt", GPT2, "logits", dict(batch=8, seq=1024), dict(tokens=8 * 1024), []),
    ("decoding GPT-2 124M", "gpt/gpt", GPT2, "generate", {}, dict(tokens=1, bytes=4 * 124_439_808), []),
]
