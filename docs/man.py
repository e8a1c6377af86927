"""The manual page of `weft` (roff), from what `weft --help` and `weft COMMAND --help` say: man.py WEFT > weft.1"""
import re
import subprocess
import sys


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def option(line):
    """`  -o [ --output ] FILE   where to write it` as a tagged paragraph."""
    flags, about = re.fullmatch(r"\s+(-\S+(?: \[ \S+ \])?(?: [A-Z][^ ]*)?)\s+(.*)", line).groups()
    short = re.match(r"(-\w) \[ (--[\w-]+) \](.*)", flags)
    flags = f"{short[1]}, {short[2]}{short[3]}" if short else flags
    return f".TP\n.B {escaped(flags)}\n{escaped(about)}\n"


def main(weft):
    def said(*arguments):
        return subprocess.run([weft, *arguments], capture_output=True, text=True, check=True).stdout

    overview, version = said("--help"), said("--version").strip()
    page = f'.TH WEFT 1 "" "{version}" "Weft"\n.SH NAME\nweft \\- a compiler for transformers\n'
    page += ".SH SYNOPSIS\n.B weft\n.I COMMAND\n[ARGUMENTS]\n.SH DESCRIPTION\n"
    page += "From a description of an architecture to one native program that trains, evaluates and generates.\n.SH COMMANDS\n"
    for name in re.findall(r"^  (\w+) ", overview, re.M):
        usage, about, options = re.fullmatch(r"usage: (.*?)\n\n(.*?)\n\noptions:\n(.*)", said(name, "--help"), re.S).groups()
        lines = re.sub(r"\n {8,}", " ", options.rstrip()).splitlines()
        page += f".SS {escaped(usage)}\n{escaped(about[0].upper() + about[1:])}.\n" + "".join(map(option, lines))
    page += ".SH EXIT STATUS\n0 done; 1 something is wrong with the program or a file; 2 with the command line; 70 with Weft.\n"
    page += ".SH SEE ALSO\nThe tour, the language and the errors: the folder\n.I docs\nof the sources. A built program has its own\n.BR \\-\\-help .\n"
    print(page, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
