"""Comparisons."""

import pytest


@pytest.mark.parametrize("a", [True, False])
def test_chained_comparisons_evaluate_the_middle_once(same_log, make, a):
    def f(log):
        x = make(log, "a", a) < make(log, "b") < make(log, "c")
        y = make(log, "d", a) == make(log, "e") < make(log, "f")
        return (x, y, 1 < 2 in [2], log is not None is None, 3 != 3 == 3, "a" not in "b" not in "c")

    same_log(f)
