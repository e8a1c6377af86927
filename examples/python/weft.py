"""A compiled model in Python: `weft.h` through ctypes, tensors as numpy arrays. One file, to copy.

    model = weft.Model("./libgpt.so", "run")          # a library of `weft build --shared`, and weights
    logits = model.run("logits", tokens=ids)          # entries by name, arguments by name
    for step in model.train(batches, steps=100): ...  # `batches` yields dicts of arrays

Failures raise `weft.Error` with the sentence that the library gives. docs/abi.md and weft.h say more."""
import ctypes
import json
import os

import numpy

ELEMENTS = {0: numpy.float32, 1: numpy.int32, 2: numpy.bool_}


class Error(Exception):
    """What the library said."""


class Sized(ctypes.Structure):
    """A structure that begins with its size, by which a later library knows what is there."""

    def __init__(self, **fields):
        super().__init__(size=ctypes.sizeof(self), **fields)


class Tensor(Sized):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("count", ctypes.c_int64), ("rank", ctypes.c_int32), ("element", ctypes.c_int)]


class Step(Sized):
    """The loss before a step, the gradient's norm before clipping, the learning rate."""
    _fields_ = [("size", ctypes.c_size_t), ("loss", ctypes.c_double), ("norm", ctypes.c_double), ("rate", ctypes.c_double)]

    def __repr__(self):
        return f"loss {self.loss:.4f}  norm {self.norm:.3f}  rate {self.rate:.5f}"


class Options(Sized):
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("pin", ctypes.c_int32), ("isa", ctypes.c_char_p)]


class Sampling(Sized):
    _fields_ = [("size", ctypes.c_size_t), ("temperature", ctypes.c_double), ("top_k", ctypes.c_int64), ("top_p", ctypes.c_double),
                ("min_p", ctypes.c_double), ("seed", ctypes.c_uint64)]


P, I, S = ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p
FUNCTIONS = {  # result, arguments; as weft.h declares them
    "weft_error": (S, ()), "weft_open": (P, (ctypes.POINTER(Options),)), "weft_close": (None, (P,)),
    "weft_facts": (S, (P,)), "weft_load": (ctypes.c_int, (P, S)), "weft_save": (ctypes.c_int, (P, S)),
    "weft_initialize": (ctypes.c_int, (P, ctypes.c_uint64)), "weft_parameter": (ctypes.c_int, (P, S, ctypes.POINTER(Tensor))),
    "weft_parameters_changed": (ctypes.c_int, (P,)), "weft_run_open": (P, (P, S)), "weft_run_close": (None, (P,)),
    "weft_run_size": (ctypes.c_int, (P, S, I)), "weft_run_allocate": (ctypes.c_int, (P,)),
    "weft_run_input": (ctypes.c_int, (P, S, ctypes.POINTER(Tensor))),
    "weft_run_output": (ctypes.c_int, (P, S, ctypes.POINTER(Tensor))),
    "weft_run": (ctypes.c_int, (P, ctypes.c_uint64, ctypes.c_uint64)),
    "weft_trainer_open": (P, (P, S, I, ctypes.c_uint64)), "weft_trainer_close": (None, (P,)),
    "weft_trainer_batch": (P, (P,)), "weft_trainer_step": (ctypes.c_int, (P, ctypes.POINTER(Step))),
    "weft_generator_open": (P, (P, S, I)), "weft_generator_close": (None, (P,)),
    "weft_generator_vocabulary": (I, (P,)), "weft_generator_known": (I, (P,)),
    "weft_advance": (ctypes.POINTER(ctypes.c_float), (P, ctypes.POINTER(ctypes.c_int32), I)),
    "weft_sample": (ctypes.c_int32, (P, I, ctypes.POINTER(Sampling), I)),
    "weft_tokenizer_open": (P, (S,)), "weft_tokenizer_carried": (P, (P,)), "weft_tokenizer_close": (None, (P,)), "weft_tokenizer_end": (ctypes.c_int32, (P,)),
    "weft_encode": (I, (P, S, ctypes.c_size_t, ctypes.POINTER(ctypes.c_int32), I)),
    "weft_decode": (I, (P, ctypes.c_int32, S, I)),
}


