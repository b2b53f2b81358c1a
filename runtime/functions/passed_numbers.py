"""Which of Python's numbers among the arguments of a function come in as inputs of its graphs, and how.

::

    f(x, 3), f(x, 4)    ⇒   a graph for 3, and one for 4
    f(x, 5)             ⇒   a graph for every int
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core.written import as_written
from runtime.functions.alike import parameters_text
from runtime.functions.key import Key, PassedSpec
from runtime.functions.signature import Arguments
from runtime.functions.varied import VariedPlaces

__all__ = ["AsNumPys", "PassedNumbers"]


class PassedNumbers:
    """What a function has found of the numbers of Python's that it is passed, by where they are.

    A number has a graph for each value until a third one comes; then it is an input. One with which the
    function cannot be traced so, as it is the length of a list of lists or the number of an axis, has a graph
    for each value as before.
    """

    def __init__(self) -> None:
        self._places = VariedPlaces()

    def see(self, arguments: Arguments) -> None:
        """Takes in the numbers of a call in which objects are taken apart to look at them alone."""
        key = arguments.key
        for index in arguments.of_objects.intersection(key.numbers()):
            self._places.meet(arguments.paths[index], key.leaves[index], is_of_object=True)

    def key_for(self, key: Key, paths: Sequence[str], of_objects: Collection[int] = ()) -> Key | None:
        """What takes such arguments with other numbers, too; None where each is to be a constant.

        Parameters
        ----------
        key : Key
            Of a call that no graph serves.
        paths : sequence of str
            Where the leaves of the arguments are.
        of_objects : collection of int
            The leaves that are attributes of objects which are others in each call.
        """
        numbers = [(index, paths[index]) for index in key.numbers()]
        for index, path in numbers:
            self._places.meet(path, key.leaves[index], is_of_object=index in of_objects)
        varied = {index for index, path in numbers if path in self._places.inputs}
        return key.with_passed(varied) if varied else None

    def fail(self, key: Key, paths: Sequence[str]) -> None:
        """Takes in that the function was traced with numbers as they are, and could not be for such a key."""
        self._places.fail([paths[index] for index in key.passed()])


class AsNumPys:
    """Calls in which numbers of Python's give way to those of NumPy's, as machine code takes them.

    Parameters
    ----------
    numbers : mapping of int or str to type
        The classes of numbers, by the positions and the names of the arguments that they are.
    """

    def __init__(self, numbers: Mapping[int | str, type]) -> None:
        self._numbers = numbers

    @classmethod
    def of(
        cls, arguments: Arguments, key: Key, names: Sequence[str], given: int, named: Collection[str]
    ) -> AsNumPys | None:
        """Those with the numbers of a key; None where one is in a container, or is not given by the call.

        Parameters
        ----------
        arguments : Arguments
        key : Key
            Of the graph.
        names : sequence of str
            What the parameters are called.
        given : int
            How many arguments were given by position.
        named : collection of str
            Those that were given by name.
        """
        numbers: dict[int | str, type] = {}
        args, kwargs = arguments.structure.children
        leaf = 0
        for place, (name, child) in enumerate(zip(names, (*args.children, *kwargs.children), strict=True)):
            spec = key.leaves[leaf] if child.kind is None else None
            if isinstance(spec, PassedSpec) and (place < given or name in named):
                numbers[place if place < given else name] = spec.number
            leaf += child.leaf_count
        return cls(numbers) if len(numbers) == len(key.passed()) else None

    def lowered(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with numbers of NumPy's in the places of Python's."""
        return self._mapped(args, kwargs, lambda value, kind: _NUMPYS[kind](value))

    def raised(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments as the program has passed them."""
        return self._mapped(args, kwargs, lambda value, kind: kind(value))

    def _mapped(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], change: Callable[[Any, type], Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        def changed(place: int | str, value: Any) -> Any:
            return change(value, self._numbers[place]) if place in self._numbers else value

        return (
            tuple([changed(place, value) for place, value in enumerate(args)]),
            {name: changed(name, value) for name, value in kwargs.items()},
        )

    def in_front_of(
        self, quick: Callable[..., Any], count: int, named: Collection[str]
    ) -> Callable[..., Any] | None:
        """What takes numbers of Python's, and hands NumPy's to `quick`; it gives None for all others.

        None where a parameter has a name that is needed for that.

        Parameters
        ----------
        quick : callable
        count : int
            How many arguments there are by position.
        named : collection of str
            Those that there are by name.
        """
        names: dict[str, Any] = {"quick": quick, "missing": object(), "int_": np.int64, "float_": np.float64}
        parameters = parameters_text(count, named, names)
        if parameters is None:
            return None
        tests, given = ["rest", "others"], list[str]()
        for place in (*range(count), *named):
            text = f"a{place}" if isinstance(place, int) else place
            kind = self._numbers.get(place)
            if kind is not None:
                tests.append(_TESTS[kind].format(text))
            value = text if kind is None else f"{kind.__name__}_({text})"
            given.append(value if isinstance(place, int) else f"{place}={value}")
        lines = [
            f"def serve({parameters}):",
            f"    if {' or '.join(tests)}: return None",
            f"    return quick({', '.join(given)})",
        ]
        return as_written("serve", "\n".join(lines), "<runtime plan as written>", names)


_NUMPYS: Mapping[type, Callable[[Any], Any]] = {int: np.int64, float: np.float64}
_TESTS: Mapping[type, str] = {
    int: f"type({{0}}) is not int or not {-(2**63)} <= {{0}} < {2**63}",
    float: "type({0}) is not float",
}
"""What says that something is no number of a class, or has no room in a graph."""
