"""Kills at 20 random moments lose nothing that was whole, and change nothing in the end."""
import random
import signal
import subprocess
import time

from program import TEXT, ProgramTest, main, run


class Kill(ProgramTest):
    def test_random_kills(self):
        self.train("whole", "--steps", "150", "--quiet", "--eval-every", "0")
        moments, latest = random.Random(7), self.folder / "killed/latest"
        for _ in range(20):
            arguments = [self.program, "train", "--data", f"text:{TEXT}", "--out", self.folder / "killed", "--batch", "4",
                         "--seq", "32", "--seed", "5", "--tokenizer", "char", "--steps", "150", "--checkpoint-every", "1",
                         "--eval-every", "0", "--quiet"]
            before = latest.read_text() if latest.exists() else ""
            began = time.monotonic()
            process = subprocess.Popen([str(a) for a in arguments + (["--resume"] if before else [])])
            while process.poll() is None and (latest.read_text() if latest.exists() else "") == before:
                time.sleep(0.001)
            time.sleep(moments.random() * (time.monotonic() - began) / 2)
            process.send_signal(signal.SIGKILL)
            process.wait()
            # --steps 1 is done already: it loads what there is and stops
            run(self.program, "train", "--resume", "--out", self.folder / "killed", "--steps", "1", "--quiet")
        run(self.program, "train", "--resume", "--out", self.folder / "killed", "--steps", "150", "--quiet")
        for name in ("parameters.safetensors", "optimizer.safetensors"):
            whole, killed = (self.folder / out / "step-150" / name for out in ("whole", "killed"))
            self.assertTrue(whole.read_bytes() == killed.read_bytes(), name)


if __name__ == "__main__":
    main()
