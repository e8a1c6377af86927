"""`weft import` of files that have a parameter twice: a copy is the same to the bit, or the file is refused; it may be
absent, and may be all that there is. Usage: import_copies.py WEFT"""
import array
import shutil
import subprocess

from foreign import Foreign, floats, main
import safetensors

PROGRAM = """dim batch, layer, model, head, dh = model / head, vocab
option tied = true

block Model(ids: vocab[batch]) -> [batch, vocab] {
  param table: [vocab, model] = normal(1)
  x = table[vocab = ids]
  repeat[layer] {
    q = q: Linear[model, (head, dh)](x)
    x = x + back: Project[(head, dh), model](q)
  }
  if tied { sum[model](x * table) } else { scores: Project[model, vocab](x) }
}
entry run(ids: vocab[batch]) -> [batch, vocab] = Model(ids)
config small with layer = 2, model = 8, head = 2, vocab = 5

weights theirs {
  "h.{layer}" = layer, "embed.weight" = table, copy "decoder.weight" = table, "decoder" = scores, Project.weight: [out, in]
  Linear.weight: [in, out]
}
weights turned {
  "embed.weight" = table, copy "decoder.weight" = table: [model, vocab], copy "third" = table
  "h.{layer}" = layer, copy "h.{layer}.again" = layer.back.weight, back.weight: [model, (head, dh)]
  copy "every" = layer.q.bias: [layer, (head, dh)], copy "both" = stack[part](q.weight, back.weight): [part, model, (head, dh)]
  Linear.weight: [in, out]
}
weights itself { Linear.weight: [in, out], Project.weight: [in, out], copy "table" = table }
weights two { Linear.weight: [in, out], Project.weight: [in, out], copy "again" = table, copy "again" = layer.q.bias: [layer, (head, dh)] }
weights hidden { Linear.weight: [in, out], Project.weight: [in, out], copy "decoder.weight" = table, ignore "decoder.*" }
weights same { Linear.weight: [in, out], Project.weight: [in, out], copy "decoder.weight" = table, ignore "decoder.weight" }
"""


