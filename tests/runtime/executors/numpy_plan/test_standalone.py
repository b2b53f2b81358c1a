"""Programs that `to_python` prints: read by people, and run without this project."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import runtime as rt
from runtime import ArraySpec, ops
from runtime.core.dims import UNKNOWN
from runtime.errors import ExportError
from runtime.executors.base import choose
from runtime.executors.numpy_plan.standalone import to_python
from runtime.graph.build import bind
from runtime.graph.builder import Builder
from runtime.graph.module import Module
from runtime.graph.op import REGISTRY, Effects, Op
from tests.golden.plans import examples
from tests.runtime.executors.tracing import traced

FOLDER = Path(examples.__file__).parent
RANDOM = {examples.noise}

RUNNER = """
import sys
from pathlib import Path

import numpy as np

assert not any("runtime" in name or "autograph" in name for name in sys.modules)
given = np.load(sys.argv[2])
for path in Path(sys.argv[1]).glob("*.py"):
    namespace = {"__name__": path.stem}
    exec(compile(path.read_text(), path, "exec"), namespace)
    arguments = [given[key] for key in sorted(given) if key.startswith(f"{path.stem} in")]
    results = namespace[path.stem](*arguments)
    results = results if isinstance(results, tuple) else (results,)
    wanted = [given[key] for key in sorted(given) if key.startswith(f"{path.stem} out")]
    assert len(results) == len(wanted), path
    for result, expected in zip(results, wanted):
        assert (np.asarray(result).dtype, np.shape(result)) == (expected.dtype, expected.shape), path
        assert np.array_equal(result, expected, equal_nan=True), path
    print(path.stem, "agrees")
"""


def arguments_for(specs):
    generator = np.random.default_rng(5)
    shapes = [tuple(dim if isinstance(dim, int) else 3 for dim in spec.shape) for spec in specs]
    return [
        generator.integers(1, 3, shape).astype(spec.dtype.numpy)
        for shape, spec in zip(shapes, specs, strict=True)
    ]


@pytest.mark.parametrize("example", examples.EXAMPLES, ids=lambda example: example.__name__)
def test_a_program_reads_as_the_golden_file_says(example, golden):
    examples.counter.assign(0.0)
    text = to_python(Module(traced(example, *examples.EXAMPLES[example])))
    golden(FOLDER / f"{example.__name__}.txt", text)


def test_programs_give_the_same_results_where_this_project_is_not(tmp_path, capsys):
    programs, arrays = tmp_path / "programs", {}
    programs.mkdir()
    for example, specs in examples.EXAMPLES.items():
        if example in RANDOM:
            continue
        name, arguments = example.__name__, arguments_for(specs)
        examples.counter.assign(0.0)
        graph = traced(example, *specs)
        (programs / f"{name}.py").write_text(to_python(Module(graph)))
        results = choose("reference").compile(Module(graph)).run(arguments)
        arrays |= {f"{name} in{index}": array for index, array in enumerate(arguments)}
        arrays |= {f"{name} out{index}": array for index, array in enumerate(results)}
    capsys.readouterr()
    np.savez(tmp_path / "arrays.npz", **arrays)
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER, programs, tmp_path / "arrays.npz"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("agrees") == len(examples.EXAMPLES) - len(RANDOM)
    assert "counter is" in done.stdout


def namespace_of(function, *specs):
    namespace = {}
    exec(to_python(Module(traced(function, *specs))), namespace)
    return namespace


def test_a_variable_keeps_its_state_between_calls_of_the_program():
    examples.counter.assign(10.0)
    program = namespace_of(examples.effects, *examples.EXAMPLES[examples.effects])["effects"]
    examples.counter.assign(0.0)
    assert [program(1.0), program(2.0)] == [12.0, 32.0]
    assert examples.counter.numpy() == 0.0


def test_a_program_takes_python_numbers_and_lists():
    program = namespace_of(lambda x, y: x * y, ArraySpec((UNKNOWN,), rt.float32), ArraySpec((), rt.float32))
    result = program["lambda_"]([1, 2], 3)
    assert (result.dtype, result.tolist()) == (np.float32, [3.0, 6.0])


def test_a_program_edits_lists_as_the_graph_does():
    def edits(x, i):
        items = ops.list_insert(ops.list_append(ops.list_from([x, 2]), 3), i, 9)
        place = ops.list_position(items, i, "list index out of range")
        rest = bind(ops.TensorListErase(), ops.list_slice(items, slice(None, None, -1)), place)
        both = ops.list_extend(rest, bind(ops.TensorListSelect(), items, [1, 0]))
        matches = bind(ops.TensorListMatches(), both, 9)
        first = bind(ops.TensorListFound("{} is not in list"), matches, 9)
        wide = ops.list_append(ops.list_set(both, place, 7), 0.5)
        return (
            ops.list_stack(wide),
            ops.list_get(items, place),
            first,
            bind(ops.TensorListSame(), both, items),
        )

    graph = traced(edits, ArraySpec((), rt.int64), ArraySpec((), rt.int64))
    namespace = {}
    exec(to_python(Module(graph)), namespace)
    arguments = [np.asarray(1), np.asarray(-1)]
    for found, wanted in zip(
        namespace["edits"](1, -1), choose("reference").compile(Module(graph)).run(arguments), strict=True
    ):
        np.testing.assert_array_equal(found, wanted)
    with pytest.raises(IndexError, match=r"^list index out of range$"):
        namespace["edits"](1, 7)


def test_a_program_casts_lists_in_lists():
    def cast(x):
        whole = ops.list_from([ops.list_from([x, 2])])
        return ops.list_stack(ops.list_get(ops.list_append(whole, ops.list_from([x / 2])), 0))

    graph = traced(cast, ArraySpec((), rt.int64))
    namespace = {}
    exec(to_python(Module(graph)), namespace)
    result = namespace["cast"](1)
    assert (result.dtype, result.tolist()) == (np.float64, [1.0, 2.0])


def test_a_seeded_stream_starts_anew():
    one, other = (namespace_of(examples.noise, *examples.EXAMPLES[examples.noise])["noise"] for _ in range(2))
    first = one(1.0)
    np.testing.assert_array_equal(first, other(1.0))
    assert not np.array_equal(first, one(1.0))


def test_a_failed_check_is_an_assertion_error_of_the_programs_own():
    namespace = namespace_of(examples.effects, *examples.EXAMPLES[examples.effects])
    with pytest.raises(AssertionError, match="x must be positive") as caught:
        namespace["effects"](-1.0)
    assert type(caught.value) is namespace["CheckFailed"]


def test_what_only_works_here_is_refused_with_the_users_line():
    class Telephone(Op):
        @property
        def effects(self):
            return Effects.PRINTS

        def infer(self, x):
            return x

        kernel = print

    del REGISTRY["Telephone"]
    builder = Builder("f")
    x = builder.input(ArraySpec((), rt.float64), "x")
    graph = builder.finish([builder.add(Telephone(), [x]).outputs[0]])
    with pytest.raises(
        ExportError, match=r"`Telephone` cannot be written(?s:.)*only works inside this process"
    ):
        to_python(Module(graph))


def test_names_of_users_that_mean_something_in_python_are_changed():
    def f(np, len, del_, x):
        sum = np + len
        return sum * rt.sum(x) + del_

    scalar = ArraySpec((), rt.float64)
    program = namespace_of(f, scalar, scalar, scalar, ArraySpec((2,), rt.float64))["f"]
    assert program(1.0, 2.0, 3.0, [1.0, 1.0]) == 9.0
