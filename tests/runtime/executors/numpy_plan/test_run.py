"""Plans give the dtypes that graphs promise, explain errors, free buffers, and serve many threads at once."""

import gc
import linecache
import traceback
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import runtime as rt
from runtime import ArraySpec
from runtime.core.dims import UNKNOWN
from runtime.executors.base import choose
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.parser import from_text
from runtime.ops.control_flow import Call
from tests.runtime.executors.tracing import traced

INT, FLOAT = ArraySpec((), rt.int64), ArraySpec((), rt.float64)
VECTOR = ArraySpec((UNKNOWN,), rt.float64)
LARGE = ArraySpec((256, 256), rt.float64)


def compiled(function, *specs):
    return choose("numpy").compile(Module(traced(function, *specs))).run


# ── values ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dtype", [rt.int8, rt.uint8, rt.int32, rt.float16, rt.float32], ids=repr)
def test_scalars_keep_narrow_dtypes_in_operators_with_numbers(dtype):
    def f(x):
        return rt.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2 + 1), (0, x))[1]

    (result,) = compiled(f, ArraySpec((), dtype))([np.asarray(100, dtype.numpy)])
    with np.errstate(over="ignore"):
        wanted = np.asarray(100, dtype.numpy)
        for _ in range(3):
            wanted = wanted * dtype.numpy.type(2) + dtype.numpy.type(1)
    assert (result.dtype, result) == (dtype.numpy, wanted)


def test_integers_wrap_in_loops_without_a_warning():
    def f(n):
        return rt.while_loop(lambda i, y: i < 70, lambda i, y: (i + 1, y * 2), (0, n))[1]

    assert compiled(f, INT)([np.asarray(3)]) == [0]


def test_loop_variables_change_places_at_once():
    def swapped(n, a, b):
        return rt.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a), (0, a, b))[1:]

    assert compiled(swapped, INT, FLOAT, FLOAT)([np.asarray(3), np.asarray(1.0), np.asarray(2.0)]) == [
        2.0,
        1.0,
    ]


def test_a_branch_without_statements_and_a_loop_without_a_body_run():
    def f(x, n):
        y = rt.cond(x > 0, lambda: x, lambda: x + 1)
        z = rt.cond(x > 0, lambda: x + 1, lambda: x)
        (i,) = rt.while_loop(lambda i: i < n, lambda i: (i + 1,), (0,))
        (same,) = rt.while_loop(lambda j: False, lambda j: (j,), (x,))
        return y, z, i, same

    assert compiled(f, FLOAT, INT)([np.asarray(-1.0), np.asarray(2)]) == [0.0, -1.0, 2, -1.0]


def test_nothing_and_inputs_and_constants_can_be_outputs():
    x = np.ones(2)
    assert compiled(lambda x: (), VECTOR)([x]) == []
    same, one = compiled(lambda x: (x, rt.asarray(1.0)), VECTOR)([x])
    assert same is x
    assert one == 1.0


def test_calls_of_one_graph_share_one_function_and_a_graph_may_call_itself():
    builder = Builder("twice")
    x = builder.input(FLOAT, "x")
    with building(builder):
        inner = builder.finish([(rt.asarray(x) * 2.0).value])
    builder = Builder("f")
    y = builder.input(FLOAT, "y")
    for _ in range(3):
        y = builder.add(Call(inner), [y]).outputs[0]
    outer = builder.finish([y])
    assert choose("numpy").compile(Module(outer)).run([np.asarray(1.0)]) == [8.0]
    assert choose("reference").compile(Module(outer)).run([np.asarray(1.0)]) == [8.0]


def test_loops_and_branches_nest_deeper_than_python_allows():
    def nested(n, depth):
        if not depth:
            return n + 1
        return rt.while_loop(lambda i, n: i < 1, lambda i, n: (i + 1, nested(n, depth - 1)), (0, n))[1]

    def chosen(n):
        return rt.switch(n, [lambda k=k: rt.asarray(k * k) for k in range(60)])

    assert compiled(lambda n: nested(n, 30), INT)([np.asarray(1)]) == [2]
    assert compiled(chosen, INT)([np.asarray(37)]) == [37 * 37]


# ── large arrays ──────────────────────────────────────────────────────────────────────────────────────


def test_results_are_never_written_over_what_others_see():
    def f(x):
        y = x * 2.0
        rows = y[0]
        z = y + 1.0
        w = z * z
        return rt.cond(w[0, 0] > 0.0, lambda: w, lambda: z), rows, y

    x = np.arange(256.0 * 256).reshape(256, 256)
    for executor in ("numpy", "reference"):
        w, rows, y = choose(executor).compile(Module(traced(f, LARGE))).run([x])
        np.testing.assert_array_equal(y, np.arange(256.0 * 256).reshape(256, 256) * 2)
        np.testing.assert_array_equal(rows, y[0])
        np.testing.assert_array_equal(w, (y + 1) ** 2)


@pytest.mark.parametrize("spec", [LARGE, ArraySpec((UNKNOWN, UNKNOWN), rt.float64)], ids=["known", "unknown"])
def test_buffers_are_freed_after_their_last_use(spec):
    def f(x):
        for _ in range(40):
            x = rt.cumulative_sum(rt.sin(x) + rt.cos(x), axis=0) * 1e-3
        return x

    run = compiled(f, spec)
    x = np.ones((256, 256))
    run([x])
    gc.collect()
    tracemalloc.start()
    try:
        run([x])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5 * x.nbytes


# ── errors ────────────────────────────────────────────────────────────────────────────────────────────


