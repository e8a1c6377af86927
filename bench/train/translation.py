"""The recipe for few sentence pairs, by a program and by PyTorch with the same number of seeds: how their losses are distributed.

WEFT_DATA=… python3 bench/train/translation.py --out DIR [--seeds 8] [--weft build/bin/weft]

Random numbers differ, so seeds cannot be compared one by one. The training loss is the mean over the last epoch, dropout on; the
validation loss that of the 129 pairs behind the 512.
"""
import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench/train"))
PAIRS, HELD, EPOCHS, BATCH = 641, 129, 30, 128
STEPS = (PAIRS - HELD) // BATCH


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--weft", default=ROOT / "build/bin/weft")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def ours(options, text, recorded):
    program = options.out / "translate"
    words = f"svocab={len(recorded['src_vocab'])},tvocab={len(recorded['tgt_vocab'])}"
    subprocess.run([options.weft, "build", ROOT / "examples/translation/translation.weft", "--config", "full", "--set", words,
                    "-o", program], check=True)
    for seed in range(options.seeds):
        out = options.out / f"run-{seed}"
        subprocess.run([program, "train", "--data", f"pairs:{text}", "--pairs", str(PAIRS), "--validate-on", str(HELD), "--seq", "9",
                        "--batch", str(BATCH), "--epochs", str(EPOCHS), "--eval-every", str(EPOCHS * STEPS), "--seed", str(seed),
                        "--threads", str(options.threads), "--out", out, "--quiet"], check=True)
        log = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        yield statistics.mean(row["loss"] for row in log[-STEPS:]), log[-1]["validation_loss"]


def theirs(options, recorded):
    import torch
    from torch.nn import functional as F
    from torch_steps import update
    from torch_translation import Translation

    torch.set_num_threads(options.threads)
    source, valid, target = (torch.tensor(recorded[name]) for name in ("source", "source_valid", "target"))
    padding = recorded["tgt_vocab"].index("<pad>")

    def loss(model, rows):
        logits = model(source[rows], valid[rows], target[rows, :-1]).flatten(0, 1)
        return F.cross_entropy(logits, target[rows, 1:].flatten(), ignore_index=padding)

    for seed in range(options.seeds):
        torch.manual_seed(seed)
        model = Translation(len(recorded["src_vocab"]), len(recorded["tgt_vocab"]))
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        for _ in range(EPOCHS):
            batches = torch.randperm(PAIRS - HELD).split(BATCH)
            last = [update(model, optimizer, lambda rows=rows: loss(model, rows)).item() for rows in batches]
        model.eval()
        with torch.no_grad():
            yield statistics.mean(last), loss(model, torch.arange(PAIRS - HELD, PAIRS)).item()


def main():
    options = arguments()
    data = pathlib.Path(os.environ.get("WEFT_DATA", ROOT.parent / "shared/data"))
    recorded = json.loads((data / "seeds/003-data.json").read_text())
    options.out.mkdir(parents=True, exist_ok=True)
    text = options.out / "fra.txt"
    text.write_bytes(gzip.decompress((data / "corpora/fra-eng/fra.txt.gz").read_bytes()))
    for name, losses in (("ours", ours(options, text, recorded)), ("PyTorch", theirs(options, recorded))):
        for what, values in zip(("training", "validation"), zip(*losses)):
            print(f"{name:8} {what:10}  {statistics.mean(values):.4f} +- {statistics.stdev(values) / len(values) ** 0.5:.4f}  "
                  + " ".join(f"{value:.3f}" for value in sorted(values)), flush=True)


if __name__ == "__main__":
    main()
