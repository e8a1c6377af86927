"""Of every config of every example, forwards and in training: the memory that a program says a run will take, against what it took. Sizes are
drawn, so that runs take 50 MB to 3 GB: of less the test says little. Of weights beyond a gigabyte nothing is said exactly enough."""
import json
import pathlib
import random
import re
import tempfile
import unittest

from memory import peak, tables
from program import ROOT, build, main, run
import shared_library

LARGEST = 1e9  # bytes of parameters
WANTED = range(50_000_000, 3_000_000_000)


def configs(file):
    return re.findall(r"^config (\w+)", file.read_text(), re.MULTILINE)


def free_dims(facts):
    return {dim["name"]: dim.get("bound") for dim in facts["dims"] if dim.get("size") is None and not dim.get("formula")}


@unittest.skipIf(shared_library.preloaded(), "a sanitizer has memory of its own")
class MemoryOfExamples(unittest.TestCase):
    def test_every_config(self):
        seed = random.SystemRandom().randrange(2**32)
        draw = random.Random(seed)
        print(f"seed {seed}")
        tried = 0
        with tempfile.TemporaryDirectory() as folder:
            for file in sorted((ROOT / "examples").glob("*/*.weft")):
                for config in configs(file):
                    with self.subTest(file=file.name, config=config):
                        tried += self.config(file, config, pathlib.Path(folder) / "program", draw)
        self.assertGreater(tried, 40)

    def config(self, file, config, program, draw):
        build(file, "--config", config, "-o", program)
        facts = json.loads(run(program, "info", "--json").stdout)
        if 4 * int(re.search(r"^(\d+) parameters", run(program, "info").stdout, re.MULTILINE)[1]) > LARGEST:
            return 0
        dims, tried = free_dims(facts), 0
        entries = list(tables(program, self.sizes(dims, draw, 1)))
        for entry in entries:
            sizes, expected = self.fitting(program, dims, entry, draw)
            if not sizes:
                continue
            _, measured = peak(program, "bench", "--entry", entry, "--set", sizes, "--runs", "1")
            off = 100 * (expected / measured - 1)
            print(f"{file.name} {config} {entry} {sizes}: expected {expected / 1e6:.1f} MB, took {measured / 1e6:.1f} MB ({off:+.2f} %)", flush=True)
            self.assertLess(abs(expected - measured), 0.01 * measured + 2e6, f"{entry} at {sizes}")
            tried += 1
        return tried

    @staticmethod
    def sizes(dims, draw, scale):
        """`known` positions and `new` ones are at most the `capacity` that a decoding has."""
        size = {name: min(bound or 1 << 30, max(1, int(scale * draw.choice((4, 6, 8))))) for name, bound in dims.items()}
        if {"known", "new", "capacity"} <= size.keys():
            size["new"] = 1
            size["capacity"] = max(size["capacity"], 2)
            size["known"] = max(1, min(size["known"], size["capacity"] - 1))
        return ",".join(f"{name}={value}" for name, value in size.items())

    def fitting(self, program, dims, entry, draw):
        """Sizes at which `entry` takes as much as is wanted, and how much that is."""
        for scale in (1, 2, 4, 8, 16, 32, 64):
            sizes = self.sizes(dims, draw, scale)
            expected = tables(program, sizes).get(entry)
            if expected and int(expected) in WANTED:
                return sizes, expected
        return None, None


if __name__ == "__main__":
    main()
