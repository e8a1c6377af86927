"""Every number of every schedule that `weft show --at kernel` prints, changed there by hand, one at a time: the plan has it as the hand
wrote it, and the kernel gives what the interpreter gives. Usage: schedules.py WEFT WEFT_OPT"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A kernel of each family, and what its numbers are changed to. 33 positions are no whole tiles.
KERNELS = {
    "rows": ("norm1", {"unroll": 2, "elements": 100}),
    "pack": ("ffn.up.pack", {"panels": 3, "rows": 10}),
    "contraction": ("ffn.up", {"tile": "3x16", "unroll": 2, "accumulators": 7, "rows": 24, "columns": 96, "k": 20, "work": 100, "tasks": 3,
                               "long_sum": 8, "long_tasks": 2, "rows_first": "true"}),
    "attention": ("attention", {"tile": "3x16", "value_tile": "2x16", "unroll": 2, "accumulators": 7, "task_rows": 48, "rows": 48, "keys": 48,
                                "few_rows": 40, "tasks": 3, "split_tasks": 100, "split_keys": 5}),
    "attention_grad": ("v.grad", {"tile": "3x16", "depth_tile": "2x16", "value_tile": "1x16", "unroll": 2, "accumulators": 7, "rows": 24,
                                  "keys": 48, "split_tasks": 3, "split_keys": 96}),
    "scatter": ("scatter", {"elements": 70, "tasks": 3}),
}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else done.stdout, done.returncode


def schedules(family, text):
    return {frozenset(fields.split(", ")) for fields in re.findall(rf"#cpu\.{family}<(.*?)>", text)}


def main(weft, opt):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        dump, hand = folder / "dump.mlir", folder / "hand.mlir"
        said, code = run(weft, "show", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--entry", "train.gradient", "--at", "kernel", "-o", dump)
        assert code == 0, said
        text = dump.read_text()
        printed = {(family, field) for family, fields in re.findall(r"#cpu\.(\w+)<(.*?)>", text) for field in re.findall(r"(\w+) =", fields)}
        known = {(family, field) for family, (_, fields) in KERNELS.items() for field in fields}
        assert printed == known, f"not tried: {sorted(printed - known)}; not printed: {sorted(known - printed)}"
        for family, field in sorted(known):
            kernel, fields = KERNELS[family]

            def change(found):  # what is as usual is not printed
                rest = re.sub(rf", {field} = \w+|\b{field} = \w+, ", "", found[0])
                return f"{rest[:-1]}, {field} = {fields[field]}>"
            changed = re.sub(rf"#cpu\.{family}<.*?>", change, text)
            assert changed != text, (family, field)
            hand.write_text(changed)
            plan, code = run(opt, hand, "--weft-stage-plan")
            assert code == 0, (family, field, plan)
            kept = schedules(family, plan)
            assert kept and kept <= schedules(family, changed), (family, field, kept)
            for isa in ("x86-64-v3", "avx512"):
                said, code = run(weft, "kernel", hand, "--isa", isa, "--check", "--only", kernel, "--size", "batch=2,seq=33")
                if code and "this machine does not run" in said:
                    continue
                assert code == 0 and re.search(rf"\b{family}\b.*e[+-]\d+$", said, re.M) and "WRONG" not in said, (family, field, isa, said)
        print(f"{len(known)} numbers of {len(KERNELS)} families")


if __name__ == "__main__":
    main(*sys.argv[1:])
