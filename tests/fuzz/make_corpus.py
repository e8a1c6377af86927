"""Writes the binary files of corpus/ again; those that are text are written by hand. `gradient_4x3.jpg` is libjpeg's."""
import gzip
import json
import pathlib
import struct
import sys
import zlib

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
sys.path.append(str(CORPUS.parents[1] / "tools/gguf"))
import gguf as weights


def put(name, content):
    path = CORPUS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def safetensors(header, data):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


put("safetensors/two", safetensors({"a": tensor("F32", [2, 3], 0, 24), "b": tensor("BF16", [2], 24, 28), "__metadata__": {"x": "y"}}, bytes(28)))
put("safetensors/types", safetensors({name: tensor(kind, [1], at, at + size) for name, kind, at, size in (
    ("a", "I64", 0, 8), ("b", "F16", 8, 2), ("c", "BOOL", 10, 1), ("d", "U8", 11, 1), ("e", "F64", 12, 8))}, bytes(20)))
put("safetensors/scalar", safetensors({"s": tensor("F32", [], 0, 4), "none": tensor("F32", [0, 3], 4, 4)}, bytes(4)))


def llama2c(dim, hidden, layers, heads, kv_heads, vocab, length):
    width = dim // heads
    kept = vocab * dim + layers * (2 * dim + 2 * dim * dim + 2 * dim * kv_heads * width + 3 * dim * hidden) + dim + length * width
    return struct.pack("<7i", dim, hidden, layers, heads, kv_heads, vocab, length) + bytes(4 * kept)


put("llama2c/tied", llama2c(4, 6, 1, 2, 1, 3, 2))
put("llama2c/header", struct.pack("<7i", 4, 6, 1, 2, 2, 3, 2))


put("gguf/plain", weights.gguf({"general.architecture": "llama", "llama.block_count": 2, "llama.rope.freq_base": 10000.0, "llama.rope.scaling.type": "none"},
                               {"a": (0, (2, 3), bytes(24)), "b": (30, (5,), bytes(10))}))
put("gguf/blocks", weights.gguf({"general.architecture": "x", "x.names": ["a", "b"]}, {f"blk.{kind}": (kind, (1, 256), bytes(size)) for kind, size in (
    (2, 144), (3, 160), (6, 176), (7, 192), (8, 272), (10, 84), (11, 110), (12, 144), (13, 176), (14, 210))}, 8))


def idx(kind, sizes, values):
    return struct.pack(">HBB", 0, kind, len(sizes)) + b"".join(struct.pack(">I", size) for size in sizes) + values


def png(width, height, values):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + values[row * width:(row + 1) * width] for row in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


# The first byte names the reader, the second is its argument: FuzzImages.cpp.
labels = idx(8, [2], b"\1\0")
put("images/idx", bytes([0, len(labels)]) + idx(8, [2, 3, 2], bytes(range(12))) + labels)
put("images/cifar", bytes([1, 0]) + b"\7" + bytes(range(256)) * 12)
put("images/gzip", bytes([2, 0]) + gzip.compress(b"some text, some text, some text", mtime=0))
put("images/png", bytes([3, 0]) + png(5, 3, bytes(range(15))))
put("images/png_sized", bytes([3, 4]) + png(4, 4, bytes(range(16))))
put("images/jpeg", bytes([3, 0]) + (CORPUS.parent / "gradient_4x3.jpg").read_bytes())


def field(number, kind, payload):
    head = bytes([number << 3 | kind])
    return head + (bytes([len(payload)]) + payload if kind == 2 else payload)


def piece(text, score, kind):
    return field(1, 2, field(1, 2, text) + field(2, 5, struct.pack("<f", score)) + field(3, 0, bytes([kind])))


def gguf(pairs):
    def text(value):
        return struct.pack("<Q", len(value)) + value
    body = b""
    for key, kind, value in pairs:
        body += text(key) + struct.pack("<I", kind)
        if kind == 8:
            body += text(value)
        else:
            inner, items = value
            body += struct.pack("<IQ", inner, len(items)) + b"".join(text(i) if inner == 8 else struct.pack("<f" if inner == 6 else "<i", i) for i in items)
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(pairs)) + body


PIECES = [(b"<unk>", 0.0, 2), (b"<s>", 0.0, 3), (b"</s>", 0.0, 3), (b"\xe2\x96\x81", -1.0, 1), (b"a", -2.0, 1), (b"b", -3.0, 1), (b"ab", -1.5, 1), (b"\xe2\x96\x81a", -1.2, 1)]
# What lies behind 0xfe is the text: FuzzTokenizers.cpp.
put("tokenizers/sentencepiece", b"".join(piece(*each) for each in PIECES) + b"\xfea b ab")
put("tokenizers/gguf", gguf([(b"tokenizer.ggml.model", 8, b"llama"), (b"tokenizer.ggml.tokens", 9, (8, [p[0] for p in PIECES])),
                             (b"tokenizer.ggml.scores", 9, (6, [p[1] for p in PIECES])), (b"tokenizer.ggml.token_type", 9, (5, [p[2] for p in PIECES]))]) + b"\xfeab")
put("tokenizers/gguf-byte-pairs", gguf([(b"tokenizer.ggml.model", 8, b"gpt2"), (b"tokenizer.ggml.pre", 8, b"llama-bpe"),
                                        (b"tokenizer.ggml.tokens", 9, (8, [b"a", b"b", "Ġ".encode(), b"ab", b"1", b"<|end|>"])), (b"tokenizer.ggml.token_type", 9, (5, [1, 1, 1, 1, 1, 3])),
                                        (b"tokenizer.ggml.merges", 9, (8, [b"a b"]))]) + b"\xfea ab1")
put("tokenizers/llama2c", struct.pack("<i", 4) + b"".join(struct.pack("<fi", score, len(text)) + text for text, score, _ in PIECES) + b"\xfea b")
