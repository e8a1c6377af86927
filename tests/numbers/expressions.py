"""Random expressions of ints, floats and bools: trees, their text, and what they are (oracle.py)."""
import math
import operator

import oracle
from oracle import Differs, Refused, same, wrapped

INTS = [0, 1, -1, 2, 3, 7, 46341, 65536, 2**24 - 1, 2**24, 2**24 + 1, 2**30, 2**31 - 1, -(2**31), -(2**31) + 1]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 2.0**24, 2.0**31, -(2.0**31), 2.0**31 + 512, 4e9, oracle.single(1e38), -oracle.single(3e38),
          math.inf, -math.inf, math.nan]
VARIABLES = {"int": ["i", "j", "k"], "float": ["x", "y", "z"], "bool": ["p", "q"]}
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}


def value(kind, numbers):
    if kind == "bool":
        return numbers.random() < 0.5
    if kind == "int":
        return numbers.choice(INTS) if numbers.random() < 0.7 else numbers.randrange(-20, 20)
    return numbers.choice(FLOATS) if numbers.random() < 0.7 else numbers.randrange(-40, 40) / 4


def literal(x):
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, float):
        if math.isnan(x):
            return "(inf - inf)"
        if math.isinf(x):
            return "inf" if x > 0 else "(-inf)"
        return f"({x!r})" if math.copysign(1, x) < 0 else repr(x)
    return str(x) if x >= 0 else f"({x})"


def tree(kind, depth, numbers, data=True):
    """Without `data`: only what is known at build time, where there is no `where`."""
    def some(other):
        return tree(other, depth - 1, numbers, data)

    if depth == 0 or numbers.random() < 0.1:
        return ("variable", numbers.choice(VARIABLES[kind])) if numbers.random() < 0.8 else ("literal", value(kind, numbers))
    choose = numbers.choice
    if data and numbers.random() < 0.15:
        return "where", some("bool"), some(kind), some(kind)
    if kind == "bool":
        form = choose(["compare", "compare", "compare", "and", "or", "not"])
        if form == "compare":
            other = choose(["int", "float"])
            return form, choose(list(COMPARISONS)), some(other), some(other)
        return (form, some("bool")) if form == "not" else (form, some("bool"), some("bool"))
    if kind == "int":
        form = choose(["+", "-", "*", "%", "max", "min", "floordiv", "floordiv", "floor", "neg"])
        if form == "floor":
            return form, some("float")
        return (form, some("int")) if form == "neg" else (form, some("int"), some("int"))
    form = choose(["+", "-", "*", "/", "%", "max", "min", "neg", "sqrt", "^", "float", "quotient", "exp", "log", "tanh"])
    if form in ("neg", "sqrt", "exp", "log", "tanh"):
        return form, some("float")
    if form == "float":
        return form, some("int")
    if form == "quotient":
        return form, some("int"), some("int")
    if form == "^":
        return form, some("float"), ("literal", choose([0, 1, 2, 3, -1, -2]))
    return form, some("float"), some("float")


def text(node, known=None):
    """`known`: numbers in the place of variables."""
    form, *rest = node
    if form == "variable":
        return literal(known[rest[0]]) if known else rest[0]
    if form == "literal":
        return literal(rest[0])
    if form == "compare":
        return f"({text(rest[1], known)} {rest[0]} {text(rest[2], known)})"
    parts = [text(each, known) for each in rest]
    if form in ("max", "min", "where", "sqrt", "exp", "log", "tanh", "floor"):
        return f"{form}({', '.join(parts)})"
    if form == "floordiv":
        return f"floor({parts[0]} / {parts[1]})"
    if form == "float":
        return f"(1.0 * {parts[0]})"
    if form in ("neg", "not"):
        return f"({'-' if form == 'neg' else 'not '}{parts[0]})"
    return f"({parts[0]} {'/' if form == 'quotient' else form} {parts[1]})"


def kind(node, row):
    """Of a value that is not a bool."""
    form, *rest = node
    if form in ("variable", "literal"):
        return type(row[rest[0]] if form == "variable" else rest[0])
    if form == "where":
        return kind(rest[1], row)
    if form in ("floor", "floordiv"):
        return int
    if form in ("+", "-", "*", "%", "max", "min", "neg"):
        return kind(rest[0], row)
    return float


def varies(node):
    return node[0] == "variable" or any(varies(each) for each in node[1:] if isinstance(each, tuple))


def refused(node, row, known=False):
    """Whether what is known of it, the branches that are not taken included, makes a whole number that is no int."""
    try:
        compute(node, row, known)
    except Refused:
        return True
    except Differs:
        pass
    return any(refused(each, row, known) for each in node[1:] if isinstance(each, tuple))


def compute(node, row, known=False):
    """Differs or Refused where there is no number to compare. `known`: what is built knows all of `row`."""
    form, *rest = node
    if form == "variable":
        return row[rest[0]]
    if form == "literal":
        return rest[0]
    if form == "compare":
        return COMPARISONS[rest[0]](*[compute(each, row, known) for each in rest[1:]])
    if form == "where":
        return compute(rest[1] if compute(rest[0], row, known) else rest[2], row, known)
    if form == "floor" and rest[0][0] == "quotient":  # the quotient is never made
        return compute(("floordiv", *rest[0][1:]), row, known)
    whole = form not in ("and", "or", "not") and kind(node, row) is int
    values = [compute(each, row, known) for each in rest]
    if form in ("and", "or", "not"):
        return {"and": all, "or": any, "not": lambda v: not v[0]}[form](values)
    if form == "float":
        return same(float(values[0]))
    if form == "quotient":
        return same(oracle.divide(same(float(values[0])), same(float(values[1]))))
    if form == "floordiv":
        return oracle.quotient(*values)
    if whole and form in ("+", "-", "*", "neg"):
        exact = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "neg": lambda a: -a}[form](*values)
        if (known or not varies(node)) and exact != wrapped(exact):
            raise Refused
        return wrapped(exact)
    if whole and form in ("max", "min", "%"):
        return {"max": max, "min": min, "%": lambda a, b: a % b if b else 0}[form](*values)
    float_forms = {"+": operator.add, "-": operator.sub, "*": oracle.product, "/": oracle.divide, "%": oracle.modulo, "max": oracle.larger,
                   "min": oracle.smaller, "neg": operator.neg, "sqrt": oracle.root, "^": oracle.power, "floor": oracle.floor,
                   "exp": oracle.exp, "log": oracle.log, "tanh": oracle.tanh}
    result = float_forms[form](*values)
    return result if form == "floor" else same(result)
