"""What we write, TensorFlow runs, with our results."""

import numpy as np
import pytest

import runtime as rt
from runtime import ops
from runtime.core.dtypes import DTYPES, LOW_PRECISION, as_dtype
from runtime.core.spec import ArraySpec
from runtime.errors import ExportError
from runtime.executors.reference import Reference
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.build import bind
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY
from runtime.interchange.graphdef import attributes as attr
from runtime.interchange.graphdef.limits import is_taken
from runtime.interchange.graphdef.writer import graph_to_graphdef
from runtime.ops.families import Family

pytestmark = pytest.mark.peers


def traced(function, *arguments):
    graph = PolymorphicFunction(function).get_concrete_function(*arguments).graph
    return graph, graph_to_graphdef(graph)


def outputs_of(message, graph):
    """What to fetch: the last identities, or, without outputs, the last node, which waits for the effects."""
    if not graph.outputs:
        return [message.node[-1].name]
    return [f"{node.name}:0" for node in message.node if node.op == "Identity"][-len(graph.outputs) :]


def check(tensorflow, function, *arguments, variables=(), again=()):
    """`function` gives in TensorFlow what it gives here, for the arguments and for those in `again`."""
    arguments = [rt.asarray(argument) for argument in arguments]
    graph, message = traced(function, *arguments)
    names = [node.name for node in message.node if node.op == "Placeholder"]
    fetches = outputs_of(message, graph)
    for given in (arguments, *([rt.asarray(each) for each in more] for more in again)):
        arrays = [np.asarray(tensor) for tensor in given]
        before = {variable.name: variable.numpy() for variable in variables}
        ours = Reference().compile(Module(graph)).run(arrays)
        theirs = tensorflow.run(message, dict(zip(names, arrays, strict=False)), fetches, variables=before)
        assert len(ours) == len(theirs.arrays)
        for mine, other in zip(ours, theirs.arrays, strict=True):
            np.testing.assert_array_equal(mine, other)
            assert np.asarray(mine).dtype == other.dtype
        for variable in variables:
            np.testing.assert_array_equal(variable.numpy(), theirs.variables[variable.name])


# ── programs ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_branch_runs(tensorflow):
    def simple_relu(x):
        return rt.cond(x > 0, lambda: (True, x), lambda: (True, 0))[1]

    check(tensorflow, simple_relu, np.int32(3), again=[(np.int32(-3),)])


def test_a_branch_in_a_branch_runs(tensorflow):
    def clip(x, low, high):
        return rt.cond(
            x < low, lambda: low * 1.0, lambda: rt.cond(x > high, lambda: high + 0.0, lambda: x / 2.0)
        )

    check(tensorflow, clip, 0.5, -1.0, 1.0, again=[(-3.0, -1.0, 1.0), (3.0, -1.0, 1.0)])


def test_a_loop_runs(tensorflow):
    def power(x, n):
        return rt.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, rt.asarray(1.0)))

    check(tensorflow, power, 2.0, 10, again=[(3.0, 0)])


def test_a_loop_in_a_loop_with_a_branch_runs(tensorflow):
    def collatz(limit):
        def length(n):
            def step(n, steps):
                return rt.cond(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1), steps + 1

            return rt.while_loop(lambda n, steps: n != 1, step, (n, rt.asarray(0)))[1]

        def longest(n, best):
            steps = length(n)
            return n + 1, rt.cond(steps > best, lambda: steps, lambda: best)

        return rt.while_loop(lambda n, best: n < limit, longest, (rt.asarray(1), rt.asarray(0)))[1]

    check(tensorflow, collatz, 30)


def test_a_called_function_runs(tensorflow):
    @PolymorphicFunction
    def inner(x, y):
        return x * y, x + y

    def outer(x):
        a, b = inner(x, 2.0)
        c, d = inner(b, a)
        return c - d

    check(tensorflow, outer, [1.0, 2.0])


def test_variables_are_read_and_written_in_program_order(tensorflow):
    v = rt.Variable(1.0, name="v")

    def f(x):
        before = v + 0.0
        v.assign_add(x)
        middle = v + 0.0
        v.assign(middle * 2.0)
        return before, middle, v + 0.0

    check(tensorflow, f, 4.0, variables=[v])


def test_variables_are_handed_down_to_branches_loops_and_calls(tensorflow):
    v, w = rt.Variable(1.0, name="v"), rt.Variable(10.0, name="w")

    @PolymorphicFunction
    def bump(amount):
        w.assign_add(amount)
        return v + w

    def f(n):
        def step(i, total):
            v.assign_sub(1.0)
            total = rt.cond(v < -1.0, lambda: bump(1.0), lambda: total + v)
            return i + 1, total

        _, total = rt.while_loop(lambda i, total: i < n, step, (0, rt.asarray(0.0)))
        return total + w

    check(tensorflow, f, 5, variables=[v, w], again=[(0,)])


