"""One training step of a vision transformer in PyTorch, eager: a peer to time (torch_steps.serve).

The same model and the same work as examples/vit/mnist.weft: class token, learned positions, pre-norm blocks with one projection for
q, k and v, ReLU, cross entropy, clipping to norm 1, AdamW.
"""
import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch_steps import serve, update


class Block(nn.Module):
    def __init__(self, model, heads, width, hidden):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(model), nn.LayerNorm(model)
        self.qkv, self.out = nn.Linear(model, 3 * heads * width, bias=False), nn.Linear(heads * width, model)
        self.up, self.down = nn.Linear(model, hidden), nn.Linear(hidden, model)

    def forward(self, x):
        batch, tokens, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v)
        x = x + self.out(y.transpose(1, 2).reshape(batch, tokens, -1))
        return x + self.down(F.relu(self.up(self.norm2(x))))


class ViT(nn.Module):
    def __init__(self, side, patch, model, heads, width, hidden, layers, classes):
        super().__init__()
        self.patch = patch
        self.embed = nn.Linear(patch * patch, model)
        self.cls = nn.Parameter(torch.randn(1, 1, model) * 0.02)
        self.places = nn.Parameter(torch.randn((side // patch) ** 2 + 1, model) * 0.02)
        self.blocks = nn.Sequential(*(Block(model, heads, width, hidden) for _ in range(layers)))
        self.norm, self.scores = nn.LayerNorm(model), nn.Linear(model, classes)

    def forward(self, image):
        batch, side, _ = image.shape
        rows = side // self.patch
        patches = image.view(batch, rows, self.patch, rows, self.patch).transpose(2, 3).reshape(batch, rows * rows, -1)
        x = torch.cat([self.cls.expand(batch, -1, -1), self.embed(patches)], 1) + self.places
        return self.scores(self.norm(self.blocks(x)[:, 0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("side", "patch", "model", "head", "dh", "ff", "layer", "digit", "batch", "threads"):
        parser.add_argument("--" + name, type=int, required=True)
    o = parser.parse_args()
    torch.set_num_threads(o.threads)
    torch.manual_seed(1)
    model = ViT(o.side, o.patch, o.model, o.head, o.dh, o.ff, o.layer, o.digit)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05, fused=True)
    image, label = torch.randn(o.batch, o.side, o.side), torch.randint(0, o.digit, (o.batch,))

    serve(lambda: update(model, optimizer, lambda: F.cross_entropy(model(image), label)))


if __name__ == "__main__":
    main()
