"""Our own functions of floats: near the true results, right at the edges, and in vectors."""

import math
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.executors.native.llvm.engine import vectors
from runtime.executors.native.mathematics import FUNCTIONS, written_as
from runtime.executors.native.run import Native
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.ops.core import Map
from runtime.ops.core.expression import Apply, Operand, to_text
from runtime.ops.scalars import SCALARS
from tests.runtime.executors.native.test_scalars import computed

PAIRS = {"power", "hypot", "arctan2"}
EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1e30,
    -1e30,
    np.inf,
    -np.inf,
    np.nan,
    709.5,
    -745.0,
]


def by_machine_code(name, *operands):
    ((found, _),) = computed((Apply(name, tuple([Operand(k) for k in range(len(operands))])), list(operands)))
    return found


def agree(found, wanted, rounded, what):
    """Requires 4 units in the last place, the kinds of what is no finite number, and the signs of zeros."""
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(rounded)).astype(np.longdouble)
        off = np.abs(found.astype(np.longdouble) - wanted) / unit
    is_finite = np.isfinite(rounded) & np.isfinite(found)
    assert not np.any(off[is_finite] > 4), (
        what,
        float(np.max(off[is_finite])),
        np.argmax(np.where(is_finite, off, 0)),
    )
    np.testing.assert_array_equal(found[~is_finite], rounded[~is_finite], err_msg=what)
    zeros = (rounded == 0) & (found == 0)
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(rounded[zeros]), err_msg=what)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_singles_of_all_sizes_are_near_the_true_results(name):
    x = np.arange(0, 1 << 32, 40_009, dtype=np.uint64).astype(np.uint32).view(np.float32)
    operands = (x, np.random.default_rng(0).permutation(x)) if name in PAIRS else (x,)
    with np.errstate(all="ignore"):
        wanted = SCALARS[name].meaning(*[each.astype(np.float64) for each in operands])
        agree(by_machine_code(name, *operands), wanted, wanted.astype(np.float32), name)


def true_results():
    """For each function, a column of doubles for each argument and for the result."""
    rows = defaultdict(list)
    for line in (Path(__file__).parents[3] / "golden/true_results.txt").read_text().splitlines():
        name, *numbers = line.split()
        rows[name].append(list(map(float.fromhex, numbers)))
    return {name: [np.array(column) for column in zip(*each, strict=True)] for name, each in rows.items()}


TRUE = true_results()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_doubles_are_near_the_true_results(name):
    *operands, wanted = TRUE[name]
    agree(by_machine_code(name, *operands), wanted, wanted, name)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_edges_are_what_numpy_says(name):
    for dtype in (np.float32, np.float64):
        info = np.finfo(dtype)
        sizes = [info.max, info.tiny, info.smallest_subnormal, info.eps]
        edges = np.array([*EDGES, *sizes, *[-each for each in sizes]], dtype)
        operands = (np.repeat(edges, len(edges)), np.tile(edges, len(edges))) if name in PAIRS else (edges,)
        with np.errstate(all="ignore"):
            wanted = SCALARS[name].meaning(*operands)
            found = by_machine_code(name, *operands)
        np.testing.assert_allclose(found, wanted, rtol=8 * info.eps, atol=0, err_msg=name)
        np.testing.assert_array_equal(np.signbit(found[wanted == 0]), np.signbit(wanted[wanted == 0]))


def test_an_argument_that_is_far_off_changes_no_other_result():
    near = np.linspace(-10, 10, 1000)
    both = np.concatenate([near, [1e22, -np.inf], near])
    waves = ag.function(lambda x: [np.sin(x) + 1.0, np.cos(x) + 1.0, np.tan(x) + 1.0], jit_compile=True)
    functions = (np.sin, np.cos, np.tan)
    for function, alone, beside in zip(
        functions, waves(rt.asarray(near)), waves(rt.asarray(both)), strict=True
    ):
        one, other = np.asarray(alone), np.asarray(beside)
        assert np.array_equal(other[:1000], one)
        assert np.array_equal(other[1002:], one)
        np.testing.assert_allclose(other[1000], function(1e22) + 1.0, rtol=1e-15)
        assert np.isnan(other[1001])


def test_the_logarithm_of_gamma_below_zero_changes_no_other_result():
    above = np.linspace(0.1, 30, 1000)
    both = np.concatenate([above, [-0.5, -2.0, 0.0, -3.9], above])
    logarithm = ag.function(lambda x: tf.math.lgamma(x), jit_compile=True)
    alone, beside = np.asarray(logarithm(rt.asarray(above))), np.asarray(logarithm(rt.asarray(both)))
    assert np.array_equal(beside[:1000], alone)
    assert np.array_equal(beside[1004:], alone)
    np.testing.assert_allclose(beside[[1000, 1003]], [math.lgamma(-0.5), math.lgamma(-3.9)], rtol=1e-14)
    assert np.isnan(beside[[1001, 1002]]).all()


