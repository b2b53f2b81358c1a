"""The function in C that a graph becomes: its arguments, its results, and what they are called.

A number is a number, but a complex one a pointer to it, and an array a pointer to its elements, which lie in
the order of their indices; each of its lengths that the graph does not know is an argument behind it, once,
however many arrays have it. Results go out through pointers: into memory of the caller, who knows how long
they are, or else into memory that the function makes. What the function gives is a status.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import PurePath

from autograph_base.dataclass import dataclass
from runtime.core.dims import SymbolicDim
from runtime.core.dtypes import DType, bool_, complex64, complex128
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.errors import CompileError, InvalidValue
from runtime.executors.native.c_library.reserved import KEYWORDS, TAKEN
from runtime.executors.native.forms import missing
from runtime.graph.location import UNKNOWN, Location

__all__ = [
    "Given",
    "Interface",
    "Memory",
    "Result",
    "checked_name",
    "placed",
]


class Memory(Enum):
    """Where the elements of a result go."""

    CALLERS = "of the caller"
    LIBRARYS = "of the library"
    ARGUMENTS = "of an argument"


@dataclass(frozen=True)
class Given:
    """An argument.

    Attributes
    ----------
    name : str
    spec : ArraySpec
    lengths : tuple of int or str
        A number, or the parameter that says it.
    own_lengths : tuple of str
        The parameters that stand behind this one.
    is_written : bool
        Whether the function writes into it.
    """

    name: str
    spec: ArraySpec
    lengths: tuple[int | str, ...]
    own_lengths: tuple[str, ...]
    is_written: bool


@dataclass(frozen=True)
class Result:
    """A result.

    Attributes
    ----------
    name : str
        The parameter through which it goes out.
    spec : Spec
        Of the output of the graph.
    lengths : tuple of int or str
        A number, or the parameter that says it: of an argument, or of the result.
    memory : Memory
    own_lengths : tuple of str
        The parameters through which lengths go out.
    """

    name: str
    spec: ArraySpec | ListSpec
    lengths: tuple[int | str, ...]
    memory: Memory
    own_lengths: tuple[str, ...] = ()

    @property
    def dtype(self) -> DType:
        """That of the elements."""
        return element(self.spec).dtype


@dataclass(frozen=True)
class Interface:
    """A function in C.

    Attributes
    ----------
    name : str
    given : tuple of Given
    results : tuple of Result
        One for each output of the graph.
    """

    name: str
    given: tuple[Given, ...]
    results: tuple[Result, ...]

    @classmethod
    def of(
        cls,
        name: str,
        inputs: Sequence[tuple[str, Spec]],
        outputs: Sequence[tuple[str, Spec]],
        written: Sequence[int],
        where: Location | None,
    ) -> Interface:
        """The function for inputs and outputs with their names.

        Parameters
        ----------
        name : str
        inputs, outputs : sequence of (str, Spec)
        written : sequence of int
            The inputs that get, in the end, what the last outputs are.
        where : Location or None
            The line to blame for what has no form in C.

        Raises
        ------
        CompileError
            When one of them has none.
        """
        names = _Names()
        named = [(names.fresh(each), _array(spec, f"the argument `{each}`", where)) for each, spec in inputs]
        known: dict[SymbolicDim, str] = {}
        given = []
        for index, (own, spec) in enumerate(named):
            lengths, new = [], []
            for axis, dim in enumerate(spec.shape or ()):
                if isinstance(dim, SymbolicDim) and dim not in known:
                    known[dim] = names.fresh(f"{own}_dim{axis}")
                    new.append(known[dim])
                lengths.append(known[dim] if isinstance(dim, SymbolicDim) else dim)
            given.append(Given(own, spec, tuple(lengths), tuple(new), index in written))
        returned = len(outputs) - len(written)
        results = [_result(names, each, spec, known, where) for each, spec in outputs[:returned]]
        for index, (_, held) in zip(written, outputs[returned:], strict=True):
            changed = given[index]
            assert isinstance(held, ArraySpec), "an array is written into"
            results.append(Result(changed.name, held, changed.lengths, Memory.ARGUMENTS))
        return cls(name, tuple(given), tuple(results))

    @property
    def complex_dtypes(self) -> list[DType]:
        """Those of arguments and results, in a fixed order."""
        dtypes = {given.spec.dtype for given in self.given} | {result.dtype for result in self.results}
        return [dtype for dtype in (complex64, complex128) if dtype in dtypes]

    def c_type(self, dtype: DType) -> str:
        """The type of a number in C; of a complex one, a type of the header's, which C++ calls otherwise."""
        if dtype is bool_:
            return "bool"
        if dtype.is_complex:
            return f"{self.name}_{dtype.name}"
        if dtype.is_floating:
            return "double" if dtype.itemsize == 8 else "float"
        return f"{dtype.name}_t"

    @property
    def has_library_memory(self) -> bool:
        """Whether a result is in memory that the function makes."""
        return any(result.memory is Memory.LIBRARYS for result in self.results)


