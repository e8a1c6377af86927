"""A training in bf16 whose updates pack the parameters that they change learns what one learns that packs them before each step, to the byte: of
models of sizes drawn anew (WEFT_SEED=N repeats them). What is loaded is packed too, and in no step anything that the update has packed."""
import json
import os
import random
import re

from program import ProgramTest, ROOT, WEFT, build, main, run

# Matrices that products read in both directions, one used in loops that it does not belong to, one with a matrix for each head, some of which a
# product reads the first or the last part, in a loop and outside of one, and a table.
SOURCE = """
dim batch, seq, vocab = 256, part = 3, model, head, dh = model / head, to = dh, odd, layer
block Model(tokens: vocab[batch, seq]) -> [batch, seq, vocab] {
  param table: [vocab, model] = normal(0.3)
  param shared: [model, odd] = normal(0.3)
  param turn: [head, dh, to] = normal(0.5)
  param parts: [part, model, odd] = normal(0.3)
  x = table[vocab = tokens]
  x = x + sum[odd](sum[model](x * parts[part = 0]) * parts[part = 2])
  repeat[layer] {
    param back: [odd, model] = normal(0.2)
    param first: [part, model, odd] = normal(0.3)
    h = tanh(sum[model](norm: LayerNorm[model](x) * shared) + sum[model](x * first[part = 0]))
    y = sum[odd](h * back)
    x = x + sum[dh](y[model as (head, dh)] * turn)[(head, to) as model]
  }
  sum[model](x * table)
}
entry loss(tokens: vocab[batch, seq], next: vocab[batch, seq]) -> float = mean[(batch, seq)](cross_entropy[vocab](Model(tokens), next))
entry train = minimize(loss, adamw(rate = 0.01), data = text(tokens, next))
"""


class Packed(ProgramTest):
    def setUp(self):
        self.seed = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
        self.draw = random.Random(self.seed)
        print(f"WEFT_SEED={self.seed}")

    def learned(self, name, source, sizes, *options):
        """The files of the checkpoint behind three steps, of which the last one is another process's, and the plan."""
        name = f"{self.id()}-{name}"
        built = [source, "--precision", "bf16", "--set", sizes, *options]
        build(*built, "-o", self.folder / name)
        self.train(f"{name}-out", "--steps", "3", "--stop-at", "2", "--quiet", program=self.folder / name, batch=2, seq=8)
        run(self.folder / name, "train", "--resume", "--out", self.folder / f"{name}-out", "--quiet")
        plan = run(WEFT, "show", *built, "--at", "plan").stdout
        return {path.name: path.read_bytes() for path in (self.folder / f"{name}-out/step-3").iterdir()}, plan

    def packed_in_steps(self, name, plan):
        """The kernels of the gradient's `prepare` that steps run."""
        entry = plan[plan.index("plan.entry @train.gradient"):]
        prepare = entry[entry.index(" prepare {"):entry.index("} body {")]
        steps = json.loads(run(self.folder / f"{self.id()}-{name}", "profile", "--entry", "train", "--set", "batch=2,seq=8", "--runs", "2", "--json").stdout)
        ran = {kernel["kernel"] for kernel in steps["kernels"]}
        packs = set(re.findall(r"plan.launch @(\S+)\(", prepare))
        return packs & ran, packs

    def compare(self, source, sizes):
        again, plan = self.learned("again", source, sizes)
        ahead, other = self.learned("ahead", source, sizes, "--without", "weft-keep-packed")
        steps = plan.count(") in_step")
        self.assertNotIn("in_step", other)
        self.assertEqual(set(again), set(ahead))
        for name in again:
            if name != "options.json":
                self.assertTrue(again[name] == ahead[name], f"{name} differs of {source} with {sizes}")
        return steps, plan

    def test_gpt(self):
        head, layer = self.draw.randrange(1, 4), self.draw.randrange(1, 4)
        model = head * self.draw.randrange(3, 30)
        sizes = f"vocab={self.draw.randrange(200, 400)},position=8,model={model},head={head},layer={layer}"
        steps, _ = self.compare(ROOT / "examples/gpt/gpt.weft", sizes)
        self.assertGreaterEqual(steps, 1, f"in step are at least those of the table: {sizes}")

    def test_whole_tasks(self):
        sizes = f"vocab=256,position=8,model=32,head=2,layer={self.draw.randrange(2, 4)}"
        steps, plan = self.compare(ROOT / "examples/gpt/gpt.weft", sizes)
        self.assertEqual(steps, 14, "each of seven matrices in both directions")
        ran, all = self.packed_in_steps("again", plan)
        self.assertGreater(len(all), 5)
        self.assertEqual(ran, set())

    def test_some_frozen(self):
        path = self.folder / "some.weft"
        frozen = self.draw.sample(["table", "shared", "turn", "parts", "back", "first"], self.draw.randrange(1, 6))
        path.write_text(SOURCE.replace("adamw(rate = 0.01)", f"adamw(rate = 0.01), freeze({', '.join(frozen)})"))
        self.compare(path, f"model=12,head=2,odd={self.draw.randrange(3, 70)},layer={self.draw.randrange(1, 4)}")

    def test_all_frozen(self):
        """What no step changes is packed once."""
        path = self.folder / "all.weft"
        source = (ROOT / "examples/gpt/gpt.weft").read_text()
        path.write_text(source.replace("clip = 1", "freeze(table, attn, ffn), clip = 1"))
        self.assertNotEqual(path.read_text(), source)
        steps, plan = self.compare(path, f"vocab=256,position=8,model=32,head=2,layer={self.draw.randrange(1, 4)}")
        self.assertEqual(steps, 0, "no update packs what it leaves as it is")
        ran, all = self.packed_in_steps("again", plan)
        self.assertGreater(len(all), 5)
        self.assertEqual(ran, set())

    def test_used_otherwise(self):
        path = self.folder / "used.weft"
        path.write_text(SOURCE)
        head = self.draw.randrange(1, 4)
        model = head * self.draw.randrange(2, 20)
        self.compare(path, f"model={model},head={head},odd={self.draw.randrange(3, 70)},layer={self.draw.randrange(1, 4)}")


if __name__ == "__main__":
    main()
