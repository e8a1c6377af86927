"""Makes a bundle for a machine with a GPU: programs, inputs, what should come out, and check.py, which runs them there.

bundle.py WEFT HUNTER FOLDER [--device NAME] [--random N [--seed S]] [--precision NAME,...] [--only TEXT] [--speeds]: the programs have code for the CPU and for
`--device` (cuda; with cuda-emulated a bundle is tried where there is no GPU). Expected are results and gradients of the float64 interpreter.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/record"))

import safetensors

import data
import files
from cases import EXAMPLES, RUN, SPEEDS, TRAININGS, USUAL


class Bundle:
    def __init__(self, weft, folder, device):
        self.weft, self.folder, self.device = weft, folder, device
        for name in ("programs", "cases", "data"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def run(self, *words):
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stderr}")
        return done.stdout

    def build(self, name, source, options):
        """A program for both devices, and what it says of itself."""
        program = self.folder / "programs" / name
        self.run(self.weft, "build", source, *options, "--target", f"cpu,{self.device}", "-o", program)
        return program, json.loads(self.run(program, "info", "--json"))

    def cases(self, name, source, options, precision, given):
        """One for each entry of the program: its inputs and results, and gradients where it has floats to go down from."""
        options_here = [*options, "--precision", precision]
        program, facts = self.build(f"{name}-{precision}", source, options_here)
        summed = [entry["name"] for entry in facts["entries"] if self.is_summed(entry)]
        if summed:
            program, facts = self.build(f"{name}-{precision}", source, [*options_here, "--gradients-of", ",".join(summed)])
        weights = self.folder / "cases" / f"{name}.weights"
        if facts["parameters"] and not weights.exists():
            self.run(self.weft, "init", source, *options, "--seed", 1, "-o", weights)
            files.shake(weights, 2)
        for entry in facts["entries"]:
            if entry["kind"] == "plain":
                yield self.case(name, source, options, precision, program, facts, entry, weights, given)

    def case(self, name, source, options, precision, program, facts, entry, weights, given):
        place = f"{name}.{entry['name']}"
        inputs = self.folder / "cases" / f"{place}.inputs"
        sizes = files.sizes_of(facts, given)
        safetensors.write(inputs, files.inputs_of(entry, facts, sizes, place))
        words = ["--entry", entry["name"], "--inputs", inputs]
        taken = {dim for argument in entry["inputs"] for dim in argument["dims"]}
        open_ones = [f"{dim['name']}={sizes[dim['name']]}" for number, dim in enumerate(facts["dims"])
                     if dim["size"] is None and not dim["derived"] and number in self.dims_of(entry) - taken]
        words += ["--set", ",".join(open_ones)] if open_ones else []
        expected, gradients = self.expected(place, source, options, entry["name"], words, weights)
        words += ["--weights", weights] if weights.exists() else []
        case = dict(name=f"{place}-{precision}", program=program.name, entry=entry["name"], inputs=inputs.name,
                    weights=weights.name if weights.exists() else None, set=open_ones, expected=expected, gradients=gradients,
                    bounds=[1e-5, 1e-4])
        if precision != "float32":
            case["bounds"] = self.measured(case, words, program)
        return case

    @staticmethod
    def is_summed(entry):
        """Whether the gradient is one of a sum: of the only result that is of floats, which is no single number."""
        floats = [output for output in entry["outputs"] if output["element"] == "float"]
        return entry["kind"] == "plain" and len(floats) == 1 and bool(floats[0]["dims"])

    @staticmethod
    def dims_of(entry):
        return {dim for side in ("inputs", "outputs") for argument in entry[side] for dim in argument["dims"]}

    def expected(self, place, source, options, entry, words, weights):
        """Files of the interpreter's results and gradients; no gradients where there are none to have."""
        results, gradients = (self.folder / "cases" / f"{place}.{kind}" for kind in ("results", "gradients"))
        if not results.exists():
            own = self.folder / "cases" / f"{place}.weights"
            if weights.exists():  # an entry by itself knows its own parameters only
                self.run(self.weft, "init", source, *options, "--entry", entry, "-o", own)
                everything = safetensors.read(weights)
                safetensors.write(own, {path: everything[path] for path in safetensors.read(own)})
                words = [*words, "--weights", own]
            for more in (["--gradients", gradients], []):
                try:
                    self.run(self.weft, "run", source, *options, "--interpret", *words, "--outputs", results, *more)
                    break
                except RuntimeError:  # an entry that has no gradients
                    if not more:
                        raise
            own.unlink(missing_ok=True)
        return results.name, gradients.name if gradients.exists() else None

    def measured(self, case, words, program):
        """By what the CPU's program is off, of inputs that are rounded, as a device's products and attention round them. It rounds neither parameters nor weights of attention: a
        product of two rounded sides is off by sqrt(2) as much, and one largest difference may be twice another. At least bfloat16's unit roundoff."""
        bounds, here = [], self.folder / "cases"
        rounded = here / f"{case['name']}.rounded"
        safetensors.write(rounded, files.rounded(safetensors.read(here / case["inputs"])))
        words = [rounded if word == here / case["inputs"] else word for word in words]
        for kind, option in (("expected", "--outputs"), ("gradients", "--gradients")):
            if not case[kind]:
                bounds.append(0)
                continue
            found, outputs = here / f"{case['name']}.found", here / f"{case['name']}.outputs"
            self.run(program, "run", *words, *(["--outputs", outputs] if kind == "gradients" else []), option, found, "--device", "cpu")
            apart = files.apart(safetensors.read(found), safetensors.read(here / case[kind]))
            bounds.append(max(2 * 2 ** 0.5 * max(apart.values(), default=0), 2 ** -8))
            for path in (found, outputs):
                path.unlink(missing_ok=True)
        rounded.unlink()
        return bounds

    def examples(self, precision, only):
        for name, sizes in EXAMPLES.items():
            if only in name:
                options = ["--set", ",".join(f"{dim}={size}" for dim, size in sizes.items())] if sizes else []
                given = lambda dim, bound: min(RUN.get(dim, USUAL), bound or RUN.get(dim, USUAL))
                yield name.replace("/", "-"), ROOT / f"examples/{name}.weft", options, precision, given

    def random_programs(self, hunter, count, first):
        """Each with the first of its sizes. Only in float32: what rounding decides, which the hunter works out, is too much in bfloat16."""
        if count == 0:
            return
        said = self.run(hunter, "--print", "--count", count, "--seed", first)
        for text in re.split(r"(?m)^(?=# right: )", said)[1:]:
            seed, sizes = re.search(r"# try: --seed (\d+) --size (\S+)", text).groups()
            source = self.folder / "cases" / f"random-{seed}.weft"
            source.write_text(text)
            table = {} if sizes == "-" else {dim: int(size) for dim, size in (each.split("=") for each in sizes.split(","))}
            yield f"random-{seed}", source, [], "float32", lambda dim, bound, table=table: table.get(dim, 1)

    def trainings(self):
        """Programs that train, and a text, sentences and pictures to train on."""
        data.prose(self.folder / "data/prose", sorted((ROOT / "docs/language").glob("*.md")))
        data.pairs(self.folder / "data/pairs.tsv")
        data.digits(self.folder / "data/digits")
        for source, made, given, options in TRAININGS:
            name = f"train-{source.split('/')[-1]}"
            self.build(name, ROOT / f"examples/{source}.weft", made)
            yield dict(program=name, data=given, options=options, generates=source == "gpt/gpt")


    def speeds(self, precision):
        for name, source, made, entry, sizes, amount, families in SPEEDS:
            program = re.sub(r"\W", "-", f"{source.split('/')[-1]} {' '.join(made[1:])} {precision}")
            place = ROOT / ("bench/gpu" if source.startswith("speeds/") else "examples") / f"{source}.weft"
            if not (self.folder / "programs" / program).exists():
                self.build(program, place, [*made, "--precision", precision])
            yield dict(name=name, program=program, precision=precision, entry=entry, sizes=sizes, amount=amount, families=families)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weft", "hunter", "folder"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--random", type=int, default=60, help="random programs of fresh seeds")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "little"), help="of the first of them (new each time)")
    parser.add_argument("--precision", default="float32,bf16")
    parser.add_argument("--only", default="", help="examples with this in their name; no trainings")
    parser.add_argument("--speeds", action="store_true", help="what is timed, too")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    bundle = Bundle(options.weft.resolve(), options.folder.resolve(), options.device)
    # Results of the first precision are those that others are held against: they are there before these begin.
    rounds = [list(bundle.examples(precision, options.only)) for precision in options.precision.split(",")]
    rounds[0] += bundle.random_programs(options.hunter, options.random, options.seed)
    cases, refused = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for jobs in rounds:
            for made in pool.map(lambda job: attempt(bundle, job), jobs):
                (cases.extend if isinstance(made, list) else refused.append)(made)
    trainings = [] if options.only else list(bundle.trainings())
    speeds = [speed for precision in options.precision.split(",") for speed in bundle.speeds(precision)] if options.speeds else []
    (options.folder / "cases.json").write_text(json.dumps(dict(device=options.device, cases=cases, trainings=trainings, speeds=speeds), indent=1))
    for path in (ROOT / "tests/record/safetensors.py", *(ROOT / f"bench/gpu/{name}.py" for name in ("check", "files", "peers", "speed")),
                 ROOT / "bench/train/torch_gpt.py", ROOT / "bench/train/torch_steps.py"):
        shutil.copy(path, options.folder)
    print(f"{options.folder}: {len(cases)} cases, {len(trainings)} trainings; left out, refused here: {len(refused)}")
    for problem in refused:
        print("  " + problem)
    return 1 if any("random" not in problem for problem in refused) else 0


def attempt(bundle, job):
    """The cases of a program, or why there are none."""
    try:
        return list(bundle.cases(*job))
    except RuntimeError as problem:
        return f"{job[0]}: {str(problem)[-400:]}"


if __name__ == "__main__":
    sys.exit(main())
