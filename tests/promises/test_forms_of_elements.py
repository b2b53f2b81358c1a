"""What is in a list that grows comes out in the form in which it went in, however tuples and lists nest."""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import autograph as ag

Pair = namedtuple("Pair", "one other")


@dataclass
class Box:
    held: object


FORMS = {
    "a list in a tuple": lambda v: ([v],),
    "a list of two in a tuple": lambda v: ([v, v],),
    "a list beside a number": lambda v: (1, [v]),
    "two lists": lambda v: ([v], [v + 1.0]),
    "a tuple in a tuple": lambda v: ((v,),),
    "a dict in a tuple": lambda v: ({"a": v},),
    "as many numbers as children, in one of them": lambda v: ((v, v), ()),
    "None beside two numbers": lambda v: ((v, v), None),
    "a named tuple in a tuple": lambda v: (Pair(v, 1),),
    "a tuple in a named tuple": lambda v: Pair((v,), [v]),
    "an instance in a tuple": lambda v: (Box(v),),
    "a tuple in an instance": lambda v: Box((v,)),
    "a tuple in a list": lambda v: [(v,)],
    "a text beside a list": lambda v: ("name", [v]),
    "an array in a tuple": lambda v: (np.full(2, v),),
    "a tuple in a dict": lambda v: {"a": (v,)},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [list, dict])
def test_an_element_comes_out_in_the_form_in_which_it_went_in(form, kind):
    made = FORMS[form]

    def grown(n, v):
        if kind is dict:
            kept = {0: made(v)}
            for i in range(1, n):
                kept[i] = made(v * i)
            return kept
        kept = [made(v)]
        for i in range(n - 1):
            kept.append(made(v * i))
        return kept

    ag.check(grown, np.int64(3), np.float64(2.0), then=[(np.int64(1), np.float64(-1.0))])


@pytest.mark.parametrize("form", FORMS)
def test_so_it_does_where_a_branch_puts_it_in(form):
    made = FORMS[form]

    def grown(n, v):
        kept = [made(1.0)]
        if n > 1:
            kept.append(made(v))
        return kept, len(kept[-1:])

    ag.check(grown, np.int64(3), np.float64(2.0), then=[(np.int64(1), np.float64(-1.0))])
