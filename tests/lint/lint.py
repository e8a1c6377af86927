"""Rules of the house that no compiler checks: who may include whom, passes and their tests, sizes of files, first lines."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAY_INCLUDE = {
    "frontend": {"frontend", "ir", "runtime"},  # of runtime, only base/Utf8.h
    "ir": {"ir"},
    "passes": {"passes", "ir"},
    "codegen": {"codegen", "ir", "runtime"},  # of runtime, only Abi.h
    "runtime": {"runtime"},
    "tools": {"tools", "frontend", "ir", "passes", "codegen", "runtime"},
}
# The rooms of a part, each with those that it may look into besides itself. A room may have rooms of its own.
FRONTEND = {
    "source": set(),
    "syntax": {"source"},
    "format": {"source", "syntax"},
    "builtin": {"source", "syntax"},
    "configure": {"source", "syntax", "builtin", "semantics"},
    "semantics": {"source", "syntax", "builtin"},
    "check": {"source", "syntax", "builtin", "semantics", "configure"},
    "lower": {"source", "syntax", "builtin", "semantics", "configure"},
    "weights": {"source", "syntax", "semantics", "configure"},
}
# The same of what makes code of kernels.
CODEGEN = {
    "emit": set(),
    "rows": {"emit"},
    "host": {"emit"},
    "cpu": {"emit", "rows", "host"},
    "gpu": {"emit", "rows", "host"},
    "c": {"host"},
}
# Within the CPU's kernels; what lies beside the rooms knows them all.
CPU = {
    "base": set(),
    "tiles": {"base"},
    "contraction": {"base", "tiles"},
    "attention": {"base", "tiles"},
    "rows": {"base"},
}
RUNTIME = {
    "base": set(),
    "device": {"base", "emulator"},  # of the emulator, only device/emulated
    "machine": {"base", "device"},
    "emulator": set(),
    "plots": {"base"},
    "tensors": {"base"},
    "options": {"base"},
    "model": {"base", "device", "machine", "tensors"},
    "text": {"base", "model"},
    "data": {"base", "tensors", "options", "model", "text", "plots"},
    "generation": {"base", "device", "tensors", "model", "text"},
    "training": {"base", "device", "machine", "tensors", "options", "model", "text", "data", "plots"},
    "api": {"base", "model", "text", "generation", "training"},
    "program": {"base", "device", "machine", "tensors", "options", "model", "text", "data", "generation", "training", "plots"},
}
ROOMS = {"frontend": FRONTEND, "runtime": RUNTIME}
FULLEST = 25  # files of a folder, beside its sub-folders
LONGEST = 400  # lines; aim for a hundred
LONGEST_EXAMPLE = 40
LONGEST_OF = {"runtime/weft.h": 500}  # all that whoever embeds a model is given
SOURCES = (".cpp", ".h", ".c", ".td", ".py", ".weft", ".cmake")


def tracked():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def layering(files):
    """Includes go one way: frontend -> ir <- passes, frontend -> runtime/base/Utf8.h, codegen -> ir and runtime/Abi.h, tools -> all."""
    for file in files:
        folder = file.relative_to(ROOT).parts[0]
        if folder not in MAY_INCLUDE or file.suffix not in (".cpp", ".h", ".c"):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'#include "(\w+)/(.*)"', line)
            if not match or match[1] not in MAY_INCLUDE:
                continue
            allowed = match[1] in MAY_INCLUDE[folder]
            if folder == "codegen" and match[1] == "runtime":
                allowed = match[2] == "Abi.h"
            if folder == "frontend" and match[1] == "runtime":
                allowed = match[2] == "base/Utf8.h"
            if not allowed:
                yield f"{file.relative_to(ROOT)}:{number}: {folder} may not include {match[1]}"


def rooms(files):
    """The same within a part that has rooms; what lies in none, as runtime/Abi.h, is open to all and looks into `base` alone."""
    for file in files:
        part, *path = file.relative_to(ROOT).parts
        if part not in ROOMS or file.suffix not in (".cpp", ".h"):
            continue
        table = ROOMS[part]
        room = path[0] if len(path) > 1 else None
        if room and room not in table:
            yield f"{file.relative_to(ROOT)}: {part}/{room} is not in the table of rooms"
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(rf'#include "{part}/(\w+)/', line)
            if match and match[1] != room and match[1] not in (table[room] if room else {"base"}):
                yield f"{file.relative_to(ROOT)}:{number}: {'/'.join(filter(None, (part, room)))} may not include {part}/{match[1]}"


def included(files):
    """Of each folder with C++ in it: the folders that it includes from, each with one include that does."""
    folders = {}
    for file in files:
        if file.suffix not in (".cpp", ".h", ".c"):
            continue
        folder = file.parent.relative_to(ROOT).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'#include "([\w./-]+)/[\w.-]+"', line)
            if match and match[1] != folder and (ROOT / match[1]).is_dir():
                folders.setdefault(folder, {}).setdefault(match[1], f"{file.relative_to(ROOT)}:{number}")
    return folders


def path_between(folders, start, end):
    """A shortest way along includes from a folder to another, as the list of folders on it; [] if there is none."""
    before, rest = {start: None}, [start]
    for folder in rest:
        for other in sorted(folders.get(folder, {})):
            if other == end:
                way = [other]
                while folder is not None:
                    way.insert(0, folder)
                    folder = before[folder]
                return way
            if other not in before:
                before[other] = folder
                rest.append(other)
    return []


def circles(files):
    """No folder includes from one that includes, however indirectly, from it: of two folders one can be read first."""
    folders = included(files)
    ways = sorted(filter(None, (path_between(folders, folder, folder) for folder in sorted(folders))), key=len)
    seen = []
    for way in ways:
        if set(way) in seen:
            continue
        seen.append(set(way))
        yield "a circle of folders: " + ", ".join(f"{a} -> {b} ({folders[a][b]})" for a, b in zip(way, way[1:]))


def full_folders(files):
    """A folder has so many files that one can look through them; more are more than one room."""
    count = {}
    for file in files:
        folder = file.parent.relative_to(ROOT).as_posix()
        if folder.split("/")[0] in MAY_INCLUDE:
            count[folder] = count.get(folder, 0) + 1
    for folder, number in sorted(count.items()):
        if number > FULLEST:
            yield f"{folder}: {number} files, at most {FULLEST}; what is the second room in it?"


def codegen_rooms(files):
    """The same within codegen, and within the CPU's kernels."""
    for file in files:
        parts = file.relative_to(ROOT).parts
        if parts[0] != "codegen" or file.suffix not in (".cpp", ".h"):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'#include "codegen/(\w+)/(?:(\w+)/)?', line)
            if not match:
                continue
            room, inner = match.groups()
            wrong = room != parts[1] and room not in CODEGEN.get(parts[1], set())
            if parts[1] == room == "cpu" and len(parts) == 4:
                wrong = inner is None or (inner != parts[2] and inner not in CPU.get(parts[2], set()))
            if wrong:
                yield f"{file.relative_to(ROOT)}:{number}: {'/'.join(parts[:-1])} may not include {line.split(chr(34))[1]}"


