"""Kills and failures at random moments of a training (KILL_ROUNDS, 8) that writes to a file, to a pipe, to a pipe whose reader goes
away, to a full disk and to a folder that becomes read-only lose nothing that was whole, and change nothing in the end: the next
--resume is byte-exact. KILL_SEED repeats a run."""
import ctypes
import json
import os
import random
import re
import resource
import signal
import subprocess
import threading
import time

from program import TEXT, ProgramTest, main, newest_step, run

ROUNDS = int(os.environ.get("KILL_ROUNDS") or 8)
SEED = int(os.environ.get("KILL_SEED") or random.SystemRandom().randrange(1 << 32))
NOBODY = 65534  # the superuser may write to a read-only folder
ENDINGS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TROUBLES = ("none", "reader leaves", "full", "may not grow", "read-only")
DISK = 8 << 20  # bytes; a checkpoint has 1.5 MB


def own_disk(folder):
    """Mounts a small disk that this process and its children alone see; whether the system lets us."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() != 0 or libc.unshare(0x20000) != 0:  # CLONE_NEWNS
        return False
    private, none = 1 << 18 | 1 << 14, b"none"  # MS_PRIVATE | MS_REC
    return (libc.mount(none, b"/", None, private, None) == 0
            and libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={DISK},mode=777".encode()) == 0)


class Kill(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder.chmod(0o755)
        cls.disk = cls.folder / "disk"
        cls.disk.mkdir()
        cls.mounted = own_disk(cls.disk)
        cls.disk.chmod(0o777)

    @classmethod
    def tearDownClass(cls):
        if cls.mounted:
            ctypes.CDLL(None).umount2(os.fsencode(cls.disk), 2)
        super().tearDownClass()

    def command(self, out, *more):
        return [str(word) for word in (self.program, "train", "--data", f"text:{TEXT}", "--out", out, "--batch", "4", "--seq", "32", "--seed",
                                       "5", "--tokenizer", "char", "--steps", "1000000", "--checkpoint-every", "1", "--eval-every", "0", *more)]

    def whole_step(self):
        """The step of the newest whole checkpoint, by the program's own word; 0 for none."""
        if not any(self.out.glob("step-*")):
            return 0
        done = subprocess.run(self.command(self.out, "--resume")[:1] + ["train", "--resume", "--out", str(self.out), "--steps", "1"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            assert not any(re.fullmatch(r"step-\d+", each.name) for each in self.out.iterdir()), done.stderr
            return 0
        return int(re.search(r"is at step (\d+) already", done.stderr)[1])

    def one_round(self, moments, number):
        ending, trouble, json_log = moments.choice(ENDINGS), moments.choice(TROUBLES), moments.random() < 0.3
        before = self.whole_step()
        what = f"round {number}, KILL_SEED={SEED}: {ending.name}, {trouble}, from step {before}"
        ballast = self.disk / "ballast"
        if trouble == "full" and self.mounted:
            used = sum(each.stat().st_size for each in self.disk.rglob("*") if each.is_file())
            ballast.write_bytes(bytes(max(0, DISK - used - moments.randrange(3_000_000))))
        limit = moments.randrange(200, 1_000_000) if trouble == "may not grow" or (trouble == "full" and not self.mounted) else resource.RLIM_INFINITY
        reading, writing = os.pipe()
        process = subprocess.Popen(self.command(self.out, *(["--resume"] if before else []), *(["--log", "json"] if json_log else [])),
                                   stdout=writing, stderr=writing, user=NOBODY if os.geteuid() == 0 else None,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)))
        os.close(writing)
        heard = []

        def listen():
            with os.fdopen(reading, "rb") as stream:
                until = moments.randrange(2000) if trouble == "reader leaves" else None
                while (until is None or sum(map(len, heard)) < until) and (more := os.read(stream.fileno(), 256)):
                    heard.append(more)

        reader = threading.Thread(target=listen)
        reader.start()
        began, start = time.monotonic(), newest_step(self.out)
        if moments.random() < 0.8:  # else somewhere in its start
            while process.poll() is None and newest_step(self.out) == start:
                time.sleep(0.001)
        time.sleep(moments.random() * max(time.monotonic() - began, 0.05) / 2)
        if trouble == "read-only":
            self.out.chmod(0o555)
            time.sleep(moments.random() / 20)
        seen = newest_step(self.out)
        process.send_signal(ending)
        code = process.wait()
        reader.join()
        self.out.chmod(0o777)
        ballast.unlink(missing_ok=True)
        said = b"".join(heard).decode(errors="replace")
        # an end by the signal that was sent, in its way; an error that is said; never another signal
        allowed = {1} if trouble != "none" and trouble != "reader leaves" else set()
        self.assertIn(code, allowed | {-ending, 128 + ending}, f"{what}: {said}")
        if ending == signal.SIGKILL or code == 1:
            self.assertNotEqual(code, 128 + ending, what)
        after = self.whole_step()
        least = max(before, int(seen.name.removeprefix("step-")) if seen else 0)
        self.assertGreaterEqual(after, least, f"{what}: lost a whole checkpoint: {said}")
        if code == 128 + ending:  # it finished its step
            rows = [json.loads(line)["step"] for line in (self.out / "log.jsonl").read_text().splitlines()]
            self.assertEqual((rows, after), (list(range(1, after + 1)), rows[-1]), what)
        return trouble, ending.name, code

    def test_random_ends(self):
        print(f"KILL_SEED={SEED}, {ROUNDS} rounds, {'a small disk of its own' if self.mounted else 'a limit for a full disk'}", flush=True)
        moments = random.Random(SEED)
        self.out = self.disk / "out"
        self.out.mkdir()
        self.out.chmod(0o777)
        ends = [self.one_round(moments, number) for number in range(ROUNDS)]
        last = self.whole_step() + 3
        print(f"ended {len(ends)} times, by step {last - 3}:", *sorted({f"{trouble}/{name}/{code}" for trouble, name, code in ends}))
        resumed = ["--resume"] if last > 3 else []
        run(*self.command(self.out, *resumed, "--stop-at", last, "--quiet"), user=NOBODY if os.geteuid() == 0 else None)
        run(*self.command(self.folder / "whole", "--stop-at", last, "--quiet"))
        for name in ("parameters.safetensors", "optimizer.safetensors", "state.json", "options.json", "tokenizer.json"):
            whole, killed = ((folder / f"step-{last}" / name).read_bytes() for folder in (self.folder / "whole", self.out))
            self.assertTrue(whole == killed, f"{name} at step {last}, KILL_SEED={SEED}")
        left = [str(each) for each in self.out.rglob("*") if each.name.endswith((".partial", ".unfinished"))]
        self.assertEqual(left, [])


if __name__ == "__main__":
    main()
