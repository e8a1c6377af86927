"""The peers on a GPU: PyTorch, with cuBLAS, its attention and torch.compile. peers.py NAME PRECISION: reads counts from standard input and prints the
ms of one run for each, PyTorch's version first. Exits with 77 where PyTorch or its device is not there."""
import sys

try:
    import torch
    from torch.nn import functional as F
except ImportError:
    sys.exit(77)

DEVICE = "cuda"


def product(words, kind):
    rows, inner, columns = map(int, words[0].split("x"))
    x, weight = (torch.randn(*shape, device=DEVICE, dtype=kind) for shape in ((rows, inner), (inner, columns)))
    return lambda: x @ weight


def attention(words, kind):
    seq = int(words[1])
    q, k, v = (torch.randn(4, 16, seq, 128, device=DEVICE, dtype=kind, requires_grad=words[0] == "backward") for _ in range(3))
    if words[0] == "forward":
        return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)
    weights = torch.randn_like(q)

    def both():  # a gradient is asked for with the values that it begins with, as ours is
        torch.autograd.grad(F.scaled_dot_product_attention(q, k, v, is_causal=True), (q, k, v), weights)
    return both


def rows(name, kind):
    if name == "norm":
        x = torch.randn(131072, 768, device=DEVICE, dtype=kind)
        weight, bias = torch.ones(768, device=DEVICE, dtype=kind), torch.zeros(768, device=DEVICE, dtype=kind)
        return torch.compile(lambda: F.layer_norm(x, (768,), weight, bias))
    x, label = torch.randn(8192, 50257, device=DEVICE, dtype=kind), torch.randint(0, 50257, (8192,), device=DEVICE)
    return torch.compile(lambda: F.cross_entropy(x, label))


def gpt2(name, kind):
    from torch_gpt import GPT
    model = GPT(50257, 1024, 768, 12, 12).to(DEVICE)
    narrow = torch.autocast(DEVICE, dtype=torch.bfloat16, enabled=kind == torch.bfloat16)
    if name.startswith("training"):
        from torch_steps import update
        tokens = torch.randint(0, 50257, (32, 1025), device=DEVICE)
        optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
        compiled = torch.compile(model)

        def loss():
            with narrow:
                return F.cross_entropy(compiled(tokens[:, :-1]).reshape(-1, 50257), tokens[:, 1:].reshape(-1))
        return lambda: update(model, optimizer, loss)
    if name.startswith("prefill"):
        tokens, compiled = torch.randint(0, 50257, (8, 1024), device=DEVICE), torch.compile(model.to(kind))
        with torch.no_grad():
            return lambda: compiled(tokens)
    sys.exit(77)  # decoding is held against the memory's bandwidth


def subject(name, kind):
    first, *words = name.split()
    if first == "product":
        return product(words, kind)
    if first == "attention":
        return attention(words, kind)
    return rows(name, kind) if first in ("norm", "cross") else gpt2(name, kind)


def main(name, precision):
    if not torch.cuda.is_available():
        return 77
    torch.backends.cuda.matmul.allow_tf32 = False
    once = subject(name, torch.bfloat16 if precision == "bf16" else torch.float32)
    grads = "training" in name or "backward" in name
    with torch.set_grad_enabled(grads):
        for _ in range(3):
            once()
        print(torch.__version__, torch.cuda.get_device_name(), flush=True)
        for line in sys.stdin:
            times = []
            for _ in range(int(line)):
                begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                begin.record()
                once()
                end.record()
                torch.cuda.synchronize()
                times.append(begin.elapsed_time(end))
            print(sorted(times)[len(times) // 2], flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
