"""Each option of each command of `weft`, as its help lists them, is given once, unless the help says that it may be repeated or
it is a list. Usage: options_twice.py WEFT"""
import re
import subprocess
import sys


def said(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def main(weft):
    commands = re.findall(r"^  (\w+) ", said(weft, "--help")[1], re.M)
    assert len(commands) >= 12, commands
    seen = repeatable = 0
    for command in commands:
        text = said(weft, command, "--help")[1]
        options = re.findall(r"^  (-\w \[ )?--([\w-]+)( \])?( \S+)? +(.*(?:\n {20,}.*)*)", text, re.M)
        assert options, text
        for short, name, _, value, about in options:
            value = value.strip()
            repeats = "may be repeated" in " ".join(about.split()) or value.endswith("...")
            once, again = ([f"--{name}", "1"], [f"--{name}=2"]) if value else ([f"--{name}"], [f"--{name}"])
            forms = [once + again]
            if short:
                forms.append(once + [short.split()[0]] + (["2"] if value else []))
            for words in forms:
                code, _, error = said(weft, command, "/nowhere.weft", *words)
                refused = code == 2 and f"weft {command}: --{name} is given twice: give it once\n" in error
                assert refused != repeats, (command, words, code, error)
            seen += 1
            repeatable += repeats
    print(f"{seen} options of {len(commands)} commands, {repeatable} of which may be repeated")
    assert seen > 80 and repeatable < seen / 3


main(*sys.argv[1:])
