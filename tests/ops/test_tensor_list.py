"""`rt.TensorArray`: writing gives a new array and leaves the old one as it was."""

import numpy as np
import pytest

import runtime as rt
from runtime import ops
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import bind, bind_all


def both(function):
    """The function in eager code, and as a graph."""
    return pytest.mark.parametrize("run", [lambda f: f, PolymorphicFunction], ids=["eager", "graph"])(
        function
    )


@both
def test_elements_are_read_and_stacked(run):
    def f(x):
        ta = rt.TensorArray(rt.float64, size=3)
        ta = ta.write(0, x).write(2, x * 3).write(1, x * 2)
        return ta.stack(), ta.read(1), ta.size(), ta.gather([2, 0]), ta.concat()

    stacked, one, size, gathered, joined = run(f)(rt.asarray([1.0, 2.0]))
    assert stacked.numpy().tolist() == [[1, 2], [2, 4], [3, 6]]
    assert one.numpy().tolist() == [2, 4]
    assert size.numpy() == 3
    assert gathered.numpy().tolist() == [[3, 6], [1, 2]]
    assert joined.numpy().tolist() == [1, 2, 2, 4, 3, 6]


@both
def test_a_write_leaves_the_old_array_as_it_was(run):
    def f(x):
        old = rt.TensorArray(rt.int64, size=2).write(0, x).write(1, x)
        first, second = old.write(0, 10), old.write(0, 20)
        return old.stack(), first.stack(), second.stack()

    assert [t.numpy().tolist() for t in run(f)(rt.asarray(1))] == [[1, 1], [10, 1], [20, 1]]


@both
def test_rows_are_unstacked_and_scattered(run):
    def f(x):
        ta = rt.TensorArray(rt.int64, size=0, dynamic_size=True).unstack(x)
        return ta.scatter([3, 1], x[:2] * 10).stack()

    assert run(f)(rt.asarray([[1], [2], [3]])).numpy().tolist() == [[1], [20], [3], [10]]


@both
def test_an_element_that_was_not_written_is_zero_where_its_shape_is_known(run):
    def f(x):
        return rt.TensorArray(rt.float64, size=2, element_shape=(2,)).write(1, x).stack()

    assert run(f)(rt.ones(2)).numpy().tolist() == [[0, 0], [1, 1]]


@both
def test_an_index_outside_is_refused(run):
    def f(i):
        return rt.TensorArray(rt.int64, size=2).write(i, 1).read(0)

    with pytest.raises(
        IndexError, match=r"index 2 is out of range for a TensorArray of size 2.*dynamic_size"
    ):
        run(f)(rt.asarray(2))


@both
def test_an_element_of_another_shape_than_promised_is_refused(run):
    def f(x):
        return rt.TensorArray(rt.int64, size=2, element_shape=(2,)).write(0, x).stack()

    with pytest.raises(ValueError, match=r"elements of shape \(2,\) cannot take one of shape \(3,\)"):
        run(f)(rt.ones(3, dtype=rt.int64))


def test_values_take_the_dtype_of_the_array():
    ta = rt.TensorArray(rt.float32, size=1).write(0, 3)
    assert ta.stack().dtype == rt.float32


def test_appending_many_elements_is_not_quadratic():
    ta = rt.TensorArray(rt.int64, size=0, dynamic_size=True)
    for i in range(3000):
        ta = ta.write(i, i)
    assert np.array_equal(ta.stack().numpy(), np.arange(3000))


def test_an_array_is_a_loop_variable_and_an_argument():
    @PolymorphicFunction
    def f(ta, n):
        def step(i, ta):
            return i + 1, ta.write(i, ta.read(i) + i)

        return rt.while_loop(lambda i, _: i < n, step, (0, ta))[1]

    result = f(rt.TensorArray(rt.int64, size=3).unstack([5, 5, 5]), rt.asarray(3))
    assert isinstance(result, rt.TensorArray)
    assert result.stack().numpy().tolist() == [5, 6, 7]


# ── what Python's lists do ──


@both
def test_lists_are_edited_as_those_of_python(run):
    def f(x, i):
        items = ops.list_insert(ops.list_append(ops.list_from([x, 2]), 3), i, 9)
        place = ops.list_position(items, i, "list index out of range")
        without = bind(ops.TensorListErase(), items, place)
        back = ops.list_slice(items, slice(None, None, -1))
        part = ops.list_slice(items, slice(i, None))
        chosen = bind(ops.TensorListSelect(), items, [0, 0])
        lists = items, without, back, part, chosen, ops.list_extend(part, back), ops.list_set(items, place, 7)
        return [ops.list_stack(each) for each in lists]

    for i in (-1, 0, 1, 2):
        items = [1, 2, 3]
        items.insert(i, 9)
        without, changed = items.copy(), items.copy()
        del without[i]
        changed[i] = 7
        expected = (
            items,
            without,
            items[::-1],
            items[i:],
            [1, 1] if i else [9, 9],
            items[i:] + items[::-1],
            changed,
        )
        found = run(f)(rt.asarray(1), rt.asarray(i))
        assert [each.numpy().tolist() for each in found] == list(expected)


