"""One suite over the registry: whatever is registered as an op is tested here, by its own samples."""

import inspect

import numpy as np
import pytest

import runtime as rt
from runtime.core.shapes import contains
from runtime.core.tensor import Tensor
from runtime.executors.base import choose
from runtime.graph.build import bind_all, building
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY
from runtime.graph.symbol import Symbol
from runtime.ops.families import Elementwise, Family
from runtime.ops.scalars import SCALARS

FAMILY_OPS = [op for op in REGISTRY.values() if issubclass(op, Family)]
OF_OTHER_SUITES = {
    *("Const", "Placeholder", "PrintV2", "Assert"),
    *("If", "While", "Call", "RecursiveCall", "UnpackLength"),
    *("Raise", "Reraise", "Check", "CheckDivisor", "Require"),
    *("Try", "NewCell", "Checkpoint", "Evaluated", "NoError", "Caught"),
    *("ReadVariableOp", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"),
}
"""Ops whose operands are graphs, variables, text or exceptions: samples of arrays say nothing of them."""

every_op = pytest.mark.parametrize("kind", FAMILY_OPS, ids=lambda op: op.__name__)


def samples_of(kind):
    for sample in kind.samples:
        yield kind(**sample.attributes), sample.arrays


def specs_of(arrays):
    return [rt.ArraySpec(array.shape, rt.as_dtype(array.dtype)) for array in arrays]


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def run_kernel(op, arrays):
    rt.random.set_seed(0)
    return as_tuple(op.kernel(*arrays))


def assert_same(results, expected):
    assert len(results) == len(expected)
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other), strict=True)


@every_op
def test_the_kernel_gives_what_infer_says(kind):
    for op, arrays in samples_of(kind):
        inferred = as_tuple(op.infer(*specs_of(arrays)))
        for result, spec in zip(run_kernel(op, arrays), inferred, strict=True):
            array = np.asarray(result)
            assert array.dtype == spec.dtype.numpy
            assert contains(spec.shape, array.shape)


@every_op
def test_the_kernel_takes_numpy_scalars(kind):
    for op, arrays in samples_of(kind):
        assert_same(run_kernel(op, [array[()] for array in arrays]), run_kernel(op, arrays))


@every_op
def test_the_kernel_changes_no_operand(kind):
    for op, arrays in samples_of(kind):
        before = [array.copy() for array in arrays]
        run_kernel(op, arrays)
        assert_same(arrays, before)


@every_op
def test_results_lie_in_the_memory_of_the_operands_that_the_op_names(kind):
    for op, arrays in samples_of(kind):
        aliases = op.aliases(*specs_of(arrays))
        results, again = run_kernel(op, arrays), run_kernel(op, arrays)
        for result in filter(np.ndim, results):
            foreign = [array for index, array in enumerate(arrays) if index not in aliases]
            assert not any(np.shares_memory(result, other) for other in foreign)
            if not aliases:
                assert result.flags.writeable
                assert not any(np.shares_memory(result, other) for other in again)


@pytest.mark.parametrize("kind", [op for op in FAMILY_OPS if op.scalar], ids=lambda op: op.__name__)
def test_a_kernel_applies_the_scalar_function_to_each_element(kind):
    function = SCALARS[kind.scalar]
    for op, arrays in samples_of(kind):
        (result,) = run_kernel(op, arrays)
        assert_same([result], [function.meaning(*arrays)])
        dtypes = [rt.as_dtype(array.dtype) for array in arrays]
        if function.takes(dtypes) and function.is_exact(dtypes[-1]):
            each = zip(*[array.ravel() for array in np.broadcast_arrays(*arrays)], strict=True)
            one_by_one = np.array([function.meaning(*elements) for elements in each], result.dtype)
            assert one_by_one.tobytes() == np.ascontiguousarray(result).tobytes()


def test_an_elementwise_op_names_its_scalar_function_or_is_composed_of_several():
    composed = {kind.__name__ for kind in FAMILY_OPS if issubclass(kind, Elementwise) and not kind.scalar}
    assert composed == {"Relu", "LeakyRelu", "Elu", "Sigmoid", "Softplus", "Rsqrt", "Round"}


@pytest.mark.parametrize("hide", [lambda shape: (None,) * len(shape), lambda shape: None])
@every_op
def test_less_known_of_the_operands_means_less_known_of_the_result(kind, hide):
    for op, arrays in samples_of(kind):
        known = as_tuple(op.infer(*specs_of(arrays)))
        hidden = as_tuple(op.infer(*[spec.with_shape(hide(spec.shape)) for spec in specs_of(arrays)]))
        assert len(hidden) == len(known)
        assert all(spec.contains(exact) for spec, exact in zip(hidden, known, strict=True))


@every_op
def test_eager_code_gives_what_the_kernel_gives(kind):
    for op, arrays in samples_of(kind):
        rt.random.set_seed(0)
        assert_same(bind_all(op, *[Tensor(array) for array in arrays]), run_kernel(op, arrays))


@pytest.mark.parametrize("executor", ["reference", "numpy"])
@every_op
def test_a_graph_gives_what_the_kernel_gives(kind, executor):
    for op, arrays in samples_of(kind):
        builder = Builder("f")
        unknown = [spec.with_shape((None,) * len(spec.shape)) for spec in specs_of(arrays)]
        with building(builder):
            outputs = bind_all(op, *[Symbol(builder.input(spec)) for spec in unknown])
        graph = builder.finish([output.value for output in outputs])
        run = choose(executor).compile(Module(graph)).run
        rt.random.set_seed(0)
        assert_same(run(list(arrays)), run_kernel(op, arrays))


@every_op
def test_every_op_states_its_facets(kind):
    assert list(kind.samples)
    assert kind.__doc__
    assert kind.graphdef or kind.to_graphdef or kind.why_no_graphdef
    assert all(set(sample.attributes) == set(kind.fields) for sample in kind.samples)


@every_op
def test_ops_are_equal_when_their_fields_are(kind):
    made = [op for op, _ in samples_of(kind)]
    assert made == [op for op, _ in samples_of(kind)]
    assert {hash(op) for op in made} == {hash(op) for op, _ in samples_of(kind)}
    assert len(set(made)) == len({repr(op) for op in made})


def test_every_op_is_of_a_family_or_has_a_suite_of_its_own():
    others = {name for name, op in REGISTRY.items() if not issubclass(op, Family)}
    assert {name for name in others if not name.startswith("TensorList")} == OF_OTHER_SUITES


FUNCTIONS = {
    f"{space}{name}": function
    for space, module in (("", rt), ("fft.", rt.fft), ("linalg.", rt.linalg), ("random.", rt.random))
    for name in module.__all__
    if inspect.isfunction(function := getattr(module, name)) and function.__module__.startswith("runtime.ops")
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_every_public_function_has_the_agreed_sections(function):
    text = inspect.getdoc(function)
    sections = ["Parameters\n----------", "Notes\n-----", "Examples\n--------"]
    if function.__annotations__["return"] != "None":
        sections.insert(1, "Returns\n-------")
    places = [text.find(section) for section in sections]
    assert -1 not in places
    assert places == sorted(places)
    assert text.splitlines()[0].endswith(".")
    assert "Semantics:" in text
