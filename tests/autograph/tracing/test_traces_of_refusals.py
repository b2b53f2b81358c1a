"""A trace that refuses something starts anew where another one may do it, and only there."""

import copy

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.tracing import observing
from runtime.errors import StateDisagrees
from tests.programs.test_programs import SAME


@pytest.fixture
def traces(monkeypatch):
    """What was traced so far, one by one."""
    run, seen = observing._result_of, []

    def noted(*args, **kwargs):
        seen.append(None)
        return run(*args, **kwargs)

    monkeypatch.setattr(observing, "_result_of", noted)
    return seen


def test_what_arrays_have_no_part_in_is_not_traced_again_to_tell_them_apart(traces):
    @ag.function
    def program(x, y, n):
        for _ in range(n):
            x, y = y, x
        x[0] = 7.0
        shown = [x]
        if n > 2:
            shown.append(lambda: n)
        return shown[-1], y

    with pytest.raises(StateDisagrees, match="cannot hold <function"):
        program(np.zeros(2), np.zeros(2), rt.asarray(3))
    assert len(traces) == 1


def test_what_arrays_have_a_part_in_is_traced_again_and_works(traces):
    @ag.function
    def program(x, y, n):
        for _ in range(n):
            x, y = y, x
        x[0] = 7.0
        return x[0] + y[0]

    assert program(np.ones(2), np.zeros(2), rt.asarray(3)) == 8.0
    assert len(traces) == 2


def test_a_trace_that_would_know_what_one_before_knew_is_left_out(traces):
    program, arguments = next((each[0], each[1][0]) for each in SAME if each[0].__name__ == "prefixes")
    ag.function(program)(*copy.deepcopy(arguments))
    assert len(traces) == 3  # as dicts, as records, and with objects by number


def test_a_refusal_at_the_end_is_asked_once_more_of_a_trace_that_knows_all(traces):
    @ag.function
    def program(n):
        found = []
        for i in range(n):
            row = {"i": i}
            found.append(row)
            found.append(row)
        return found

    with pytest.raises(StateDisagrees, match="may hold one object twice"):
        program(rt.asarray(3))
    assert len(traces) == 2