class Model:
    """A model of a library. `weights`: a training's folder, a checkpoint or a safetensors file; or a seed; or None: its own."""

    def __init__(self, library, weights=0, threads=0):
        self._handle = None
        path = os.path.abspath(library)
        self._library = ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, arguments
        self._handle = self._checked(self._library.weft_open(Options(threads=threads)))
        self.facts = json.loads(self._library.weft_facts(self._handle))
        if isinstance(weights, int):
            self._status(self._library.weft_initialize(self._handle, weights))
        elif weights is not None:
            self._status(self._library.weft_load(self._handle, os.fsencode(weights)))

    def __del__(self):
        if self._handle:
            self._library.weft_close(self._handle)

    def _error(self):
        return Error(self._library.weft_error().decode())

    def _checked(self, pointer):
        if not pointer:
            raise self._error()
        return pointer

    def _status(self, status):
        if status:
            raise self._error()

    def _view(self, function, handle, name):
        """The memory of a tensor as an array: no copy."""
        tensor = Tensor()
        self._status(function(handle, name.encode(), ctypes.byref(tensor)))
        kind = numpy.dtype(ELEMENTS[tensor.element])
        memory = (ctypes.c_char * (tensor.count * kind.itemsize)).from_address(tensor.data)
        return numpy.frombuffer(memory, kind).reshape(tensor.shape[:tensor.rank])

    def _entry(self, name):
        for entry in self.facts["entries"]:
            if entry["name"] == name:
                return entry
        raise Error(f"no entry `{name}`; this model has {', '.join(e['name'] for e in self.facts['entries'])}")

    def _dimension(self, number):
        return self.facts["dims"][number]

    def parameter(self, name):
        """A parameter as an array that may be written to; call `changed` afterwards. Not to outlive the model."""
        return self._view(self._library.weft_parameter, self._handle, name)

    def changed(self):
        self._status(self._library.weft_parameters_changed(self._handle))

    def save(self, path):
        self._status(self._library.weft_save(self._handle, os.fsencode(path)))

    def _fill(self, run, entry, arrays, sizes):
        """Says the sizes that the arrays have, makes room, writes them."""
        arrays = {name: numpy.asarray(array) for name, array in arrays.items()}
        names = [argument["name"] for argument in entry["inputs"]]
        if set(arrays) != set(names):
            raise Error(f"entry {entry['name']} takes {', '.join(names) or 'nothing'}; given were {', '.join(arrays) or 'none'}")
        sizes = dict(sizes)
        for argument in entry["inputs"]:
            array, dims = arrays[argument["name"]], [self._dimension(d) for d in argument["dims"]]
            if array.ndim != len(dims):
                raise Error(f"`{argument['name']}` has shape {list(array.shape)}, expected [{', '.join(d['name'] for d in dims)}]")
            for dim, size in zip(dims, array.shape):
                if dim["size"] is None and not dim["derived"]:
                    sizes.setdefault(dim["name"], size)
        for name, size in sizes.items():
            self._status(self._library.weft_run_size(run, name.encode(), size))
        self._status(self._library.weft_run_allocate(run))
        for name, array in arrays.items():
            view = self._view(self._library.weft_run_input, run, name)
            if view.shape != array.shape:
                raise Error(f"`{name}` has shape {list(array.shape)}, expected {list(view.shape)}")
            view[...] = array

    def run(self, entry, sizes={}, seed=0, **arrays):
        """The result of an entry, or a dict of its results. `sizes`: dimensions that no argument has."""
        facts = self._entry(entry)
        run = self._checked(self._library.weft_run_open(self._handle, entry.encode()))
        try:
            self._fill(run, facts, arrays, sizes)
            self._status(self._library.weft_run(run, seed, 0))
            results = {o["name"]: self._view(self._library.weft_run_output, run, o["name"]).copy()
                       for o in facts["outputs"]}
        finally:
            self._library.weft_run_close(run)
        return next(iter(results.values())) if len(results) == 1 else results

    def train(self, batches, steps, training=None, seed=0):
        """Takes a step on each batch (a dict of arrays), at most `steps`; yields a Step each time."""
        library, name = self._library, training.encode() if training else None
        trainings = [t for t in self.facts.get("training", []) if training in (None, t["name"])]
        trainer = self._checked(library.weft_trainer_open(self._handle, name, steps, seed))
        try:
            for _, batch in zip(range(steps), batches):
                self._fill(library.weft_trainer_batch(trainer), self._entry(trainings[0]["gradient"]), batch, {})
                step = Step()
                self._status(library.weft_trainer_step(trainer, ctypes.byref(step)))
                yield step
        finally:
            library.weft_trainer_close(trainer)

    def generate(self, ids, count, decoding=None, **sampling):
        """Yields up to `count` ids that continue `ids`; `sampling`: temperature, top_k, top_p, min_p, seed."""
        library, name = self._library, decoding.encode() if decoding else None
        generator = self._checked(library.weft_generator_open(self._handle, name, len(ids) + count))
        try:
            settings, fresh = Sampling(**sampling), list(ids)
            for _ in range(count):
                logits = self._checked(library.weft_advance(generator, (ctypes.c_int32 * len(fresh))(*fresh), len(fresh)))
                chosen = library.weft_sample(logits, library.weft_generator_vocabulary(generator), ctypes.byref(settings),
                                             library.weft_generator_known(generator))
                if chosen < 0:
                    raise self._error()
                yield chosen
                fresh = [chosen]
        finally:
            library.weft_generator_close(generator)

    def tokenizer(self, path=None):
        return Tokenizer(self, path)


class Tokenizer:
    """The tokenizer of a training: its folder, a checkpoint or a file; or "byte"; or None: what the library carries."""

    def __init__(self, model, path):
        self._model = model
        library = model._library
        opened = library.weft_tokenizer_carried(model._handle) if path is None else library.weft_tokenizer_open(os.fsencode(path))
        self._handle = model._checked(opened)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._model._library.weft_tokenizer_close(self._handle)

    def encode(self, text):
        text, library = text.encode(), self._model._library
        count = library.weft_encode(self._handle, text, len(text), None, 0)
        if count < 0:
            raise self._model._error()
        ids = (ctypes.c_int32 * count)()
        library.weft_encode(self._handle, text, len(text), ids, count)
        return list(ids)

    def decode(self, ids):
        library, pieces = self._model._library, []
        for number in ids:
            room = library.weft_decode(self._handle, number, None, 0)
            piece = ctypes.create_string_buffer(room)
            library.weft_decode(self._handle, number, piece, room)
            pieces.append(piece.raw[:room])
        return b"".join(pieces).decode(errors="replace")
