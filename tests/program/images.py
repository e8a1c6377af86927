"""Programs that are trained on images: what they link, what they say of bad files, and that a training depends on the seed alone."""
import gzip
import json
import random
import struct
import zlib

from program import ROOT, TEXT, ProgramTest, build, main, run

ALLOWED = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libpthread.so.0"}


def png(side, level):
    """A grey square with some noise."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes(level + random.randrange(40) for _ in range(side)) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", side, side, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def idx(shape, data):
    return bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + bytes(data)


def symbols(path):
    return run("nm", path).stdout


class Images(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        random.seed(1)
        cls.digits = cls.folder / "digits"
        cls.model = (ROOT / "examples/vit/mnist.weft", "--config", "small", "--set", "digit=2,layer=1,model=32,ff=32,dh=8")
        build(*cls.model, "-o", cls.digits)
        for part, count in (("train", 24), ("test", 8)):
            for number in range(count):
                for name, level in (("dark", 20), ("light", 180)):
                    cls.put(f"grey/{part}/{name}/{number}.png", png(28, level))

    @classmethod
    def put(cls, name, contents):
        path = cls.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)

    def learn(self, out, *options, data="grey", expect=0):
        return run(self.digits, "train", "--data", f"images:{self.folder / data}", "--out", self.folder / out, "--batch", "8",
                   "--seed", "3", "--quiet", *options, expect=expect)

    def parameters(self, out, step):
        return (self.folder / out / f"step-{step}" / "parameters.safetensors").read_bytes()

    def refused(self, data, *parts):
        said = self.learn("refused", "--steps", "1", data=data, expect=1).stderr
        self.assertEqual(said.count("\n"), 1, said)
        for part in (str(self.folder / data), *parts):
            self.assertIn(part, said)

    def test_links_what_it_needs(self):
        names = {line.split()[0] for line in run("ldd", self.digits).stdout.splitlines()}
        self.assertLessEqual({name for name in names if "ld-linux" not in name}, ALLOWED)
        for library in ("png_read", "jpeg_read", "inflate", "ImageSource"):
            self.assertTrue(library in symbols(self.digits), library)
            self.assertFalse(library in symbols(self.program), library)

    def test_checkpoint_of_another_model(self):
        self.learn("flipped", "--steps", "1", "--crop", "2")
        state = self.folder / "flipped/step-1/state.json"
        resume = (self.program, "train", "--resume", "--out", self.folder / "flipped")
        self.assertIn("step-1: is a checkpoint of another model, made with layer=1,model=32, and this program is built with layer=2,model=64; start a", run(*resume, expect=1).stderr)
        self.train("prose", "--steps", "1", "--quiet")
        trained = json.loads((self.folder / "prose/step-1/state.json").read_text())
        state.with_name("options.json").write_bytes((self.folder / "prose/step-1/options.json").read_bytes())
        state.write_text(json.dumps({**json.loads(state.read_text()), "training": trained["training"]}))
        said = run(*resume, expect=1).stderr
        self.assertRegex(said, "flipped/step-1: images:.*/grey: this program reads no images")
        said = run(*resume, "--data", f"text:{TEXT}", expect=2).stderr
        self.assertIn("--crop does not go with text:", said)

    def test_text_model_reads_no_images(self):
        said = run(self.program, "train", "--data", "images:grey", "--steps", "1", "--out", self.folder / "text", expect=1).stderr
        self.assertIn("this program reads no images", said)

    def test_learns_and_draws(self):
        self.learn("learned", "--steps", "30", "--mean", "0.5", "--std", "0.5")
        self.assertIn('"images_per_second": ', (self.folder / "learned/log.jsonl").read_text())
        picture = self.folder / "samples.svg"
        said = run(self.digits, "eval", "--checkpoint", self.folder / "learned", "--data", f"images:{self.folder / 'grey'}",
                   "--samples", picture).stdout
        self.assertIn("16 ", said)  # the images to test on, both classes
        self.assertLess(float(said.split()[1]), 0.1, said)
        drawn = picture.read_text()
        self.assertEqual(drawn.count("data:image/png;base64,"), 16)
        self.assertIn(">light</text>", drawn)
        other = run(self.digits, "eval", "--checkpoint", self.folder / "learned", "--data", f"images:{self.folder / 'grey'}",
                    "--mean", "0").stdout
        self.assertNotEqual(said, other)  # what is not given is as in the training
        broken = run(self.digits, "eval", "--checkpoint", self.folder / "learned", "--data", f"images:{self.folder / 'grey'}",
                     "--std", "1e-300", expect=1)  # values beyond float
        self.assertEqual(broken.stdout, "")
        self.assertIn("grey: the loss of rows 1 to 8 is NaN or infinite", broken.stderr)

    def test_classes_go_by_the_names_of_their_folders(self):
        self.put("mixed/train/dark/1.png", png(28, 20))
        self.put("mixed/train/light/1.png", png(28, 180))
        self.put("mixed/validation/dark/1.png", png(28, 20))
        self.put("mixed/validation/amber/1.png", png(28, 90))
        self.refused("mixed", "mixed/validation: has `amber`, which", "mixed/train does not know, and lacks `light`")
        for number in range(4):
            self.put(f"some/validation/light/{number}.png", png(28, 180))  # no `dark`, and `light` is still 1
        for number in range(12):
            for name, level in (("dark", 20), ("light", 180)):
                self.put(f"some/train/{name}/{number}.png", png(28, level))
        self.learn("named", "--steps", "30", "--mean", "0.5", "--std", "0.5", data="some")
        log = [json.loads(line) for line in (self.folder / "named/log.jsonl").read_text().splitlines()]
        self.assertLess(log[-1]["validation_loss"], 0.1)
        path = self.folder / "named/step-30/state.json"
        state = json.loads(path.read_text())
        self.assertEqual(state["classes"], ["dark", "light"])

        def evaluated(data, expect=0, checkpoint=("--checkpoint", self.folder / "named"), program=self.digits):
            return run(program, "eval", *checkpoint, "--data", f"images:{self.folder / data}", "--json", expect=expect)

        for number in range(4):
            self.put(f"one/light/{number}.png", png(28, 180))
            self.put(f"renamed/a_light/{number}.png", png(28, 180))
            self.put(f"renamed/b_dark/{number}.png", png(28, 20))
        self.assertLess(json.loads(evaluated("one").stdout)["loss"], 0.1)
        problem = "renamed: has `a_light` and `b_dark`, which {} does not know, and lacks `dark` and `light`"
        self.assertIn(problem.format(path.parent), evaluated("renamed", 1).stderr)
        carrying = self.folder / "carrying"
        build(*self.model, "--weights", self.folder / "named", "-o", carrying)
        self.assertLess(json.loads(evaluated("one", 0, (), carrying).stdout)["loss"], 0.1)
        self.assertIn(problem.format("this program"), evaluated("renamed", 1, (), carrying).stderr)
        path.write_text(json.dumps({**state, "classes": ["dark", 7]}))
        self.assertIn('`classes` is ["dark",7], expected 2 names', evaluated("one", 1).stderr)
        path.write_text(json.dumps({**state, "classes": ["light", "dark"]}))  # the order is the checkpoint's
        self.assertGreater(json.loads(evaluated("one").stdout)["loss"], 1)
        path.write_text(json.dumps({key: value for key, value in state.items() if key != "classes"}))  # of an older program
        self.assertGreater(json.loads(evaluated("renamed").stdout)["loss"], 1)
        self.assertIn("has 1 classes", evaluated("one", 1).stderr)

    def test_speed_is_told_in_images(self):
        shown = run(self.digits, "train", "--data", f"images:{self.folder / 'grey'}", "--out", self.folder / "shown", "--batch", "8",
                    "--steps", "2").stderr
        self.assertRegex(shown, r"step 2/2  .*  \S+ images/s  0:00 left")
        self.assertRegex(run(self.digits, "bench", "--entry", "train", "--set", "batch=4", "--runs", "3").stdout, r"; \d+ images/s;")
        self.assertNotIn("/s;", run(self.digits, "bench", "--entry", "loss", "--set", "batch=4", "--runs", "3").stdout)

    def test_depends_on_the_seed_alone(self):
        options = ("--flip", "--crop", "2", "--std", "0.3")
        self.learn("one", "--steps", "12", "--threads", "1", *options)
        self.learn("two", "--steps", "12", "--threads", "2", *options)
        self.learn("parts", "--steps", "12", "--stop-at", "5", *options)
        self.learn("parts", "--steps", "12", "--resume")
        for other in ("two", "parts"):
            self.assertEqual(self.parameters("one", 12), self.parameters(other, 12), other)
        self.learn("plain", "--steps", "12", "--std", "0.3")
        self.assertNotEqual(self.parameters("one", 12), self.parameters("plain", 12))

    def test_bad_pictures(self):
        for name, contents, problem in (("small", png(27, 0), "27 x 27 (height x width), expected 28 x 28"),
                                        ("cut", png(28, 0)[:200], "damaged or cut off"), ("other", b"GIF89a", "neither PNG nor JPEG"),
                                        ("empty", b"", "is empty")):
            self.put(f"{name}/dark/1.png", png(28, 0))
            self.put(f"{name}/light/2.png", contents)
            self.refused(name, "light/2.png", problem)
        self.put("three/one/1.png", png(28, 0))
        self.put("three/two/1.png", png(28, 0))
        self.put("three/zero/1.png", png(28, 0))
        self.refused("three", "has 3 classes (`one`, `two` and `zero`), `digit` (", "is 2")
        self.put("none/readme", b"")
        self.refused("none", "holds no images that are known")

    def test_bad_idx(self):
        pixels, labels = idx((3, 28, 28), bytes(3 * 784)), idx((3,), (0, 1, 1))
        for name, images, classes, problem in (
                ("fewer", pixels, idx((2,), (0, 1)), "has 2 labels"), ("label", pixels, idx((3,), (0, 1, 2)), "image 2: has the label 2"),
                ("wide", idx((3, 28, 56), bytes(3 * 1568)), labels, "1 x 28 x 56"), ("header", pixels[:9], labels, "inside its header"),
                ("cut", pixels[:-1], labels, "image 2 of 3 is incomplete"), ("gzip", gzip.compress(pixels)[:-9], labels, "cut off"),
                ("none", idx((0, 28, 28), b""), idx((0,), b""), "holds no images")):
            self.put(f"idx-{name}/train-images-idx3-ubyte", images)
            self.put(f"idx-{name}/train-labels-idx1-ubyte", classes)
            self.refused(f"idx-{name}", "idx-", problem)

    def test_options(self):
        self.assertIn(" images:PATH or tensors:FILE.safetensors\n", run(self.digits, "train", "--help").stdout)
        for command in ("train", "eval"):
            shown = run(self.digits, command, "--help").stdout
            self.assertIn("\n  --mean ", shown)
            for option in ("--seq", "--tokenizer", "--pairs", "--keep-case"):  # of other kinds of data: neither listed nor taken
                self.assertNotIn(f"\n  {option} ", shown)
        for option in (("--tokenizer", "byte"), ("--keep-case",)):
            self.learn("options", "--steps", "1", *option, expect=2)
        said = run(self.digits, "train", "--data", "grey", "--steps", "1", "--out", self.folder / "refused", expect=2).stderr
        self.assertIn("--data grey: expected images:PATH or tensors:FILE.safetensors\n", said)
        for options, problem in ((("--mean", "0.1,0.2"), "has 2 numbers; the images have 1 channels"), (("--std", "0"), "above 0"),
                                 (("--crop", "x"), "whole number"), (("--seq", "4"), "--seq goes with `text:FILE`")):
            said = self.learn("options", "--steps", "1", *options, expect=2).stderr
            self.assertIn(problem, said)


if __name__ == "__main__":
    main()
