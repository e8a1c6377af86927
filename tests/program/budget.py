"""`--recompute-budget`, and `recompute` of a config: a smaller budget takes no more memory; what is computed again is what was kept.
Before anything is computed again, and at each price again, logits are computed in chunks."""
import json
import re
import unittest

from program import ROOT, WEFT, ProgramTest, build, main, run

SIZES = "batch=40,seq=64"  # so many that a tenth of a unit, as bytes are printed, is little
WIDE = ["--set", "vocab=1500"]  # logits are what a step has most of
GPT = ROOT / "examples/gpt/gpt.weft"


class Budget(ProgramTest):
    def explained(self, budget, *options):
        """Bytes that gradients take, to a tenth of a unit, what they take without a budget, and how much more is computed."""
        said = run(WEFT, "explain", GPT, "--config", "tiny", *options, "--recompute-budget", f"{budget},{SIZES}", "--size", SIZES).stdout
        now, before, more = re.search(r"gradients take (\S+ \SB) instead of (\S+ \SB), and (\S+) % more operations", said).groups()
        units = {"B": 1, "KB": 2**10, "MB": 2**20, "GB": 2**30}
        count = lambda text: float(text.split()[0]) * units[text.split()[1]]
        return count(now), count(before), float(more), re.findall(r"`(\S+)` \((\S+)\) is computed again", said)

    def least(self):
        said = run(WEFT, "explain", GPT, "--config", "tiny", "--recompute-budget", f"1000,{SIZES}", expect=2).stderr
        self.assertIn("1000 bytes are too few: with logits in chunks, and all computed again that can be, intermediate", said)
        self.assertIn(f" where {', '.join(size.replace('=', ' = ') for size in SIZES.split(','))}", said)
        return int(re.search(r"take (\d+) bytes", said)[1])

    def test_ten_budgets(self):
        taken, all_of_it, more, again = self.explained("1GiB")
        self.assertEqual((taken, more, again), (all_of_it, 0, []))
        least, before = self.least(), (taken, more)
        self.assertLess(least, 0.95 * all_of_it)
        for step in range(1, 11):
            budget = int(all_of_it + (least - all_of_it) * step / 10)
            taken, _, more, again = self.explained(budget)
            print(f"{budget / all_of_it:.2f} of all: takes {taken / all_of_it:.2f}, {more} % more operations, again: {again}")
            self.assertLess(taken, 1.01 * budget)
            self.assertLessEqual(taken, before[0])
            self.assertGreaterEqual(more, before[1] - 1)  # the sums of chunks, which the next price may do without, are less than 1 %
            before = taken, more
        self.assertGreater(more, 0)
        self.assertTrue(again)

    def test_results_are_the_same(self):
        self.build("--recompute-budget", f"{self.least()},{SIZES}", "-o", self.folder / "little")
        taken = []
        for program, out in ((self.program, "all"), (self.folder / "little", "less")):
            self.train(out, "--steps", "12", program=program)
            table = run(program, "info", "--set", SIZES).stdout.split("train.gradient\n")[1]
            taken.append(re.search(r"(\S+ \SB)  work space", table)[1])
        self.assertNotEqual(*taken)
        losses = [[json.loads(line)["loss"] for line in (self.folder / out / "log.jsonl").read_text().splitlines() if '"loss"' in line]
                  for out in ("all", "less")]
        self.assertGreaterEqual(len(losses[0]), 12)
        for all_kept, less in zip(*losses, strict=True):
            self.assertAlmostEqual(all_kept, less, delta=1e-5 * all_kept)

    def test_chunks_come_first(self):
        """A little less than all is had by chunks of logits alone, whose memory does not grow with the batch."""
        taken, all_of_it, _, _ = self.explained("1GiB", *WIDE)
        budget = f"{int(0.95 * all_of_it)},{SIZES}"
        said = run(WEFT, "explain", GPT, "--config", "tiny", *WIDE, "--recompute-budget", budget, "--size", SIZES).stdout
        self.assertRegex(said, r"and 0\.\d % more operations; logits are computed in chunks")  # the sums of chunks are added up
        self.assertEqual(said.count("`logits` is computed one position of `batch` at a time"), 2)  # evaluated and trained
        self.assertNotIn("in chunks", run(WEFT, "explain", GPT, "--config", "tiny", *WIDE).stdout)
        self.build(*WIDE, "-o", self.folder / "plain")
        self.build(*WIDE, "--recompute-budget", budget, "-o", self.folder / "chunks")
        logs = []
        for program, out in ((self.folder / "plain", "whole"), (self.folder / "chunks", "parts")):
            self.train(out, "--steps", "8", "--eval-every", "4", program=program)
            lines = [json.loads(line) for line in (self.folder / out / "log.jsonl").read_text().splitlines()]
            logs.append([line[key] for line in lines for key in ("loss", "validation_loss", "norm") if key in line])
        self.assertGreaterEqual(len(logs[0]), 8 + 2 + 8)
        for whole, parts in zip(*logs, strict=True):
            self.assertAlmostEqual(whole, parts, delta=1e-5 * whole)

    def test_a_config_says_it(self):
        """As the option does, which wins over it; entries without gradients are as they were."""
        _, all_of_it, _, _ = self.explained("1GiB")
        file = self.folder / "gpt.weft"
        least = self.least()

        def explained(setting, *options, expect=0):
            file.write_text(GPT.read_text() + f"config little = tiny with recompute = {setting}\n")
            done = run(WEFT, "explain", file, "--config", "little", "--size", SIZES, *options, expect=expect)
            return done.stderr if expect else done.stdout
        option = run(WEFT, "explain", GPT, "--config", "tiny", "--recompute-budget", f"{least},{SIZES}", "--size", SIZES).stdout
        sizes = SIZES.replace("=", " = ").replace(",", ", ")
        own = f"budget(KB = {least / 1000 + 0.001}, {sizes})"
        expected = re.search(r"gradients take .*", option)[0]
        said = explained(own)
        self.assertIn(expected, said)
        self.assertIn("`recompute` of the config", said)
        self.assertIn(expected, explained("budget(GiB = 1)", "--recompute-budget", f"{least},{SIZES}"))
        self.assertNotIn("gradients take", explained(own, "--recompute-budget", "none"))
        self.assertNotIn("gradients take", explained(own, "--entry", "logits"))
        self.assertLess(least, all_of_it)
        self.assertIn("`recompute` of the config: 1000 bytes are too few", explained(f"budget(KB = 1, {sizes})", expect=2))
        self.assertIn("`bach`", explained("budget(GiB = 1, bach = 4)", expect=2))
        for wrong in ("2", "budget(2)", "budget(batch = 4)", "budget(GeB = 2)", "budget(GiB = 0)", "budget(GiB = 2, batch = 1.5)", "budget[seq](GiB = 2)", "saving(GiB = 2)"):
            file.write_text(GPT.read_text() + f"config little = tiny with recompute = {wrong}\n")
            said = run(WEFT, "check", file, expect=1).stderr
            self.assertIn("error[E0316]: `recompute` is a budget in KB, MB, GB, KiB, MiB or GiB, at sizes of what comes with the data", said)
            self.assertIn("help: `recompute = budget(GiB = 2, batch = 4)`", said)

    def test_what_is_wrong_is_said(self):
        def said(budget, *more):
            return build(GPT, "--config", "tiny", "--recompute-budget", budget, *more, "-o", self.folder / "none", expect=2).stderr
        self.assertIn("takes bytes first, as 2GiB or 300MB, not `much`", said("much"))
        self.assertIn("takes bytes first, as 2GiB or 300MB, not `2 GeB`", said("2 GeB,batch=4"))
        self.assertIn("takes NAME=N with a number from 1 behind the bytes, not `batch`", said("2GiB,batch"))
        self.assertIn("`bach`", said("2GiB,bach=4"))
        self.assertIn("no gradients", build(ROOT / "examples/attention/attention.weft", "--recompute-budget", "2GiB", "-o",
                                          self.folder / "none", expect=2).stderr)


if __name__ == "__main__":
    main()
