"""What makes files of weights, and programs that carry them, has none of them in memory of its own: `init`, `build`; `export` and `import` but for a tensor.
Usage: weights_memory.py WEFT"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = [ROOT / "examples/gpt/huggingface.weft", "--config", "gpt2_124m", "--set", "vocab=1000,layer=20"]


def anonymous(command):
    """The most bytes that it had which are in no file, by looks at it every few milliseconds."""
    running = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    most = 0
    while running.poll() is None:
        try:
            found = re.search(r"RssAnon:\s*(\d+) kB", pathlib.Path(f"/proc/{running.pid}/status").read_text())
        except ProcessLookupError:
            break
        most = max(most, int(found.group(1)) << 10 if found else 0)
        time.sleep(0.005)
    assert running.wait() == 0, command
    return most


def main(weft):
    with tempfile.TemporaryDirectory(prefix="weft-memory-") as home:
        home = pathlib.Path(home)
        made = anonymous([weft, "init", *MODEL, "-o", home / "weights"])
        size = (home / "weights").stat().st_size
        given = anonymous([weft, "export", *MODEL, "--from", home / "weights", "-o", home / "foreign"])
        taken = anonymous([weft, "import", *MODEL, "--from", home / "foreign", "-o", home / "taken"])
        built = anonymous([weft, "build", *MODEL, "--weights", home / "taken", "-o", home / "program"])
        print(f"a file of {size >> 20} MiB: init {made >> 20}, export {given >> 20}, import {taken >> 20}, build {built >> 20}")
        assert (home / "weights").read_bytes() == (home / "taken/parameters.safetensors").read_bytes()
        return 0 if all(0 < most < size / 3 for most in (made, given, taken, built)) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
