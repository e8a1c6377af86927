"""Reading and writing safetensors with nothing but the standard library, and how far two tensors are apart."""
import array
import json
import math
import struct

CODES = {"F32": "f", "F64": "d", "I32": "i", "I64": "q", "BOOL": "B", "U8": "B"}


def read(path):
    """name -> (element type, shape, values)"""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header, rest = json.loads(data[8 : 8 + length]), data[8 + length :]
    header.pop("__metadata__", None)
    tensors = {}
    for name, about in header.items():
        block = rest[slice(*about["data_offsets"])]
        if about["dtype"] == "F16":
            values = array.array("f", struct.unpack(f"<{len(block) // 2}e", block))
        elif about["dtype"] == "BF16":  # the upper half of a float
            wide = b"".join(b"\0\0" + block[i : i + 2] for i in range(0, len(block), 2))
            values = array.array("f", struct.unpack(f"<{len(block) // 2}f", wide))
        else:
            values = array.array(CODES[about["dtype"]])
            values.frombytes(block)
        tensors[name] = (about["dtype"], about["shape"], values)
    return tensors


def write(path, tensors):
    header, blocks, at = {}, [], 0
    for name, (kind, shape, values) in tensors.items():
        block = struct.pack(f"<{len(values)}e", *values) if kind == "F16" else values.tobytes()
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(block)]}
        blocks.append(block)
        at += len(block)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blocks))


def farthest(found, expected):
    """The largest difference, and the largest magnitude expected. NaN meets only NaN, an infinity only itself."""
    a, b = found[2], expected[2]
    if len(a) != len(b):
        return math.inf, 1.0
    most = largest = 0.0
    for x, y in zip(a, b):
        if math.isnan(y) or math.isinf(y) or math.isnan(x):
            if not (math.isnan(x) and math.isnan(y)) and x != y:
                return math.inf, 1.0
            continue
        most, largest = max(most, abs(x - y)), max(largest, abs(y))
    return most, largest
