"""Loads a library that `weft build --shared` made, also where it is sanitized: its host then brings the sanitizer's runtime."""
import ctypes
import os


def preloaded():
    """What the environment of an interpreter needs whose other libraries allocate too: there the runtime comes first."""
    runtime = os.environ.get("WEFT_SANITIZER_RUNTIME")
    return {"LD_PRELOAD": runtime} if runtime else {}


def load(path, mode=ctypes.DEFAULT_MODE):
    runtime = os.environ.get("WEFT_SANITIZER_RUNTIME")
    if runtime:
        ctypes.CDLL(runtime, mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(str(path), mode=mode)
