"""A random program: statements that each make one value of those before, from what a model is made of."""
import random
import re

STATIC = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 33]
RUNTIME = [1, 2, 3, 4, 5, 6, 7, 9, 12, 17]
LARGE = {"batch": [1, 2, 33], "seq": [65, 97, 130], "dh": [16, 40, 64], "ff": [100, 257, 600]}  # beyond one block or panel


class Value:
    def __init__(self, name, dims):
        self.name, self.dims, self.used = name, list(dims), False


class Program:
    """`text`, and `inputs`: name -> (kind, shape), where the kind is `float`, `bool` or the size of what is indexed."""

    def __init__(self, seed, steps):
        self.random = random.Random(seed)
        self.large = self.random.random() < 0.1
        self.most = 300000 if self.large else 6000  # elements of a value
        self.sizes, self.declared, self.lines, self.inputs = {}, [], [], {}
        self.values, self.indices, self.masks = [], [], []
        self.count, self.indent, self.loop = 0, "  ", 0
        self.declare()
        self.open()
        from pieces import PIECES

        names, weights = zip(*PIECES)
        while self.count < steps:
            self.random.choices(names, weights)[0](self)
        self.close()

    # Dimensions.
    def declare(self):
        pick = self.random.choice
        for name in ["batch", "seq"]:
            self.sizes[name] = pick(LARGE[name] if self.large else RUNTIME)
            self.declared.append(name)
        if self.sizes["seq"] == 1 and pick([True, False]):
            self.sizes["seq"] = 5
        head, dh = pick([1, 2, 3, 4]), pick(LARGE["dh"]) if self.large else 2 * pick([1, 2, 3, 4, 8])
        fixed = {"head": head, "dh": dh, "model": head * dh, "ff": pick(LARGE["ff"] if self.large else STATIC), "expert": pick([2, 3, 4, 5]),
                 "group": pick([1, 2, 3]), "vocab": pick([5, 7, 16, 33]), "layer": pick([1, 2, 3]), "tap": pick([2, 3]),
                 "two": 2, "one": 1, "choice": 2}
        self.sizes.update(fixed)
        self.sizes |= {"key": self.sizes["seq"], "model2": fixed["model"], "token": 1 + self.sizes["seq"]}
        self.declared += [f"{name} = {size}" for name, size in fixed.items()]
        self.declared += ["key = seq", "model2 = model", "token = one | seq"]

    def static(self, dim):
        return dim not in ("batch", "seq", "key", "token")

    def elements(self, dims):
        product = 1
        for dim in dims:
            product *= self.sizes[dim]
        return product

    # Values.
    def open(self):
        pick = self.random.choice
        self.argument("x", pick([["batch", "seq", "model"], ["batch", "model", "seq"], ["seq", "batch", "model"]]))
        for name, dims in [("y", ["batch", "model"]), ("z", ["batch", "seq", "head", "dh"]), ("u", ["batch", "seq"]),
                           ("v", ["seq", "ff"]), ("w", ["batch", "expert"])]:
            if self.random.random() < 0.4:
                self.argument(name, dims)
        self.inputs["ids"] = ("vocab", ["batch", "seq"])
        self.indices.append(Value("ids", ["batch", "seq"]))
        self.inputs["keep"] = ("bool", ["batch", "seq"])
        self.masks += [Value("keep", ["batch", "seq"]), Value("(index(seq) % 2 == 0)", ["seq"]),
                       Value("(index(key) <= index(seq))", ["seq", "key"])]

    def argument(self, name, dims):
        self.inputs[name] = ("float", dims)
        self.values.append(Value(name, dims))

    def some(self, *wanted, without=()):
        """A value that has all of `wanted`, sooner a late or an unused one."""
        found = [v for v in self.values if all(d in v.dims for d in wanted) and not any(d in v.dims for d in without)]
        if not found:
            return None
        weights = [(3 if not v.used else 1) * (1 + i) for i, v in enumerate(found)]
        chosen = self.random.choices(found, weights)[0]
        return chosen

    def dim(self, value, among=None):
        dims = [d for d in value.dims if among is None or d in among]
        return self.random.choice(dims) if dims else None

    def fresh(self, without, among=("model", "ff", "head", "dh", "expert", "group", "model2")):
        """A static dimension that none of `without` is."""
        dims = [d for d in among if d not in without]
        return self.random.choice(dims) if dims else None

    def bind(self, expression, dims, *used):
        """Adds a statement; `dims` are those of its value."""
        if self.elements(dims) > self.most or len(set(dims)) != len(dims) or len(dims) > 5:
            return None
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{self.indent}{name} = {expression}")
        for value in used:
            value.used = True
        self.values.append(Value(name, dims))
        return self.values[-1]

    def parameter(self, dims):
        self.count += 1
        name = f"p{self.count}"
        self.lines.append(f"{self.indent}param {name}: [{', '.join(dims)}] = normal(0.5)")
        return Value(name, dims)

    # The end: whatever was not used becomes a number beside the last value.
    def close(self):
        last = self.values[-1]
        last.used = True
        rest = [v for v in self.values if not v.used]
        self.random.shuffle(rest)
        result = last.name
        for value in rest[:4]:
            probe = f"probe({value.name})"
            result += f" + mean[({', '.join(value.dims)})]({probe})" if value.dims else f" + {probe}"
        self.result, self.dims = result, last.dims
        used = set(re.findall(r"\w+", "\n".join(self.lines) + " " + result))
        self.inputs = {n: about for n, about in self.inputs.items() if n in used}
        self.entries = {"forward": self.inputs, "loss": self.inputs}

    @property
    def text(self):
        def argument(name):
            kind, dims = self.inputs[name]
            element = "" if kind == "float" else kind
            return f"{name}: {element}[{', '.join(dims)}]"

        arguments = ", ".join(map(argument, self.inputs))
        shape = f"[{', '.join(self.dims)}]" if self.dims else "float"
        values = ", ".join(self.inputs)
        scalar = f"mean[({', '.join(self.dims)})](probe(net))" if self.dims else "probe(net)"
        words = re.findall(r"\w+", "\n".join(self.lines) + arguments + shape)
        needed = set(words) | {"seq" if w in ("key", "token") else "model" if w == "model2" else w for w in words}
        declared = [d for d in self.declared if d.split()[0] in needed or d.split()[0] in ("one",) and "token" in needed]
        return "\n".join([
            f"dim {', '.join(declared)}",
            "fn probe(x: [..]) -> [..] = log(1 + (x + 0.3) ^ 2)",
            f"block Net({arguments}) -> {shape} {{", *self.lines, f"  {self.result}", "}",
            f"entry forward({arguments}) -> {shape} = net: Net({values})",
             f"entry loss({arguments}) -> float {{", f"  net = net: Net({values})", f"  {scalar}", "}",
             "entry train = minimize(loss, adamw(rate = 0.001), clip = 1)" if self.trains else "", ""])

    @property
    def trains(self):
        return any(word in line for line in self.lines for word in ("param ", "Linear[", "Project[", "Norm["))