@both
@pytest.mark.parametrize("index", [3, -4])
def test_a_position_outside_raises_what_python_raises(run, index):
    def f(i):
        return ops.list_position(ops.list_from([1, 2, 3]), i, "list index out of range", "empty")

    with pytest.raises(IndexError, match=r"^list index out of range"):
        run(f)(rt.asarray(index))


@both
def test_a_position_in_an_empty_list_has_a_message_of_its_own(run):
    def f(i):
        return ops.list_position(ops.list_from([]), i, "outside", "pop from empty list")

    with pytest.raises(IndexError, match=r"^pop from empty list"):
        run(f)(rt.asarray(0))


@both
@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")  # which is given while a graph is made
def test_elements_are_promoted_to_one_dtype(run):
    def f(x):
        items = ops.list_append(ops.list_from([1, 2]), x)
        weak = ops.list_append(ops.list_from([x]), 1)
        return (
            ops.list_stack(items),
            ops.list_stack(weak),
            ops.list_stack(ops.list_extend(ops.list_from([1]), weak)),
        )

    dtypes = [each.dtype for each in run(f)(rt.asarray(0.5, dtype=rt.float32))]
    assert dtypes == [rt.float64, rt.float32, rt.float64]


@both
def test_elements_of_several_shapes_stay_apart(run):
    def f(x):
        items = ops.list_append(ops.list_append(ops.list_from([]), x), x[:1])
        return ops.list_get(items, 0), ops.list_get(items, 1), ops.list_length(items)

    first, second, length = run(f)(rt.asarray([1, 2]))
    assert (first.numpy().tolist(), second.numpy().tolist(), length.item()) == ([1, 2], [1], 2)


@both
def test_lists_hold_lists(run):
    def f(x):
        inner = ops.list_from([x, x * 2])
        outer = ops.list_append(ops.list_append(ops.list_from([]), inner), ops.list_append(inner, 7))
        return ops.list_stack(ops.list_get(outer, 1)), ops.list_length(ops.list_get(outer, 0))

    last, length = run(f)(rt.asarray(1))
    assert (last.numpy().tolist(), length.item()) == ([1, 2, 7], 2)


@both
def test_matches_and_the_first_of_them(run):
    def f(x):
        items = ops.list_from([3, 1, 3])
        matches = bind(ops.TensorListMatches(), items, x)
        return matches, bind(ops.TensorListFound("{} is not in list"), matches, x)

    matches, first = run(f)(rt.asarray(3))
    assert (matches.numpy().tolist(), first.item()) == ([True, False, True], 0)
    with pytest.raises(ValueError, match=r"^5 is not in list"):
        run(f)(rt.asarray(5))


@both
def test_two_lists_are_the_same(run):
    def f(x):
        items = ops.list_from([1, x])
        same = [bind(ops.TensorListSame(), items, ops.list_from(other)) for other in ([1, 2], [1], [1, 3])]
        return ops.stack(same)

    assert run(f)(rt.asarray(2)).numpy().tolist() == [True, False, False]


@both
@pytest.mark.parametrize(
    ("length", "exact", "message"),
    [
        (2, True, r"not enough values to unpack \(expected 3, got 2\)"),
        (4, True, r"too many values to unpack \(expected 3\)"),
        (2, False, r"not enough values to unpack \(expected at least 3, got 2\)"),
    ],
)
def test_lengths_that_do_not_fit_the_targets(run, length, exact, message):
    def f(n):
        bind_all(ops.UnpackLength(3, exact), n)
        return n

    with pytest.raises(ValueError, match=message):
        run(f)(rt.asarray(length))
    assert run(f)(rt.asarray(3)).item() == 3


def test_an_array_filled_outside_is_made_again_by_the_graph_that_reads_it():
    outside = rt.TensorArray(rt.float32, size=3, element_shape=(2,)).write(0, [1.0, 2.0]).write(2, [3.0, 4.0])

    @PolymorphicFunction
    def stacked(x):
        return outside.write(1, x).stack()

    x = rt.asarray([5.0, 6.0], dtype=rt.float32)
    np.testing.assert_array_equal(stacked(x).numpy(), [[1, 2], [5, 6], [3, 4]])
    graph = stacked.get_concrete_function(x).graph
    assert graph.ops == ["TensorListReserve", *["TensorListSetItem"] * 3, "TensorListStack"]
    nodes = stacked.get_concrete_function(x).graph.as_graph_def().node
    assert [node.op for node in nodes].count("TensorListSetItem") == 3
