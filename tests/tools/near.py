"""near.py A B: whether two safetensors files hold the same float tensors, to 1e-5 of the largest number of each."""
import array
import json
import struct
import sys


def tensors(path):
    data = open(path, "rb").read()
    (length,) = struct.unpack("<Q", data[:8])
    for name, what in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = what["data_offsets"]
            yield name, array.array("f", data[8 + length + begin:8 + length + end])


a, b = (dict(tensors(path)) for path in sys.argv[1:])
assert a.keys() == b.keys() and a, (a.keys(), b.keys())
for name, values in a.items():
    assert len(values) == len(b[name]) > 0, name
    far = max(abs(x - y) for x, y in zip(values, b[name])) / max(map(abs, values))
    assert far <= 1e-5, f"{name} differs by {far}"
