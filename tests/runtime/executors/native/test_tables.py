"""Keys of dicts and elements of sets are found by hash tables, however many there are."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt


def changed_at_random(kinds, keys, values):
    found, told = {}, []
    for i in range(len(kinds)):
        kind, key, value = kinds[i], keys[i], values[i]
        if kind < 4:
            found[key] = value
        elif kind == 4:
            found[key] = found.get(key, 0) + value
        elif kind == 5:
            told.append(found.get(key, -1))
        elif kind == 6:
            found.pop(key, None)
        elif kind == 7:
            told.append(found.pop(key, -2))
        elif len(found) > 0:
            last, value = found.popitem()
            told.append(last * 10 + value)
    return list(found.items()), told


def pairs_at_random(kinds, keys, values):
    found, seen, told = {}, set(), []
    for i in range(len(kinds)):
        pair = (keys[i] % 7, keys[i] // 7)
        if kinds[i] < 4:
            found[pair] = values[i]
            seen.add(pair)
        elif kinds[i] == 5:
            seen.discard(pair)
        elif pair in found and pair not in seen:
            told.append(found[pair])
        else:
            told.append(len(seen) + found.get(pair, 0))
    return list(found.items()), told, len(seen)


def truths_at_random(kinds, keys, values):
    found = {}
    for i in range(len(kinds)):
        key = (keys[i] > 0, kinds[i], keys[i] > values[i])
        found[key] = found.get(key, 0) + 1
    return list(found.items())


def copied_at_random(kinds, keys, values):
    found, told = {}, []
    for i in range(len(kinds)):
        found[keys[i]] = i
        if kinds[i] == 0:
            other = dict(found)
            other[keys[i] + 1] = 0
            told.append(len(other))
            told.append(found.get(keys[i] + 1, -1))
            if values[i] > 50:
                found = other
    return list(found.items()), told


PROGRAMS = (changed_at_random, pairs_at_random, truths_at_random, copied_at_random)


def as_numbers(nest):
    """A result with Python's numbers in it."""
    if isinstance(nest, list | tuple):
        return tuple(map(as_numbers, nest))
    return np.asarray(nest).item()


@pytest.mark.parametrize("executor", ["native", "numpy"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_random_changes_give_what_they_give_in_python(program, executor):
    vectors = [rt.TensorSpec((None,), rt.int64)] * 3
    graph, random = ag.function(program, executor=executor, input_signature=vectors), np.random.default_rng(7)
    for factor in (1, 64, 2**33):  # far from each other, too, and alike in many bits
        for count, most in ((1, 2), (30, 9), (250, 12), (300, 400)):
            kinds, values = random.integers(0, 9, count), random.integers(0, 100, count)
            keys = random.integers(-most, most, count) * factor
            expected = program(kinds.tolist(), keys.tolist(), values.tolist())
            assert as_numbers(graph(kinds, keys, values)) == as_numbers(expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.bool_, np.float32, np.float64])
def test_keys_of_any_numbers_are_found(dtype):
    def places(xs):
        first = {}
        for i in range(len(xs)):
            if xs[i] not in first:
                first[xs[i]] = i
        return list(first.values())

    xs = (np.arange(700) % 211 * 255).astype(dtype)
    graph = ag.function(places)
    assert as_numbers(graph(xs)) == tuple(places(xs))
    steps = graph.get_concrete_function(xs).report().steps
    assert {step.runs for step in steps if step.op == "TensorListPlace"} == {"machine code"}


def test_zeros_are_one_key_and_what_is_no_number_is_many():
    def kinds(xs):
        found = {}
        for i in range(len(xs)):
            found[xs[i]] = found.get(xs[i], 0) + 1
        return list(found.values())

    xs = np.array([0.0, -0.0, 1.0, np.nan, np.inf, -0.0, np.nan, -np.inf, np.inf, 0.0] * 3 + [2.5] * 9)
    assert as_numbers(ag.function(kinds)(xs)) == (12, 3, 1, 6, 1, 3, *[1] * 4, 9)


def test_a_dict_that_recursion_fills_keeps_its_table():
    def ways(n):
        known = {}

        def count(steps, left):
            if left == 0:
                return 1
            if left < 0 or steps == 0:
                return 0
            key = (steps, left)
            if key not in known:
                known[key] = count(steps - 1, left) + count(steps, left - steps)
            return known[key]

        return count(n, n), len(known)

    ag.check(ways, np.int64(12), then=[(np.int64(3),)])


def test_a_million_lookups_end():
    def pairs_with_sum(xs, total):
        seen, found = {}, 0
        for i in range(len(xs)):
            if total - xs[i] in seen:
                found += 1
            seen[xs[i]] = i
        return found, len(seen)

    xs = np.random.default_rng(0).permutation(500_000)
    found, kinds = ag.function(pairs_with_sum)(xs, rt.asarray(499_999))
    assert (int(found), int(kinds)) == (250_000, 500_000)  # by a list, hours


def test_keys_of_many_numbers_are_found():
    def first_again(xs):
        seen = {}
        for step in range(40):
            key = tuple(xs)
            if key in seen:
                return seen[key], step
            seen[key] = step
            xs = np.roll(xs, 1)
        return -1, len(seen)

    xs = np.arange(30) // 2
    graph = ag.function(first_again, jit_compile=True)
    assert as_numbers(graph(xs)) == first_again(xs) == (0, 30)
