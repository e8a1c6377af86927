"""Writes GGUF files (ggml, docs/gguf.md), version 3: keys, then tensors at multiples of the alignment."""
import struct

UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
TYPES = {"F32": 0, "F16": 1, "I8": 24, "I32": 26, "F64": 28, "BF16": 30}


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def key(name, value):
    if isinstance(value, str):
        kind, data = STRING, text(value)
    elif isinstance(value, float):
        kind, data = FLOAT32, struct.pack("<f", value)
    elif isinstance(value, bool):
        kind, data = BOOL, bytes([value])
    elif isinstance(value, list):  # of texts, of numbers
        inner = STRING if value and isinstance(value[0], str) else INT32
        kind, data = ARRAY, struct.pack("<IQ", inner, len(value)) + b"".join(text(each) if inner == STRING else struct.pack("<i", each) for each in value)
    else:
        kind, data = UINT32, struct.pack("<I", value)
    return text(name) + struct.pack("<I", kind) + data


def gguf(keys, tensors, alignment=32):
    """`tensors`: name -> (number of the type, shape as numpy has it, bytes)."""
    if alignment != 32:
        keys = {**keys, "general.alignment": alignment}
    infos, data = b"", b""
    for name, (kind, shape, content) in tensors.items():
        data += bytes(-len(data) % alignment)
        infos += text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", size) for size in reversed(shape))
        infos += struct.pack("<IQ", kind, len(data))
        data += content
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(key(*each) for each in keys.items()) + infos
    return head + bytes(-len(head) % alignment) + data
