"""Keys: where they come from, what they are a function of, and that none meets another."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import DTypeError, InvalidValue, ShapeError
from runtime.executors.base import choose
from runtime.functions.polymorphic import PolymorphicFunction

KEY = rt.random.key(2026)


def test_the_key_of_a_seed_is_that_of_numpys_philox():
    for seed in (0, 7, 2**64, 2**128 - 1):
        state = np.random.Philox(key=seed).state["state"]
        assert rt.random.key(seed).tolist() == state["key"].tolist()


def test_a_key_is_where_numpys_generator_starts():
    generator = np.random.Generator(np.random.Philox(key=2026))
    assert rt.random.uniform(5, key=KEY).tolist() == generator.random(5).tolist()


@pytest.mark.parametrize("seed", [np.int32(5), np.uint64(5), np.int64(5)])
def test_seeds_of_tensors_make_the_same_keys(staged, seed):
    assert staged(rt.random.key, seed).tolist() == [5, 0]
    assert rt.random.key(rt.asarray(seed)).tolist() == [5, 0]


def test_numbers_of_any_dtype_fold_in_alike():
    wanted = rt.random.fold_in(KEY, 3).tolist()
    assert [rt.random.fold_in(KEY, dtype(3)).tolist() for dtype in (np.int8, np.uint64, np.int32)] == 3 * [
        wanted
    ]
    assert rt.random.fold_in(KEY, -1).tolist() == rt.random.fold_in(KEY, np.int8(-1)).tolist()
    assert rt.random.fold_in(KEY, -1).tolist() == rt.random.fold_in(KEY, 2**64 - 1).tolist()


def test_the_first_keys_of_a_split_do_not_depend_on_how_many_there_are():
    assert rt.random.split(KEY, 5)[:3].tolist() == rt.random.split(KEY, 3).tolist()
    assert rt.random.split(KEY, (2, 3)).tolist() == rt.random.split(KEY, 6).reshape(2, 3, 2).tolist()


def test_no_key_meets_another():
    keys = [KEY]
    keys += rt.unstack(rt.random.split(KEY, 1000))
    keys += [rt.random.fold_in(KEY, step) for step in range(1000)]
    keys += [rt.random.key(seed) for seed in range(1000)]
    assert len({tuple(key.tolist()) for key in keys}) == len(keys)


def test_the_numbers_of_split_keys_do_not_overlap_and_do_not_correlate():
    keys = [KEY, *rt.unstack(rt.random.split(KEY, 7)), *[rt.random.fold_in(KEY, i) for i in range(8)]]
    words = np.stack([np.asarray(rt.random.bits(2000, key=key)) for key in keys])
    assert len(np.unique(words)) == words.size
    normal = np.stack([np.asarray(rt.random.normal(20_000, key=key)) for key in keys])
    correlation = np.corrcoef(normal) - np.eye(len(keys))
    assert np.abs(correlation).max() < 4 / np.sqrt(20_000)


def test_keys_of_near_seeds_give_bits_that_differ_in_half_of_their_places():
    words = np.stack([np.asarray(rt.random.bits(64, key=rt.random.key(seed))) for seed in range(33)])
    flipped = np.bitwise_count(words[1:] ^ words[:-1]).mean()
    assert abs(flipped - 32) < 0.5


def walk(key, n):
    place = 0.0
    for _ in range(n):
        key, now = rt.random.split(key)
        if rt.random.bernoulli(0.5, key=now):
            place = place + 1.0
        else:
            place = place - rt.random.uniform(key=now)
    return place


def test_keys_go_through_functions_branches_and_loops():
    expected = walk(KEY, 20)
    for executor in ("numpy", "reference"):
        staged = ag.function(executor=executor)(walk)
        assert staged(KEY, rt.asarray(20)) == expected
        assert staged(KEY, 20) == expected


@pytest.mark.parametrize("executor", ["numpy", "reference"])
def test_draws_with_keys_are_no_effects(executor):
    function = PolymorphicFunction(lambda key: rt.random.uniform(3, key=key) * 0 + 1, executor=executor)
    concrete = function.get_concrete_function(rt.TensorSpec((2,), "uint64"))
    assert not any(node.op.effects for node in concrete.graph.nodes)
    assert function(KEY).tolist() == [1, 1, 1]


def test_what_is_no_key_is_refused():
    for wrong in (5, 1.5, rt.asarray([1, 2]), "key"):
        with pytest.raises((DTypeError, TypeError)):
            rt.random.uniform(2, key=wrong)
    with pytest.raises(DTypeError, match=r"a key of random numbers is i64\[\]\n(.*\n)*Make one with"):
        rt.random.split(5)
    with pytest.raises(ShapeError, match=r"is u64\[3,2\]"):
        rt.random.normal(key=rt.random.split(KEY, 3))
    with pytest.raises(ShapeError, match=r"a key was given for the shape(.*\n)*Write `key=…`"):
        rt.random.normal(KEY, (2, 3))
    with pytest.raises(InvalidValue, match="-1 is no seed"):
        rt.random.key(-1)
    with pytest.raises(ValueError, match=r"below 2\*\*128"):
        rt.random.key(2**128)
    with pytest.raises(TypeError, match=r"`random\.key` is not defined for float64"):
        rt.random.key(1.5)
    with pytest.raises(ShapeError, match=r"`data` of `rt\.random\.fold_in`"):
        rt.random.fold_in(KEY, rt.asarray([1, 2]))


def test_executors_agree_on_every_function():
    graph = PolymorphicFunction(
        lambda key, n: (
            rt.random.uniform((n, 2), key=key),
            rt.random.permutation(n, key=key),
            rt.random.choice(n, 3, replace=False, key=key),
            rt.random.integers(n, shape=(2, 2), key=key),
            rt.random.split(key, n),
        )
    ).get_concrete_function(rt.TensorSpec((2,), "uint64"), rt.TensorSpec((), "int64"))
    arrays = [np.asarray(KEY), np.array(6)]
    one, other = (choose(name).compile(graph.module).run(arrays) for name in ("numpy", "reference"))
    for mine, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine, theirs, strict=True)
