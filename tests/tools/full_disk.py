"""`weft build` and `weft init` on a disk without room say so, leave nothing behind, and keep what was there before."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77  # CTest's SKIP_RETURN_CODE


def on_small_disk(disk, command):
    """Runs a command where the folder is a disk of its own, with little room, that nobody else sees."""
    return subprocess.run(["unshare", "--map-root-user", "--mount", "bash", "-c", f"mount -t tmpfs -o size=300k tmpfs {disk} && {command}"],
                          capture_output=True, text=True)


def main(weft):
    with tempfile.TemporaryDirectory(prefix="weft-full-") as disk:
        if on_small_disk(disk, "true").returncode != 0:
            print("this system gives no disk of one's own")
            return SKIPPED
        failed = 0
        for output, what in (("prog", "build"), ("lib.so", "build --shared"), ("weights", "init")):
            path = f"{disk}/{output}"
            command, _, options = what.partition(" ")
            make = f"{weft} {command} {ROOT}/examples/gpt/gpt.weft --config tiny {options} -o {path}"
            done = on_small_disk(disk, f"echo before > {path}; {make}; echo rc $?; ls {disk}; cat {path}")
            says = "weft init" if command == "init" else "weft"
            message = f"{says}: {path}: cannot write it: No space left on device; free some space and try again (what was there before is untouched)\n"
            if (done.stderr, done.stdout) != (message, f"rc 1\n{output}\nbefore\n"):
                failed += 1
                print(f"{output}:\n{done.stdout}{done.stderr}")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
