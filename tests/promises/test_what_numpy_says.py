"""What a handler of the program's is told of NumPy's errors: NumPy's own class, text and arguments."""

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.graph.file import from_bytes, to_bytes
from runtime.ops.written_calls import WrittenCall, read
from tests.promises.kit import function_of

VECTORS = [np.arange(2.0), np.arange(3.0)]
MATRICES = [np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)]
MIXED = [np.arange(4.0).reshape(2, 2), np.arange(3.0)]

OF_LENGTHS = [
    ("y = a + b", VECTORS),
    ("y = a < b", VECTORS),
    ("y = a @ b", VECTORS),
    ("y = a @ b", MATRICES),
    ("a += b; y = a", VECTORS),
    ("a[:] = b; y = a", VECTORS),
    ("a[0] = b; y = a", MIXED),
    ("a[:1] -= b; y = a", VECTORS),
    ("y = np.add(a, a, out=b)", VECTORS),
    ("y = np.maximum(a, b)", VECTORS),
    ("y = np.where(a > 0, a, b)", VECTORS),
    ("y = np.clip(a, b, 5)", VECTORS),
    ("np.copyto(a, b); y = a", VECTORS),
    ("y = np.concatenate([a, np.ones((2, 4))])", MATRICES),
    ("y = np.concatenate([a, b])", MIXED),
    ("y = np.stack([a, b])", VECTORS),
    ("y = np.vstack([a, b])", VECTORS),
    ("y = np.column_stack([a, b])", VECTORS),
    ("y = np.array([a, b])", VECTORS),
    ("y = a.reshape(4, 5)", VECTORS),
    ("y = np.reshape(a, (4, -1))", VECTORS),
    ("y = np.broadcast_to(a, (3,))", VECTORS),
    ("y = np.split(a, 3)", VECTORS),
    ("y = np.squeeze(a, 0)", MIXED),
    ("y = a.item()", VECTORS),
    ("del a[0]; y = a", VECTORS),
    ("y = np.dot(a, b)", VECTORS),
    ("y = a.dot(b)", MATRICES),
    ("y = np.inner(a, b)", VECTORS),
    ("y = np.tensordot(a, b, 1)", VECTORS),
    ("y = np.einsum('i,i->', a, b)", VECTORS),
    ("y = np.linalg.inv(a)", MATRICES),
    ("y = np.linalg.solve(a, b)", MIXED),
    ("y = np.interp(a, b, a)", VECTORS),
    ("y = np.average(a, weights=b)", VECTORS),
    ("y = np.repeat(a, [1, 2, 3])", VECTORS),
    ("y = np.insert(a, 5, 1.0)", VECTORS),
    ("y = a[b > 0]", VECTORS),
    ("y = a[7]", VECTORS),
    ("y = np.linalg.inv(a)", [np.ones((2, 2)), np.ones(2)]),
    ("y = a.item()", VECTORS),
]
"""What goes wrong for the lengths of the operands, or their values: a run may be the first to see it."""

OF_KINDS = [
    ("y = np.sum(a, axis=3)", VECTORS),
    ("y = a.sum(axis=1)", VECTORS),
    ("y = a.transpose(0, 2)", MIXED),
    ("y = a.swapaxes(0, 2)", MIXED),
    ("y = np.moveaxis(a, 3, 0)", VECTORS),
    ("y = np.expand_dims(a, 4)", VECTORS),
    ("y = a[0, 0]", VECTORS),
    ("y = a[1.5]", VECTORS),
    ("y = a[np.array([0, 1]), np.array([0, 1, 2])]", MIXED),
    ("y = np.diagonal(a)", VECTORS),
    ("y = np.diff(a, n=-1)", VECTORS),
    ("y = np.pad(a, -1)", VECTORS),
    ("y = a & a", VECTORS),
    ("y = a.astype(int, casting='safe')", VECTORS),
    ("np.fill_diagonal(a, 1.0); y = a", VECTORS),
    ("y = len(a[0])", VECTORS),
    ("y = [v for v in a[0]]", VECTORS),
    ("y = list(range(a))", VECTORS),
]
"""What goes wrong for the axes and the dtypes of the operands: a trace sees it."""


def caught(body):
    return function_of(
        "def f(a, b):\n"
        "    try:\n"
        f"        {body}\n"
        "    except Exception as error:\n"
        "        return type(error).__name__, str(error), f'{error}!', list(map(str, error.args))\n"
        "    return 'nothing was raised'\n"
    )


def told(function, arguments):
    return function(*[np.array(each) if isinstance(each, np.ndarray) else each for each in arguments])


@pytest.mark.parametrize("as_argument", [np.array, rt.asarray])
@pytest.mark.parametrize(("body", "arguments"), OF_LENGTHS + OF_KINDS)
def test_it_is_numpys_error_where_lengths_are_known(body, arguments, as_argument):
    program = caught(body)
    found = ag.function(program)(*map(as_argument, arguments))
    assert _plainly(found) == told(program, arguments)


@pytest.mark.parametrize("executor", ["reference", "numpy", "native"])
@pytest.mark.parametrize(("body", "arguments"), OF_LENGTHS)
def test_it_is_numpys_error_where_only_the_run_knows_lengths(body, arguments, executor):
    if executor == "native":
        pytest.importorskip("llvmlite")
    program = caught(body)
    unknown = [rt.TensorSpec([None] * each.ndim, rt.float64) for each in arguments]
    found = ag.function(program, input_signature=unknown, executor=executor)(*map(np.array, arguments))
    name, text, shown, _ = told(program, arguments)
    assert _plainly(found)[:3] == (name, text, shown)


