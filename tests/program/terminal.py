"""A training on a terminal: a bar that fits, and what Ctrl-C says."""
import fcntl
import os
import pty
import re
import signal
import struct
import termios

from program import TEXT, ProgramTest, main, run


class Terminal(ProgramTest):
    def on_terminal(self, columns, out, *options, interrupt_at=None):
        """What a training wrote to a terminal of so many columns, and its exit code; Ctrl-C once `interrupt_at` was seen."""
        command = [self.program, "train", "--data", f"text:{TEXT}", "--out", self.folder / out, "--batch", "4", "--seq", "32",
                   "--tokenizer", "char", "--eval-every", "0", *options]
        process, terminal = pty.fork()
        if process == 0:
            os.execv(self.program, [str(word) for word in command])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        written, typed = b"", False
        while True:
            try:
                more = os.read(terminal, 65536)
            except OSError:  # the other side is closed
                break
            if not more:
                break
            written += more
            if interrupt_at and not typed and interrupt_at in written:
                os.write(terminal, b"\x03")
                typed = True
        os.close(terminal)
        return written.decode(), os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

    def bars(self, written):
        return [bar.replace("^C", "") for bar in re.findall(r"\r\x1b\[K(step [^\r\n\x1b]*)", written)]

    def test_the_bar_fits(self):
        for columns in (120, 60, 20):
            written, code = self.on_terminal(columns, f"columns-{columns}", "--steps", "60")
            self.assertEqual(code, 0)
            bars = self.bars(written)[1:]  # the first may come before the size is set
            self.assertTrue(bars)
            self.assertLess(max(map(len, bars)), columns)
            self.assertEqual("━" * 30 in bars[-1], columns == 120)
            self.assertIn("done in", written)

    def test_control_c(self):
        written, code = self.on_terminal(100, "stopped", "--steps", "1000000", interrupt_at=b"step ")
        self.assertEqual(code, 128 + signal.SIGINT)
        self.assertRegex(written, r"stopped after step \d+ of 1000000; go on with: .*gpt train --resume --out .*stopped")
        run(self.program, "train", "--resume", "--out", self.folder / "stopped", "--steps", "1", "--quiet")


def missing():
    """Why there is no terminal here, or None."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        return f"a terminal cannot be opened here: {error}"


if __name__ == "__main__":
    main(missing())
