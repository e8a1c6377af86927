"""One workload of the kit of peers, with Weft in the precision of each case: WEFT_PEER_KIT=DIR WEFT_PEER_WORKLOAD=FILE.py workload.py [options of the kit].

The kit asks Weft for float32 only. Here a case of bf16, int8 or int4 builds the program so, as the other peers load their models so; else the
workload is the kit's, which also starts this script again for each peer, as a process of its own."""
import os
import pathlib
import runpy
import sys

KIT = pathlib.Path(os.environ["WEFT_PEER_KIT"])
sys.path.insert(0, str(KIT))
import harness  # noqa: E402  of the kit

# Of `weft build`. Other peers narrow the head too, where its weights are those of a table.
OPTIONS = {"f32": "", "bf16": "--precision bf16", "int8": "--weights-as int8,head=int8", "int4": "--weights-as int4,head=int4"}


def as_the_case_says(prepare):
    def prepared(case, threads):
        import weft_models
        os.environ["WEFT_BUILD"] = OPTIONS[case["dtype"]]
        weft_models.program.cache_clear()  # a program of the case before has the same name
        return prepare({**case, "dtype": "f32"}, threads)
    return prepared


of_the_kit = harness.main


def main(cases, peers, *more, **named):
    sys.argv[0] = os.path.abspath(__file__)  # what a peer's process runs; run_path says that it is the kit's
    peers = {name: as_the_case_says(prepare) if name == "weft" else prepare for name, prepare in peers.items()}
    return of_the_kit(cases, peers, *more, **named)


harness.main = main
runpy.run_path(str(KIT / os.environ["WEFT_PEER_WORKLOAD"]), run_name="__main__")
