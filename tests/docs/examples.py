"""Runs every example of the dialects' pages through weft-opt. An example may use values that it does not define: their types
are read off the op that uses them. `// gives TYPE, …` states the types of the results of the op above."""
import pathlib
import re
import subprocess
import sys

TYPE = r"!model\.tensor<(?:[^<>]|<[^<>]*>)*>"  # an index names its dimension in brackets of its own


def zipped(line):
    """(value, type) for every operand: those of an op with a region are bound one by one, else the types come last."""
    code = line.split("//")[0].rstrip()
    if code.endswith("{"):
        return re.findall(rf"= (%\w+) : ({TYPE})", code)
    at = code.rfind(" : ")
    if at < 0:
        return []
    before, types = code[:at], re.findall(TYPE, code[at:].split("->")[0])
    operands = re.findall(r"%\w+", before.split(" = model.")[-1])
    return list(zip(operands, types))


def completed(example):
    """The example with what it takes for granted in front and what it claims behind."""
    known, given, lines, results = set(), [], [], []
    for line in example.splitlines():
        claim = re.fullmatch(r"\s*// gives (.*)", line)
        if claim:
            types = ", ".join(re.findall(TYPE, claim[1]))
            lines.append(f'"gives"({", ".join(results)}) : ({types}) -> ()')
            continue
        results = re.findall(r"%\w+", line.split(" = ")[0]) if re.match(r"\s*%", line) else []
        arguments = re.findall(r"(%\w+)(?= = %)", line) + re.findall(r"(%\w+)(?=: )", line)
        known.update(arguments)
        for value, kind in zipped(line):
            if value not in known:
                given.append(f'{value} = "given"() : () -> {kind}')
                known.add(value)
        for value in re.findall(r"plan\.copy (%\w+) to (%\w+)", line):
            given += [f'{each} = "given"() : () -> !plan.buffer' for each in value]
        known.update(results)
        lines.append(line)
    return "\n".join(given + lines) + "\n"


def main(weft_opt, pages):
    failed = count = 0
    for page in sorted(pathlib.Path(pages).glob("*.md")):
        for example in re.findall(r"```mlir\n(.*?)```", page.read_text(), re.S):
            count += 1
            text = completed(example)
            run = subprocess.run([weft_opt, "--allow-unregistered-dialect", "-o", "/dev/null", "-"], input=text, capture_output=True, text=True)
            if run.returncode:
                failed += 1
                print(f"{page.name}:\n{text}\n{run.stderr}")
    print(f"{count} examples, {failed} fail")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
