"""One suite over the registry: whatever is registered as an op is tested here, by its own samples.

One test per op goes over all its samples; where it fails, it says of which: its inputs, and the fields.
"""

import inspect
from contextlib import nullcontext

import numpy as np
import pytest

import runtime as rt
from runtime.core.dims import name_of, named
from runtime.core.shapes import contains
from runtime.core.shapes import substitute as substitute_shape
from runtime.errors import Error
from runtime.graph.op import FRESH, REGISTRY, Effects
from runtime.ops.families import Elementwise, Family
from runtime.ops.scalars import SCALARS
from tests.ops.cases import CASES, as_tuple, assert_same, assert_same_values, bad_inputs, hidden, quiet

ALL_OPS = list(REGISTRY.values())
FAMILY_OPS = [op for op in ALL_OPS if issubclass(op, Family)]

every_op = pytest.mark.parametrize("kind", ALL_OPS, ids=lambda op: op.__name__)
every_op_of_a_family = pytest.mark.parametrize("kind", FAMILY_OPS, ids=lambda op: op.__name__)


def every_case(holds):
    """What is required of a case becomes a test per op, of all its cases: one takes less than pytest does."""
    of_ops = {}
    for case in filter(holds, CASES):
        of_ops.setdefault(case.kind.__name__, []).append(case)

    def decorate(require):
        @pytest.mark.parametrize("cases", of_ops.values(), ids=of_ops)
        def test(cases):
            for case in cases:
                try:
                    require(case)
                except BaseException as error:
                    error.add_note(f"of the case {case.name}")
                    raise

        return test

    return decorate


# ── each sample ──


@every_case(lambda case: case.has_kernel)
def test_the_kernel_keeps_what_the_op_promises(case):
    before = [np.copy(each) if isinstance(each, np.ndarray) else each for each in case.operands]
    outcome = case.by_kernel()
    assert type(outcome.error) is (case.raises or type(None))
    if Effects.WRITES not in case.op.effects:
        assert_same_values(case.operands, before)
    if case.raises:
        return
    assert_gives_what_infer_says(case, outcome.results)
    if case.is_of_arrays and not case.op.effects:
        assert_same(case.with_operands([array[()] for array in case.operands]).by_kernel(), outcome)
        if all(isinstance(spec, rt.ArraySpec) for spec in as_tuple(case.op.infer(*case.specs))):
            assert_same(case.by_eager_code(), outcome)
    if case.is_of_arrays:
        assert_lies_where_the_op_says(case, outcome.results)
    if case.op.scalar:
        assert_is_the_scalar_function_of_each_element(case, *outcome.results)


def assert_gives_what_infer_says(case, results):
    """Dtypes and shapes are those inferred; from less known, less is."""
    inferred = as_tuple(case.op.infer(*case.specs))
    for result, spec in zip(results, inferred, strict=True):
        if isinstance(spec, rt.ArraySpec):
            array = np.asarray(result)
            assert array.dtype == spec.dtype.numpy
            assert contains(spec.shape, array.shape)
    for level in ("dims", "rank"):
        less = as_tuple(case.op.infer(*hidden(case.specs, level)))
        assert all(spec.contains(exact) for spec, exact in zip(less, inferred, strict=True))


def assert_lies_where_the_op_says(case, results):
    """No result lies in the memory of an operand that the op does not name; what is fresh is writeable."""
    aliases = case.op.aliases(*case.specs)
    if aliases is None:
        return
    assert aliases <= set(range(len(case.operands)))
    foreign = [array for place, array in enumerate(case.operands) if place not in aliases]
    if aliases == FRESH:
        foreign += case.by_kernel().results
    for index, result in enumerate(results):
        if isinstance(result, np.ndarray) and result.ndim:
            assert not any(np.shares_memory(result, other) for other in foreign)
            if aliases == FRESH:
                assert result.flags.writeable
                assert not any(np.shares_memory(result, other) for other in results[:index])


def assert_is_the_scalar_function_of_each_element(case, result):
    """Bit for bit, where the function is exact."""
    function = SCALARS[case.op.scalar]
    assert_same_values([result], [function.meaning(*case.operands)])
    dtypes = [rt.as_dtype(array.dtype) for array in case.operands]
    if function.takes(dtypes) and function.is_exact(dtypes[-1]):
        each = zip(*[array.ravel() for array in np.broadcast_arrays(*case.operands)], strict=True)
        one_by_one = np.array([function.meaning(*elements) for elements in each], result.dtype)
        assert one_by_one.tobytes() == np.ascontiguousarray(result).tobytes()


