"""Every form of every operator, direct, reflected and in place: tensors with tensors, arrays and numbers."""

import operator

import numpy as np
import pytest

import autograph as ag
import runtime as rt
from runtime.errors import NoConcreteValue
from runtime.functions.polymorphic import PolymorphicFunction

ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"]
BITS = ["and", "or", "xor", "lshift", "rshift"]
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]
UNARY = ["__pos__", "__neg__", "__abs__", "__invert__"]
X = np.array([[1, 2], [3, 4]])
OTHERS = {
    "tensor": lambda: rt.asarray([[2, 1], [1, 2]]),
    "array": lambda: np.array([[2, 1], [1, 2]]),
    "variable": lambda: rt.Variable([[2, 1], [1, 2]]),
    "list": lambda: [[2, 1], [1, 2]],
    "int": lambda: 2,
    "bool": lambda: True,
    "float": lambda: 2.5,
    "scalar": lambda: np.int64(2),
    "small scalar": lambda: np.int8(2),
    "small array": lambda: np.array([[2, 1]], np.int8),
}


def of_numpy(name):
    return getattr(operator, {"and": "and_", "or": "or_"}.get(name, name))


def outcome(function, *arguments):
    """What a call gives, or the kind of its error."""
    try:
        return function(*arguments)
    except (TypeError, ValueError) as error:
        return TypeError if isinstance(error, TypeError) else ValueError


def same(found, expected):
    if isinstance(expected, type):
        assert found is expected
    else:
        assert isinstance(found, rt.Tensor)
        np.testing.assert_array_equal(found, expected, strict=True)


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("name", ARITHMETIC + BITS)
def test_direct_reflected_and_in_place_forms_give_what_arrays_give(name, other):
    function, in_place = of_numpy(name), getattr(operator, f"i{name}")
    operand = other()
    plain = operand if isinstance(operand, (list, bool, int, float, np.generic)) else np.asarray(operand)
    x = rt.asarray(X)
    expected, turned = outcome(function, X, plain), outcome(function, plain, X)
    same(outcome(function, x, operand), expected)
    same(outcome(function, operand, x), turned)
    same(outcome(in_place, x, operand), expected)
    same(outcome(PolymorphicFunction(lambda x: function(x, operand)), x), expected)
    same(outcome(PolymorphicFunction(lambda x: function(operand, x)), x), turned)
    written = outcome(in_place, X.copy(), plain)  # in a graph an array keeps its dtype, as NumPy's own do
    if name == "matmul" and isinstance(written, type):
        written = expected  # an error, too, of another kind
    same(outcome(PolymorphicFunction(lambda x: in_place(x, operand)), x), written)
    assert x.tolist() == X.tolist()


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_give_what_arrays_give_from_either_side(name, other):
    function, operand, x = of_numpy(name), other(), rt.asarray(X)
    plain = operand if isinstance(operand, (list, bool, int, float, np.generic)) else np.asarray(operand)
    same(function(x, operand), function(X, plain))
    same(function(operand, x), function(plain, X))
    same(PolymorphicFunction(lambda x: function(operand, x))(x), function(plain, X))


def test_every_form_that_the_standard_names_is_there():
    forms = [f"__{form}{name}__" for name in ARITHMETIC + BITS for form in ("", "r", "i")]
    forms += [f"__{name}__" for name in COMPARISONS] + UNARY
    forms += ["__bool__", "__int__", "__float__", "__complex__", "__index__", "__getitem__", "__setitem__"]
    forms += ["__array_namespace__", "__dlpack__", "__dlpack_device__", "to_device"]
    properties = ["T", "mT", "device", "dtype", "ndim", "shape", "size"]
    for value in (rt.asarray(X), rt.Variable(X)):
        for form in forms:
            assert callable(getattr(value, form)), form
        for name in properties:
            assert hasattr(value, name), name


@pytest.mark.parametrize("name", ARITHMETIC + BITS)
def test_forms_leave_other_classes_their_turn(name):
    x = rt.asarray(X)
    for value in (None, "text", object(), {}, {1}):
        for form in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            assert getattr(x, form)(value) is NotImplemented
        with pytest.raises(TypeError):  # text times a tensor asks for an index, as with an array
            of_numpy(name)(x, value)

    class Mine:
        pass

    setattr(Mine, f"__r{name}__", lambda _self, _left: "mine")
    assert of_numpy(name)(x, Mine()) == "mine"
    assert getattr(operator, f"i{name}")(x, Mine()) == "mine"


