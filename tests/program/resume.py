"""100 steps equal 50 steps, --resume and 50 steps, byte for byte in every file of the checkpoint; what a training says without a terminal."""
import json
import re

from program import ProgramTest, main, run


class Resume(ProgramTest):
    def files(self, folder):
        return {path.name: path.read_bytes() for path in (self.folder / folder).iterdir()}

    def log(self, out):
        rows = [json.loads(line) for line in (self.folder / out / "log.jsonl").read_text().splitlines()]
        return [(row["step"], row["loss"], row["norm"], row["rate"]) for row in rows]

    def test_resumed_equals_uninterrupted(self):
        self.train("whole", "--steps", "100", "--quiet")
        self.train("parts", "--steps", "100", "--stop-at", "50", "--quiet")
        run(self.program, "train", "--resume", "--out", self.folder / "parts", "--quiet")
        whole, parts = self.files("whole/step-100"), self.files("parts/step-100")
        self.assertEqual(set(whole), {"parameters.safetensors", "optimizer.safetensors", "state.json", "options.json", "tokenizer.json"})
        for name in whole:
            self.assertTrue(whole[name] == parts[name], f"{name} differs")
        self.assertEqual(self.log("whole"), self.log("parts"))
        self.assertEqual(len(self.log("whole")), 100)
        self.assertLess(self.log("whole")[-1][1], self.log("whole")[0][1] - 0.5)  # it does learn

    def test_threads_do_not_matter(self):
        self.train("one", "--steps", "10", "--quiet", "--threads", "1")
        self.train("three", "--steps", "10", "--quiet", "--threads", "3")
        self.assertTrue(self.files("one/step-10") == self.files("three/step-10"))

    def test_plain_lines_without_a_terminal(self):
        written = self.train("piped", "--steps", "40", "--eval-every", "0").stderr
        self.assertNotIn("\x1b", written)
        self.assertNotIn("\r", written)
        self.assertEqual(len(re.findall(r"^step \d+/40  loss [\d.]+  \S+ tokens/s  \d+:\d\d left$", written, re.M)), 21)
        self.assertEqual(self.train("quiet", "--steps", "5", "--quiet").stderr, "")


if __name__ == "__main__":
    main()
