"""`OUT profile`: that times, work and pictures are of the launches that ran. Usage: profile.py"""
import json
import re
import unittest
import xml.etree.ElementTree as xml

from program import ROOT, WEFT, ProgramTest, main, run

SIZES = {"batch": 2, "seq": 16}
RUNS = 2


class Profile(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sizes = {dim["name"]: dim["size"] for dim in json.loads(run(cls.program, "info", "--json").stdout)["dims"]} | SIZES

    def profile(self, entry, *options, program=None):
        sizes = ",".join(f"{name}={size}" for name, size in SIZES.items())
        return run(program or self.program, "profile", "--entry", entry, "--set", sizes, "--runs", RUNS, *options).stdout

    def kernels(self, entry, **more):
        whole = json.loads(self.profile(entry, "--json", **more))
        return whole, {kernel["kernel"]: kernel for kernel in whole["kernels"]}

    def test_launches_are_those_of_the_plan(self):
        plan = run(WEFT, "show", ROOT / "examples/gpt/gpt.weft", "--config", "tiny", "--entry", "logits", "--at", "plan", "--bare").stdout
        should, loop = {}, 1  # `prepare` comes first, and a profile packs nothing
        for line in plan[plan.index("plan.entry"):].partition("prepare")[2].splitlines():
            if re.search(r"plan\.loop", line):
                loop = self.sizes["layer"]
            elif re.match(r"\s*}", line):
                loop = 1
            elif found := re.search(r"plan\.launch @([^\s(]+)", line):
                should[found[1]] = should.get(found[1], 0) + loop
        _, kernels = self.kernels("logits")
        self.assertTrue(should)
        for name, times in should.items():
            if name in kernels:
                self.assertEqual(kernels[name]["launches"], times, name)
        self.assertTrue(set(kernels) <= set(should), set(kernels) - set(should))

    def test_work_is_that_of_the_sizes(self):
        _, kernels = self.kernels("logits")
        size = self.sizes
        up = kernels["ffn.up"]
        rows = size["batch"] * size["seq"]
        self.assertEqual(up["family"], "contraction")
        self.assertEqual(up["launches"], size["layer"])
        products = 2 * rows * size["model"] * size["ff"] * size["layer"]
        self.assertTrue(products < up["flops"] < 1.2 * products, (products, up))  # a bias and an activation for each element
        least = 4 * size["layer"] * (rows * (size["model"] + size["ff"]) + size["model"] * size["ff"])
        self.assertTrue(least <= up["bytes"] < 1.1 * least, (least, up))
        attention = next(each for each in kernels.values() if each["family"] == "attention")
        self.assertTrue(attention["masked"])

    def test_times_are_parts_of_the_whole(self):
        for entry in ("logits", "train", "generate"):
            options = () if entry != "generate" else ()
            said = run(self.program, "profile", "--entry", entry, *(() if entry == "generate" else ("--set", "batch=2,seq=16")), "--runs", RUNS, "--json")
            whole = json.loads(said.stdout)
            self.assertLessEqual(sum(kernel["seconds"] for kernel in whole["kernels"]), whole["seconds"], entry)
            for kernel in whole["kernels"]:
                self.assertLessEqual(kernel["busy"], kernel["seconds"] * whole["threads"], kernel)
                self.assertGreater(kernel["busy"], 0, kernel)
            self.assertGreater(whole["peak_flops"], 1e9)
            self.assertGreater(whole["peak_bytes_read"], 1e8)

    def test_text_has_all_kernels(self):
        said = self.profile("train")
        _, kernels = self.kernels("train")
        for name in kernels:
            self.assertRegex(said, rf"(?m)^ +\d+\.\d{{3}} .* {re.escape(name)}$")
        self.assertRegex(said, r"(?m) between kernels$")

    def test_trace(self):
        trace, flame, roofs = (self.folder / name for name in ("trace.json", "flame.svg", "roofs.svg"))
        self.profile("train", "--trace", trace, "--flame", flame, "--roofline", roofs)
        events = [each for each in json.loads(trace.read_text())["traceEvents"] if each["ph"] == "X"]
        launches = [each for each in events if each["tid"] == 0]
        whole, kernels = self.kernels("train")
        self.assertEqual(len(launches), sum(kernel["launches"] for kernel in whole["kernels"]))
        for before, after in zip(launches, launches[1:]):
            self.assertLessEqual(before["ts"] + before["dur"], after["ts"])
        slack = 1e-3  # of a microsecond: numbers are printed
        for chunk in events:
            self.assertIn(chunk["name"], kernels)
            self.assertTrue(any(launch["name"] == chunk["name"] and launch["ts"] - slack <= chunk["ts"] and
                                chunk["ts"] + chunk["dur"] <= launch["ts"] + launch["dur"] + slack for launch in launches), chunk)
        for picture in (flame, roofs):
            self.assertTrue(xml.parse(picture).getroot().tag.endswith("svg"))
        parts = [title.text.partition(":")[0] for title in xml.parse(flame).iter("{http://www.w3.org/2000/svg}title")]
        self.assertTrue(any(re.fullmatch(r"attn\.q_attn\.k_attn\.v(\.\d+)?", part) for part in parts), parts)
        self.assertNotIn("attn.q_attn", parts)
        shown = sum(1 for kernel in whole["kernels"] if kernel.get("flops", 0) > 0)
        self.assertEqual(roofs.read_text().count("<circle"), shown)

    def test_tasks_on_more_cores(self):
        for entry in ("logits", "train"):
            whole = json.loads(self.profile(entry, "--json", "--cores", "1,3,64", "--threads", 2))
            launches = {kernel["kernel"]: kernel["launches"] for kernel in whole["kernels"]}
            self.assertEqual([each["cores"] for each in whole["on_cores"]], [1, 3, 64])
            for each in whole["on_cores"]:
                self.assertEqual({kernel["kernel"]: kernel["launches"] for kernel in each["kernels"]}, launches)
                self.assertAlmostEqual(sum(kernel["seconds"] for kernel in each["kernels"]) + each["between"], each["seconds"], delta=1e-9)
                for kernel in each["kernels"]:
                    alone, slack = kernel["seconds_alone"], 1e-9
                    self.assertLessEqual(kernel["seconds"], alone + slack, kernel)
                    self.assertGreaterEqual(kernel["seconds"] + slack, alone / each["cores"], kernel)
                    self.assertGreaterEqual(kernel["tasks"], kernel["launches"])
            one = whole["on_cores"][0]
            self.assertAlmostEqual(one["seconds"], one["seconds_alone"], delta=1e-9)
            said = self.profile(entry, "--cores", "32,128")
            self.assertRegex(said, r"(?m)^32 cores: \d+\.\d times one$")
        said = run(self.program, "profile", "--entry", "logits", "--set", "batch=1,seq=4", "--cores", "4,none", expect=2).stderr
        self.assertIn("--cores 4,none: expected different whole numbers", said)

    def test_what_a_device_does_not_have(self):
        program = self.folder / "emulated"
        self.build("--target", "cuda-emulated", "-o", program)
        for option, reason in (("--trace", "launches of a device are timed one by one"), ("--roofline", "what a device does at most is not measured"),
                               ("--cores", "it counts tasks that threads of this machine take, and a device has none")):
            said = run(program, "profile", "--entry", "logits", "--set", "batch=1,seq=4", option, "4", expect=2).stderr
            self.assertIn(f"{option}: {reason}; leave it out, or --device cpu", said)

    def test_portable_code_has_names(self):
        portable = self.folder / "portable"
        self.build("--target", "c", "-o", portable)
        _, kernels = self.kernels("logits", program=portable)
        self.assertIn("ffn.up", kernels)
        self.assertGreater(kernels["ffn.up"]["flops"], 0)

    def test_outputs_are_apart(self):
        same = self.folder / "same"
        said = run(self.program, "profile", "--entry", "logits", "--set", "batch=1,seq=4", "--trace", same, "--flame", same, expect=2).stderr
        self.assertIn("--flame", said)


if __name__ == "__main__":
    main()
