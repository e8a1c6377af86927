"""PTX of the kernels of whole examples, forward and backward, goes through NVIDIA's assembler for every architecture that its kind allows.
Prints registers, shared memory and spills. Usage: ptxas.py WEFT. Exit 77: there is no ptxas here."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = [  # sizes as in tests/passes
    ("gpt/gpt.weft", ["--config", "gpt2_124m"]),
    ("gpt/gpt.weft", ["--config", "tiny", "--precision", "bf16"]),
    ("gpt/llama.weft", ["--set", "vocab=50,model=12,ff=20,layer=2,group=2,rep=3,dh=4,position=16"]),
    ("vit/cifar.weft", ["--set", "height=8,width=8,channel=3,head=3,ff=10,layer=2,hidden1=7,class=3,ph=2,pw=2"]),
    ("translation/translation.weft", ["--set", "svocab=17,tvocab=13,model=12,head=3,ff=10,below=2,above=2"]),
]
MOST_SPILLED = 64  # bytes of a kernel: the gradient of attention spills up to 32 on sm_120, for which ptxas would rather have 48 registers, and products in bf16 spill 4
RUNS_ON = {"sm_80": ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"], "sm_90a": ["sm_90a"]}


def main(weft):
    if not shutil.which("ptxas"):
        print("skipped: there is no ptxas on PATH")
        sys.exit(77)
    assembled = 0
    with tempfile.TemporaryDirectory(prefix="weft-ptxas-") as folder:
        text, cubin = pathlib.Path(folder) / "kernels.ptx", pathlib.Path(folder) / "kernels.cubin"
        for file, options in PROGRAMS:
            for image, architectures in RUNS_ON.items():
                shown = subprocess.run([weft, "show", EXAMPLES / file, *options, "--target", "cuda", "--at", "ptx", "--isa", image, "-o", text],
                                       capture_output=True, text=True)
                assert shown.returncode == 0, shown.stderr
                kernels = text.read_text().count(".entry")
                assert kernels > 3, (file, kernels)
                for architecture in architectures:
                    done = subprocess.run(["ptxas", "-v", f"-arch={architecture}", text, "-o", cubin], capture_output=True, text=True)
                    said = done.stdout + done.stderr
                    assert done.returncode == 0, (file, architecture, said[-2000:])
                    spilled = [int(number) for number in re.findall(r"(\d+) bytes spill", said)]
                    assert len(spilled) >= kernels and max(spilled) <= MOST_SPILLED, (file, architecture, max(spilled, default=None))
                    registers = [int(number) for number in re.findall(r"Used (\d+) registers", said)]
                    shared = [int(number) for number in re.findall(r"(\d+) bytes smem", said)]
                    print(f"{file} {' '.join(options)[:40]:40} {architecture:7} {kernels:3} kernels, at most {max(registers)} registers, "
                          f"{max(shared, default=0)} bytes shared, {max(spilled)} spilled")
                    assembled += kernels
    print(f"{assembled} kernels assembled")


main(*sys.argv[1:])
