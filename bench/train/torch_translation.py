"""The translation model in PyTorch, as examples/translation/translation.weft with config `full`: post-norm blocks, no biases in attention."""
import math

import torch
from torch import nn
from torch.nn import functional as F

MODEL, HEADS, HIDDEN, LAYERS, RATE = 256, 4, 64, 2, 0.2


def dropped(x, module):
    return F.dropout(x, RATE, module.training)


def sinusoid(length):
    angle = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, MODEL, 2) / MODEL)
    return torch.stack([angle.sin(), angle.cos()], 2).flatten(1)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(MODEL, MODEL, bias=False) for _ in range(4))

    def forward(self, x, memory, keep):
        q, k, v = (each.unflatten(2, (HEADS, -1)).transpose(1, 2) for each in (self.q(x), self.k(memory), self.v(memory)))
        scores = q @ k.transpose(2, 3) / math.sqrt(MODEL // HEADS)
        weights = dropped(scores.masked_fill(~keep, -1e6).softmax(3), self)
        return self.out((weights @ v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, crosses):
        super().__init__()
        self.attention, self.cross = Attention(), Attention() if crosses else None
        self.up, self.down = nn.Linear(MODEL, HIDDEN), nn.Linear(HIDDEN, MODEL)
        self.norms = nn.ModuleList(nn.LayerNorm(MODEL) for _ in range(3 if crosses else 2))

    def forward(self, x, keep, memory=None, keep_memory=None):
        x = self.norms[0](x + dropped(self.attention(x, x, keep), self))
        if self.cross:
            x = self.norms[1](x + dropped(self.cross(x, memory, keep_memory), self))
        return self.norms[-1](x + dropped(self.down(self.up(x).relu()), self))


class Translation(nn.Module):
    def __init__(self, source_words, target_words):
        super().__init__()
        self.source, self.target = nn.Embedding(source_words, MODEL), nn.Embedding(target_words, MODEL)
        self.encoder = nn.ModuleList(Block(False) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(Block(True) for _ in range(LAYERS))
        self.dense = nn.Linear(MODEL, target_words)

    def embed(self, table, ids):
        return dropped(table(ids) * math.sqrt(MODEL) + sinusoid(ids.shape[1]), self)

    def forward(self, source, valid, target):
        keep = (torch.arange(source.shape[1]) < valid[:, None])[:, None, None]
        memory = self.embed(self.source, source)
        for block in self.encoder:
            memory = block(memory, keep)
        y, causal = self.embed(self.target, target), torch.ones(target.shape[1], target.shape[1]).tril().bool()
        for block in self.decoder:
            y = block(y, causal, memory, keep)
        return self.dense(y)
