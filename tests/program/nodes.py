"""Which memory of a model comes from several NUMA nodes: where /sys says that there are two, and the kernel says of each range of memory where its pages come from."""
import ctypes
import os
import pathlib
import subprocess
import sys

from program import ProgramTest, main, run
import shared_library

# In namespaces of its own the folder of nodes is the made-up one.
APART = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount --bind "$0" /sys/devices/system/node && exec "$@"')
CONTEXT = 600


class WeftOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("threads", ctypes.c_int32), ("pin", ctypes.c_int32), ("isa", ctypes.c_char_p)]


def in_turn():
    """Bytes of this process that come from nodes in turn."""
    starts = {line.split()[0] for line in open("/proc/self/numa_maps") if line.split()[1].startswith("interleave")}
    ranges = (line.split()[0].split("-") for line in open("/proc/self/maps"))
    return sum(int(end, 16) - int(begin, 16) for begin, end in ranges if begin in starts)


def show(library, threads):
    """Bytes from nodes in turn: of nothing, of a model, with room for a text, and when it has computed."""
    program = shared_library.load(library)
    for name in ("weft_open", "weft_generator_open", "weft_advance"):
        getattr(program, name).restype = ctypes.c_void_p
    found = [in_turn()]
    model = ctypes.c_void_p(program.weft_open(ctypes.byref(WeftOptions(ctypes.sizeof(WeftOptions), threads, 0, None))))
    found.append(in_turn())
    generator = ctypes.c_void_p(program.weft_generator_open(model, None, ctypes.c_int64(CONTEXT)))
    found.append(in_turn())
    if not program.weft_advance(generator, (ctypes.c_int32 * CONTEXT)(), ctypes.c_int64(CONTEXT)):
        sys.exit("it does not advance")
    print(*found, in_turn())


class Nodes(ProgramTest):
    def test_memory(self):
        sizes = ("--set", f"position={CONTEXT},model=512,head=4")
        library = self.folder / "libgpt.so"
        self.build(*sizes, "--shared", "-o", library)
        tree, processors = self.folder / "node", sorted(os.sched_getaffinity(0))
        for number, own in enumerate((processors[:1], processors[1:])):
            (tree / f"node{number}").mkdir(parents=True)
            (tree / f"node{number}/cpulist").write_text(",".join(map(str, own)) + "\n")
        (tree / "online").write_text("0-1\n")

        def found(threads):
            done = run(*APART, tree, sys.executable, __file__, "--show", library, threads, env={**os.environ, **shared_library.preloaded()})
            return [int(each) for each in done.stdout.split()]

        nothing, model, opened, computed = found(len(processors) + 1)  # more than one node has cores
        self.assertEqual(nothing, 0)
        self.assertGreater(model, 2 * 2 * 4 * 512 * 2048)  # two layers' largest weights, at least
        self.assertGreaterEqual(opened, model + 2 * 2 * 4 * CONTEXT * 512)  # keys and values
        self.assertGreater(computed, opened + 4 * CONTEXT * 2048)  # what is widest between kernels
        print(f"of a model {model} bytes, {opened - model} for texts, {computed - opened} more where it has computed")
        self.assertEqual(found(1), [0, 0, 0, 0])  # one node has a core for it, beside which all lies


def missing():
    if len(os.sched_getaffinity(0)) < 2:
        return "one processor, which is beside one node"
    if not pathlib.Path("/proc/self/numa_maps").exists() or not pathlib.Path("/sys/devices/system/node").exists():
        return "a kernel without NUMA"
    if subprocess.run((*APART, "/sys/devices/system/node", "true"), capture_output=True).returncode:
        return "namespaces of one's own are refused"
    policy = ctypes.c_int(0)
    if ctypes.CDLL(None).syscall(239, ctypes.byref(policy), None, 0, None, 0) or policy.value:
        return "memory policies are refused, or this process has been given one"  # get_mempolicy of x86-64
    return None


if __name__ == "__main__":
    if sys.argv[1:2] == ["--show"]:
        show(sys.argv[2], int(sys.argv[3]))
    else:
        main(missing())
