"""Arrays that a caller passes are changed for the caller, as in NumPy."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt

X = np.float64(3.0)


def fill(buf, value):
    for i in range(len(buf)):
        buf[i] += value


def writes_an_item(a, x):
    a[0] = x
    return a.sum()


def writes_through_a_callee(a, x):
    fill(a, x)
    return a.sum()


def writes_in_a_branch(a, x):
    if x > 2:
        a[1:] *= 2
    return a[0]


def adds_in_place(a, x):
    a += x
    return a.sum()


def returns_it(a, x):
    a[0] = x
    return a


def writes_into_a_row(a, x):
    row = a[:2]
    row[...] = x


@pytest.mark.parametrize(
    "program",
    [
        writes_an_item,
        writes_through_a_callee,
        writes_in_a_branch,
        adds_in_place,
        returns_it,
        writes_into_a_row,
    ],
    ids=lambda program: program.__name__,
)
@pytest.mark.parametrize(
    "array",
    [
        np.array([3.0, 1.0, 2.0]),
        np.arange(6)[::2],
        np.arange(12.0, dtype=np.float32).reshape(3, 4)[:, 1],
    ],
    ids=["own", "steps", "column"],
)
def test_an_array_is_changed_for_the_caller(program, array):
    step = np.int64(3) if array.dtype.kind == "i" else array.dtype.type(3)
    for executor in ("numpy", "reference"):
        graph = ag.function(executor=executor)(program)
        mine, theirs = array.copy(), array.copy()
        for value in (step, step - 2, step):
            found, wanted = graph(mine, value), program(theirs, value)
            np.testing.assert_array_equal(mine, theirs)
            if wanted is not None:
                np.testing.assert_array_equal(found, wanted)
            mine[1] += 1
            theirs[1] += 1


def test_views_of_the_callers_arrays_are_written_to():
    memory = np.zeros(6)
    ag.function(writes_an_item)(memory[::2], np.float64(5))
    assert memory.tolist() == [5, 0, 0, 0, 0, 0]


def test_arrays_in_containers_and_keywords_are_changed():
    @ag.function
    def program(pair, *, more):
        pair[0][0] = more["a"][1]
        more["a"][0] = 7
        return pair[1] + 1

    one, two, three = np.zeros(2), np.ones(2), np.arange(2.0)
    for _ in range(2):
        assert program((one, two), more={"a": three}).numpy().tolist() == [2, 2]
    assert (one.tolist(), two.tolist(), three.tolist()) == ([1, 0], [1, 1], [7, 1])


def test_a_tensor_is_never_changed_for_the_caller():
    tensor = rt.asarray([1.0, 2.0])
    assert ag.function(returns_it)(tensor, 9.0).numpy().tolist() == [9, 2]
    assert tensor.numpy().tolist() == [1, 2]


def test_an_array_that_nobody_may_write_to_is_not():
    array = np.zeros(2)
    array.flags.writeable = False
    graph = ag.function(writes_an_item)
    with pytest.raises(ValueError, match="read-only"):
        graph(array, X)
    assert graph(np.zeros(2), X).numpy() == 3
    with pytest.raises(ValueError, match="read-only"):
        graph(array, X)
    assert array.tolist() == [0, 0]


def test_an_array_that_nobody_may_write_to_is_read_where_nothing_is_written():
    def f(x, limit):
        try:
            if x.sum() > limit:
                print("writes")
                x[0] = 1
        except ValueError as error:
            return str(error)
        return x.sum()

    array = np.ones(3)
    array.flags.writeable = False
    ag.check(f, array, np.float64(5.0), then=[(array, np.float64(2.0)), (np.ones(3), np.float64(2.0))])


def test_a_write_that_is_not_allowed_is_an_exception_of_the_program():
    def f(x):
        fixed = np.ones(3)
        fixed.flags.writeable = False
        try:
            fixed[0] = x
        except ValueError as error:
            return str(error)
        return fixed.sum()

    ag.check(f, np.float64(5.0), then=[(np.float64(1.0),)])


def test_who_may_write_to_an_array_of_the_graph_is_not_set():
    def seals_the_caller_s(x, n):
        x.flags.writeable = False
        return x * n

    def seals_its_own(x, n):
        y = x * n
        y.flags.writeable = False
        return y

    for f in seals_the_caller_s, seals_its_own:
        with pytest.raises(rt.errors.ImmutableTensor, match=r"flags\.writeable") as raised:
            ag.function(f)(np.ones(3), X)
        assert "flags.writeable = False" in str(raised.value)


def test_an_argument_is_written_into_of_which_another_one_is_a_part():
    @ag.function
    def program(a, b):
        a[0] += 1
        return b.sum()

    array = np.zeros(4)
    assert float(program(array[:2], array[1:3])) == 0
    assert float(program(array, array[1:])) == 0
    assert float(program(array[:2], array[2:])) == 0
    assert array.tolist() == [3, 0, 0, 0]


def test_a_graph_function_changes_the_arrays_of_its_caller():
    inner = ag.function(writes_through_a_callee)

    def program(a, x):
        b = a * 1
        part = b[1:]
        inner(part, x)
        made = np.zeros(2)
        inner(made, x)
        inner(a, 1.0)
        return b, part, made

    array = np.arange(3.0)
    for _ in range(2):
        found, part, made = ag.function(program)(array.copy(), X)
        assert found.numpy().tolist() == [0, 4, 5]
        assert part.numpy().tolist() == [4, 5]
        assert made.numpy().tolist() == [3, 3]


def test_an_input_signature_changes_arrays_too():
    graph = ag.function(input_signature=[rt.TensorSpec((None,), rt.float64), rt.TensorSpec((), rt.float64)])(
        writes_an_item
    )
    array = np.zeros(3)
    graph(array, 4.0)
    assert array.tolist() == [4, 0, 0]
