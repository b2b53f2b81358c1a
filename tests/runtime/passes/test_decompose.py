"""Every op on its samples, and random graphs: written in core ops, they give the same bits."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import runtime as rt
from runtime.core.dims import UNKNOWN
from runtime.core.spec import ArraySpec
from runtime.graph.builder import Builder
from runtime.graph.op import REGISTRY
from runtime.graph.parser import from_text
from runtime.graph.printer import resources_of, to_text
from runtime.graph.verify import verify
from runtime.ops.families import Family
from runtime.passes.decompose import decompose, is_core
from tests.runtime.executors.random_graphs import cases
from tests.runtime.passes.equivalence import assert_same, outcome

GRAPHS = Path(__file__).parents[2] / "golden" / "graphs" / "core"
SAMPLED = [kind for kind in REGISTRY.values() if issubclass(kind, Family)]
CHECKED = [
    kind
    for kind in REGISTRY.values()
    if kind not in SAMPLED
    and kind.decompose is not None
    and all(isinstance(each, np.ndarray) for sample in kind.samples for each in sample.arrays)
]
"""Those of no family, which mostly look whether values are what they have to be."""


def samples_of(kind):
    for sample in kind.samples:
        yield kind(**sample.attributes), [np.asarray(array) for array in sample.arrays]


def graph_of(op, arrays, shape_of):
    builder = Builder("sample")
    for array in arrays:
        builder.input(ArraySpec(shape_of(array), rt.as_dtype(array.dtype)), "x")
    graph = builder.finish(list(builder.add(op, builder.inputs).outputs))
    return graph


HIDDEN = [lambda array: array.shape, lambda array: (UNKNOWN,) * array.ndim, lambda _: None]
"""What is known of a shape: all of it, the number of axes, nothing."""


@pytest.mark.parametrize("kind", SAMPLED)
def test_an_op_written_in_core_ops_gives_the_same_bits(kind):
    for number, (op, arrays) in enumerate(samples_of(kind)):
        for shape_of in HIDDEN if number % 6 == 0 else HIDDEN[:1]:
            graph = graph_of(op, arrays, shape_of)
            core = decompose(graph)
            assert is_core(core)
            verify(core)
            if not op.effects:
                assert outcome(core, arrays) == outcome(graph, arrays)
            if number == 0:
                text = to_text(core)
                assert to_text(from_text(text, objects=resources_of(core))) == text


@pytest.mark.parametrize("kind", CHECKED)
def test_a_check_written_in_core_ops_gives_or_raises_the_same(kind):
    for op, arrays in samples_of(kind):
        graph = graph_of(op, arrays, lambda array: array.shape)
        core = decompose(graph)
        assert is_core(core)
        verify(core)
        assert given_or_raised(core, arrays) == given_or_raised(graph, arrays)


def given_or_raised(graph, arrays):
    try:
        return outcome(graph, arrays)
    except Exception as error:  # noqa: BLE001  # whatever it is, both have it
        return type(error)


def shown_of(kind):
    """The op on its first sample of real numbers, with unknown dims, and what it is written in."""
    samples = list(samples_of(kind))
    plain = [sample for sample in samples if not any(array.dtype.kind == "c" for array in sample[1])]
    graph = graph_of(*(plain or samples)[0], HIDDEN[1])
    return f"== {kind.__name__}\n{to_text(graph)}\n=>\n{to_text(decompose(graph))}\n"


FAMILIES = sorted({kind.__module__ for kind in SAMPLED if not kind.is_core})


@pytest.mark.parametrize("family", FAMILIES)
def test_ops_are_written_as_the_file_of_their_family_shows(family, golden):
    kinds = [kind for kind in SAMPLED if kind.__module__ == family and not kind.is_core]
    name = family.removeprefix("runtime.ops.").replace(".", "_")
    golden(GRAPHS / f"{name}.txt", "\n".join(map(shown_of, kinds)))


def test_the_core_is_small():
    assert {name for name, kind in REGISTRY.items() if kind.is_core} == {
        *("Placeholder", "Const", "Map", "Reduce", "Scan", "Dot"),
        *("AffineMap", "Reshape", "DynamicReshape", "Gather", "Scatter", "ConcatV2", "Iota", "Length"),
        "Nonzero",
        *("If", "While", "Call", "RecursiveCall", "HostCall", "RaisingCall", "PrintV2", "PyFunc"),
        *("Try", "NewCell", "Checkpoint", "Evaluated", "NoError", "Caught", "CaughtForm"),
        "AboutCall",
        *("Raise", "Reraise", "Check"),
        *("ReadVariableOp", "AssignVariableOp"),
        *("TensorListReserve", "TensorListLength", "TensorListGetItem", "TensorListSetItem"),
        *("TensorListPushBack", "TensorListErase", "TensorListFromTensor", "TensorListStack"),
        *("TensorListConcat", "TensorListPlace"),
        "WholeOf",
    }


def test_what_stays_a_call_of_numpy():
    calls = set()
    for kind in SAMPLED:
        op, arrays = next(samples_of(kind))
        core = decompose(graph_of(op, arrays, HIDDEN[0]))
        calls |= {node.op.function for node in core.nodes if node.op.name == "HostCall"}
    assert calls == {
        *("Cholesky", "Eig", "Eigvals", "Eigvalsh", "LeastSquares", "LogMatrixDeterminant"),
        *(
            "MatrixDeterminant",
            "MatrixInverse",
            "MatrixSolve",
            "Qr",
            "SelfAdjointEigV2",
            "SingularValues",
            "Svd",
        ),
        *("FourierTransform", "FourierTransforms", "DynamicFourierTransforms"),
        *("Sort", "ArgSort", "Partition", "ArgPartition"),
        *("Unique", "IsIn", "SearchSorted", "Median", "Quantile", "Histogram"),
        *("Convolve", "Correlate", "Interp", "PowMod", "Frexp", "ForeignUfunc", "Bitcast"),
        *("PythonBest", "PythonOrder", "ReduceAt", "RoundedOnce"),
        *("RandomChoice", "RandomExponential", "RandomGamma", "RandomPermutation", "RandomPoisson"),
        *("RandomStandardNormal", "RandomUniform", "RandomUniformInt"),
        *("FoldIn", "SplitKey", "NextKey", "StartStream", "CheckedParameter"),
        *("BroadcastArgs", "Range", "RangeInto"),  # a range of a step that only the run knows
    }


@given(cases())
def test_a_random_graph_written_in_core_ops_gives_the_same_bits(case):
    core = decompose(case.graph)
    assert is_core(core)
    verify(core)
    assert_same(case.graph, core)


def test_graphs_inside_are_written_in_core_ops_too():
    graph = from_text(
        """
        n: i64[]
        x: f32[?]
        a = Const(0, dtype=i64)
        b = Less(n, a)
        c = If(b, x, then_branch=then, else_branch=orelse)
            then:
                x: f32[?]
                a = Softmax(x)
                return a
            orelse:
                x: f32[?]
                return x
        return c
        """
    )
    core = decompose(graph)
    assert is_core(core)
    assert not is_core(graph)


@pytest.mark.parametrize(
    ("dtype", "step"),
    [
        *[(dtype, step) for dtype in ("int8", "int64", "float64") for step in (1, 3, 100, -1, -7, -128)],
        *[("uint8", step) for step in (1, 3, 100)],
    ],
)
def test_a_range_by_a_known_step_has_as_many_numbers_as_numpy_says(dtype, step):
    spec = ArraySpec((), rt.as_dtype(dtype))
    builder = Builder("counted")
    start, limit = builder.input(spec, "start"), builder.input(spec, "limit")
    numbers = builder.add(REGISTRY["Range"](), [start, limit, builder.constant(np.array(step, dtype))])
    graph = builder.finish(list(numbers.outputs))
    core = decompose(graph)
    assert is_core(core)
    assert "HostCall" not in core.ops
    for first, last in [(0, 0), (0, 1), (5, 0), (1, 60), (60, 1), (0, 127), (3, 4)]:
        if dtype != "uint8" or first <= last:
            ends = [np.array(first, dtype), np.array(last, dtype)]
            assert outcome(core, ends) == outcome(graph, ends)
