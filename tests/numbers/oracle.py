"""What expressions of ints, floats and bools are, said a second time: the oracle of arithmetic.py (a program of its own, so that it shares no code with what it judges).

A node has its text, its element and a function of a row of variables. Its value there is `Known`: the number, or nothing where
programs (32 bits) and the interpreter (64) may differ, which is wherever a float was rounded, left its range or is denormal."""
import math
import struct

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
LARGEST, SMALLEST = 3.4028234663852886e38, 2.0**-126


def wrapped(x):
    return (x + 2**31) % 2**32 - 2**31


def single(x):
    """`x` in 32 bits; infinite where it does not fit."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


class Differs(Exception):
    """A number that is not exact in float32: what is computed from it is not compared."""


class Refused(Exception):
    """A whole number that is known when the program is built and no int."""


def same(x):
    """A float that is one and the same in 32 and 64 bits."""
    if not math.isnan(x) and not math.isinf(x) and (single(x) != x or 0 < abs(x) < SMALLEST):
        raise Differs
    return x


def divide(a, b):
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return math.nan
    if b == 0:
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def product(a, b):
    return math.nan if (math.isinf(a) and b == 0) or (math.isinf(b) and a == 0) else a * b


def modulo(a, b):
    if b == 0 or math.isinf(a) or math.isnan(a) or math.isnan(b):
        return math.nan
    rest = math.fmod(a, b)
    return same(rest + b) if rest != 0 and (rest < 0) != (b < 0) else rest


def power(a, n):
    result = 1.0
    for _ in range(abs(n)):
        result = same(product(result, a))
    return divide(1.0, result) if n < 0 else result


def larger(a, b):
    return a if math.isnan(a) or a > b else b


def smaller(a, b):
    return a if math.isnan(a) or a < b else b


def floor(x):
    if math.isnan(x):
        return 0
    if math.isinf(x):
        return INT_MAX if x > 0 else INT_MIN
    return min(max(math.floor(x), INT_MIN), INT_MAX)


def quotient(a, b):
    return 0 if b == 0 else min(max(a // b, INT_MIN), INT_MAX)


def root(x):
    return math.nan if x < 0 else same(math.sqrt(x)) if not math.isnan(x) else x


# What libraries compute only nearly is compared where the result is exact.
def exp(x):
    if x == 0 or math.isnan(x) or math.isinf(x):
        return 1.0 if x == 0 else x if x > 0 or math.isnan(x) else 0.0
    raise Differs


def log(x):
    if x == 1 or x == 0 or x < 0 or math.isnan(x) or math.isinf(x):
        return 0.0 if x == 1 else -math.inf if x == 0 else math.nan if not x > 0 else x
    raise Differs


def tanh(x):
    if x == 0 or math.isnan(x) or math.isinf(x):
        return x if x == 0 or math.isnan(x) else math.copysign(1.0, x)
    raise Differs
