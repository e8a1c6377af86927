"""Runs the commands of a page and compares what they print with what the page says.

A block ```console holds commands (`$ …`) and their output. All commands of a page run in one folder, where `weft` can be called
and `examples` and `dev` are what they are in the repository. A block ```weft NAME (or ```python) is a file of that name. A line
`…` of the output stands for any lines. What depends on time is not compared, nor are the names of values in a listing. Results of
programs are compared to the last digit where the machine has the kernels that the page names (`avx512`): threads change
nothing. Where it has others, numbers are not compared, and of what `generate` or a program that embeds a model writes only the
prompt. A picture of the page, `![…](pictures/graph.svg)`, is what its commands draw into a file of that name: to the last byte
where the kernels are the page's, else with the same words, lines and panels.

WEFT_BLESS=1 writes what was printed into the page, where it differs, and what was drawn into its pictures."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
PICTURE = re.compile(r"!\[[^\]]*\]\(([\w./-]+\.svg)\)")
ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(console|(?:weft|python) [\w.-]+)\n(.*?)^```$", re.S | re.M)


def commands(block):
    """(command, lines of output) of a console block; a command goes on after a backslash."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif found and found[-1][0][-1].endswith("\\") and not found[-1][1]:
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
    return [("\n".join(command), output) for command, output in found]


KERNELS = re.compile(r"\b(avx512|x86-64-v3)\b")
TIMES = re.compile(r"\d[\d.]*[kM]?(?= (?:(?:tokens|images|rows)/s|(?:sentences )?a second|threads)\b)|\d[\d:]*(?= left\b)|(?<=done in )\d[\d:]*|(?<= in )\d[\d.]*(?= s;)")


def kernels(lines, before):
    """The kernels that some lines name last."""
    named = KERNELS.findall("\n".join(lines))
    return named[-1] if named else before


def compared(command, lines, exact):
    """The lines as far as they must be the same: `exact`, with the kernels of the page."""
    if command.startswith("weft show "):
        return [re.sub(r"%\w+", "%", line) for line in lines]
    if not command.startswith("./"):
        return lines
    if exact:
        return [TIMES.sub("#", line) for line in lines]
    words = shlex.split(command)
    if "generate" in words and "--prompt" in words:
        first = words[words.index("--prompt") + 1]
        lines = [first if lines and lines[0].startswith(first) else "another prompt", "…", *lines[-1:]]
    if "generate" in words and "--source" in words:
        lines = ["a translation, and how long it took"] * len(lines)
    if "embed" in words[0]:
        lines = ["text"] * len(lines)
    masked = [KERNELS.sub("ISA", line) for line in lines]
    return [re.sub(r"\d[\d.:]*k?", "#", line) for line in masked]


def agrees(expected, found):
    if not expected:
        return not found
    if expected[0] == "…":
        return any(agrees(expected[1:], found[at:]) for at in range(len(found) + 1))
    return bool(found) and expected[0] == found[0] and agrees(expected[1:], found[1:])


def blessed(expected, found):
    """What a page says instead: as much of it as it said before and after its `…`."""
    if "…" not in expected:
        return found
    before, after = expected.index("…"), len(expected) - expected.index("…") - 1
    return found[:before] + ["…"] + (found[-after:] if after else [])


def skeleton(picture):
    """What a picture shows whatever its numbers are: its words, and how many things it has of each kind. Which images a model gets
    wrong follows from its numbers: of these, titles alone."""
    images = "<image" in picture
    text = r'<text class="title"[^>]*>([^<]*)</text>' if images else r"<text[^>]*>([^<]*)</text>"
    words = {re.sub(r"-?\d[\d.e+-]*", "#", word) for word in re.findall(text, picture)}
    return words, images or [picture.count(part) for part in ("<polyline", 'class="frame"', 'class="box')]


def same_picture(committed, drawn, exact):
    return committed == drawn if exact else skeleton(committed) == skeleton(drawn)


class Page:
    def __init__(self, path, weft, folder):
        self.path, self.folder, self.failed, self.count = path, folder, 0, 0
        self.said = self.had = None  # kernels, so far: those of the page, those of this machine
        self.environment = dict(os.environ, PATH=f"{weft.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8", COLUMNS="100")
        for name in ("examples", "dev", "runtime", "build"):
            (folder / name).symlink_to(weft.parent.parent if name == "build" else ROOT / name)

    def run(self, command, expected):
        """Gives what the page should say."""
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=500)
        found = [line.rstrip() for line in done.stdout.decode(errors="replace").splitlines()]
        self.count += 1
        self.said, self.had = kernels(expected, self.said), kernels(found, self.had)
        exact = self.said is not None and self.said == self.had
        if agrees(compared(command, expected, exact), compared(command, found, exact)):
            return expected
        self.failed += 1
        print(f"{self.path.name}: $ {command}\n--- the page says\n" + "\n".join(expected) + "\n--- it prints\n" + "\n".join(found[:200]) + "\n")
        return blessed(expected, found)

    def picture(self, link):
        """Compares a picture of the page with what was drawn."""
        committed, drawn = self.path.parent / link, self.folder / pathlib.Path(link).name
        if not drawn.exists():
            self.failed += 1
            return print(f"{self.path.name}: no command draws {link}")
        exact = self.said is not None and self.said == self.had
        if committed.exists() and same_picture(committed.read_text(), drawn.read_text(), exact):
            return
        self.failed += 1
        print(f"{self.path.name}: {link} is drawn otherwise now")
        if os.environ.get("WEFT_BLESS") == "1":
            committed.parent.mkdir(exist_ok=True)
            shutil.copyfile(drawn, committed)

    def block(self, match):
        kind, text = match[1], match[2]
        if kind != "console":
            (self.folder / kind.split()[1]).write_text(text)
            return match[0]
        lines = []
        for command, expected in commands(text):
            lines += ["$ " + command, *self.run(command, expected)]
        return "```console\n" + "\n".join(lines) + "\n```"


def available(name):
    """A command, or a module of the Python that pages call."""
    module = name.isidentifier() and subprocess.run(["python3", "-c", f"import {name}"], capture_output=True).returncode == 0
    return module or shutil.which(name) is not None


def main(weft, path, *needs):
    path = pathlib.Path(path)
    lacking = [name for name in needs if not available(name)]
    if lacking:
        print(f"{path}: needs {', '.join(lacking)}, which this machine lacks")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="weft-page-") as folder:
        page = Page(path, pathlib.Path(weft).resolve(), pathlib.Path(folder))
        result = BLOCK.sub(page.block, path.read_text())
        for link in PICTURE.findall(path.read_text()):
            page.picture(link)
    if os.environ.get("WEFT_BLESS") == "1":
        path.write_text(result)
    print(f"{path}: {page.count} commands, {page.failed} print something else")
    return 1 if page.failed or not page.count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