def test_its_text_goes_on_in_another_exception():
    def program(a, b):
        try:
            return a + b
        except ValueError as error:
            raise RuntimeError(f"no sum: {error}") from error

    for signature in (None, [rt.TensorSpec([None], rt.float64)] * 2):
        with pytest.raises(RuntimeError) as raised:
            ag.function(program, input_signature=signature)(*VECTORS)
        with pytest.raises(RuntimeError) as plain:
            program(*VECTORS)
        assert str(raised.value) == str(plain.value)


class Log:
    lines: list


@pytest.mark.parametrize("signature", [None, [rt.TensorSpec([None], rt.float64)] * 2])
def test_what_nobody_catches_says_the_line_and_leaves_what_python_leaves(signature):
    log = Log()
    log.lines = []

    def program(a, b):
        log.lines.append("begun")
        try:
            return a + b
        except ValueError as error:
            log.lines.append(str(error))
            raise

    with pytest.raises(rt.errors.ShapeError, match="do not broadcast together") as raised:
        ag.function(program, input_signature=signature)(*map(rt.asarray, VECTORS))
    assert "return a + b" in str(raised.value)
    assert log.lines == ["begun", "operands could not be broadcast together with shapes (2,) (3,) "]


@ag.do_not_convert
def left_alone(a, b):
    try:
        return a + b
    except ValueError as error:
        return str(error)


def test_an_array_says_of_a_lists_arguments_what_numpy_says():
    """Functions among them are nothing that NumPy could be asked with: other objects stand for these."""

    def ordered(rows):
        rows.sort(key=lambda row: row[0])
        return rows

    def told(rows):
        try:
            return ordered(rows)
        except TypeError as error:
            return str(error)

    for program in (ordered, told):
        ag.check(program, np.array([[3, 1], [2, 2]]), then=[([[3, 1], [2, 2]],)])


def test_what_numpy_says_of_a_function_alone_is_not_told():
    """It may be about the object that stands for the function: then the words are ours."""

    def applied(x):
        return np.sort(x, kind=lambda row: row)

    with pytest.raises(rt.errors.Error, match="kind"):
        ag.function(applied)(np.array([3, 1]))


def test_code_that_is_not_converted_sees_it_too():
    def program(a, b):
        return left_alone(a, b)

    assert ag.function(program)(*VECTORS) == program(*VECTORS)


def test_what_code_that_is_not_converted_lets_go_says_the_line():
    @ag.do_not_convert
    def summed(a, b):
        return a + b

    with pytest.raises(rt.errors.ShapeError, match="do not broadcast together"):
        ag.function(lambda a, b: summed(a, b))(*VECTORS)


def test_a_handler_is_not_entered_for_what_numpy_does():
    @ag.function(input_signature=[rt.TensorSpec([None], rt.float64)])
    def program(a):
        try:
            return 1 if a else 2
        except ValueError:
            return 3

    with pytest.raises(rt.errors.ShapeError, match="ambiguous"):
        program(np.ones(1))


def test_clauses_are_those_of_numpys_class():
    def program(a):
        try:
            y = a.sum(axis=4)
        except np.exceptions.AxisError as error:
            return error.axis, error.ndim, str(error)
        return y

    found = ag.function(program)(np.ones(3))
    assert (int(found[0]), int(found[1]), found[2]) == program(np.ones(3))


def _plainly(found):
    return found if isinstance(found, str) else (*found[:3], list(found[3]))


@pytest.mark.parametrize(
    "body",
    [
        "y = np.stack([a, b], axis=0)",
        "y = a[:2] + b",
        "y = np.add.outer(a, b) + a[None, :, None]",
        "y = a.reshape((4, 5))",
        "y = np.concatenate([a.astype(np.float32), b[None]])",
    ],
)
def test_a_graph_that_is_read_back_says_the_same(body):
    program = caught(body)
    unknown = [rt.TensorSpec([None], rt.float64)] * 2
    concrete = ag.function(program, input_signature=unknown).get_concrete_function()
    again = from_bytes(to_bytes(concrete.module))
    assert to_bytes(again) == to_bytes(concrete.module)
    found = concrete(*map(np.array, VECTORS))
    assert _plainly(found)[:2] == told(program, VECTORS)[:2]


@pytest.mark.parametrize(
    "name",
    [
        *("numpy.f2py.main", "numpy.f2py.compile", "numpy.test", "numpy.genfromtxt", "numpy.savetxt"),
        *("numpy.load", "numpy.fromfile", "numpy.testing.rundocs", "numpy.apply_along_axis"),
        *("numpy.add.__class__", "numpy.add", "operator.call", "operator.methodcaller"),
        *("array.tofile", "array.dump", "builtins.eval", "os.system", "numpy"),
    ],
)
def test_a_file_names_nothing_that_does_more_than_compute(name):
    found = read(WrittenCall(name))
    assert (None if found is None else found.function) is (np.add if name == "numpy.add" else None)


class Row:
    """Has no operators but one."""

    def __rsub__(self, other):
        return other


@pytest.mark.parametrize("body", ["row + v", "row += v", "v + row", "rows[0] *= v", "v - row", "row - v"])
def test_an_operand_without_an_operator_is_told_as_numpys_number_tells_it(body):
    kept = "y = " * ("=" not in body)
    program = function_of(
        f"def f(v):\n    row = Row()\n    rows = [row]\n    {kept}{body}\n    return 1.0", Row=Row
    )
    ag.check(program, np.float64(2.0), then=[(np.int64(2),)], executors=["numpy"])
