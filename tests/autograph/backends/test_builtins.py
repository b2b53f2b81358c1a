"""Python's builtins on tensors of a graph."""

import pytest

import autograph as ag
import runtime as rt


@pytest.mark.parametrize("x", [[1, 2], [-3, 7], [4, -4]])
def test_a_list_of_tensors_is_asked_for_any_all_and_its_extremes(x):
    @ag.function
    def f(a, b):
        return any([a > 0, b > 5]), all((a > 0, True, b)), max([a, b, 3]), min((a, b)), max([a])

    assert [each.item() for each in f(*map(rt.asarray, x))] == [
        any([x[0] > 0, x[1] > 5]),
        all((x[0] > 0, True, x[1])),
        max([*x, 3]),
        min(x),
        x[0],
    ]


def test_any_of_tensors_with_axes_is_as_ambiguous_as_in_python():
    @ag.function
    def f(a):
        return any([a, a])

    with pytest.raises(ValueError, match=r"truth of a tensor of shape \(2,\) is ambiguous"):
        f(rt.asarray([1, 2]))
