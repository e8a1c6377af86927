"""Data to train on that a bundle takes along: a text, sentences in pairs, and small pictures of two kinds."""
import itertools
import random
import struct

WHO = [("I", "je"), ("you", "tu"), ("he", "il"), ("she", "elle")]
WHAT = [("eat", "mange"), ("sing", "chante"), ("walk", "marche"), ("dance", "danse"), ("speak", "parle")]
WHEN = [("", ""), (" today", " aujourd'hui"), (" here", " ici"), (" now", " maintenant")]


def prose(path, pages):
    """The text of some pages, one behind the other."""
    path.write_text("\n".join(page.read_text() for page in pages))


def pairs(path):
    path.write_text("".join(f"{a} {b}{c}.\t{x} {y}{z}.\n" for (a, x), (b, y), (c, z) in itertools.product(WHO, WHAT, WHEN)))


def digits(folder, side=28):
    """Files as MNIST's: noise that is dark or light."""
    folder.mkdir(exist_ok=True)
    draw = random.Random(1)
    for part, count in (("train", 64), ("t10k", 16)):
        labels = [draw.randrange(2) for _ in range(count)]
        pixels = bytes(20 + 160 * label + draw.randrange(40) for label in labels for _ in range(side * side))
        (folder / f"{part}-images-idx3-ubyte").write_bytes(idx((count, side, side), pixels))
        (folder / f"{part}-labels-idx1-ubyte").write_bytes(idx((count,), bytes(labels)))


def idx(shape, values):
    return bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + values
