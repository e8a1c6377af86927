"""Safetensors in plain Python: flat lists of numbers with shapes."""
import array
import json
import struct

CODES = {"F32": "f", "F64": "d", "I32": "i", "I64": "q"}


def read(path):
    """{name: (shape, flat array)}"""
    data = path.read_bytes()
    length, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    out = {}
    for name, entry in header.items():
        begin, end = (8 + length + at for at in entry["data_offsets"])
        values = array.array(CODES[entry["dtype"]])
        values.frombytes(data[begin:end])
        out[name] = (entry["shape"], values)
    return out


def write(path, tensors):
    """Writes {name: (shape, numbers)} as F32."""
    header, body = {}, b""
    for name, (shape, values) in tensors.items():
        part = array.array("f", values).tobytes()
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(part)]}
        body += part
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def transposed(shape, values):
    rows, columns = shape
    return [values[r * columns + c] for c in range(columns) for r in range(rows)]
