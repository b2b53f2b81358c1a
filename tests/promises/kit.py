"""Small programs as text, and the functions that they are."""

import linecache
import math
import numbers
from collections import Counter, OrderedDict, defaultdict, deque
from itertools import count

import numpy as np

_NUMBERS = count(1)


def function_of(program, parameters="x, s, k", **names):
    """The function that a program is: one that gives the value of an expression, or a text with a `def f`."""
    source = program if "def f(" in program else f"def f({parameters}):\n    return {program}\n"
    filename = f"<promise {next(_NUMBERS)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    space = {"np": np, "math": math, "numbers": numbers, "__name__": "promise", **names}
    exec(compile(source, filename, "exec"), space)
    return space["f"]


def alike(value, seen=None):
    """What is in a nest, and which of its lists are one: two nests that nobody can tell apart are alike."""
    seen = {} if seen is None else seen
    if isinstance(value, list | dict):
        if id(value) in seen:
            return "again", seen[id(value)]
        seen[id(value)] = len(seen)
    if isinstance(value, dict):
        items = [(key if isinstance(key, str) else float(key), item) for key, item in value.items()]
        return dict, [(key, alike(item, seen)) for key, item in items]
    if isinstance(value, list | tuple | deque):
        return type(value), [alike(item, seen) for item in value]
    array = np.asarray(value)
    return array.dtype.kind, array.tolist()


class Holder:
    """An object with an array, and with views of it."""

    def __init__(self, size):
        self.buf = np.zeros(size)
        self.parts = [self.buf[:2], self.buf[2:]]

    def put(self, i, value):
        self.buf[i] = value


PUT_INTO = {
    "list": ("[]", "{}.append({})"),
    "set": ("set()", "{}.add({})"),
    "dict": ("{}", "{}[{}] = 1"),
    "deque": ("deque()", "{}.append({})"),
    "Counter": ("Counter()", "{}[{}] += 1"),
    "OrderedDict": ("OrderedDict()", "{}[{}] = 1"),
    "defaultdict": ("defaultdict(int)", "{}[{}] += 1"),
}
"""How a program makes each kind of container, and puts something into it."""
COLLECTIONS = {"deque": deque, "Counter": Counter, "OrderedDict": OrderedDict, "defaultdict": defaultdict}
"""What such a program has to know."""
