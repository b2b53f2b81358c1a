"""SciPy computes with tensors: at once, converted, and in graphs."""

import pytest

import autograph as ag
import runtime as rt
from tests.consumers.kit import DATA, WAYS, check, compare, rows

pytestmark = [
    pytest.mark.consumers,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning"),  # the lines are not ours
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("row", rows("scipy"), ids=str)
def test_the_page_says_what_calls_give(row, way, scipy):
    check(row, way, scipy)


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_a_search_until_values_say_stop_is_a_loop_of_the_graph(executor, scipy):
    bracket_minimum = scipy["scipy"].optimize.elementwise.bracket_minimum

    def lowest(c):
        found = bracket_minimum(lambda x, c: (x - c) ** 2, c * 0.0, args=(c,))
        return found.bracket, found.nit

    staged = ag.function(lowest, executor=executor)
    compare(staged(rt.asarray([1.0, 8.0, 27.0])), lowest(DATA["v"][:3] * 0 + [1.0, 8.0, 27.0]), 1e-12)
    assert "While" in staged.concrete_functions[0].graph.ops  # which may raise


def test_clipping_until_nothing_is_clipped_is_a_loop_of_the_graph(scipy):
    sigmaclip = scipy["scipy"].stats.sigmaclip
    staged = ag.function(lambda x: sigmaclip(x, 1.5, 1.5))
    compare(staged(rt.asarray(DATA["v"])), sigmaclip(DATA["v"], 1.5, 1.5), 1e-12)
    assert staged.concrete_functions[0].graph.ops.count("While") == 1  # which counts


def test_functions_of_the_special_module_are_ops_of_their_names(scipy):
    staged = ag.function(lambda x: scipy["scipy"].special.stdtr(3.0, x))
    staged(rt.asarray([0.5]))
    assert "ForeignUfunc" in staged.concrete_functions[0].graph.ops


def test_a_graph_that_scipy_made_serves_other_values(scipy):
    zscore = scipy["scipy"].stats.zscore
    staged = ag.function(zscore, input_signature=[rt.TensorSpec((8,), rt.float64)])
    for name in ("v", "w"):
        compare(staged(rt.asarray(DATA[name])), zscore(DATA[name]), 1e-12)
    assert staged.experimental_get_tracing_count() == 1
