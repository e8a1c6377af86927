"""PTX of the kernels of whole examples, forward and backward, of half of them, goes through NVIDIA's assembler for the architecture of each image and
one of the later ones that run it; both drawn anew (WEFT_SEED=N repeats it; WEFT_ALL=1: for each of them).
Prints registers, shared memory and spills; and registers beside those that `weft explain` predicts, as docs/predictions.md has them. Shared memory
is what is predicted. Usage: ptxas.py WEFT. Exit 77: there is no ptxas here."""
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = [  # sizes as in tests/passes
    ("gpt/gpt.weft", ["--config", "gpt2_124m"]),
    ("gpt/gpt.weft", ["--config", "gpt2_124m", "--precision", "bf16"]),
    ("gpt/gpt.weft", ["--config", "tiny", "--precision", "bf16"]),
    ("gpt/llama.weft", ["--set", "vocab=50,model=12,ff=20,layer=2,group=2,rep=3,dh=4,position=16"]),
    ("vit/cifar.weft", ["--set", "height=8,width=8,channel=3,head=3,ff=10,layer=2,hidden1=7,class=3,ph=2,pw=2"]),
    ("translation/translation.weft", ["--set", "svocab=17,tvocab=13,model=12,head=3,ff=10,below=2,above=2"]),
]
RUNS_ON = {"sm_80": ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"], "sm_90a": ["sm_90a"]}


FARTHEST = 4.5  # times as many registers as predicted, or as few: small kernels of rows
MIDDLE = 2.3  # the same, of the middle one of those of a kind (of all at most 2.00, columns on sm_90a; the drawn half moves it), where there are
SOME = 8


def predicted(weft, file, options):
    """Of each kernel and image: the kind of its schedule, registers, bytes shared."""
    shown = subprocess.run([weft, "explain", EXAMPLES / file, *options, "--target", "cuda"], capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    result, kernel, kind = {}, None, None
    for line in shown.stdout.splitlines():
        if found := re.match(r"  (k\d+_\w+): ", line):
            kernel = found[1]
        elif "kernels as one launch" in line:  # of which each was predicted by itself
            kernel = None
        elif found := re.match(r"    (\w+)<", line):
            kind = found[1]
        elif found := re.match(r"      (sm_\w+) .*?(\d+) registers, ([\d.]+) (B|KB) shared(?:, then .*?(\d+) registers)?", line):
            result[kernel, found[1]] = kind, int(found[2]), float(found[3]) * (1024 if found[4] == "KB" else 1)
            if found[5]:  # what adds up sums of parts
                result[kernel + "_adding", found[1]] = "adding", int(found[5]), 0
    return result


def compare(said, image, expected, kinds):
    """What the assembler says of each kernel beside what was predicted."""
    found = re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers(.*?)$", said, re.M | re.S)
    for kernel, registers, rest in found:
        # The runtime's own, several as one, and what is found before an attention's gradient, are not predicted.
        if kernel.startswith("weft_") or re.search(r"(_and_\d+_more|_grad_products)$", kernel):
            continue
        # Where there are two kernels, of which a launch has one, that one was predicted.
        of = re.sub("(_few)?(_adding)?$", "", kernel)
        if expected.get((of, image), [""])[0] in ("by_rows", "by_queries"):
            continue
        kind, guess, shared = expected[kernel, image]
        bytes_shared = re.search(r"(\d+) bytes smem", rest)
        found_shared = int(bytes_shared[1]) if bytes_shared else 0
        if kind in ("few_rows", "mma", "mma_attention", "wgmma_attention", "mma_attention_grad", "wgmma_attention_grad", "wgmma"):  # asked for at the launch, which the assembler does not see
            shared = 0
        tenth = 52  # of a KB, in which it is said
        least, most = shared - tenth, shared + tenth
        if found_shared % 1024 == 0:  # what a launch may ask for begins there, in any kernel of such a module
            most = -(-most // 1024) * 1024
        assert least <= found_shared <= most, (kernel, image, shared, rest)
        assert 1 / FARTHEST <= int(registers) / guess <= FARTHEST, (kernel, image, guess, registers)
        kinds.setdefault((kind, image), []).append((guess, int(registers)))


def table(kinds):
    print("| schedule | image | kernels | registers predicted | by `ptxas` | ptxas / predicted: middle, least, most |\n|---|---|---|---|---|---|")
    for (kind, image), pairs in sorted(kinds.items()):
        guesses, counts = zip(*pairs)
        ratios = [count / guess for guess, count in pairs]
        middle = statistics.median(ratios)
        assert len(pairs) < SOME or 1 / MIDDLE <= middle <= MIDDLE, (kind, image, middle)
        print(f"| `{kind}` | {image} | {len(pairs)} | {min(guesses)} to {max(guesses)} | {min(counts)} to {max(counts)} "
              f"| {middle:.2f}, {min(ratios):.2f}, {max(ratios):.2f} |")


def main(weft):
    if not shutil.which("ptxas"):
        print("skipped: there is no ptxas on PATH")
        sys.exit(77)
    seed = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
    print(f"WEFT_SEED={seed}")
    draw, assembled, kinds = random.Random(seed), 0, {}
    with tempfile.TemporaryDirectory(prefix="weft-ptxas-") as folder:
        text, cubin = pathlib.Path(folder) / "kernels.ptx", pathlib.Path(folder) / "kernels.cubin"
        for file, options in PROGRAMS if os.environ.get("WEFT_ALL") else draw.sample(PROGRAMS, len(PROGRAMS) // 2):
            expected = predicted(weft, file, options)
            for image, architectures in RUNS_ON.items():
                shown = subprocess.run([weft, "show", EXAMPLES / file, *options, "--target", "cuda", "--at", "ptx", "--isa", image, "-o", text],
                                       capture_output=True, text=True)
                assert shown.returncode == 0, shown.stderr
                kernels = text.read_text().count(".entry")
                assert kernels > 3, (file, kernels)
                image_itself, *later = architectures
                tried = later if os.environ.get("WEFT_ALL") else draw.sample(later, min(1, len(later)))
                for architecture in [image_itself, *tried]:
                    done = subprocess.run(["ptxas", "-v", f"-arch={architecture}", text, "-o", cubin], capture_output=True, text=True)
                    said = done.stdout + done.stderr
                    assert done.returncode == 0, (file, architecture, said[-2000:])
                    assert "serializ" not in said and "warning" not in said, (file, architecture, said[-2000:])
                    spilled = [int(number) for number in re.findall(r"(\d+) bytes spill", said)]
                    assert len(spilled) >= kernels and max(spilled) == 0, (file, architecture, max(spilled, default=None))
                    registers = [int(number) for number in re.findall(r"Used (\d+) registers", said)]
                    shared = [int(number) for number in re.findall(r"(\d+) bytes smem", said)]
                    print(f"{file} {' '.join(options)[:40]:40} {architecture:7} {kernels:3} kernels, at most {max(registers)} registers, "
                          f"{max(shared, default=0)} bytes shared, {max(spilled)} spilled")
                    if architecture == image:
                        compare(said, image, expected, kinds)
                    assembled += kernels
    table(kinds)
    print(f"{assembled} kernels assembled")


main(*sys.argv[1:])