@every_case(lambda case: case.has_kernel)
def test_bad_inputs_raise_only_what_the_op_says_and_warn_only_where_it_must_wait(case):
    for level in ("known", "dims", "rank"):
        specs = hidden(case.specs, level)
        try:
            node = case.node(specs)
        except Error:  # the op takes none of which so little is known
            continue
        allowed, early = tuple(case.op.raises(*specs)), case.op.may_run_early(*specs)
        assert not (early and (allowed or case.op.effects))
        with nullcontext() if early else quiet():  # warnings are errors here
            for operands in bad_inputs(case, level):
                error = case.with_operands(operands).raised(node)
                assert error is None or isinstance(error, allowed), f"{error!r}\non {operands}\nof {specs}"


@every_case(lambda case: True)
def test_a_graph_gives_what_the_kernel_gives(case):
    for level in ("known",) if case.op.regions else ("known", "dims"):
        specs = hidden(case.specs, level)
        reference = case.by("reference", specs)
        if case.has_kernel:
            assert_same(reference, case.by_kernel())
        assert_same(case.by("numpy", specs), reference)


# ── each op ──


@every_op
def test_every_op_has_samples_of_all_its_fields(kind):
    samples = list(kind.samples)
    assert samples or kind.__name__ == "Placeholder", (
        "an input of a graph: every sample of the others has some"
    )
    assert all(set(sample.attributes) == set(kind.fields) for sample in samples)
    assert kind.__doc__


@every_op
def test_some_sample_shows_the_memory_that_an_op_may_share(kind):
    shared = {
        index
        for case in CASES
        if case.kind is kind and case.has_kernel and case.is_of_arrays and not case.raises
        for index in case.op.aliases(*case.specs) or ()
    }
    for index in shared:
        assert any(case.shares(index) for case in CASES if case.kind is kind)


@every_op_of_a_family
def test_every_op_says_how_tensorflow_writes_it(kind):
    assert kind.graphdef or kind.to_graphdef or kind.why_no_graphdef


@every_op_of_a_family
def test_ops_are_equal_when_their_fields_are(kind):
    made, again = ([kind(**sample.attributes) for sample in kind.samples] for _ in range(2))
    assert made == again
    assert set(map(hash, made)) == set(map(hash, again))
    assert len(set(made)) == len(set(map(repr, made)))


def test_an_elementwise_op_names_its_scalar_function_or_is_composed_of_several():
    composed = {kind.__name__ for kind in FAMILY_OPS if issubclass(kind, Elementwise) and not kind.scalar}
    assert composed == {"Relu", "LeakyRelu", "Elu", "Sigmoid", "Softplus", "Rsqrt", "Round", "PythonRound"}


def _named_by_axis(specs):
    """Each axis has a length of its own."""
    return [
        [named(f"x{place}.{axis}") for axis in range(len(spec.shape))] for place, spec in enumerate(specs)
    ]


def _named_by_length(specs):
    """Axes of one length, but for 1, have the same one."""
    return [[length if length == 1 else named(f"n{length}") for length in spec.shape] for spec in specs]


@every_case(lambda case: case.is_of_arrays and case.has_kernel and not case.raises)
def test_what_is_inferred_of_named_lengths_holds_for_the_true_ones(case):
    for shapes in (_named_by_axis(case.specs), _named_by_length(case.specs)):
        assert_holds_for_the_true_lengths(case, shapes)


def assert_holds_for_the_true_lengths(case, shapes):
    symbolic = [spec.with_shape(tuple(shape)) for spec, shape in zip(case.specs, shapes, strict=True)]
    lengths = {
        name_of(dim): length
        for spec, shape in zip(case.specs, shapes, strict=True)
        for dim, length in zip(shape, spec.shape, strict=True)
        if not isinstance(dim, int)
    }
    inferred = as_tuple(case.op.infer(*symbolic))
    for spec, exact in zip(inferred, as_tuple(case.op.infer(*case.specs)), strict=True):
        found = spec
        if isinstance(spec, rt.ArraySpec):
            found = spec.with_shape(substitute_shape(spec.shape, lengths))
        assert found.contains(exact), f"{case.op} of {[str(each) for each in symbolic]} is no {spec}"


# ── each public function ──

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
