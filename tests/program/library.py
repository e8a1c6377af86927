"""Runs an entry of a shared library through weft.h, in a process of its own: library.py LIBRARY ENTRY NAME=VALUE ...

Prints `error STATUS: what weft_error() says`, or the numbers of every result. Inputs are JSON. The batch of a training is run by its
name (`train`)."""
import ctypes
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "record"))
import shared_library  # noqa: E402


class Tensor(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)), ("count", ctypes.c_int64),
                ("rank", ctypes.c_int32), ("element", ctypes.c_int32)]


ELEMENTS = [ctypes.c_float, ctypes.c_int32, ctypes.c_uint8]


def shape_of(value):
    return [len(value), *shape_of(value[0])] if isinstance(value, list) else []


def flat(value):
    return [number for each in value for number in flat(each)] if isinstance(value, list) else [value]


class Library:
    def __init__(self, path):
        self.weft = shared_library.load(path)
        for name in ("open", "run_open", "trainer_open", "trainer_batch", "generator_open"):
            getattr(self.weft, f"weft_{name}").restype = ctypes.c_void_p
        self.weft.weft_advance.restype = ctypes.POINTER(ctypes.c_float)
        self.weft.weft_facts.restype = self.weft.weft_error.restype = ctypes.c_char_p
        self.weft.weft_generator_vocabulary.restype = ctypes.c_int64
        self.model = ctypes.c_void_p(self.weft.weft_open(None))
        self.done(self.model.value)
        self.facts = json.loads(self.weft.weft_facts(self.model))

    def done(self, fine):
        """Ends where a call failed, with what it says."""
        if not fine:
            print(f"error {self.weft.weft_status()}: {self.weft.weft_error().decode()}")
            sys.exit(0)

    def run(self, name, inputs):
        training = next((each for each in self.facts.get("training", []) if each["name"] == name), None)
        entry = next(each for each in self.facts["entries"] if each["name"] == (training["gradient"] if training else name))
        if training:
            trainer = ctypes.c_void_p(self.weft.weft_trainer_open(self.model, name.encode(), ctypes.c_int64(1), ctypes.c_uint64(1)))
            self.done(trainer.value)
            run = ctypes.c_void_p(self.weft.weft_trainer_batch(trainer))
        else:
            run = ctypes.c_void_p(self.weft.weft_run_open(self.model, name.encode()))
        self.done(run.value)
        for tensor in entry["inputs"]:
            if tensor["name"] in inputs:
                for dim, size in zip(tensor["dims"], shape_of(inputs[tensor["name"]])):
                    known = self.facts["dims"][dim]
                    if known["size"] is None and not known["derived"]:
                        self.done(self.weft.weft_run_size(run, known["name"].encode(), ctypes.c_int64(size)) == 0)
        self.done(self.weft.weft_run_allocate(run) == 0)
        for tensor in entry["inputs"]:
            if tensor["name"] in inputs:
                self.numbers(run, "input", tensor["name"])[:] = flat(inputs[tensor["name"]])
        if training:
            self.done(self.weft.weft_trainer_step(trainer, None) == 0)
            return
        self.done(self.weft.weft_run(run, ctypes.c_uint64(1), ctypes.c_uint64(0)) == 0)
        for tensor in entry["outputs"]:
            print(" ".join(str(number) if isinstance(number, int) else f"{number:g}" for number in self.numbers(run, "output", tensor["name"])))

    def numbers(self, run, kind, name):
        tensor = Tensor(ctypes.sizeof(Tensor))
        self.done(getattr(self.weft, f"weft_run_{kind}")(run, name.encode(), ctypes.byref(tensor)) == 0)
        return (ELEMENTS[tensor.element] * tensor.count).from_address(tensor.data)

    def generate(self, inputs, ids, capacity):
        """The logits behind these ids."""
        generator = ctypes.c_void_p(self.weft.weft_generator_open(self.model, None, ctypes.c_int64(capacity)))
        self.done(generator.value)
        for name, value in inputs.items():
            shape = shape_of(value)
            data = (ctypes.c_float * len(flat(value)))(*flat(value))
            self.done(self.weft.weft_generator_input(generator, name.encode(), data, (ctypes.c_int64 * len(shape))(*shape), len(shape)) == 0)
        logits = self.weft.weft_advance(generator, (ctypes.c_int32 * len(ids))(*ids), ctypes.c_int64(len(ids)))
        self.done(bool(logits))
        print(" ".join(f"{logits[i]:g}" for i in range(self.weft.weft_generator_vocabulary(generator))))


if __name__ == "__main__":
    given = dict(word.split("=", 1) for word in sys.argv[3:])
    values = {name: json.loads(value) for name, value in given.items()}
    library = Library(sys.argv[1])
    if sys.argv[2] == "--generate":
        library.generate({name: value for name, value in values.items() if name not in ("ids", "capacity")}, values["ids"], values["capacity"])
    else:
        library.run(sys.argv[2], values)
