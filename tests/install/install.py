"""`cmake --install` and the .deb: what lies in them, and that it makes a program, and a program of somebody else's with a model in it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE, CPACK, BUILD = sys.argv.pop(1), sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
FILES = ("bin/weft", "bin/weft-opt", "include/weft.h", "lib/weft/libweft_runtime.a", "lib/cmake/Weft/WeftConfig.cmake",
         "share/man/man1/weft.1", "share/doc/weft/LICENSE", "share/doc/weft/NOTICES", "share/doc/weft/examples/gpt/gpt.weft",
         "share/doc/weft/docs/language/values.md")
OTHERS = """cmake_minimum_required(VERSION 3.20)
project(others LANGUAGES C)
find_package(Weft 0.1 REQUIRED)
weft_add_library(model {model} CONFIG tiny OPTIONS --isa x86-64-v3)
add_executable(others {main})
target_link_libraries(others PRIVATE model)
"""


def run(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{words}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Installed(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="weft-install-")
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def works(self, prefix):
        for file in FILES:
            self.assertTrue((prefix / file).is_file(), file)
        self.assertIn(f"{prefix}/lib/weft/libweft_api.a\n", run(prefix / "bin/weft", "doctor"))
        model = prefix / "share/doc/weft/examples/gpt/gpt.weft"
        run(prefix / "bin/weft", "build", model, "--config", "tiny", "-o", self.folder / "gpt")
        self.assertIn("logits", run(self.folder / "gpt", "info"))
        others = self.folder / "others"
        others.mkdir()
        (others / "CMakeLists.txt").write_text(OTHERS.format(model=model, main=prefix / "share/doc/weft/examples/embed/main.c"))
        run(CMAKE, "-S", others, "-B", others / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
        run(CMAKE, "--build", others / "build")
        self.assertIn("libmodel.so", run("ldd", others / "build/others"))

    def test_folder(self):
        run(CMAKE, "--install", BUILD, "--prefix", self.folder / "prefix")
        self.works(self.folder / "prefix")

    def test_package(self):
        run(CPACK, "--config", BUILD / "CPackConfig.cmake", "-B", self.folder, cwd=self.folder, env=dict(os.environ, HOME=str(self.folder)))
        package, = self.folder.glob("*.deb")
        needed = run("dpkg-deb", "--field", package, "Depends")
        for name in ("libllvm22", "libmlir-22", "libc6-dev", "libstdc++-12-dev", "libfmt9"):
            self.assertIn(name, needed)
        run("dpkg-deb", "--extract", package, self.folder / "root")
        self.works(self.folder / "root/usr")


if __name__ == "__main__":
    unittest.main()
