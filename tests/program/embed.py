"""examples/embed, as its README builds it, gives the tokens that the program gives."""
import json
import pathlib

from program import ROOT, ProgramTest, build, compile_c, main, run


class Embed(ProgramTest):
    def test_the_same_tokens(self):
        library, embed = self.folder / "libmodel.so", self.folder / "embed"
        self.build("--shared", "-o", library)
        compile_c(ROOT / "examples/embed/main.c", library, "-Wl,-rpath,$ORIGIN", "-o", embed)
        self.train("run", "--steps", "20", "--quiet")
        prompt = "The free "
        said = run(embed, self.folder / "run", prompt, 20).stdout
        made = run(self.program, "generate", "--checkpoint", self.folder / "run", "--prompt", prompt, "--max-tokens", 20,
                   "--temperature", 0.8, "--top-p", 0.95, "--seed", 1, "--quiet").stdout
        self.assertTrue(said.endswith(made), f"{said!r} does not end with {made!r}")
        self.assertGreaterEqual(said.count('"'), 10)  # the five likeliest tokens, one of which may be a quote

    def test_a_package_that_may_move(self):
        prefix, moved = self.folder / "here" / "deps", self.folder / "there"
        self.build("--shared", "--prefix", prefix)
        prefix.rename(moved)
        found = ("lib/libgpt.so", "include/weft.h", "lib/pkgconfig/gpt.pc")
        self.assertEqual(sorted(str(path.relative_to(moved)) for path in moved.rglob("*.*")), sorted(found))
        description = (moved / found[2]).read_text()
        for line in ("prefix=${pcfiledir}/../..", "Cflags: -I${prefix}/include", "Libs: -L${prefix}/lib -lgpt"):
            self.assertIn(line, description.splitlines())
        self.build("--shared", "--prefix", moved, "-o", "libother.so")
        self.assertTrue((moved / "lib/libother.so").is_file() and (moved / "lib/pkgconfig/other.pc").is_file())

    def test_packages_that_make_no_sense(self):
        source = ROOT / "examples/gpt/gpt.weft"
        for words, said in ((("--prefix", self.folder), "`--prefix` goes with `--shared`"),
                            (("--shared", "--prefix", self.folder, "-o", "gpt"), "`-o libgpt.so`"),
                            (("--shared", "--prefix", "/dev/null/deps"), "/dev/null")):
            code = 1 if "/dev/null" in said else 2
            self.assertIn(said, build(source, "--config", "tiny", *words, expect=code).stderr)

    def test_two_models_in_one_process(self):
        both = [self.folder / "small.so", self.folder / "large.so"]
        for library, position in zip(both, ("32", "48")):
            self.build("--set", f"position={position}", "--shared", "-o", library)
        compile_c(pathlib.Path(__file__).with_name("two.c"), "-ldl", "-o", self.folder / "two")
        facts = [json.loads(line) for line in run(self.folder / "two", *both).stdout.splitlines()]
        self.assertEqual([f["settings"]["position"] for f in facts], [32, 48])

    def test_two_models_linked_into_one_program(self):  # abi E26
        libraries = [self.folder / f"lib{name}.so" for name in ("small", "large")]
        for library, position in zip(libraries, ("32", "48")):
            name = library.stem.removeprefix("lib")
            self.build("--set", f"position={position}", "--shared", "--symbol-prefix", f"{name}_", "-o", library)
            exported = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).stdout.splitlines()}
            self.assertEqual(exported, {f"{name}_weft_api"})
        compile_c(pathlib.Path(__file__).with_name("linked.c"), *libraries, "-Wl,-rpath,$ORIGIN", "-o", self.folder / "linked")
        facts = [json.loads(line) for line in run(self.folder / "linked").stdout.splitlines()]
        self.assertEqual([f["settings"]["position"] for f in facts], [32, 48])

    def test_prefixes_that_make_no_sense(self):
        source = ROOT / "examples/gpt/gpt.weft"
        for words, said in ((("--symbol-prefix", "gpt_", "-o", "gpt"), "goes with `--shared`"),
                            (("--shared", "--symbol-prefix", "1x", "-o", "libgpt.so"), "the beginning of a name in C"),
                            (("--shared", "--symbol-prefix", "a-b", "-o", "libgpt.so"), "the beginning of a name in C")):
            self.assertIn(said, build(source, "--config", "tiny", *words, expect=2).stderr)


if __name__ == "__main__":
    main()
