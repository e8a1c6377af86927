"""One program, compiled and interpreted at one point: results, gradients, and how far both are apart."""
import array
import math
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "record"))
import safetensors

TOLERANCE = 2e-4  # of the largest element, in f32


class Failed(Exception):
    pass


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Failed(f"{' '.join(command[1:3])}: exit {done.returncode}\n{done.stderr.strip()}")


class Given:
    """A program that was written: `# batch = 3` in its first line, entries `forward` and `loss`."""

    def __init__(self, path):
        self.text = open(path).read()
        self.sizes = {name: int(size) for name, size in re.findall(r"(\w+) = (\d+)", self.text)}
        self.entries = {entry: {name: (kind or "float", dims.split(", "))
                                for name, kind, dims in re.findall(r"(\w+): (\w*)\[([\w, ]+)\]", arguments)}
                        for entry, arguments in re.findall(r"entry (\w+)\((.*?)\) ->", self.text)}


def tensor(kind, shape, program, numbers):
    count = math.prod(shape)
    if kind == "float":
        return "F32", shape, array.array("f", [numbers.gauss(0, 1) for _ in range(count)])
    if kind == "bool":
        return "BOOL", shape, array.array("B", [numbers.random() < 0.7 for _ in range(count)])
    return "I32", shape, array.array("i", [numbers.randrange(program.sizes[kind]) for _ in range(count)])


class Point:
    """Inputs and parameters by name."""

    def __init__(self, inputs, parameters):
        self.inputs, self.parameters = inputs, parameters

    def moved(self, how):
        """The floats of every tensor, each as `how` makes it of a float, its tensor's name and its place."""
        def each(tensors):
            return {name: (kind, shape, array.array("f", [how(v, name, i) for i, v in enumerate(values)]) if kind == "F32" else values)
                    for name, (kind, shape, values) in tensors.items()}

        return Point(each(self.inputs), each(self.parameters))


def worst(found, expected):
    """How far each tensor is from what was expected, in parts of its largest element (or of a share of all)."""
    if set(found) != set(expected):
        raise Failed(f"gives {sorted(found)}, not {sorted(expected)}")
    largest = max([safetensors.farthest(t, t)[1] for t in expected.values()] + [0.0])
    result = {}
    for name, wanted in expected.items():
        far, most = safetensors.farthest(found[name], wanted)
        result[name] = far / max(most, 1e-3 * largest, 1e-6)
    return result


class Trial:
    def __init__(self, weft, folder, seed, program):
        self.weft, self.folder, self.program = os.path.abspath(weft), folder, program
        self.numbers = random.Random(seed)
        self.whole = seed % 4 == 0  # all entries in one program, also what trains it
        self.isa = ["x86-64-v3", "avx512"][seed % 2] if "avx512f" in open("/proc/cpuinfo").read() else "x86-64-v3"
        self.file = self.path("program.weft")
        with open(self.file, "w") as file:
            file.write(program.text)

    def path(self, name):
        return os.path.join(self.folder, name)

    def evaluate(self, entry, point, how):
        """Results and gradients of an entry, by name."""
        safetensors.write(self.path("in.st"), {name: point.inputs[name] for name in self.program.entries[entry]})
        command = [self.weft, "run", self.file, "--entry", entry, "--inputs", self.path("in.st"), "--outputs", self.path("out.st")]
        if point.parameters:
            safetensors.write(self.path("weights.st"), point.parameters)
            command += ["--weights", self.path("weights.st")]
        if entry == "loss":
            command += ["--gradients", self.path("gradients.st")]
        run(*command, *how)
        results = safetensors.read(self.path("out.st"))
        return results, safetensors.read(self.path("gradients.st")) if entry == "loss" else {}

    def interpreted(self, entry, point):
        return self.evaluate(entry, point, ["--interpret"])

    def start(self):
        """A point at random; biases and gains are not where they begin."""
        run(self.weft, "init", self.file, "-o", self.path("weights.st"))
        parameters = safetensors.read(self.path("weights.st"))
        inputs = {name: tensor(kind, [self.program.sizes[d] for d in dims], self.program, self.numbers)
                  for entry in self.program.entries.values() for name, (kind, dims) in entry.items()}
        point = Point(inputs, parameters)
        return Point(inputs, point.moved(lambda v, *_: v + 0.2 * self.numbers.gauss(0, 1)).parameters)

    def agrees(self):
        """`check` accepts it, it builds, and compiled results and gradients are the interpreter's."""
        run(self.weft, "check", self.file)
        if self.whole:
            run(self.weft, "build", self.file, "-o", self.path("program"))
        point = self.start()
        for entry in self.program.entries:
            expected = self.interpreted(entry, point)
            far = [worst(a, b) for a, b in zip(self.evaluate(entry, point, ["--isa", self.isa]), expected)]
            if all(x <= TOLERANCE for part in far for x in part.values()):
                continue
            # A value that f32 cannot know either: how far does it move with its data?
            shaken = point.moved(lambda v, *_: v * (1 + 1e-6 * self.numbers.gauss(0, 1)))
            own = [worst(a, b) for a, b in zip(self.interpreted(entry, shaken), expected)]
            for what, part, free in zip(["", "gradient of "], far, own):
                for name, x in part.items():
                    if not x <= TOLERANCE + 20 * free[name]:
                        raise Failed(f"{entry}: {what}{name} is {x:.1e} from the interpreter's ({free[name]:.1e} are its own)")
        return point

    def differs(self, point):
        """The interpreter's gradients against a central difference along a direction at random."""
        _, gradients = self.interpreted("loss", point)
        step, slope, lengths, ways = 3e-3, 0.0, 0.0, {}
        for name, (_, _, values) in gradients.items():
            ways[name] = [self.numbers.gauss(0, 1) for _ in values]
            slope += sum(a * b for a, b in zip(ways[name], values))
            lengths += sum(a * a for a in values)

        def loss(sign):
            moved = point.moved(lambda v, name, i: v + sign * step * ways[name][i] if name in ways else v)
            return self.interpreted("loss", moved)[0]["output"][2][0]

        difference = (loss(1) - loss(-1)) / (2 * step)
        if not abs(difference - slope) <= 0.02 * math.sqrt(lengths) + 1e-4:
            raise Failed(f"the gradient says {slope:.6f}, the difference {difference:.6f}")
