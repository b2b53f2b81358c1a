"""scikit-learn computes with tensors: at once, converted, and in graphs."""

import numpy as np
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
@pytest.mark.parametrize("row", rows("sklearn"), ids=str)
def test_the_page_says_what_calls_give(row, way, sklearn):
    check(row, way, sklearn)


def test_an_estimator_is_fitted_in_one_graph_and_predicts_in_another(sklearn):
    library = sklearn["sklearn"]

    @ag.function
    def fit(X, y):
        model = library.linear_model.Ridge(solver="svd").fit(X, y)
        return model.coef_, model.intercept_

    X, y = DATA["X"], DATA["y"]
    expected = library.linear_model.Ridge(solver="svd").fit(X, y)
    compare(fit(rt.asarray(X), rt.asarray(y)), (expected.coef_, expected.intercept_), 1e-10)


def test_what_an_estimator_refuses_is_raised_by_the_graph(sklearn):
    scaled = ag.function(lambda X: sklearn["sklearn"].preprocessing.Normalizer().fit_transform(X))
    scaled(rt.asarray(DATA["X"]))
    with pytest.raises(ValueError, match="Input X contains NaN"):
        scaled(rt.asarray(DATA["X"] * float("nan")))


@pytest.mark.filterwarnings("ignore:Best performing")  # a warning in a branch comes when it is traced
def test_steps_until_the_likelihood_settles_are_a_loop_of_the_graph(sklearn):
    mixture = sklearn["sklearn"].mixture.GaussianMixture
    points = np.random.default_rng(3).normal(size=(60, 2)) + np.repeat([[0.0, 0.0], [6.0, 9.0]], 30, axis=0)

    def means(X):
        return mixture(2, init_params="random", random_state=0).fit(X).means_

    staged = ag.function(means)
    compare(staged(rt.asarray(points)), means(points), 1e-3)
    assert "While(" in str(staged.concrete_functions[0].graph)
