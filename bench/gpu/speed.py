"""Times what a bundle has beside PyTorch, where that is there: in turns, in one run. Figures are medians; of ours also what each kernel takes."""
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS, RUNS = 3, 10
LONGEST = 60  # seconds of one program


class Peer:
    """A process that times PyTorch when it is asked to."""

    def __init__(self, name, precision):
        self.process = subprocess.Popen([sys.executable, HERE / "peers.py", name, precision], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.version = self.process.stdout.readline().strip()

    def ms(self):
        if not self.version:
            return None
        try:
            self.process.stdin.write(f"{RUNS}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return float(line) if line else None

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ours(speed, device, runs, command="bench"):
    """What `bench --json`, or `profile --json`, says."""
    sizes = ["--set", ",".join(f"{name}={size}" for name, size in speed["sizes"].items())] if speed["sizes"] else []
    words = [HERE / "programs" / speed["program"], command, "--device", device, "--entry", speed["entry"], *sizes, "--runs", str(runs), "--json"]
    try:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return dict(problem=f"{command}: no end after {LONGEST} s")
    if done.returncode:
        return dict(problem=done.stderr.strip()[-400:])
    return json.loads(done.stdout)


def milliseconds(speed, device, runs):
    """Of the kernels that count, or of the whole run; and the kernels."""
    whole = ours(speed, device, runs) if not speed["families"] else dict(problem="")
    if whole.get("problem"):
        return None, [], whole["problem"]
    told = ours(speed, device, min(runs, 5), "profile")
    kernels = told.get("kernels", [])
    if told.get("problem"):
        return None, [], told["problem"]
    counted = sum(kernel["seconds"] for kernel in kernels if kernel["family"] in speed["families"])
    if "ms" not in whole and not counted:
        return None, kernels, f"no kernel of {', '.join(speed['families'])}"
    return whole.get("ms") or counted * 1e3, kernels, ""


def measure(speed, device):
    """A row of the table."""
    peer = Peer(speed["name"], speed["precision"])
    ms, kernels, problem = milliseconds(speed, device, RUNS)
    row = {**speed, "ms": ms, "problem": problem, "kernels": kernels, "peer": peer.version, "peer_ms": None, "ratio": None}
    if not problem:
        pairs = [(peer.ms(), milliseconds(speed, device, RUNS)[0]) for _ in range(ROUNDS)]
        pairs = [(theirs, own) for theirs, own in pairs if theirs and own]
        if pairs:
            row["ms"] = statistics.median(own for _, own in pairs)
            row["peer_ms"] = statistics.median(theirs for theirs, _ in pairs)
            row["ratio"] = statistics.median(theirs / own for theirs, own in pairs)
    peer.close()
    return row


def text(row):
    """One line, and one for each of the kernels that take most."""
    if row["problem"]:
        return f"{row['name']:32} {row['precision']:8} {row['problem']}"
    seconds, rates = row["ms"] * 1e-3, []
    for amount, unit, scale in (("flops", "TFLOP/s", 1e-12), ("bytes", "GB/s", 1e-9), ("tokens", "tokens/s", 1)):
        if amount in row["amount"]:
            rates.append(f"{row['amount'][amount] * scale / seconds:9.0f} {unit}")
    beside = f"  PyTorch {row['peer_ms']:.3f} ms, {row['ratio']:.2f} x" if row["ratio"] else ""
    lines = [f"{row['name']:32} {row['precision']:8} {row['ms']:10.3f} ms {' '.join(rates)}{beside}"]
    lines += [f"    {kernel['seconds'] * 1e3:10.3f} ms {kernel['launches']:5.0f} x {kernel['kernel']}" for kernel in row["kernels"][:4]]
    return "\n".join(lines)