class Copies(Foreign):
    program = PROGRAM

    def test(self):
        self.first = (self.folder / "first").read_bytes()
        self.equal()
        self.other()
        self.alone()
        self.beside()
        self.own()
        self.laid_out()
        self.clauses()

    def exported(self, clause, *words):
        self.run("export", "--clause", clause, "--from", self.folder / "first", "-o", self.folder / "theirs", *words)
        return safetensors.read(self.folder / "theirs")

    def taken(self, clause, tensors, *words):
        """What is imported is what was exported; gives what is said of it."""
        safetensors.write(self.folder / "file", tensors)
        shutil.rmtree(self.folder / "ours", ignore_errors=True)
        said = self.take(clause, self.folder / "file", "ours", *words)
        assert (self.folder / "ours/parameters.safetensors").read_bytes() == self.first
        return said

    def refused(self, what, tensors, clause="theirs", *words):
        safetensors.write(self.folder / "file", tensors)
        error = self.take(clause, self.folder / "file", "none", *words, code=1)
        assert what in error and error.count("\n") == 1, (what, error)
        assert not list(self.folder.glob("none*")), "something was written"

    def equal(self):
        """A file has it twice, or once; what is exported has it once."""
        whole = self.exported("theirs")
        assert set(whole) == {"embed.weight", *(f"h.{i}.{name}" for i in (0, 1) for name in ("q.weight", "q.bias", "back.weight"))}
        for tensors, said in ((whole, "from 7 tensors\n"),
                              ({**whole, "decoder.weight": whole["embed.weight"]}, "from 7 tensors, 1 equal to others\n")):
            self.taken("theirs", tensors)
            done = subprocess.run([self.weft, "import", self.folder / "model.weft", "--config", "small", "--clause", "theirs", "--from",
                                   self.folder / "file", "-o", self.folder / "ours"], capture_output=True, text=True)
            assert done.stdout.endswith(said), done.stdout

    def other(self):
        """One bit is a difference: the file's model has two tables."""
        whole = self.exported("theirs")
        values = whole["embed.weight"][2]

        def changed(*changes):
            copy = array.array("f", values)
            for at, value in changes:
                copy[at] = value
            return {**whole, "decoder.weight": ("F32", [5, 8], copy)}

        here = f"{array.array('f', [values[13]])[0]:.5}"
        safetensors.write(self.folder / "file", changed((30, 2.0), (13, 0.25)))
        error = self.take("theirs", self.folder / "file", "none", code=1)
        assert "file: `decoder.weight` is no copy of `embed.weight`: 2 of 40 numbers differ, the first is 0.25 at [1, 5] and " + here in error
        assert 'name it in the clause, `"decoder.weight" = …`' in error and error.count("\n") == 1, error
        zero = {**whole, "embed.weight": ("F32", [5, 8], array.array("f", [0.0, *values[1:]]))}
        self.refused("1 of 40 numbers differ, the first is -0 at [0, 0] and 0 in `embed.weight`",
                     {**zero, "decoder.weight": ("F32", [5, 8], array.array("f", [-0.0, *values[1:]]))})
        self.refused("`decoder.weight` holds nan at [0, 2]", changed((2, float("nan"))))
        self.refused("`decoder.weight` is [8, 5], the layout of `table` says [vocab = 5, model = 8]",
                     {**whole, "decoder.weight": floats([8, 5])})
        narrow = {**whole, "decoder.weight": ("F16", [5, 8], values)}
        self.refused("numbers differ", narrow)  # rounded

    def alone(self):
        """Where a file has only the copy, the parameter is read from it."""
        whole = self.exported("theirs")
        table = whole.pop("embed.weight")
        self.taken("theirs", {**whole, "decoder.weight": table})
        self.refused("`decoder.weight` is [8, 5], the layout", {**whole, "decoder.weight": floats([8, 5])})
        self.refused("there is no `embed.weight` for `table`", whole)

    def beside(self):
        """The prefix may be that of the copy too, or not."""
        whole = {"model." + name: tensor for name, tensor in self.exported("theirs").items()}
        table = whole["model.embed.weight"]
        for name in ("decoder.weight", "model.decoder.weight"):
            self.taken("theirs", {**whole, name: table}, "--prefix", "model.")
            self.refused(f"`{name}` is no copy of `model.embed.weight`: 40 of 40", {**whole, name: floats([5, 8], 50)}, "theirs",
                         "--prefix", "model.")
        both = {**whole, "decoder.weight": table, "model.decoder.weight": table}
        self.refused("no parameter is `decoder.weight`", both, "theirs", "--prefix", "model.")

    def own(self):
        """Under a config that has a parameter of this name, it is that parameter."""
        self.run("init", "--seed", 4, "--set", "tied=false", "-o", self.folder / "untied")
        self.run("export", "--clause", "theirs", "--set", "tied=false", "--from", self.folder / "untied", "-o", self.folder / "theirs")
        assert safetensors.read(self.folder / "theirs")["decoder.weight"][1] == [5, 8]
        self.take("theirs", self.folder / "theirs", "ours", "--set", "tied=false")
        assert (self.folder / "ours/parameters.safetensors").read_bytes() == (self.folder / "untied").read_bytes()
        assert "`decoder.weight` is no copy" in self.take("theirs", self.folder / "theirs", "none", code=1)

    def laid_out(self):
        """A copy may have another layout, be one for each layer or one for all, or hold several parameters."""
        whole = self.exported("turned")
        _, _, table = whole["embed.weight"]
        turned = ("F32", [8, 5], array.array("f", (table[v * 8 + m] for m in range(8) for v in range(5))))
        biases = ("F32", [2, 8], array.array("f", [*range(16)]))
        for i in (0, 1):
            whole[f"h.{i}.q.bias"] = ("F32", [8], biases[2][i * 8:i * 8 + 8])
        safetensors.write(self.folder / "file", whole)
        self.take("turned", self.folder / "file", "changed")
        self.first = (self.folder / "changed/parameters.safetensors").read_bytes()
        both = {f"h.{i}.both": ("F32", [2, 8, 8], whole[f"h.{i}.q.weight"][2] + whole[f"h.{i}.back.weight"][2]) for i in (0, 1)}
        backs = {f"h.{i}.again": whole[f"h.{i}.back.weight"] for i in (0, 1)}
        copies = {"decoder.weight": turned, "third": whole["embed.weight"], "every": biases, **both, **backs}
        self.taken("turned", {**whole, **copies})
        for name, (kind, shape, values) in copies.items():
            self.taken("turned", {**whole, name: copies[name]})
            wrong = array.array("f", [*values[:-1], 77])
            where = ", ".join(str(size - 1) for size in shape)
            self.refused(f"`{name}` is no copy of `", {**whole, **copies, name: (kind, shape, wrong)}, "turned")
            self.refused(f"1 of {len(values)} numbers differ, the first is 77 at [{where}]", {**whole, name: (kind, shape, wrong)}, "turned")
        lacking = {name: tensor for name, tensor in whole.items() if name not in ("embed.weight", "h.1.back.weight")}
        self.taken("turned", {**lacking, "decoder.weight": turned, "h.1.again": backs["h.1.again"]})
        del lacking["h.0.q.bias"]
        self.refused("there is no `h.0.q.bias` for `layer.q.bias`",
                     {**lacking, "decoder.weight": turned, "h.1.again": backs["h.1.again"], "every": biases}, "turned")

    def clauses(self):
        """What is no second tensor, or also something else."""
        for clause, code, what in (("itself", "E0621", "`table` is `table` itself, and no copy of it"),
                                   ("two", "E0621", "both called `again`"),
                                   ("hidden", "E0624", "`decoder.*` would leave out `decoder.weight` too, which is a copy of `table`"),
                                   ("same", "E0624", "`decoder.weight` would leave out `decoder.weight`, which is a copy of `table`")):
            error = self.take(clause, self.folder / "first", "none", code=1)
            assert code in error and what in error, (what, error)


main(Copies)
