"""Programs for CUDA through a driver whose kernels do nothing (tests/unit/runtime/device/FakeDriver.cpp): what is asked of it for each token and for each
step, and what `weft doctor` says of devices. Usage: driver.py FOLDER (of the driver)"""
import os
import sys

from program import ROOT, TEXT, WEFT, ProgramTest, build, main, run

FOLDER = sys.argv.pop(1)
TOKENS, LAYERS = 12, 3


class Driver(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cuda = cls.folder / "cuda"
        build(ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--set", f"layer={LAYERS}", "--precision", "bf16", "--target", "cpu,cuda",
            "-o", cls.cuda)
        run(cls.cuda, "train", "--data", f"text:{TEXT}", "--out", cls.folder / "run", "--steps", "1", "--batch", "1", "--seq", "8", "--quiet", "--device",
            "cpu")

    def environment(self, faults=""):
        return {**os.environ, "LD_LIBRARY_PATH": FOLDER, "FAKE_CUDA": f"idle=1 {faults}", "FAKE_CUDA_LOG": str(self.folder / "asked")}

    def asked(self, *command, faults=""):
        """How often each call was made."""
        log = self.folder / "asked"
        log.unlink(missing_ok=True)
        run(self.cuda, *command, "--device", "cuda", env=self.environment(faults))
        calls = {}
        for line in log.read_text().splitlines():
            calls[line.split(" ")[0]] = calls.get(line.split(" ")[0], 0) + 1
        return calls

    def test_a_token_is_one_graph(self):
        generate = ("generate", "--checkpoint", self.folder / "run", "--prompt", "The", "--max-tokens", str(TOKENS), "--quiet")
        calls, before = self.asked(*generate), self.asked(*generate, faults="graphs=0")
        launches = calls["captured"]  # of a token
        changed = calls["changed"] / (TOKENS - 2)
        print(f"{LAYERS} layers: {launches} launches a token, of which {changed:g} are changed in a graph")
        self.assertEqual(calls["play"], TOKENS - 1)  # all but the prompt
        self.assertEqual(before["launched"] - calls["launched"], launches * (TOKENS - 1))
        self.assertNotIn("play", before)
        # Where the token stands is asked by its position, and in each layer by what writes keys and values and by attention.
        self.assertEqual(changed, 1 + 2 * LAYERS)
        self.assertGreater(launches, 2 * changed)

    def test_doctor(self):
        def doctor(faults="", folder=FOLDER):
            return run(WEFT, "doctor", env={**self.environment(faults), "LD_LIBRARY_PATH": folder}).stdout.splitlines()
        self.assertIn("CUDA driver   CUDA 13.0", doctor())
        self.assertIn("cuda:0        Fake, compute capability 9.0, 4.3 GB; would run code for 9.0a", doctor())
        self.assertIn("cuda:1        Fake, compute capability 8.6, 4.3 GB; would run code for 8.0 and later", doctor("devices=2 capability=86"))
        self.assertIn("cuda:0        cuda:0 (Fake) has compute capability 7.0, and the program has code for 9.0a, and for 8.0 and later",
                      [line.replace("Fake, compute capability 7.0, 4.3 GB; ", "") for line in doctor("capability=70")])
        self.assertTrue(any(line.startswith("CUDA driver   none: the CUDA driver finds no device") for line in doctor("devices=0")))
        self.assertTrue(any(line.startswith("CUDA driver   none: there is no CUDA driver here") for line in doctor(folder="/nowhere")))


if __name__ == "__main__":
    main()
