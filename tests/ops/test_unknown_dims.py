"""Over the registry: `infer` says of unknown dims what can be said, and what it refuses never fits."""

import itertools

import numpy as np
import pytest

import runtime as rt
from runtime.core.dims import named
from runtime.core.shapes import join, written
from runtime.errors import Error
from runtime.graph.op import REGISTRY
from runtime.ops.families import Family

FAMILY_OPS = [op for op in REGISTRY.values() if issubclass(op, Family)]
every_op = pytest.mark.parametrize("kind", FAMILY_OPS, ids=lambda op: op.__name__)

LENGTHS = (0, 1, 2, 3, 8)
HIDDEN = 30
"""Ways in which dims are hidden, for each sample."""

KEEP_WHAT_IS_KNOWN = {
    "TensorStridedSliceUpdate",
    "AdvancedUpdate",
    "TensorScatterUpdate",
    "Scatter",
}
"""Updates: the shape of a tensor is not read from what is written into it."""


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def samples_of(kind):
    """An op and the specs of its operands, once for samples that differ in dtype alone."""
    seen = set()
    for sample in kind.samples:
        op = kind(**sample.attributes)
        shapes = tuple(array.shape for array in sample.arrays)
        if (op, shapes) not in seen:
            seen.add((op, shapes))
            yield op, [rt.ArraySpec(array.shape, rt.as_dtype(array.dtype)) for array in sample.arrays]


def with_dims(specs, dims):
    """The specs with other lengths of some axes: `dims` says which, by operand and axis."""
    return [
        spec.with_shape(tuple(dims.get((index, axis), dim) for axis, dim in enumerate(spec.shape)))
        for index, spec in enumerate(specs)
    ]


def inferred(op, specs):
    """The shapes of the results; None where the op refuses."""
    try:
        return [spec.shape for spec in as_tuple(op.infer(*specs))]
    except Error:
        return None


def without_names(found):
    """Shapes with None for what is not known."""
    return None if found is None else [written(shape) for shape in found]


def hidden_places(specs):
    """The dims that are hidden: each, each two, and all."""
    places = [(index, axis) for index, spec in enumerate(specs) for axis in range(len(spec.shape))]
    counts = range(1, min(len(places), 2) + 1)
    chosen = itertools.chain([places] if places else [], *[itertools.combinations(places, n) for n in counts])
    return list(itertools.islice(dict.fromkeys(map(tuple, chosen)), HIDDEN))


def all_that_fits(op, specs, places):
    """What the results have in common, over all lengths of the hidden dims that the op takes."""
    lengths = [dict.fromkeys((specs[index].shape[axis], *LENGTHS)) for index, axis in places]
    found = None
    for dims in itertools.islice(itertools.product(*lengths), 600):
        shapes = inferred(op, with_dims(specs, dict(zip(places, dims, strict=True))))
        if shapes is not None:
            found = shapes if found is None else [join(*pair) for pair in zip(found, shapes, strict=True)]
    return found


@every_op
def test_what_is_known_of_the_result_is_all_that_can_be_known(kind):
    if kind.__name__ in KEEP_WHAT_IS_KNOWN:
        return
    for op, specs in samples_of(kind):
        for places in hidden_places(specs):
            if len(places) > 4:  # their lengths are too many to try
                continue
            unknown = with_dims(specs, {place: named(f"n{index}") for index, place in enumerate(places)})
            hidden, fitting = inferred(op, unknown), all_that_fits(op, specs, places)
            assert without_names(hidden) == without_names(fitting), f"{op} of {unknown}"


def resized(array, shape):
    return np.resize(array, shape) if array.size else np.ones(shape, array.dtype)


TAKE_MORE_THAN_THEY_SAY = {
    "AdvancedUpdate": "NumPy takes any mask without elements",
    "BooleanMask": "NumPy takes any mask without elements",
    "Bincount": "NumPy looks at no weights where there is nothing to count",
    "FourierTransform": "NumPy reads beyond the end of an empty axis: it is refused before the kernel",
    "FourierTransforms": "NumPy reads beyond the end of an empty axis: it is refused before the kernel",
    "TensorScatterUpdate": "the kernel repeats updates that broadcast to their places",
    "Unpack": "the kernel gives as many as there are, and `infer` counts them",
}


@every_op
def test_shapes_that_are_refused_before_the_run_are_refused_by_the_kernel(kind):
    if kind.__name__ in TAKE_MORE_THAN_THEY_SAY:
        return
    for sample in kind.samples:
        op = kind(**sample.attributes)
        for index, array in enumerate(sample.arrays):
            for axis, length in itertools.product(range(array.ndim), (0, 1, 4)):
                shape = (*array.shape[:axis], length, *array.shape[axis + 1 :])
                arrays = [*sample.arrays[:index], resized(array, shape), *sample.arrays[index + 1 :]]
                if (
                    inferred(op, [rt.ArraySpec(each.shape, rt.as_dtype(each.dtype)) for each in arrays])
                    is None
                ):
                    with pytest.raises((ValueError, IndexError)):
                        op.kernel(*arrays)
