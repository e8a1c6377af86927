"""examples/embed, as its README builds it, gives the tokens that the program gives."""
import json
import pathlib

from program import ROOT, ProgramTest, compile_c, main, run


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

    def test_two_models_in_one_process(self):
        both = [self.folder / "small.so", self.folder / "large.so"]
        for library, position in zip(both, ("32", "48")):
            self.build("--set", f"position={position}", "--shared", "-o", library)
        compile_c(pathlib.Path(__file__).with_name("two.c"), "-ldl", "-o", self.folder / "two")
        facts = [json.loads(line) for line in run(self.folder / "two", *both).stdout.splitlines()]
        self.assertEqual([f["settings"]["position"] for f in facts], [32, 48])


if __name__ == "__main__":
    main()
