"""Layers are a loop at every stage: what `weft show` prints of a model with four times the layers is as long, within a tenth.
Usage: dump_sizes.py WEFT PROGRAM --config NAME."""
import subprocess
import sys

STAGES = ["source", "model", "fused", "kernel", "plan", "llvm", "asm"]
LAYERS = [12, 48]
MOST = 1.1


def main(weft, *program):
    failed = False
    for stage in STAGES:
        sizes = []
        for layers in LAYERS:
            command = [weft, "show", *program, "--set", f"layer={layers}", "--at", stage]
            text = subprocess.run(command, check=True, capture_output=True).stdout
            if stage == "source" and f"@layer = <{layers}>".encode() not in text:
                raise SystemExit(f"the program does not have {layers} layers")
            sizes.append(len(text))
        ratio = max(sizes) / min(sizes)
        failed |= ratio > MOST
        print(f"{stage:8} {sizes[0]:9} bytes for {LAYERS[0]} layers, {sizes[1]:9} for {LAYERS[1]}: {ratio:.3f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
