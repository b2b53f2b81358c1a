"""What is left of a program that fails, where all is taken out that its failure does not need."""

from dataclasses import replace

from tests.properties.case import Case, outcome
from tests.properties.grammar import Program
from tests.properties.reduced import reduced

TEXT = """\
import numpy as np

def program(x, n, v):
    s, k = 0.0, 0
    for i in range(3):
        try:
            s += x[i] if n > i else v
            k = 6 // k + 1
        except ZeroDivisionError:
            s = v
    return x, s, k
"""
CALL = "program(np.array([1.0, 2.0]), np.int64(3), np.float64(2.0))"


def test_nothing_is_left_that_the_failure_does_not_need():
    program = Program(TEXT, (CALL, CALL), ())
    found = reduced(program, lambda each: "6 // k" in each.text)
    assert found.text == "def program(x, n, v):\n    k = 6 // k\n"
    assert found.calls == (CALL,)


def test_a_program_that_fails_whatever_is_in_it_is_a_program_still():
    found = reduced(Program(TEXT, (CALL,), ()), lambda each: True)
    assert found.text == "def program(x, n, v):\n    pass\n"


def test_a_program_that_does_not_end_any_more_is_no_smaller_one():
    text = TEXT.replace("return x", "while k < 9:\n        k += 1\n    return x")
    program = replace(Program.from_seed(1), text=text, calls=(CALL,))
    found = reduced(program, lambda each: outcome(Case(each), "graph", patience=1).became == "same")
    assert outcome(Case(found), "graph").became == "same"
