"""A bundle for a machine with a GPU, made for the emulated device and run here: what is right passes, what is wrong is found. Usage: gpu_bundle.py WEFT HUNTER [--whole]"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(folder, *options, expect):
    done = subprocess.run([sys.executable, folder / "check.py", *options], capture_output=True, text=True)
    if done.returncode != expect:
        sys.exit(f"check.py {options}: exit code {done.returncode}, expected {expect}\n{done.stdout}{done.stderr}")
    return done.stdout


def changed(path, change):
    contents = path.read_bytes()
    path.write_bytes(change(contents))
    return lambda: path.write_bytes(contents)


def make(weft, hunter, folder, *options):
    made = subprocess.run([sys.executable, ROOT / "bench/gpu/bundle.py", weft, hunter, folder, "--device", "cuda-emulated", *options],
                          capture_output=True, text=True)
    print(made.stdout)
    if made.returncode:
        sys.exit(made.stderr)


def main(weft, hunter, whole=None):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "gpu"
        if whole:
            make(weft, hunter, folder)
            print(check(folder, "--seconds", "3000", expect=0))
            return
        make(weft, hunter, folder, "--random", "4", "--seed", "3", "--only", "attention/attention")
        said = check(folder, expect=0)
        print(said)
        assert "gradients  float32" in said and "expected   bf16" in said, said

        expected = next((folder / "cases").glob("attention-attention.heads.gradients"))
        back = changed(expected, lambda contents: contents[:-1] + bytes([contents[-1] ^ 0x40]))  # the exponent of the last number
        said = check(folder, "--only", "attention.heads", expect=1)
        assert "FAILED attention-attention.heads-float32: gradients: v is" in said and "0 of 2 right" in said, said
        back()
        check(folder, "--only", "attention.heads", expect=0)

        # What is timed, at sizes that an emulator has the time for, and with no peer.
        bundle = json.loads((folder / "cases.json").read_text())
        product = dict(program="attention-attention-float32", precision="float32", entry="product", sizes=dict(batch=1, query=5), amount=dict(flops=1))
        bundle["speeds"] = [dict(name="product 9, whole", families=[], **product), dict(name="product 9, its kernel", families=["contraction"], **product),
                            dict(name="product 9, none", families=["gather"], **product)]
        (folder / "cases.json").write_text(json.dumps(bundle))
        said = check(folder, "--only", "product 9", expect=0)
        assert " ms " in said and "1 x k" in said, said
        whole, kernel, none = json.loads((folder / "result.json").read_text())["speeds"]
        for row in whole, kernel:
            assert row["ms"] > 0 and len(row["kernels"]) == 1 and row["ratio"] is None, row
        assert none["problem"] == "no kernel of gather", none


if __name__ == "__main__":
    main(*sys.argv[1:])
