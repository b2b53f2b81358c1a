"""Strict mode: who asks for it, and whom it is about. What it refuses stands in the error catalogue."""

import subprocess
import sys

import pytest

import autograph as ag
import runtime as rt
from autograph.compat import tf
from runtime.errors import Refused, RefusedType


def one_branch(x):
    if x > 0:
        y = x
    return y


def half(x):
    return x * 0.5


@pytest.fixture
def strict_process():
    ag.set_strict(True)
    yield
    ag.set_strict(False)


def test_nothing_is_refused_that_is_not_asked_for():
    assert ag.function(half)(rt.asarray(3)) == 1.5
    assert ag.function(strict=False)(one_branch)(rt.asarray(3)) == 3


def test_a_function_asks_for_itself():
    with pytest.raises(ValueError, match="'y' must also be initialized in the else branch"):
        ag.function(strict=True)(one_branch)(rt.asarray(3))
    with pytest.raises(TypeError, match="Expected int64 passed to parameter 'y' of op 'Mul'"):
        ag.function(options=ag.Options(strict=True))(half)(rt.asarray(3))


def before_the_loop(n):
    while n > 0:
        n -= 1
        total = total + n  # noqa: F821
    return total


def before_the_test(n):
    if n is None:
        i = 0
    return i + n


def item_of_an_item(n):
    d = {"x": {}}
    if n > 0:
        d["x"]["k"] = n
    return n


def other_items(n):
    d = {}
    if n > 0:
        d["x"] = 1
    else:
        d["y"] = 2
    return n


@pytest.mark.parametrize(
    ("function", "kind", "words"),
    [
        (before_the_loop, ValueError, "'total' must be defined before the loop"),
        (before_the_loop, ValueError, "ran into a UnboundLocalError: 'total' is used before assignment"),
        (before_the_test, UnboundLocalError, "'i' is used before assignment"),
        (item_of_an_item, ValueError, r"'d\['x'\]\['k'\]' must also be initialized in the else branch"),
        (other_items, ValueError, r"'d\['y'\]' must also be initialized in the main branch"),
    ],
)
def test_names_without_a_value_are_refused_in_tensorflows_words(function, kind, words):
    with pytest.raises(kind, match=words):
        ag.function(strict=True)(function)(rt.asarray(3))


def test_the_words_are_pythons_where_nothing_is_strict():
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'i' where it is not"):
        ag.function(before_the_test)(rt.asarray(3))


@pytest.mark.usefixtures("strict_process")
def test_a_process_asks_for_all_functions_but_those_that_say_no():
    with pytest.raises(Refused):
        ag.function(one_branch)(rt.asarray(3))
    assert ag.function(strict=False)(one_branch)(rt.asarray(3)) == 3


def test_the_process_is_asked_when_a_function_is_traced():
    function = ag.function(half)
    ag.set_strict(True)
    try:
        with pytest.raises(Refused):
            function(rt.asarray(3))
    finally:
        ag.set_strict(False)
    assert function(rt.asarray(3)) == 1.5


@pytest.mark.usefixtures("strict_process")
def test_the_process_means_functions_of_the_tf_namespace_too():
    with pytest.raises(Refused):
        tf.function(one_branch)(tf.constant(3))


def test_the_tf_namespace_is_not_strict_by_itself():
    assert tf.function(one_branch)(tf.constant(3)).numpy() == 3


@pytest.mark.parametrize(("setting", "result"), [("1", "refused"), ("0", "1.5"), ("", "1.5")])
def test_the_environment_asks_from_the_start(setting, result):
    program = (
        "import autograph as ag, runtime as rt\n"
        "try: print(float(ag.function(lambda x: x * 0.5)(rt.asarray(3))))\n"
        "except rt.errors.Refused: print('refused')\n"
    )
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        env={"AUTOGRAPH_STRICT": setting},
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert found.stdout.strip() == result


def test_what_a_strict_function_calls_is_held_to_it_as_well():
    @ag.function(strict=True)
    def f(x):
        return half(x)

    with pytest.raises(RefusedType):
        f(rt.asarray(3))


def test_a_graph_within_a_strict_one_is_strict():
    @ag.function(strict=True)
    def f(x):
        if x > 0:
            x = half(x)
        return x

    with pytest.raises(RefusedType, match="Expected int64"):
        f(rt.asarray(3))


def test_a_function_that_does_not_ask_is_not_strict_where_a_strict_one_calls_it():
    inner = ag.function(half)

    @ag.function(strict=True)
    def f(x):
        return inner(x)

    assert f(rt.asarray(3)) == 1.5


def test_a_number_takes_the_dtype_of_the_tensor_beside_it():
    @ag.function(strict=True)
    def f(x, n):
        total = 0.0
        for i in rt.arange(n):
            if x > 1:
                total = total + 2 * x
            else:
                total = total - x / 2
            n = n + i
        return total

    assert f(rt.asarray(3.0, dtype=rt.float32), rt.asarray(4)) == 24.0


def test_the_steps_of_functions_of_ours_may_mix_dtypes():
    @ag.function(strict=True)
    def f(x, shape):
        noise = rt.random.uniform(shape, minval=0, maxval=1)
        return rt.mean(x) + rt.std(noise) * rt.sum(rt.linspace(0, 1, 3))

    f(rt.asarray([1, 2, 3]), rt.asarray([2, 2]))


def test_a_variable_that_is_none_or_undefined_before_a_loop_may_get_its_value_there():
    @ag.function(strict=True)
    def f(n):
        last = None
        while n > 0:
            last = n
            n = n - 1
        return last

    assert f(rt.asarray(3)) == 1


def grows_in_a_loop(n):
    found = {"first": n}
    while n > 0:
        found["last"] = n
        n -= 1
    return n, found["last"]


def test_a_dict_may_get_entries_in_a_loop_as_with_tensorflow():
    assert ag.function(strict=True)(grows_in_a_loop)(rt.asarray(3)) == (0, 1)
    left, last = tf.function(grows_in_a_loop, strict=True)(tf.constant(3))
    assert (int(left), int(last)) == (0, 1)


def test_functions_of_the_tf_namespace_ask_for_themselves():
    with pytest.raises(ValueError, match="'y' must also be initialized in the else branch"):
        tf.function(strict=True)(one_branch)(tf.constant(3))