def test_an_error_names_the_users_line_and_stays_what_it_is():
    def f(x, y):
        return x + y

    with pytest.raises(ValueError, match="do not broadcast together") as caught:
        compiled(f, VECTOR, VECTOR)([np.ones(2), np.ones(3)])
    assert "test_run.py" in str(caught.value)
    assert "return x + y\n           ^^^^^" in str(caught.value)


def test_of_several_computations_in_one_line_the_one_that_failed_is_marked():
    def f(x, y, z):
        return x * 2.0 + (y + z) * 3.0

    with pytest.raises(ValueError, match="broadcast") as caught:
        compiled(f, VECTOR, VECTOR, VECTOR)([np.ones(3), np.ones(3), np.ones(2)])
    line, carets = str(caught.value).split("\n\n")[1].splitlines()[-2:]
    assert line[carets.index("^") : carets.rindex("^") + 1].strip("()") == "y + z"


def test_errors_in_loops_branches_and_calls_name_the_innermost_line():
    def f(x, n):
        def body(i):
            return (rt.cond(i > 1, lambda: x[i], lambda: i) + 1,)

        return rt.while_loop(lambda i: i < n, body, (0,))

    with pytest.raises(IndexError) as caught:
        compiled(f, ArraySpec((UNKNOWN,), rt.int64), INT)([np.zeros(2, np.int64), np.asarray(9)])
    assert "rt.cond(i > 1, lambda: x[i]" in str(caught.value)


def test_an_error_in_the_test_of_a_loop_is_explained():
    def f(x):
        def test(i):
            return x[i] > 0.0

        return rt.while_loop(test, lambda i: (i + 1,), (0,))

    with pytest.raises(IndexError) as caught:
        compiled(f, VECTOR)([np.ones(2)])
    assert "return x[i] > 0.0" in str(caught.value)


def test_a_kernel_of_many_lines_is_explained_by_the_line_that_called_it():
    def f(x, n):
        return rt.split(x, [1, 1])[0] * n

    with pytest.raises(ValueError, match="no sum of the sizes") as caught:
        compiled(f, VECTOR, FLOAT)([np.ones(3), np.asarray(1.0)])
    assert "rt.split(x, [1, 1])" in str(caught.value)


def test_an_integer_divided_by_zero_raises_what_python_raises():
    def f(x, y):
        return x // y, x % y

    with pytest.raises(ZeroDivisionError):
        compiled(f, INT, INT)([np.asarray(7), np.asarray(0)])


# ── threads ───────────────────────────────────────────────────────────────────────────────────────────


def test_one_plan_serves_many_threads():
    def f(x, n):
        def body(i, y):
            return i + 1, rt.sin(y) * 2.0 + y

        return rt.while_loop(lambda i, y: i < n, body, (0, x))[1]

    run = compiled(f, ArraySpec((64, 64), rt.float64), INT)
    inputs = [np.full((64, 64), float(k)) for k in range(16)]
    wanted = [run([x, np.asarray(20)])[0] for x in inputs]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda x: run([x, np.asarray(20)])[0], inputs))
    np.testing.assert_array_equal(results, wanted)


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_warning_of_numpy_names_the_users_line():
    def f(x):
        y = x + 1.0
        return rt.log(y)

    run = compiled(f, FLOAT)
    with pytest.warns(RuntimeWarning, match="invalid value encountered in log") as given:
        run([np.asarray(-3.0)])
    (warning,) = given
    assert warning.filename == __file__
    assert linecache.getline(warning.filename, warning.lineno).strip() == "return rt.log(y)"


def test_a_traceback_shows_the_users_line_and_function():
    def f(x, i):
        y = rt.while_loop(lambda y: y < 3.0, lambda y: (y + 1.0,), (x[i],))[0]
        return y * 2.0

    with pytest.raises(IndexError) as caught:
        compiled(f, VECTOR, INT)([np.ones(2), np.asarray(5)])
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.name) == (__file__, "f")
    assert "x[i]" in last.line


def test_lines_far_apart_and_long_ones_are_told_exactly():
    def f(x, i):
        y = x * 2.0  # the lines below are far from this one

        # …

        return y[0] + x[1] * 3.0 - x[0] * 4.0 + x[1] * 5.0 - x[0] * 6.0 + y[1] * 7.0 + x[0 + i] * 8.0

    with pytest.raises(IndexError) as caught:
        compiled(f, VECTOR, INT)([np.ones(2), np.asarray(2)])
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert linecache.getline(last.filename, last.lineno)[last.colno : last.end_colno] == "x[0 + i]"


def test_elements_of_lists_are_read_and_written_as_scalars():
    module = Module(
        from_text("""
        a: i64[]
        b: i64[]
        c = Pack(a, b, axis=0)
        d = TensorListFromTensor(c)
        e = Const(1, dtype=i64)
        f = Const(0, dtype=i64)
        g = TensorListGetItem(d, e, dtype=i64)
        h = TensorListSetItem(d, f, g, grows=False)
        i = TensorListPosition(h, a, outside='outside', empty='empty')
        j = TensorListGetItem(h, i, dtype=i64)
        return j
        """)
    )
    program = choose("numpy").compile(module)
    assert "np.array(1, np.int64)" not in program.source()
    assert "item_at(tensor_list_from_tensor, int64_1, (), np.int64)[()]" not in program.source()
    for a, b in ((-1, 5), (1, 7), (-2, 3)):
        found = program.entry(np.int64(a), np.int64(b))
        assert (found, type(found)) == (b, np.int64)