def test_eager_in_place_forms_rebind_in_the_promoted_dtype_and_shape_and_graphs_refuse_another_shape():
    def grow(x):
        x += np.array([[0.5], [1.5]])
        return x

    x = np.array([1.0, 2.0])
    same(grow(rt.asarray(x)), x + np.array([[0.5], [1.5]]))
    with pytest.raises(ValueError, match="in place, as in NumPy"):
        ag.function(grow)(rt.asarray(x))

    before = after = rt.asarray(np.float32(1))
    after += rt.asarray(np.float64(1))
    assert (before.dtype, after.dtype) == (rt.float32, rt.float64)


@pytest.mark.parametrize("kind", [bool, int, float, complex, operator.index])
@pytest.mark.parametrize(
    "value",
    [True, 3, np.uint8(3), 1.5, 0.0, -0.0, np.nan, np.inf, 1 + 2j, [1], [1.5], [[True]], [1, 2], []],
    ids=str,
)
def test_a_tensor_becomes_a_python_number_where_an_array_does(kind, value):
    def converted(x):
        try:
            return repr(kind(x))
        except (TypeError, ValueError, OverflowError) as error:
            return next(each for each in (TypeError, ValueError, OverflowError) if isinstance(error, each))

    expected = converted(np.asarray(value))
    assert converted(rt.asarray(value)) == expected
    assert converted(rt.Variable(value)) == expected
    assert type(kind(rt.asarray(1))) is type(kind(1))


@pytest.mark.parametrize("kind", [bool, int, float, complex, operator.index])
def test_a_tensor_of_a_graph_is_no_python_number(kind):
    with pytest.raises(NoConcreteValue, match="only exists when the graph runs"):
        PolymorphicFunction(lambda x: kind(x))(rt.asarray(1))


def test_an_element_is_in_a_tensor_where_it_is_in_an_array():
    for item in (3, 9, 3.0, np.int8(2), [1, 2], np.array([[1], [4]])):
        assert (item in rt.asarray(X)) is (item in X)
    assert 7 not in rt.asarray([])
    assert None not in rt.asarray(X)
    with pytest.raises(NoConcreteValue):
        PolymorphicFunction(lambda x: 3 in x)(rt.asarray(X))


def test_transposes(check):
    check(lambda x: x.T, X, gives=X.T)
    check(lambda x: x.mT, np.arange(24).reshape(2, 3, 4), gives=np.arange(24).reshape(2, 3, 4).mT)
    check(lambda x: x.T, np.arange(24).reshape(2, 3, 4), gives=np.arange(24).reshape(2, 3, 4).T)
    check(lambda x: x.T, X[0], gives=X[0])
    for shape in [(), (2,)]:
        with pytest.raises(ValueError, match=r"`\.mT` of "):
            rt.zeros(shape).mT


@pytest.mark.parametrize("sequence", [[0, 1], (1, [2]), []], ids=repr)
def test_an_integer_has_a_list_or_a_tuple_several_times_as_numpys_does(sequence):
    n, number = rt.asarray(3), np.int64(3)
    assert sequence * n == sequence * number
    assert n * sequence == number * sequence
    assert rt.asarray(-1) * [1] == []


def test_a_list_that_is_repeated_in_place_stays_the_list():
    items = again = [1, 2]
    items *= rt.asarray(2)
    assert items is again
    assert items == [1, 2, 1, 2]


@pytest.mark.parametrize("number", [np.float64(2.0), np.bool_(True), np.complex64(1.0)], ids=repr)
def test_no_other_number_is_multiplied_with_a_list(number):
    for multiplied in (lambda x: [1, 2] * x, lambda x: x * (1, 2)):
        with pytest.raises(TypeError) as plain:
            multiplied(number)
        with pytest.raises(TypeError) as ours:
            multiplied(rt.asarray(number))
        assert str(ours.value) == str(plain.value)


def test_with_axes_a_list_is_an_array():
    assert (rt.asarray([1, 2]) * [3, 4]).tolist() == [3, 8]
    assert ([3, 4] * rt.asarray([[1], [2]])).tolist() == [[3, 4], [6, 8]]
