"""Every number of every schedule that `weft show --at kernel` prints, changed there by hand, one at a time: the plan has it as the hand
wrote it, and, for a third of them, the kernel gives what the interpreter gives, by one of the instruction sets that have it; both drawn anew
(WEFT_SEED=N repeats it; WEFT_ALL=1: for all numbers). For CPUs, and for GPUs on the emulator. Usage: schedules.py WEFT WEFT_OPT"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SEED = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
DRAW = random.Random(SEED)
PART = 1 if os.environ.get("WEFT_ALL") else 1 / 3  # of the numbers whose kernels are compiled, which takes the time
ROOT = pathlib.Path(__file__).resolve().parents[2]
# A kernel of each family, and what its numbers are changed to. 33 positions are no whole tiles.
CPU = {
    "rows": ("norm1", {"unroll": 2, "elements": 100}),
    "pack": ("ffn.up.weight.grad.pack", {"panels": 3, "rows": 10}),
    "contraction": ("ffn.up", {"tile": {"tile": "3x16", "few": "1x32"}, "accumulators": 7, "rows": 24, "columns": 96, "k": 20, "work": 100, "tasks": 3,
                               "long_sum": 8, "long_tasks": 2, "rows_first": "true", "non_temporal": "true", "few": "1x48"}),
    "attention": ("attention", {"tile": "3x16", "value_tile": "2x16", "unroll": 2, "accumulators": 7, "task_rows": 48, "rows": 48, "keys": 48,
                                "few_rows": 40, "tasks": 3, "split_tasks": 100, "split_keys": 5}),
    "attention_grad": ("v.grad", {"tile": "3x16", "depth_tile": "2x16", "value_tile": "1x16", "unroll": 2, "accumulators": 7, "rows": 24,
                                  "keys": 48, "split_tasks": 3, "split_keys": 96}),
    "scatter": ("place.grad", {"elements": 70, "tasks": 3}),
}
# What no kernel of a model of this size has is not printed.
UNPRINTED = {("cpu", "contraction", "non_temporal")}
# Numbers that must fit another one are changed with it.
CUDA = {
    "rows": ("norm1", {"threads": {"threads": 64, "team": 32}, "team": {"threads": 256, "team": 256}, "vector": 2, "unroll": 2, "blocks": 3}),
    "columns": ("norm1.bias.grad", {"threads": 64, "lanes": 4, "vector": 2, "blocks": 3}),
    "contraction": ("ffn.up", {"rows": 32, "columns": 32, "depth": 8, "thread_rows": 2, "thread_columns": 2, "unroll": 2,
                               "splits": 3}),
    "attention": ("attention", {"rows": 32, "keys": 16, "thread_rows": 2, "thread_keys": 1, "unroll": 2}),
    "attention_grad": ("v.grad", {"rows": 16, "columns": 16, "thread_rows": 1, "thread_columns": 1, "unroll": 2}),
    "scatter": ("place.grad", {"threads": 64, "positions": 3, "vector": 2, "blocks": 5}),
}
# Products of bf16: by one image as warps do, by the other as four of them.
NARROW = {
    "mma": ("ffn.up", {"rows": {"rows": 64, "warps_down": 2}, "columns": {"columns": 32, "warps_across": 2}, "depth": 16,
                       "warps_down": {"warps_down": 1, "rows": 64}, "warps_across": {"warps_across": 2, "columns": 64}, "stages": 2,
                       "splits": 3}),
    "wgmma": ("ffn.up", {"rows": {"rows": 64, "consumers": 1}, "columns": 128, "consumers": {"consumers": 1, "rows": 64}, "stages": 2, "cluster": 1}),
    "mma_attention": ("attention", {"rows": 128, "keys": 16, "warps": 2, "stages": 3}),
    "mma_attention_grad": ("v.grad", {"rows": 128, "columns": 16, "warps": 2, "stages": 3}),
}
# By four warps, where there is a head of their depth.
GROUPS = {
    "wgmma_attention": ("attention", {"keys": 64, "stages": 3}),
    "wgmma_attention_grad": ("q.grad", {"columns": 64, "stages": 3}),
}
GPT = (ROOT / "examples/gpt/gpt.weft", ["--config", "tiny", "--entry", "train.gradient"], "batch=2,seq=33")
ATTENTION = (ROOT / "bench/gpu/speeds/attention.weft", ["--set", "head=2,d=64", "--entry", "loss.gradient"], "batch=2,seq=130")
# What has a kernel of few rows beside that of many, in its schedule or before the module: how it says so, a kernel, the family, numbers.
FEW = {
    "by_rows<rows": ("few_rows", "ffn.up", "contraction", {"rows": 2, "columns": 32, "threads": 256, "thread_columns": 2, "thread_depth": 4}),
    "by_queries<queries": ("split_attention", "attention", "attention", {"rows": 2, "keys": 3, "threads": 32, "unroll": 2, "blocks": 9}),
}
# Dialect, target, what runs its kernels here, the machines that have a schedule each, the program, the kernels.
BF16 = ["--precision", "bf16"]
MACHINES = [("cpu", "cpu", "cpu", ["x86-64-v3", "avx512"], GPT, CPU, []), ("cuda", "cuda", "cuda-emulated", ["sm_80", "sm_90a"], GPT, CUDA, []),
            ("cuda", "cuda", "cuda-emulated", ["sm_80", "sm_90a"], GPT, NARROW, BF16), ("cuda", "cuda", "cuda-emulated", ["sm_90a"], ATTENTION, GROUPS, BF16)]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else done.stdout, done.returncode


def schedules(dialect, family, text):
    return {frozenset(fields.split(", ")) for fields in re.findall(rf"#{dialect}\.{family}<(.*?)>", text)}


def changed(text, dialect, family, numbers):
    """The dump with these numbers in all schedules of a family."""
    def change(found):
        others = [each for each in found[1].split(", ") if each.split(" = ")[0] not in numbers]  # what is as usual is not printed
        return f"#{dialect}.{family}<{', '.join(others + [f'{field} = {value}' for field, value in numbers.items()])}>"
    return re.sub(rf"#{dialect}\.{family}<(.*?)>", change, text)


def try_all(weft, opt, folder, dialect, target, runner, machines, program, kernels, options):
    dump, hand = folder / "dump.mlir", folder / "hand.mlir"
    source, chosen, sizes = program
    said, code = run(weft, "show", source, *chosen, "--at", "kernel", "--target", target, *options, "-o", dump)
    assert code == 0, said
    text = dump.read_text()
    new = set(kernels) if options else {*re.findall(rf"#{dialect}\.(\w+)<", text)}  # of others the run before has tried all
    printed = {(family, field) for family, fields in re.findall(rf"#{dialect}\.(\w+)<(.*?)>", text) if family in new for field in re.findall(r"(\w+) =", fields)}
    printed |= {(family, field) for of, family, field in UNPRINTED if of == dialect and family in kernels}
    known = {(family, field) for family, (_, fields) in kernels.items() for field in fields}
    assert printed == known, f"not tried: {sorted(printed - known)}; not printed: {sorted(known - printed)}"
    for family, field in sorted(known):
        kernel, fields = kernels[family]
        numbers = fields[field] if isinstance(fields[field], dict) else {field: fields[field]}
        edited = changed(text, dialect, family, numbers)
        assert edited != text, (family, field)
        hand.write_text(edited)
        plan, code = run(opt, hand, "--weft-stage-plan")
        assert code == 0, (family, field, plan)
        kept = schedules(dialect, family, plan)
        assert kept and kept <= schedules(dialect, family, edited), (family, field, kept)
        for machine in DRAW.sample(machines, len(machines)) if DRAW.random() < PART else ():
            said, code = run(weft, "kernel", hand, "--target", runner, "--isa", machine, "--check", "--only", kernel, "--size", sizes)
            if code and "this machine does not run" in said:
                continue
            does = {"columns": "rows", "mma": "contraction", "wgmma": "contraction", "mma_attention": "attention",
                    "mma_attention_grad": "attention_grad", "wgmma_attention": "attention", "wgmma_attention_grad": "attention_grad"}.get(family, family)
            assert code == 0 and re.search(rf"\b{does}\b.*e[+-]\d+$", said, re.M) and "WRONG" not in said, (family, field, machine, said)
            break
    print(f"{dialect}: {len(known)} numbers of {len(kernels)} families")


def try_few(weft, opt, folder, options, choice, few, kernel, family, numbers):
    """Of a step of a decoding: the kernel of few rows, and which of both runs."""
    dump, hand = folder / "dump.mlir", folder / "hand.mlir"
    said, code = run(weft, "show", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--entry", "generate.advance", "--at", "kernel",
                     "--target", "cuda", *options, "-o", dump)
    assert code == 0, said
    own = rf"(?:few = |#cuda.{few})<" + ", ".join(rf"{field} = \d+" for field in numbers) + ">"
    text = dump.read_text()
    assert re.search(own, text), (few, "has other numbers")
    for field, number in [*numbers.items(), (choice, 1)]:
        if field == choice:  # more are many
            edited = re.sub(rf"{choice} = \d+", f"{choice} = {number}", text)
        else:
            edited = re.sub(own, lambda each: re.sub(rf"\b{field} = \d+", f"{field} = {number}", each[0]), text)
        assert edited != text, field
        hand.write_text(edited)
        plan, code = run(opt, hand, "--weft-stage-plan")
        assert code == 0, (field, plan)
        kept, given = ({each.partition("<")[2] for each in re.findall(rf"{own}|{choice} = \d+", where)} for where in (plan, edited))
        assert kept and kept <= given, (field, kept)
        if DRAW.random() >= PART:
            continue
        machine = DRAW.choice(("sm_80", "sm_90a"))
        said, code = run(weft, "kernel", hand, "--target", "cuda-emulated", "--isa", machine, "--check", "--only", kernel,
                         "--size", "batch=3,known=5,new=2,capacity=9")
        assert code == 0 and re.search(rf"\b{family}\b.*e[+-]\d+$", said, re.M) and "WRONG" not in said, (field, machine, said)
    print(f"cuda: {len(numbers) + 1} numbers of {few} {' '.join(options)}")


def main(weft, opt):
    print(f"WEFT_SEED={SEED}")
    with tempfile.TemporaryDirectory() as name:
        for machine in MACHINES:
            try_all(weft, opt, pathlib.Path(name), *machine)
        for options in ([], BF16):
            for choice, about in FEW.items():
                try_few(weft, opt, pathlib.Path(name), options, choice, *about)


if __name__ == "__main__":
    main(*sys.argv[1:])
