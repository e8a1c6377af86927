"""What console.py compares of a page: results where the kernels are the page's, never times."""
import unittest

from console import agrees, compared, kernels, same_picture

STEP = "step 30/600  loss 3.4242  val 3.5  32.5k tokens/s  0:09 left"


def same(command, expected, found, exact):
    return agrees(compared(command, expected.split("\n"), exact), compared(command, found.split("\n"), exact))


class Compared(unittest.TestCase):
    def test_times_are_not(self):
        for one, other in ((STEP, "step 30/600  loss 3.4242  val 3.5  998 tokens/s  1:02:09 left"),
                           (STEP.replace("tokens", "images"), STEP.replace("32.5k tokens", "7 images")),
                           ("done in 0:11: loss 1.4379; run/step-600", "done in 1:00:11: loss 1.4379; run/step-600"),
                           ("55 tokens, 21881.7 a second; prompt of 8 in 0.000 s; avx512, 2 threads",
                            "55 tokens, 7 a second; prompt of 8 in 12.5 s; avx512, 16 threads")):
            self.assertTrue(same("./small train", one, other, True), other)

    def test_results_are_where_kernels_are_the_same(self):
        for command, one, other in (("./small train", STEP, STEP.replace("3.4242", "3.4243")),
                                    ("./small train", STEP, STEP.replace("val 3.5", "val 3.6")),
                                    ("./small eval", "loss 2.030240  perplexity 7.6159", "loss 2.030241  perplexity 7.6159"),
                                    ("./small generate --prompt The", "The work\n5 tokens", "The word\n5 tokens"),
                                    ("./embed run", "a text", "another")):
            self.assertFalse(same(command, one, other, True), other)
            self.assertTrue(same(command, one, other, False), other)

    def test_other_commands_are_always(self):
        self.assertFalse(same("weft params x.weft", "8192  float32", "8193  float32", False))

    def test_kernels_are_those_named_last(self):
        self.assertEqual(kernels(["2 x 64; avx512, 2 threads"], None), "avx512")
        self.assertEqual(kernels(["loss 2"], "x86-64-v3"), "x86-64-v3")

    def test_pictures(self):
        drawn = '<text x="1">step</text><text>0.25</text><polyline points="1,2"/><rect class="frame"/>'
        moved = drawn.replace("0.25", "-1e-05").replace("1,2", "1,3")
        self.assertTrue(same_picture(drawn, drawn, True))
        self.assertFalse(same_picture(drawn, moved, True))
        self.assertTrue(same_picture(drawn, moved, False))
        for other in (drawn.replace("step", "epoch"), drawn + "<polyline/>", drawn.replace('class="frame"', "")):
            self.assertFalse(same_picture(drawn, other, False))
        images = '<text class="title">2 of 9 are wrong</text><image/><text class="found">ring</text>'
        self.assertTrue(same_picture(images, images.replace("2", "1").replace("ring", "cross") + "<image/>", False))
        self.assertFalse(same_picture(images, images.replace("wrong", "right"), False))
        self.assertFalse(same_picture(images, images.replace("<image/>", ""), False))


if __name__ == "__main__":
    unittest.main()
