"""What a program says it will take of the machine's memory, against what it took; and what does not fit is refused at its start."""
import os
import re
import subprocess
import unittest

from program import ProgramTest, TEXT, main, run
import shared_library

SIZES = "vocab=16384,position=256,model=512,head=8,layer=4"


def bytes_of(text):
    """Of "1.2 GB"."""
    number, unit = text.split()
    return float(number) * {"MB": 1e6, "GB": 1e9, "TB": 1e12}[unit]


def tables(program, sizes):
    """What `info --set` says by entry and training: the sum of the parts, which are to a tenth of a megabyte. Without those of which one is in
    gigabytes, to a tenth of these."""
    found, parts = {}, []
    for line in run(program, "info", "--set", sizes).stdout.splitlines():
        if line and not line.startswith(" "):
            name, parts = line, []
        elif line.endswith("in all"):
            if all(part.endswith("MB") for part in parts):
                found[name] = sum(map(bytes_of, parts))
        elif line:
            parts.append(" ".join(line.split()[:2]))
    return found


def peak(*command):
    """What a command prints, and the most memory that it had (ru_maxrss)."""
    process = subprocess.Popen([str(a) for a in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with process.stdout:
        said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise AssertionError(f"{command}: exit code {process.returncode}\n{said}")
    return said, usage.ru_maxrss * 1024


@unittest.skipIf(shared_library.preloaded(), "a sanitizer has memory of its own")
class Memory(ProgramTest):
    options = ("--set", SIZES)

    def near(self, expected, measured, what):
        print(f"{what}: expected {expected / 1e6:.1f} MB, took {measured / 1e6:.1f} MB ({100 * (expected / measured - 1):+.2f} %)")
        self.assertGreater(measured, 150e6)  # else the test says nothing
        self.assertLess(abs(expected - measured), 0.01 * measured + 2e6, what)

    def test_entries(self):
        for sizes in ("batch=8,seq=128", "batch=2,seq=256"):
            expected = tables(self.program, sizes)
            for entry in ("logits", "loss", "train.gradient", "train"):
                _, measured = peak(self.program, "bench", "--entry", entry, "--set", sizes, "--runs", "1")
                self.near(expected[entry], measured, f"{entry} at {sizes}")

    def test_a_training_with_validation(self):
        said, measured = peak(self.program, "train", "--data", f"text:{TEXT}", "--seq", "128", "--batch", "8", "--steps", "3", "--tokenizer",
                              "char", "--eval-every", "2", "--out", self.folder / "out")
        expected = bytes_of(re.search(r"memory: (\S+ \SB):", said)[1])
        self.near(expected, measured, "a training")

    def test_what_does_not_fit_is_refused_at_its_start(self):
        limit = 700 * 10**6

        def train(batch, out, expect):
            return run(self.program, "train", "--data", f"text:{TEXT}", "--seq", "128", "--batch", batch, "--steps", "1", "--tokenizer",
                       "char", "--eval-every", "0", "--out", self.folder / out, expect=expect,
                       env=dict(os.environ, WEFT_MEMORY=str(limit))).stderr
        said = train(64, "refused", 1)
        self.assertRegex(said, r"training on batches of 64 takes \S+ GB: .*optimizer states.*; WEFT_MEMORY has 700.0 MB; --batch \d+ fits")
        self.assertFalse((self.folder / "refused").exists())
        most = int(re.search(r"--batch (\d+) fits", said)[1])
        self.assertGreaterEqual(most, 1)
        train(most, "fits", 0)
        self.assertIn(f"--batch {most} fits", train(most + 1, "beyond", 1))
        parts = re.search(r"or --accumulate (\d+)", said)
        self.assertTrue(parts, said)

        def entry(batch, expect):
            return run(self.program, "bench", "--entry", "logits", "--set", f"batch={batch},seq=256", "--runs", "1", expect=expect,
                       env=dict(os.environ, WEFT_MEMORY=str(limit))).stderr
        said = entry(100, 1)
        self.assertRegex(said, r"logits takes \S+ GB.* beside the .*, and WEFT_MEMORY has 700.0 MB; batch = \d+ fits")
        most = int(re.search(r"batch = (\d+) fits", said)[1])
        entry(most, 0)
        entry(most + 1, 1)
        refused = run(self.program, "bench", "--entry", "logits", "--set", "batch=1,seq=256", expect=1,
                      env=dict(os.environ, WEFT_MEMORY=str(130 * 10**6))).stderr
        self.assertIn("not even batch = 1 fits", refused)


if __name__ == "__main__":
    main()