def test_a_function_without_results_runs_for_its_effects(tensorflow):
    v = rt.Variable([1, 2], name="v")

    def f(x):
        v.assign(v * x)

    check(tensorflow, f, 3, variables=[v])


def test_prints_come_out_in_order(tensorflow):
    def f(x):
        rt.print("x =", x, {"twice": x + x}, "{}", sep="|", end=".\n")
        rt.cond(x > 0, lambda: shout(x), lambda: 0)

    def shout(x):
        rt.print("positive")
        return 0

    _, message = traced(f, rt.asarray(2))
    printed = tensorflow.run(message, {"x": np.asarray(2)}, ["NoOp"]).printed
    assert printed == "x =|2|{'twice': 4}|{}.\npositive\n"


def test_checks_hold_or_raise(tensorflow):
    def f(x):
        rt.check(x > 0, "must be positive", x)
        return x + 1

    _, message = traced(f, rt.asarray([1, 2]))
    run = tensorflow.run(message, {"x": np.asarray([1, 2])})
    np.testing.assert_array_equal(run.arrays[0], [2, 3])
    with pytest.raises(RuntimeError, match=r"(?s)InvalidArgumentError.*must be positive"):
        tensorflow.run(message, {"x": np.asarray([1, -2])})


def test_numbers_are_finite_or_raise(tensorflow):
    def f(x):
        ops.check_numerics(x, "what was given")
        return x + 1

    _, message = traced(f, rt.asarray([1.0, 2.0]))
    run = tensorflow.run(message, {"x": np.asarray([1.0, 2.0])})
    np.testing.assert_array_equal(run.arrays[0], [2.0, 3.0])
    with pytest.raises(
        RuntimeError, match=r"(?s)InvalidArgumentError.*what was given : Tensor had NaN values"
    ):
        tensorflow.run(message, {"x": np.asarray([1.0, np.nan])})


def test_lists_of_tensors_are_filled_and_stacked(tensorflow):
    def squares(n):
        def step(i, array):
            return i + 1, array.write(i, i * i)

        array = rt.TensorArray(rt.int64, size=0, dynamic_size=True)
        _, array = rt.while_loop(lambda i, _: i < n, step, (rt.asarray(0), array))
        return array.stack(), array.size(), array.read(1)

    check(tensorflow, squares, 4)


def test_lists_of_tensors_are_made_from_rows_and_joined(tensorflow):
    def f(x):
        array = rt.TensorArray(rt.float64, size=3).unstack(x)
        array = array.write(1, array.read(0) * 2.0).scatter([2, 0], x[:2])
        return array.concat(), array.stack()

    check(tensorflow, f, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@pytest.mark.filterwarnings("ignore::runtime.errors.KindsMeetWarning")  # a 3 beside floats
def test_lists_are_edited_as_those_of_python(tensorflow):
    def f(x, i):
        items = ops.list_from([x, x * 2.0, 3])
        items = ops.list_append(items, 4.0)
        items = ops.list_insert(items, i, 9.0)
        place = ops.list_position(items, i, "list index out of range")
        chosen = ops.list_get(items, place)
        items = ops.list_set(items, place, 8.0)
        part = ops.list_slice(items, slice(1, None, 2))
        back = ops.list_slice(items, slice(None, None, -1))
        rest = bind(ops.TensorListErase(), back, place)
        both = ops.list_extend(part, rest)
        found = bind(ops.TensorListMatches(), both, 4.0)
        first = bind(ops.TensorListFound("{} is not in list"), found)
        return ops.list_stack(both), chosen, found, first, ops.list_length(rest)

    check(tensorflow, f, 1.5, 1, again=[(2.5, -2)])


def test_a_place_is_found_among_lists_of_several_dtypes(tensorflow):
    def f(x, n):
        floats = ops.list_from([x * 0.5, x, x * 2.0])
        ints = ops.list_from([n - 1, n, n + 1])
        return ops.list_place([floats, ints], [x, n]), ops.list_place([floats, ints], [x, n + 1])

    check(tensorflow, f, 1.5, 3, again=[(2.5, 7)])


def test_a_list_that_was_empty_takes_the_dtype_of_what_goes_in(tensorflow):
    def f(n):
        def step(i, items):
            return i + 1, ops.list_append(items, i * 0.5)

        _, items = rt.while_loop(lambda i, _: i < n, step, (rt.asarray(0), ops.list_from([])))
        return ops.list_stack(items)

    check(tensorflow, f, 4)


def test_tensorflow_differentiates_a_written_loop(tensorflow):
    def cube(x):
        return rt.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, rt.asarray(1.0)))[1]

    _, message = traced(cube, rt.asarray(2.0))
    run = tensorflow.run(message, {"x": np.asarray(2.0)}, gradient=True)
    assert run.arrays[0] == 8.0
    assert run.slope == 3 * 2.0**2


