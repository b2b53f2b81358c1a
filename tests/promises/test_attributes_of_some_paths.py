"""Attributes that only some paths have set: who reads one where there is none is told there, as in Python."""

import contextlib
import io

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of

CLASSES = {
    "plain": "class T:\n    pass\n",
    "with slots": 'class T:\n    __slots__ = ("x", "y")\n',
    "that knows any name": "class T:\n    def __getattr__(self, name):\n        return 7\n",
    "that knows a name": """class T:
    def __getattr__(self, name):
        if name == "y":
            return 15
        raise AttributeError(name)
""",
    "with slots that knows any name": """class T:
    __slots__ = ("x", "y")
    def __getattr__(self, name):
        return 9
""",
    "around another object": """class Inner:
    y = 5
class T:
    inner = Inner()
    def __getattr__(self, name):
        return getattr(self.inner, name)
""",
}
USES = {
    "returned": "return t.y",
    "in containers": "return (t.y, 1), [t.y], {1: t.y}",
    "bound": "z = t.y\n    return n",
    "bound before it is set": "z = t.y\n    t.y = 100\n    return z",
    "stored in an attribute": "o.z = t.y\n    return n",
    "stored in a dict": 'd["k"] = t.y\n    return n',
    "put in a list": "kept.append(t.y)\n    return n",
    "passed": "return passed(t.y), passed(1, other=t.y)",
    "compared": "return 1 if t.y > 3 else 2",
    "compared with None": "return t.y is None",
    "printed": 'print(t.y, f"{t.y}")\n    return n',
    "computed with": "return t.y * 2 + t.y",
    "caught": "try:\n        z = t.y\n    except AttributeError:\n        z = -3\n    return z",
    "asked for": 'return hasattr(t, "y"), getattr(t, "y", -1)',
    "chosen": "return t.y if n > 1 else n",
    "given by a function": "return (lambda: t.y)()",
    "in a loop": "for i in range(n):\n        n += t.y\n        if i > 0:\n            t.y = i\n    return n",
    "in a comprehension": "return [t.y for _ in range(2)]",
}


def history(make, decorate):
    f, outside = make(decorate)
    found = []
    for n in (3, 0, 5, 1):
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                result = plain(f(np.int64(n)))
        except (AttributeError, TypeError) as error:
            result = type(error).__name__, str(error).splitlines()[0]
        found.append((result, printed.getvalue(), plain(outside())))
    return found


def plain(value):
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", CLASSES)
def test_an_attribute_is_asked_for_where_it_is_read(kind, use):
    program = f"""{CLASSES[kind]}
class Holder:
    pass
o, d, kept = Holder(), {{}}, []
def passed(value, other=0):
    return value
def f(n):
    t = T()
    if n > 2:
        t.y = n
    {USES[use]}
"""

    def make(decorate):
        f = function_of(program, "n")
        names = f.__globals__
        return decorate(f), lambda: [vars(names["o"]), names["d"], names["kept"]]

    assert history(make, ag.function) == history(make, lambda f: f)


@pytest.mark.parametrize("kind", CLASSES)
def test_an_attribute_of_an_object_outside_stays_set(kind):
    program = f"""{CLASSES[kind]}
t = T()
def f(n):
    if n > 2:
        t.y = n
    return getattr(t, "y", -1)
"""

    def make(decorate):
        return decorate(function_of(program, "n")), lambda: ()

    assert history(make, ag.function) == history(make, lambda f: f)
