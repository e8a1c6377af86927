"""Runs a part of a GoogleTest binary's tests, one of N that is drawn anew (WEFT_SEED=N repeats it; WEFT_ALL=1: all of them), for what takes
minutes of compiling. Usage: part.py N BINARY [ARGUMENTS]"""
import os
import random
import sys


def main(parts, binary, *arguments):
    if not os.environ.get("WEFT_ALL"):
        seed = int(os.environ.get("WEFT_SEED", random.randrange(2 ** 31)))
        print(f"WEFT_SEED={seed}", flush=True)
        os.environ |= {"GTEST_TOTAL_SHARDS": parts, "GTEST_SHARD_INDEX": str(seed % int(parts))}
    os.execv(binary, [binary, *arguments])


if __name__ == "__main__":
    main(*sys.argv[1:])
