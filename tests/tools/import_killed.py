"""An import in the place of another, killed: one of them is there and whole. Usage: import_killed.py WEFT"""
import fcntl
import os
import shutil
import subprocess
import time

from foreign import Foreign, floats, main
import safetensors


class Kills(Foreign):
    def test(self):
        """Whatever a kill leaves of an import in the place of another, one of the two is there and whole, and nothing else is lost."""
        def numbers(folder):
            return (folder / "parameters.safetensors").read_bytes()

        def start(**others):
            return subprocess.Popen([self.weft, "import", self.folder / "model.weft", "--config", "small", "--clause", "swapped", "--from",
                                     self.folder / "plain", "-o", place], stdout=subprocess.DEVNULL, **others)

        for seed, file, imported in ((3, "plain", "new"), (4, "earlier", "old")):
            self.run("init", "--seed", seed, "-o", self.folder / "weights")
            self.run("export", "--clause", "swapped", "--from", self.folder / "weights", "-o", self.folder / file)
            self.take("swapped", self.folder / file, imported)
        safetensors.write(self.folder / "other", {"z": floats([1])})
        old, new = numbers(self.folder / "old"), numbers(self.folder / "new")
        assert old != new
        home = self.folder / "killed"
        home.mkdir()
        place, unfinished, replaced = home / "x", home / "x.unfinished", home / "x.replaced"

        def state(**folders):
            for each in (place, unfinished, replaced):
                shutil.rmtree(each, ignore_errors=True)
            for name, content in folders.items():
                folder = home / name.replace("_", ".")
                folder.mkdir()
                (folder / "parameters.safetensors").write_bytes(content)

        def left():
            return {each.name: numbers(each) for each in home.iterdir()}

        # A refused import gives the old one its name back; one that succeeds leaves nothing beside it.
        for folders in ({"x": old, "x_unfinished": new[:99]}, {"x": old, "x_unfinished": new}, {"x_replaced": old, "x_unfinished": new},
                        {"x_replaced": old}, {"x": old, "x_replaced": new}, {"x": old}):
            state(**folders)
            self.take("swapped", self.folder / "plain", "killed/x", "--expect", self.folder / "other", code=1)
            assert left() == {"x": old}, folders
            state(**folders)
            self.take("swapped", self.folder / "plain", "killed/x")
            assert left() == {"x": new}, folders
        for name in ("x", "x_unfinished", "x_replaced"):
            state(**{name: old})
            (home / name.replace("_", ".") / "notes").write_text("mine")
            assert "is no import" in self.take("swapped", self.folder / "plain", "killed/x", code=1)
            assert (home / name.replace("_", ".") / "notes").exists() and (home / name.replace("_", ".") / "parameters.safetensors").exists()
        state(x=old, x_unfinished=new)
        other = os.open(unfinished, os.O_RDONLY)
        fcntl.flock(other, fcntl.LOCK_EX)
        assert "x.unfinished: another import is writing to it; wait for it" in self.take("swapped", self.folder / "plain", "killed/x", code=1)
        assert left() == {"x": old, "x.unfinished": new}
        os.close(other)
        state(x=old)
        (home / "x" / "parameters.safetensors.77.partial").write_text("cut")
        self.take("swapped", self.folder / "plain", "killed/x")
        assert sorted(each.name for each in place.iterdir()) == ["options.json", "parameters.safetensors"]

        state(x=old)
        began = time.monotonic()
        start().wait()
        whole = time.monotonic() - began
        for part in range(12):
            state(x=old)
            running = start()
            time.sleep(whole * (0.5 + part / 20))
            running.kill()
            running.wait()
            assert numbers(place) in (old, new), "nothing whole under the name"
        state(y=old)
        place.symlink_to(home / "y")
        self.take("swapped", self.folder / "plain", "killed/x")
        assert place.is_symlink() and numbers(home / "y") == new
        place.unlink()
        shutil.rmtree(home / "y")

        # A file system that cannot exchange names.
        if not shutil.which("cc"):
            return
        (self.folder / "no.c").write_text("#include <errno.h>\nint renameat2() { errno = EINVAL; return -1; }\n")
        subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", self.folder / "no.so", self.folder / "no.c"], check=True)
        state(x=old)
        assert start(env={**os.environ, "LD_PRELOAD": str(self.folder / "no.so")}).wait() == 0
        assert left() == {"x": new}


main(Kills)
