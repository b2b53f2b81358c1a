"""Every kind of container in every statement, held in one way or another: it holds what it was given."""

import contextlib
from collections import Counter, OrderedDict, defaultdict, deque
from itertools import product
from textwrap import indent

import numpy as np
import pytest

import autograph as ag
from runtime.errors import Error
from tests.promises.kit import function_of

KINDS = {
    "dict": ("{}", "HELD[K] = K"),
    "set": ("set()", "HELD.add(K)"),
    "list": ("[]", "HELD.append(K)"),
    "deque": ("deque()", "HELD.append(K)"),
    "Counter": ("Counter()", "HELD[K] += 1"),
    "OrderedDict": ("OrderedDict()", "HELD[K] = K"),
    "defaultdict": ("defaultdict(list)", "HELD[K].append(K)"),
    "list in a list": ("[[]]", "HELD[0].append(K)"),
}
HOLDERS = {
    "a variable": ("held = FIRST", "held"),
    "an attribute": ("box = Box(); box.held = FIRST", "box.held"),
    "an item of a dict": ("box = {'held': FIRST}", "box['held']"),
    "an item of a list": ("box = [FIRST, 1]", "box[0]"),
    "an attribute outside": ("outside.held = FIRST; box = outside", "box.held"),
    "an attribute of an attribute": ("box = Box(); box.box = Box(); box.box.held = FIRST", "box.box.held"),
    "a field": ("box = Record(FIRST)", "box.held"),
}
STATEMENTS = {
    "a branch": "if n > 1:\n    PUT(n)\n",
    "one branch, another in the other": "if n > 1:\n    PUT(n)\nelse:\n    HELD = MADE\n",
    "a try": "try:\n    if n > 1:\n        raise ValueError('a')\nexcept ValueError:\n    PUT(n)\n",
    "a finally": "PUT(0)\ntry:\n    n = n + 1\nfinally:\n    ADD(n)\n",
    "a while": "i = 0\nwhile i < n:\n    PUT(i)\n    i += 1\n",
    "a loop over an array": "for each in x:\n    PUT(int(each))\n",
    "a branch of a loop": "PUT(9)\nfor i in range(n):\n    if i % 2 == 0:\n        PUT(i)\n"
    "    else:\n        ADD(i)\n",
    "a loop that breaks": "for i in range(n):\n    PUT(i)\n    if i == 1:\n        break\n",
    "a loop that continues": "for i in range(n):\n    if i == 1:\n        continue\n    PUT(i)\n",
    "a loop in a loop": "for i in range(n):\n    HELD = MADE\n    for j in range(2):\n        ADD(i + j)\n",
    "a loop in a known loop": "for i in range(2):\n    for j in range(n):\n        PUT(i + j)\n",
    "a function": "def go(i):\n    SHARED\n    PUT(i)\nfor i in range(n):\n    go(i)\n",
    "a generator": "PUT(9)\ndef go():\n    SHARED\n    for i in range(n):\n        PUT(i)\n        yield i\n"
    "for each in go():\n    ADD(each + 5)\n",
    "a with": "PUT(0)\nwith suppress(ValueError):\n    if n > 1:\n        raise ValueError('b')\n"
    "    ADD(n + 1)\n",
    "a match": "match n:\n    case 3:\n        PUT(n)\n    case _:\n        HELD = MADE\n",
    "a turn that comes first": "PUT(9)\nfor i in range(n):\n    if i == 0:\n        HELD = MADE\n"
    "    ADD(i)\n",
    "another name": "for i in range(n):\n    other = MADE\n    HELD = other\n    ADD_TO_OTHER(i)\n",
}
BESIDE = """
from dataclasses import dataclass

class Box:
    pass

@dataclass
class Record:
    held: object

outside = Box()

def f(n, x):
"""


def program(kind, holder, statement, *, is_none_first):
    """A function that makes such containers, held so, in such a statement."""
    (made, added), (begun, held) = KINDS[kind], HOLDERS[holder]
    lines = begun.replace("FIRST", "None" if is_none_first else made).split("; ")
    for line in STATEMENTS[statement].splitlines():
        deep, text = line[: len(line) - len(line.lstrip())], line.lstrip()
        call, _, number = text.partition("(")
        add = added.replace("K", number[:-1])
        if text == "SHARED":
            lines += [f"{deep}nonlocal held"] if held == "held" else []
        elif call == "PUT":
            lines += [f"{deep}{held} = {made}", deep + add.replace("HELD", held)]
        elif call == "ADD":
            lines.append(deep + add.replace("HELD", held))
        elif call == "ADD_TO_OTHER":
            lines.append(deep + add.replace("HELD", "other"))
        else:
            lines.append(line.replace("HELD", held).replace("MADE", made))
    body = indent("\n".join([*lines, f"return {held}"]), "    ")
    return function_of(
        f"{BESIDE}{body}\n",
        suppress=contextlib.suppress,
        **{each.__name__: each for each in (deque, Counter, OrderedDict, defaultdict)},
    )


PAIRS = list(product(KINDS, STATEMENTS))
REFUSED = {("defaultdict", "a turn that comes first")}
"""What no graph does yet."""


@pytest.mark.parametrize(("kind", "statement"), PAIRS)
def test_a_container_holds_what_it_was_given_in_a_statement(kind, statement):
    number = PAIRS.index((kind, statement))
    holder = [*HOLDERS][(number + number // len(STATEMENTS)) % len(HOLDERS)]
    calls = [(np.int64(n), np.arange(n)) for n in (3, 0, 1, 2)]
    refused = []
    for is_none_first in (False, True):
        f = program(kind, holder, statement, is_none_first=is_none_first)
        try:
            ag.check(f, *calls[0], then=calls[1:], executors=["numpy"])
        except Error as error:
            refused.append(error)
    assert bool(refused) == ((kind, statement) in REFUSED)