def _result(
    names: _Names, name: str, spec: Spec, known: dict[SymbolicDim, str], where: Location | None
) -> Result:
    own = names.fresh(name)
    if isinstance(spec, ListSpec) and _has_form(spec):
        length = names.fresh(f"{own}_dim0")
        return Result(own, spec, (length,), Memory.LIBRARYS, (length,))
    array = _array(spec, f"the result `{name}`", where)
    shape = array.shape or ()
    if all(isinstance(dim, int) or dim in known for dim in shape):
        lengths = [dim if isinstance(dim, int) else known[dim] for dim in shape]
        return Result(own, array, tuple(lengths), Memory.CALLERS)
    lengths = [
        dim if isinstance(dim, int) else names.fresh(f"{own}_dim{axis}") for axis, dim in enumerate(shape)
    ]
    new = tuple([length for length in lengths if isinstance(length, str)])
    return Result(own, array, tuple(lengths), Memory.LIBRARYS, new)


def element(spec: ArraySpec | ListSpec) -> ArraySpec:
    """What is known of the elements of an array or of a list of numbers."""
    if isinstance(spec, ArraySpec):
        return spec
    assert isinstance(spec.element, ArraySpec), "it is of numbers"
    return spec.element


def _has_form(spec: ArraySpec | ListSpec) -> bool:
    """Whether C has a type for the elements of an array, or of a list of numbers."""
    return not missing(spec) and (isinstance(spec, ArraySpec) or element(spec).is_scalar)


def _array(spec: Spec, what: str, where: Location | None) -> ArraySpec:
    if isinstance(spec, ArraySpec) and spec.shape is None:
        raise CompileError(
            f"{what} has no form in C: its rank is not known",
            where=where,
            why="An array is a pointer there, and the lengths of its axes.",
            way_out='Give its spec a shape: `rt.TensorSpec((None, None), "float64")`.',
        )
    if not isinstance(spec, ArraySpec) or not _has_form(spec):
        raise CompileError(
            f"{what} has no form in C: it is {spec if isinstance(spec, ArraySpec) else spec.noun}",
            where=where,
            why="Bool, int8 to int64, uint8 to uint64, float32, float64, complex64 and complex128 have one, "
            "and arrays of these.",
            way_out="Compute with numbers of these.",
        )
    return spec


# ── names ──

_OURS = re.compile(r"ag_|function_|llvm")


def checked_name(name: str, found: str) -> str:
    """What the function is called: the name that is given, or that of the graph.

    Raises
    ------
    ValueError
        When it can be no name in C.
    """
    wanted = name or found
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", wanted) and wanted not in TAKEN and not _OURS.match(wanted):
        return wanted
    is_known = wanted in TAKEN or _OURS.match(wanted)
    raise InvalidValue(
        f"{wanted!r} cannot be the name of a function in C",
        why="There is one of that name already."
        if is_known
        else "It is made of letters, digits and underscores.",
        way_out='Give it another: `compile_library(…, name="step")`.',
    )


class _Names:
    """The names of parameters: each is one in C, and there once."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def fresh(self, wanted: str) -> str:
        name = _identifier(wanted)
        found, number = name, 2
        while found in self._used:
            found, number = f"{name}_{number}", number + 1
        self._used.add(found)
        return found


def _identifier(text: str) -> str:
    """A text as a name in C: ``state['x'][0]`` becomes ``state_x_0``."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "value"
    if name[0].isdigit():
        name = f"value_{name}"
    return f"{name}_" if name in KEYWORDS or name in {"NULL", "errno", "assert"} else name


# ── places ──


def placed(location: Location) -> Iterator[str]:
    """A line of the user's, as lines of a message: the file without its folder."""
    if location is not UNKNOWN:
        yield from (
            location.describe().replace(location.filename, PurePath(location.filename).name).splitlines()
        )
