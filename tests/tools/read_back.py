"""What `weft show` prints can be read back. Of one program, for every stage:
- the plain text and every file of --each-pass is read by weft-opt, which then takes it through the stages that are left;
- the text with locations, taken from one stage to the next by weft-opt, is what `weft show` prints there."""
import difflib
import pathlib
import subprocess
import sys
import tempfile

STAGES = ["model", "fused", "kernel", "plan"]


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr[:4000]}")
    return done.stdout


def main(weft, weft_opt, *program):
    def show(stage, *more):
        return run(weft, "show", *program, "--at", stage, *more)

    def lower(text, *stages):
        return run(weft_opt, *[f"--weft-stage-{stage}" for stage in stages], "--mlir-print-debuginfo", "--mlir-print-local-scope", text=text)

    checks = 0
    exact = {"source": show("source", "--locations")} | {stage: show(stage, "--locations") for stage in STAGES}
    for before, stage in zip(["source", *STAGES], STAGES):
        stepped, direct = lower(exact[before], stage).splitlines(), lower(exact[stage]).splitlines()
        checks += 1
        if stepped != direct:
            print(f"{stage}, lowered from the text of {before}, is another program:")
            print("\n".join(list(difflib.unified_diff(direct, stepped, "directly", "from text", lineterm="", n=1))[:60]))
            return 1
    for at, stage in enumerate(["source", *STAGES]):
        lower(show(stage), *STAGES[at:])
        lower(show(stage, "--bare"), *STAGES[at:])
        checks += 2
    with tempfile.TemporaryDirectory() as folder:
        show("plan", "--each-pass", folder)
        dumps = sorted(pathlib.Path(folder).glob("*.mlir"))
        if not dumps:
            print("--each-pass wrote nothing")
            return 1
        for dump in dumps:
            _, stage, *name = dump.stem.split("-")
            text = dump.read_text()
            lower(text)
            checks += 1
            # The last dump of a stage is that stage.
            last = not any(other.name > dump.name and other.stem.split("-")[1] == stage for other in dumps)
            if last and stage in STAGES:
                lower(text, *STAGES[STAGES.index(stage) + 1 :])
                checks += 1
    print(f"{checks} texts read back")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