def test_a_sum_with_an_argument_that_is_far_off_counts_each_element_once():
    x = np.array([1.0, 2.0, 1e22, 3.0])
    total = ag.function(lambda x: np.sum(np.sin(x)), jit_compile=True)
    np.testing.assert_allclose(total(rt.asarray(x)), np.sum(np.sin(x)), rtol=1e-14)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_map_is_made_of_vectors_where_the_processor_has_them(name):
    builder = Builder("map")
    x = builder.input(rt.ArraySpec((1000,), rt.float32))
    op = Map(to_text(Apply(name, (Operand(0), Operand(1)) if name in PAIRS else (Operand(0),))))
    graph = builder.finish(builder.add(op, [x, x] if name in PAIRS else [x]).outputs)
    code = Native().compile(Module(graph)).llvm_ir()
    products = re.findall(r"call (?:fast |reassoc )?<\d+ x (?:float|double)> @llvm\.fma", code)
    if vectors().fuse:
        assert len(products) >= written_as(name, "f32").count("@llvm.fma"), code
    else:
        assert not products  # each would be a call


@pytest.mark.parametrize("length", [1000, 1_000_000])  # the second is shared by threads
def test_what_llvm_makes_vectors_of_asks_for_the_widest(length):
    spec = rt.TensorSpec((length,), "float64")
    code = ag.function(lambda x: np.exp(x), jit_compile=True).get_concrete_function(spec).program.llvm_ir()
    wide = {
        group for group, said in re.findall(r"attributes (#\d+) = {(.*)}", code) if '-width"="512"' in said
    }
    functions = re.findall(r"^define .*?(#\d+)? {\n(.*?)\n}$", code, re.DOTALL | re.MULTILINE)
    groups = [group for group, body in functions if "x double> @llvm.fma" in body]
    assert bool(groups) == vectors().fuse
    assert set(groups) <= wide


def test_sums_give_the_same_on_every_call_and_are_near():
    total = ag.function(lambda x: np.sum(x), jit_compile=True)
    for length in (1, 7, 100, 12_345):
        x = np.random.default_rng(length).normal(0, 1, length)
        found = {float(total(rt.asarray(np.array(x)))) for _ in range(5)}
        assert len(found) == 1
        np.testing.assert_allclose(
            found.pop(), np.sum(x), rtol=0, atol=length * np.finfo(float).eps * np.sum(np.abs(x))
        )


@pytest.mark.parametrize("shape", [(5, 40), (4, 3, 16), (30, 2)])
def test_rows_are_combined_with_rows(shape):
    def folds(x):
        axes = [*range(len(shape)), (0, 1)]
        return [
            fold(x * 2.0, axis=axis, keepdims=keep)
            for fold in (np.sum, np.max, np.prod)
            for axis in axes
            for keep in (False, True)
        ]

    x = np.random.default_rng(0).normal(0, 1, shape)
    for found, wanted in zip(ag.function(folds, jit_compile=True)(rt.asarray(x)), folds(x), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13)


def test_a_maximum_of_what_is_no_number_is_none():
    x = np.array([1.0] * 50 + [np.nan] + [2.0] * 50)
    for fold in (np.max, np.min):
        assert np.isnan(ag.function(lambda x, fold=fold: fold(x), jit_compile=True)(rt.asarray(x)))


def test_small_whole_powers_are_products():
    x = np.array([0.0, -0.0, 1.5, -2.5, 1e200, -1e-200, np.inf, -np.inf, np.nan])
    for exponent in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0):
        graph = ag.function(lambda x, n=exponent: x**n, jit_compile=True)
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(graph(rt.asarray(x)), x**exponent, rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_number_times_a_power_of_two_is_numpys_also_where_digits_are_lacking(dtype):
    def scaled(x, places):
        result = np.zeros_like(x)
        for i in range(len(x)):
            result[i] = np.ldexp(x[i], places[i])
        return result

    known, rng = np.finfo(dtype), np.random.default_rng(0)
    sizes = rng.integers(known.minexp - known.nmant, known.maxexp, 4000)
    x = np.ldexp(rng.uniform(1, 2, 4000), sizes).astype(dtype)
    places = rng.integers(known.minexp - known.nmant - 3, known.maxexp + 3, 4000) - sizes
    x[:6] = 0.0, -0.0, np.inf, -np.inf, known.max, known.smallest_subnormal
    places[6:10] = -(1 << 63), (1 << 63) - 1, -5000, 5000
    function = ag.function(scaled)
    with np.errstate(all="ignore"):
        assert np.asarray(function(x, places)).tobytes() == scaled(x, places).tobytes()
    assert "on native" in str(function.concrete_functions[0].report())


def test_a_number_that_grows_too_large_is_said_to_be_so_where_python_raises():
    def scaled(x, n):
        for i in range(n):
            x = math.ldexp(x, i)
        return x

    function = ag.function(scaled)
    assert function(np.float64(0.3), np.int64(20)) == scaled(0.3, 20)
    with pytest.raises(OverflowError):
        function(np.float64(0.3), np.int64(60))
    assert "on native" in str(function.concrete_functions[0].report())
