"""One workload of the kit of peers, with Weft in the precision of each case: WEFT_PEER_KIT=DIR WEFT_PEER_WORKLOAD=FILE.py workload.py [options of the kit].

The kit asks Weft for float32 only. Here a case of bf16 or int8 builds the program so, as the other peers load their models so; else the
workload is the kit's, which also starts this script again for each peer, as a process of its own."""
import math
import os
import pathlib
import runpy
import sys

HERE = pathlib.Path(__file__).resolve().parent
KIT = pathlib.Path(os.environ["WEFT_PEER_KIT"])
sys.path.insert(0, str(KIT))
import harness  # noqa: E402  of the kit

# Of `weft build`. Other peers narrow the head too, where its weights are those of a table.
OPTIONS = {"f32": "", "bf16": "--precision bf16", "int8": "--precision bf16 --weights-as int8,head=int8"}

GIVEN = os.environ.get("WEFT_BUILD", "")


def as_the_case_says(prepare):
    def prepared(case, threads):
        import weft_models
        os.environ["WEFT_BUILD"] = f'{GIVEN} {OPTIONS[case["dtype"]]}'
        weft_models.program.cache_clear()  # a program of the case before has the same name
        return prepare({**case, "dtype": "f32"}, threads)
    return prepared


def product(case, threads):
    """W1, where the kit has no Weft. A program takes and gives float32, so in bf16 a copy of the left side is in the time, and results are twice as wide."""
    import weft_models
    out = weft_models.program(HERE / "gemm.weft", None, f'left={case["K"]}', f'column={case["N"]}')
    runs = min(2000, max(5, int(4e10 / (2 * case["M"] * case["N"] * case["K"]))))  # about a tenth of a second
    call, version = weft_models.timed(out, "product", threads, runs, f'row={case["M"]}')
    call.is_of_many_runs = True
    return call, version


def seconds_per_call(call, min_time):
    """The kit calls until `min_time` has passed, which a process for each 25 us of a product would not do in a day."""
    return call() if getattr(call, "is_of_many_runs", False) else seconds_of_the_kit(call, min_time)


# Of a slow peer the kit takes the time of a warm-up by its own clock, which for ours is a whole process: its start, and several steps.
if sys.argv[1:3] == ["--worker", "weft"]:
    harness.ONCE = math.inf

of_the_kit, seconds_of_the_kit = harness.main, harness.seconds_per_call
harness.seconds_per_call = seconds_per_call


def main(cases, peers, *more, **named):
    if cases[0]["name"].startswith("W1 "):
        peers = {**peers, "weft": product}
    sys.argv[0] = os.path.abspath(__file__)  # what a peer's process runs; run_path says that it is the kit's
    peers = {name: as_the_case_says(prepare) if name == "weft" else prepare for name, prepare in peers.items()}
    return of_the_kit(cases, peers, *more, **named)


harness.main = main
runpy.run_path(str(KIT / os.environ["WEFT_PEER_WORKLOAD"]), run_name="__main__")
