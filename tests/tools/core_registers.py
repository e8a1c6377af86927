#!/usr/bin/env python3
"""The cores of products keep what they add up in registers: core_registers.py WEFT.

A sum that goes through the stack on every step costs a tenth of the machine's peak, and nothing else tells of it: results are right."""
import pathlib
import re
import subprocess
import sys
import unittest

WEFT = sys.argv.pop(1)
# Trained, so there are products whose left side is packed, and attention with its gradient.
SOURCE = [pathlib.Path(__file__).resolve().parents[2] / "examples/gpt/gpt.weft", "--config", "tiny"]
ON_STACK = re.compile(r"\bv\w+\s.*\(%rsp[^)]*\).*%[yz]mm|\bv\w+\s.*%[yz]mm.*\(%rsp")


def cores(isa, precision):
    """The lines of each core in the assembly of all entries."""
    command = [WEFT, "show", *SOURCE, "--precision", precision, "--isa", isa, "--at", "asm"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {}
    for part in re.split(r"^(?=[\w.\"]+:)", text, flags=re.MULTILINE):
        name, _, body = part.partition(":")
        if name.startswith("core."):
            found[name] = inside = body.splitlines()
        elif name.startswith(".L") and found:
            inside += body.splitlines()
        else:
            inside = []
    return found


class CoreRegisters(unittest.TestCase):
    def test_no_core_has_a_vector_on_the_stack(self):
        for isa in ("x86-64-v3", "avx512", "avx512-bf16"):
            for precision in ("float32", "bf16"):
                found = cores(isa, precision)
                self.assertGreater(len(found), 20, (isa, precision))
                self.assertTrue(any(".panel." in name for name in found), (isa, precision))
                for name, lines in found.items():
                    with self.subTest(isa=isa, precision=precision, core=name):
                        self.assertTrue(any("%ymm" in line or "%zmm" in line for line in lines))
                        # Sixteen registers: twelve sums, two words, two that they are widened to, and one of the left side.
                        least = 2 if isa == "x86-64-v3" and ".pairs." in name else 0
                        self.assertLessEqual(len([line for line in lines if ON_STACK.search(line)]), least)


unittest.main()