def schedule_constants(files):
    """How a kernel is cut stands in its schedule (ir/cpu): an emitter has no number above 1 as a constant, as a value of 64 bits, or as what something
    is rounded to or held against."""
    number = r"(?:[2-9]|[1-9]\d+)\b"
    rules = [
        re.compile(rf"\b(?:u?int(?:8|16|32|64)?_t|int|unsigned|long|size_t|auto)\b[\w\s,]*=\s*(?:-?{number}|1\s*<<)"),
        re.compile(rf"\?\s*{number}\s*:|\b[A-Z]\w*\{{[^}}]*\b{number}|return \{{[^}}]*\b{number}"),
        re.compile(rf"\bgetInt64\((?:-?{number}|1\s*<<)"),
        re.compile(rf"\b(?:roundUp|ceilDiv|minimum|maximum|alignTo|divideCeil|min|max|clamp)(?:<\w+>)?\((?:[^;]*[,(]\s*)?{number}\s*[,)]"),
    ]
    for file in files:
        parts = file.relative_to(ROOT).parts
        if parts[:2] != ("codegen", "cpu") or len(parts) < 4 or file.suffix not in (".cpp", ".h"):
            continue
        for at, line in enumerate(file.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if any(rule.search(code) for rule in rules):
                yield f"{file.relative_to(ROOT)}:{at}: a number of an emitter that belongs to the schedule: {code.strip()}"


def sizes(files):
    for file in files:
        if file.suffix in SOURCES or file.name == "dev":
            lines = file.read_bytes().count(b"\n")
            if lines > LONGEST_OF.get(str(file.relative_to(ROOT)), LONGEST):
                yield f"{file.relative_to(ROOT)}: {lines} lines; what is the second idea in it?"


def examples(files):
    """An example begins by saying what it is, and is short enough to be read at once; what files of others call it is beside that."""
    for file in files:
        if file.suffix == ".weft" and file.relative_to(ROOT).parts[0] == "examples":
            lines = re.sub(r"^weights .*?^}\n", "", file.read_text(), flags=re.M | re.S).splitlines()
            if len(lines) > LONGEST_EXAMPLE:
                yield f"{file.relative_to(ROOT)}: {len(lines)} lines, an example has at most {LONGEST_EXAMPLE}"
            if not lines or not lines[0].startswith("# "):
                yield f"{file.relative_to(ROOT)}: the first line does not say what the example is"


def first_lines(files):
    """A C++ file begins by saying what it is for."""
    for file in files:
        if file.suffix in (".cpp", ".h") and not file.read_text().startswith(("// ", "/* ")):
            yield f"{file.relative_to(ROOT)}: the first line does not say what the file is for"


def pairing(files):
    """A pass is one file, named like its class, with a test beside its stage."""
    passes = {}
    for table in ROOT.glob("passes/**/*.td"):
        for name, flag in re.findall(r'def (\w+)\s*:\s*\w*Pass\w*<"weft-([\w-]+)"', table.read_text()):
            passes[name] = flag
    for name, flag in sorted(passes.items()):
        homes = list(ROOT.glob(f"passes/**/{name}.cpp"))
        if len(homes) != 1:
            yield f"passes: {name} (weft-{flag}) is not in exactly one passes/**/{name}.cpp"
            continue
        test = ROOT / "tests" / homes[0].parent.relative_to(ROOT) / f"{flag}.mlir"
        if not test.exists():
            yield f"{homes[0].relative_to(ROOT)}: no test {test.relative_to(ROOT)}"


def op_lists(files):
    """Which ops have something in common, ops say themselves (ir/model/Families.td): no condition tests a value for three kinds of op."""
    test = re.compile(r"\b(?:\w*isa\w*|\w*cast\w*|Case|IsaPred)<([^<>()]*Op\b[^<>()]*)>(?:\((\w*))?")
    for file in files:
        if file.suffix not in (".cpp", ".h") or file.relative_to(ROOT).parts[0] not in MAY_INCLUDE:
            continue
        number = 1
        for statement in re.split(r"(?<=[;{}])", file.read_text()):
            kinds = {}
            for match in test.finditer(re.sub(r"//.*", "", statement)):
                kinds.setdefault(match[2], set()).update(re.findall(r"\w+Op\b", match[1]))
            for several in kinds.values():
                if len(several) > 2:
                    yield f"{file.relative_to(ROOT)}:{number}: a list of ops ({', '.join(sorted(several))}) in place of what they have in common"
            number += statement.count("\n")


def ops_tested(files):
    """Every op of a dialect (its page lists them) is printed and parsed by a test of that dialect."""
    for page in ROOT.glob("docs/dialects/*.md"):
        texts = "".join(test.read_text() for test in (ROOT / "tests" / "ir" / page.stem).glob("*.mlir"))
        for op in re.findall(r"^#+ `([\w.]+)`$", page.read_text(), re.M):
            if not re.search(rf"CHECK.*{re.escape(op)}\b", texts):
                yield f"docs/dialects/{page.name}: no test in tests/ir/{page.stem} checks the text of {op}"


def promises_tested(files):
    """Every numbered sentence of docs/abi.md has a test that names it: `abi E7`."""
    tests = "".join(file.read_text() for file in files if file.relative_to(ROOT).parts[0] == "tests" and file.suffix in (".cpp", ".py"))
    named = {number for line in re.findall(r"\babi (E\d+(?:, E\d+)*)", tests) for number in line.split(", ")}
    promised = re.findall(r"^- \*\*(E\d+)\*\*", (ROOT / "docs/abi.md").read_text(), re.M)
    for number in promised:
        if number not in named or promised.count(number) > 1:
            yield f"docs/abi.md: {number} has no test that names it, or is there twice"
    for number in sorted(named - set(promised)):
        yield f"docs/abi.md: a test names {number}, which is not there"


def main():
    files = tracked()
    rules = (layering, rooms, codegen_rooms, circles, full_folders, schedule_constants, sizes, examples, first_lines, pairing, op_lists, ops_tested,
             promises_tested)
    found = [line for rule in rules for line in rule(files)]
    print("\n".join(found) or f"lint: {len(files)} files ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
