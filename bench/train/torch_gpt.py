"""One training step of a GPT in PyTorch, eager: a peer to time (torch_steps.serve).

The same model and the same work as examples/gpt: pre-norm blocks, tanh-GELU, tied output, mean cross entropy, clipping to norm 1, AdamW.
"""
import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch_steps import serve, update


class Block(nn.Module):
    def __init__(self, model, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(model), nn.LayerNorm(model)
        self.qkv, self.out = nn.Linear(model, 3 * model), nn.Linear(model, model)
        self.up, self.down = nn.Linear(model, 4 * model), nn.Linear(4 * model, model)

    def forward(self, x):
        batch, seq, model = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, seq, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(batch, seq, model))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class GPT(nn.Module):
    def __init__(self, vocab, position, model, heads, layers):
        super().__init__()
        self.table, self.place = nn.Embedding(vocab, model), nn.Embedding(position, model)
        self.blocks = nn.ModuleList(Block(model, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(model)
        for table in (self.table, self.place):  # as the program does; logits of a wider one would underflow into denormals
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, tokens):
        x = self.table(tokens) + self.place.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.table.weight)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("vocab", "position", "model", "head", "layer", "batch", "seq", "threads"):
        parser.add_argument("--" + name, type=int, required=True)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    model = GPT(options.vocab, options.position, options.model, options.head, options.layer)
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    tokens = torch.randint(0, options.vocab, (options.batch, options.seq + 1))

    def loss():
        return F.cross_entropy(model(tokens[:, :-1]).reshape(-1, options.vocab), tokens[:, 1:].reshape(-1))

    serve(lambda: update(model, optimizer, loss))


if __name__ == "__main__":
    main()
