"""What the peers of training share: the protocol of a peer that is timed."""
import time

import torch


def serve(step):
    """Reads lines from standard input, takes that many steps for each, prints the ms of one (the median); PyTorch's version first."""
    for _ in range(2):
        step()
    print(torch.__version__, flush=True)
    while True:
        try:
            count = int(input())
        except EOFError:
            return
        times = []
        for _ in range(count):
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
        print(sorted(times)[len(times) // 2] * 1e3, flush=True)


def update(model, optimizer, loss):
    """A step down the gradient, clipped to norm 1, of what the function `loss` gives; the loss before it."""
    optimizer.zero_grad(set_to_none=True)
    value = loss()
    value.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return value