def test_tensorflow_differentiates_branches_in_a_loop(tensorflow):
    def f(x):
        def step(i, y):
            return i + 1, rt.cond(y > 10.0, lambda: y + x, lambda: y * x)

        return rt.while_loop(lambda i, y: i < 5, step, (0, x))[1]

    _, message = traced(f, rt.asarray(3.0))
    run = tensorflow.run(message, {"x": np.asarray(3.0)}, gradient=True)
    assert run.arrays[0] == 36.0  # 3, 9, 27, 30, 33, 36
    assert run.slope == 3 * 3.0**2 + 3


def test_unknown_dims_stay_unknown(tensorflow):
    def f(x):
        return rt.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y + x), (0, x))[1]

    spec = rt.TensorSpec((None, 2), rt.float32)
    _, message = traced(f, spec)
    x = np.ones((3, 2), np.float32)
    np.testing.assert_array_equal(tensorflow.run(message, {"x": x}).arrays[0], 3 * x)


# ── messages ──


def test_tensorflow_reads_the_same_text_and_bytes(tensorflow):
    def f(x):
        return rt.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), (0, rt.asarray(1.0)))[1]

    _, message = traced(f, rt.asarray(2.0))
    text, content = tensorflow.read(message)
    assert text == str(message)
    assert content == message.SerializeToString(deterministic=True)


@pytest.mark.parametrize("dtype", [*DTYPES, *LOW_PRECISION], ids=str)
def test_tensorflow_writes_arrays_the_same(tensorflow, dtype):
    for array in (np.ones((), dtype.numpy), np.ones((2, 3), dtype.numpy), np.ones((1,), dtype.numpy)):
        ours = attr.tensor(array).SerializeToString(deterministic=True)
        assert ours == tensorflow.tensor(array)


# ── every op ──────────────────────────────────────────────────────────────────────────────────────────

WRITTEN = [
    name for name, op in REGISTRY.items() if issubclass(op, Family) and (op.graphdef or op.to_graphdef)
]


def one_node(op, arrays):
    builder = Builder(op.name)
    inputs = [builder.input(ArraySpec(array.shape, as_dtype(array.dtype)), "x") for array in arrays]
    graph = builder.finish(list(builder.add(op, inputs).outputs))
    return graph


DECLARED = [name for name in WRITTEN if getattr(REGISTRY[name], "graphdef", None)]


@pytest.mark.parametrize("name", DECLARED)
def test_no_op_is_written_for_a_dtype_that_tensorflow_refuses(tensorflow, name):
    kind = REGISTRY[name]
    facts = kind.graphdef
    attribute, source = next(iter(facts.types.items()), (None, None))
    if source == "in0":
        allowed = tensorflow.allowed(facts.op, attribute)
        written = {dtype.name for dtype in kind.accepts if is_taken(facts.op, attribute, dtype)}
        assert allowed is None or not written - set(allowed)


@pytest.mark.parametrize("name", WRITTEN)
def test_every_op_gives_the_same(tensorflow, name):
    outcomes = [outcome(tensorflow, REGISTRY[name], sample) for sample in REGISTRY[name].samples]
    failures = [each for each in outcomes if each not in {"same", "raised", "refused"}]
    assert not failures, "\n".join(failures)
    assert "same" in outcomes


def outcome(tensorflow, kind, sample):
    """What TensorFlow makes of a sample: the same, an error, too, or nothing, as we refuse."""
    op = kind(**sample.attributes)
    graph = one_node(op, sample.arrays)
    try:
        message = graph_to_graphdef(graph)
    except ExportError:
        return "refused"
    names = [node.name for node in message.node if node.op == "Placeholder"]
    label = f"{op!r} of {[(array.dtype.name, array.shape) for array in sample.arrays]}"
    try:
        inputs = dict(zip(names, sample.arrays, strict=True))
        theirs = tensorflow.run(message, inputs, outputs_of(message, graph)).arrays
    except RuntimeError as error:
        return "raised" if sample.raises else f"{label}: {str(error)[:300]}"
    if sample.raises:
        return f"{label}: {sample.raises.__name__} here, {theirs!r} there"
    ours = [np.asarray(array) for array in Reference().compile(Module(graph)).run(list(sample.arrays))]
    for mine, other in zip(ours, theirs, strict=True):
        if (mine.shape, mine.dtype) != (other.shape, other.dtype):
            return f"{label}: {mine.dtype}{mine.shape} here, {other.dtype}{other.shape} there"
        if not is_drawn(op) and not equal(mine, other):
            return f"{label}: {mine!r} here, {other!r} there"
    return "same"


def is_drawn(op):
    """Whether an op gives random numbers: TensorFlow makes others of the same bits."""
    return type(op).__module__.startswith("runtime.ops.random.")


def equal(mine, other):
    precision = 1e-2 if mine.dtype == np.float16 else 1e-5
    return np.allclose(mine, other, rtol=precision, atol=1e-6, equal_nan=True)
