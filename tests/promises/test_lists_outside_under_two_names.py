"""A list or dict that a path leaves outside of a function, and that grows afterwards under its other name."""

import numpy as np
import pytest

import autograph as ag
from tests.promises.kit import function_of


class Kept:
    """What programs leave things in."""

    heap = None


PLACES = {
    "an attribute": "KEPT.heap = found",
    "an attribute of a chosen object": "(KEPT if n > 3 else OTHER).heap = found",
    "an attribute of a class": "type(KEPT).heap = found",
    "an item of a dict": "TABLE['a'] = found",
    "a new item of a dict": "TABLE['b'] = found",
    "an item of a list": "ITEMS[0] = found",
    "an item of a dict in an attribute": "KEPT.heap = {'k': found}",
    "a tuple in an attribute": "KEPT.heap = (1, found)",
}
GROWN = {
    "a list on a path": ("[1.0, 3.0]", "if n > 1:\n        found.append(v)"),
    "a list in a loop": ("[1.0, 3.0]", "for _ in range(n):\n        found.append(v)"),
    "a dict on a path": ("{'p': v}", "if n > 1:\n        found['q'] = v"),
}


@pytest.mark.parametrize("grown", GROWN)
@pytest.mark.parametrize("place", PLACES)
def test_what_grows_is_what_was_left_outside(place, grown):
    made, change = GROWN[grown]
    left = f"if n > 2:\n        {PLACES[place]}"
    text = f"def f(n, v):\n    found = {made}\n    {left}\n    {change}\n    return 0\n"
    kept = type("Kept", (Kept,), {})
    outside = {"KEPT": kept(), "OTHER": kept(), "TABLE": {"a": None}, "ITEMS": [None]}
    calls = [(np.int64(n), np.float64(v)) for n, v in ((4, 0.0), (1, 1.5), (4, 2.0), (2, 2.0), (3, 5.0))]
    ag.check(function_of(text, **outside), *calls[0], then=calls[1:], executors=["numpy"])
