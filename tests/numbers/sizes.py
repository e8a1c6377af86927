"""Random expressions of sizes: what they are as ints, of 32 bits, and as floats, exact where only `+ - *` made them."""
import oracle
from oracle import INT_MAX, INT_MIN, wrapped

SIZES = [1, 2, 3, 7, 46340, 46341, 65535, 65536, 65537]


def tree(depth, numbers):
    if depth == 0 or numbers.random() < 0.1:
        return ("size", numbers.choice("ab")) if numbers.random() < 0.7 else ("literal", numbers.choice([0, 1, 2, 3, 5, 46341, 65536]))
    form = numbers.choice(["+", "-", "*", "*", "neg", "max", "min", "%", "floordiv"])
    return (form, tree(depth - 1, numbers)) if form == "neg" else (form, tree(depth - 1, numbers), tree(depth - 1, numbers))


def text(node):
    form, *rest = node
    if form == "size":
        return f"size({rest[0]})"
    if form == "literal":
        return str(rest[0])
    parts = [text(each) for each in rest]
    if form in ("max", "min"):
        return f"{form}({', '.join(parts)})"
    if form == "floordiv":
        return f"floor({parts[0]} / {parts[1]})"
    return f"(-{parts[0]})" if form == "neg" else f"({parts[0]} {form} {parts[1]})"


class Size:
    """A value: its 32 bits; all of it, if it is known to be exact; how large what it was made of is; whether an int that is none
    was needed on the way, which is refused where it is known."""

    def __init__(self, value, exact=None, magnitude=0, beyond=False):
        self.value, self.exact, self.magnitude, self.beyond = wrapped(value), exact, magnitude, beyond

    @property
    def number(self):
        return self.value if self.exact is None else self.exact

    @property
    def refused(self):
        """Where an int is needed."""
        return self.beyond or (self.exact is not None and not INT_MIN <= self.exact <= INT_MAX)


def compute(node, sizes):
    form, *rest = node
    if form in ("size", "literal"):
        number = sizes[rest[0]] if form == "size" else rest[0]
        return Size(number, number, number)
    values = [compute(each, sizes) for each in rest]
    beyond = any(each.beyond for each in values)
    if form in ("+", "-", "*", "neg"):
        rule = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "neg": lambda a: -a}[form]
        exact = None if any(each.exact is None for each in values) else rule(*[each.exact for each in values])
        far = [abs(each.magnitude) for each in values]
        if exact is None:
            beyond = any(each.refused for each in values)
        return Size(rule(*[each.value for each in values]), exact, far[0] * far[1] if form == "*" else sum(far), beyond)
    rule = {"max": max, "min": min, "%": lambda a, b: a % b if b else 0, "floordiv": oracle.quotient}[form]
    value = rule(*[each.value for each in values])
    return Size(value, None, abs(value), any(each.refused for each in values))
