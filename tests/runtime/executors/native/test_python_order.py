"""What Python orders and compares is machine code: rows of numbers, of any length, where all are numbers."""

import numpy as np
import pytest

import autograph as ag

pytest.importorskip("llvmlite")

GENERATOR = np.random.default_rng(3)
COLUMNS = [
    np.array([3, 1, 2, 1, 3, 2] * 20),
    GENERATOR.integers(0, 5, 120),
    GENERATOR.random(120).round(1),
    GENERATOR.integers(0, 2, 120).astype(bool),
    np.where(GENERATOR.random(120) < 0.3, -0.0, 0.0),
]


CHOSEN = [(0,), (2,), (3,), (4,), (0, 2), (3, 1, 4), (4, 2, 1)]
LENGTHS = [120, 1, 7, 64, 65]


@pytest.mark.parametrize(
    ("chosen", "reverse"),
    [*((each, number % 2 == 1) for number, each in enumerate(CHOSEN)), ((0,), True), ((4, 2, 1), True)],
)
def test_rows_come_in_pythons_order(chosen, reverse):
    columns = [COLUMNS[each] for each in chosen]
    known = (CHOSEN.index(chosen) + reverse) % len(LENGTHS)

    @ag.function(reduce_retracing=True)  # the first length is known, the others are not
    def ordered(*columns):
        rows = []
        for parts in zip(*columns):
            rows.append(parts)
        return sorted(rows, reverse=reverse), max(rows), min(rows)

    for length in LENGTHS[known:] + LENGTHS[:known]:
        parts = [each[:length] for each in columns]
        rows = [*zip(*parts)]
        for found, wanted in zip(ordered(*parts), (sorted(rows, reverse=reverse), max(rows), min(rows))):
            np.testing.assert_array_equal(np.array(found), np.array(wanted))
    assert ordered.concrete_functions[-1].report().executor == "native"


@pytest.mark.parametrize("reverse", [False, True])
def test_equal_elements_stay_as_they_were(reverse):
    @ag.function
    def order(keys):
        numbered = []
        for number, key in enumerate(keys):
            numbered.append((key, number))
        return [number for _, number in sorted(numbered, key=lambda pair: pair[0], reverse=reverse)]

    for keys in (COLUMNS[0], COLUMNS[2], COLUMNS[4]):
        wanted = sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
        assert [int(each) for each in order(keys)] == wanted
        assert order.concrete_functions[-1].report().executor == "native"


def test_what_is_no_number_is_left_to_python():
    @ag.function
    def ordered(values):
        found = []
        for value in values:
            found.append(value)
        return sorted(found), max(found), min(found)

    values = np.array([3.0, np.nan, 1.0, 2.0, np.nan, 0.5])
    for given in (values[::2], values, values[::-1].copy(), values[2:4]):
        plain = [*given]
        for found, wanted in zip(ordered(given), (sorted(plain), max(plain), min(plain))):
            np.testing.assert_array_equal(np.array(found), np.array(wanted))
    assert ordered.concrete_functions[-1].report().executor == "native"


def test_a_list_without_elements_is_in_order():
    @ag.function
    def ordered(values):
        found = []
        for value in values:
            if value > 100:
                found.append(value)
        return sorted(found)

    assert ordered(COLUMNS[2]) == []
