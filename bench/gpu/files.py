"""Inputs of an entry as `info --json` describes it, and what is compared with what."""
import array
import math
import random

import safetensors


def sizes_of(facts, given):
    """Name -> size of every dimension, those that are derived of others worked out."""
    sizes = {}
    dims = facts["dims"]
    for dim in dims:
        if dim["size"] is not None:
            sizes[dim["name"]] = dim["size"]
    for dim in dims:
        if dim["size"] is None and not dim["derived"]:
            sizes[dim["name"]] = given(dim["name"], dim["bound"])
    for dim in dims:
        if dim["name"] not in sizes:
            sizes[dim["name"]] = value_of(dim["formula"], [sizes.get(each["name"]) for each in dims])
    return sizes


def value_of(formula, sizes):
    """A sum of products `[factor, dimension, ...]`, or one divided by another."""
    if isinstance(formula, dict):
        return value_of(formula["above"], sizes) // value_of(formula["below"], sizes)
    return sum(math.prod(sizes[dim] for dim in term[1:]) * term[0] for term in formula)


def inputs_of(entry, facts, sizes, seed):
    """Floats around 0, indices inside their dimension, lengths that are there, switches either way."""
    draw = random.Random(seed)
    tensors = {}
    for argument in entry["inputs"]:
        shape = [sizes[facts["dims"][dim]["name"]] for dim in argument["dims"]]
        count = math.prod(shape)
        if argument["element"] == "bool":
            tensors[argument["name"]] = "BOOL", shape, array.array("B", (draw.random() < 0.7 for _ in range(count)))
        elif argument["element"] == "int":
            least, most = 1, 5
            if argument["index"] is not None:
                least, most = 0, sizes[facts["dims"][argument["index"]]["name"]] - 1
            tensors[argument["name"]] = "I32", shape, array.array("i", (draw.randint(least, most) for _ in range(count)))
        else:
            tensors[argument["name"]] = "F32", shape, array.array("f", (draw.gauss(0, 1) for _ in range(count)))
    return tensors


def shake(path, seed):
    """Other numbers than initial ones, whose zeros and ones would hide mistakes."""
    draw = random.Random(seed)
    tensors = safetensors.read(path)
    for name, (kind, shape, values) in tensors.items():
        if kind == "F32":
            tensors[name] = kind, shape, array.array("f", (value + draw.gauss(0, 0.1) for value in values))
    safetensors.write(path, tensors)


def rounded(tensors):
    """Floats to the nearest bfloat16, even on a tie."""
    def each(kind, shape, values):
        if kind != "F32":
            return kind, shape, values
        bits = array.array("I", values.tobytes())
        nearest = array.array("I", ((word + 0x7FFF + (word >> 16 & 1)) & 0xFFFF0000 for word in bits))
        return kind, shape, array.array("f", nearest.tobytes())
    return {name: each(*tensor) for name, tensor in tensors.items()}


def apart(found, expected):
    """Tensor -> the largest difference, as a share of the largest magnitude of its file; infinite where it is missing. Where all cancel to
    nothing, as in the gradient of a softmax that is added up, 1e-3 is what is off by."""
    scale = max([safetensors.farthest(tensor, tensor)[1] for tensor in expected.values()] + [1e-3])
    return {name: safetensors.farthest(found[name], tensor)[0] / scale if name in found else float("inf")
            for name, tensor in expected.items()}
