"""Our own functions of floats: near the true results, right at the edges, and in vectors."""

import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.executors.native.mathematics import FUNCTIONS, written_as
from runtime.ops.core.expression import Apply, Operand
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
        wanted = getattr(np, name)(*[each.astype(np.float64) for each in operands])
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
            wanted = getattr(np, name)(*operands)
            found = by_machine_code(name, *operands)
        np.testing.assert_allclose(found, wanted, rtol=8 * info.eps, atol=0, err_msg=name)
        np.testing.assert_array_equal(np.signbit(found[wanted == 0]), np.signbit(wanted[wanted == 0]))


def test_an_argument_that_is_far_off_changes_no_other_result():
    near = np.linspace(-10, 10, 1000)
    both = np.concatenate([near, [1e22, -np.inf], near])
    for name in ("sin", "cos", "tan"):
        wave = ag.function(lambda x, function=getattr(np, name): function(x) + 1.0, jit_compile=True)
        alone, beside = np.asarray(wave(rt.asarray(near))), np.asarray(wave(rt.asarray(both)))
        assert np.array_equal(beside[:1000], alone)
        assert np.array_equal(beside[1002:], alone)
        np.testing.assert_allclose(beside[1000], getattr(np, name)(1e22) + 1.0, rtol=1e-15)
        assert np.isnan(beside[1001])


def test_a_sum_with_an_argument_that_is_far_off_counts_each_element_once():
    x = np.array([1.0, 2.0, 1e22, 3.0])
    total = ag.function(lambda x: np.sum(np.sin(x)), jit_compile=True)
    np.testing.assert_allclose(total(rt.asarray(x)), np.sum(np.sin(x)), rtol=1e-14)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_map_is_made_of_vectors(name):
    spec = rt.TensorSpec((1000,), rt.float32)
    function = getattr(np, name)
    graph = ag.function(lambda x: function(x, x) if name in PAIRS else function(x), jit_compile=True)
    code = graph.get_concrete_function(spec).program.llvm_ir()
    products = re.findall(r"call (?:fast |reassoc )?<\d+ x (?:float|double)> @llvm\.fma", code)
    assert len(products) >= written_as(name, "f32").count("@llvm.fma"), code
