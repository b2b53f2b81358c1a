"""A processor that divides fast divides, where others multiply by reciprocals."""

import numpy as np
import pytest

import autograph as ag
from runtime.executors.native.interpreter import Interpreted
from runtime.executors.native.llvm import engine
from runtime.executors.native.llvm.divisions import dividing
from runtime.executors.native.whole import lowered

X = np.random.default_rng(0).normal(size=(40, 160))


def by_a_number(x):
    return (x[:, :-2] + x[:, 1:-1] + x[:, 2:]) / 3.0


def by_its_rows(x):
    return x / np.sum(x, axis=1, keepdims=True)


def by_its_columns(x):
    return (x - np.mean(x, axis=0)) / np.std(x, axis=0)


@pytest.mark.parametrize("function", [by_a_number, by_its_rows, by_its_columns])
def test_it_divides_and_has_the_bits_of_products_with_reciprocals(function, monkeypatch):
    found = {}
    for divides in (True, False):
        vectors = engine.vectors()._replace(divide=divides)
        monkeypatch.setattr(engine, "vectors", lambda _=None, vectors=vectors: vectors)
        traced = ag.function(function, jit_compile=True)
        found[divides] = traced(X).numpy().tobytes()
        assert "quotient(" in traced.concrete_functions[0].program.source()
    assert found[True] == found[False]


def test_reciprocals_that_nobody_reads_are_not_computed():
    module = ag.function(by_its_columns).get_concrete_function(X).optimised_module
    program = lowered(module)
    divided = dividing(program)
    assert "quotient(" in f"{program}"
    assert ".column in range" in f"{program}"
    assert "quotient(" not in f"{divided}"
    assert ".column in range" not in f"{divided}"
    with np.errstate(all="ignore"):
        one, other = (Interpreted(each, module.entry).entry(X) for each in (program, divided))
    assert np.asarray(one).tobytes() == np.asarray(other).tobytes()
