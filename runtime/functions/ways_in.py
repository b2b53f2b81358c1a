"""`WaysIn`: quicker ways into a graph, for calls that are like one before."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import is_
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime.core.spec import Spec
from runtime.core.structure import containers_in
from runtime.core.tensor import EAGER, Array, Tensor
from runtime.executors.program import NEXT, Given
from runtime.functions.alike import NONE_RETURNED, Inside, serving
from runtime.functions.external_state import Guards
from runtime.functions.fast_key import FastKey
from runtime.functions.key import ZeroDimSpec
from runtime.functions.laid_out import is_no_argument, laid_out
from runtime.functions.results import finished, made_of_arrays
from runtime.functions.signature import Arguments
from runtime.functions.trace import OUTPUT
from runtime.functions.written import NotApart, Stopped
from runtime.graph.op import Const

if TYPE_CHECKING:
    from runtime.functions.concrete import ConcreteFunction

__all__ = ["WaysIn"]

_EXACT = frozenset((int, bool, str, bytes, type(None)))
"""Classes of which equal objects are one to a graph."""
_MOST_WAYS = 100
"""Keys of arguments for which a way in is kept that is written for these."""


class WaysIn:
    """The quicker ways into one graph.

    Parameters
    ----------
    concrete : ConcreteFunction

    Attributes
    ----------
    asked_first : Guards or None
        What has to hold in front of a call of the last way in, which may look at it itself.
    """

    def __init__(self, concrete: ConcreteFunction) -> None:
        self.asked_first: Guards | None = concrete.guards
        self._concrete = concrete
        self._of_keys: dict[FastKey, Callable[..., Any] | None] = {}
        self._of_objects: dict[tuple[object, ...], Callable[..., Any] | None] = {}

    def quicker(
        self,
        args: Sequence[Any],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
        served: ctypes.c_ssize_t | None = None,
    ) -> Callable[..., Any] | None:
        """A quicker way in for calls like one with these arguments; None where there is none.

        Those by name come in the order of the parameters. It gives None for a call that is to go the other
        way, and says in `served` when it gives something else. Who calls it asks `asked_first` first.
        """
        concrete = self._concrete
        self.asked_first = concrete.guards
        served = ctypes.c_ssize_t() if served is None else served
        known_result = self._known_result()
        if known_result is not None:
            names = {"served": served, "known_result": known_result}
            return serving(args, kwargs, names, ["served.value = 1", "result = known_result()"])
        return self._of_program((*args, *kwargs.values()), tuple(kwargs), served)

    def _of_program(
        self, args: tuple[Any, ...], names: tuple[str, ...], served: ctypes.c_ssize_t
    ) -> Callable[..., Any] | None:
        """The program's own way in, whose last arguments have `names`."""
        concrete, trace, written = self._concrete, self._concrete.trace, self._concrete.trace.written
        laid = laid_out(args)
        if laid is None:
            return None
        flat, nests, order = laid
        positions = tuple([at for at in order if _is_input(type(flat[at]))])
        known = {at: flat[at] for at in order if at not in positions}
        if trace.inputs or len(positions) != len(concrete.inputs) or not trace.returns:
            return None
        if trace.effects is not None and trace.effects.blueprints.needs_arguments:
            return None
        leaves = trace.flat_leaves if trace.effects is None and not trace.changes_outside else None
        if not all(type(each) in _EXACT or (type(each) is float and each) for each in known.values()):
            return None
        outside = concrete.guards.identities() if concrete.guards is not None else ()
        if nests and (outside is None or not all(map(is_no_argument, outside))):
            return None
        is_told = written.unknown or written.in_rows or written.compared or written.changes_array
        lent = not (is_told or concrete.keeps_inputs or concrete.may_meet_arrays)
        first = len(concrete.graph.outputs) - len(written.inputs)
        back = {first + number: index for number, index in enumerate(written.inputs)} if lent else {}
        specs = [leaf for leaf in concrete.key.leaves if isinstance(leaf, Spec)]
        cells = frozenset([index for index, spec in enumerate(specs) if isinstance(spec, ZeroDimSpec)])
        is_tuple = trace.structure.kind is tuple
        returned = [NEXT if leaf is OUTPUT else leaf for leaf in leaves or ()]
        if returned == [None] and not is_tuple:
            returned = [NONE_RETURNED]
        quick = concrete.program.quicker(
            Given(
                concrete.tensors,
                len(args),
                positions,
                known,
                nests,
                lent,
                cells,
                names,
                back,
                tuple(returned),
                is_tuple,
                outside or (),
                served,
                None if leaves is not None else finished(trace, concrete.tensors, first),
            )
        )
        if outside is not None:
            self.asked_first = None
        return quick

    def of_key(
        self,
        key: FastKey,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        served: ctypes.c_ssize_t,
        plainly: Callable[[ConcreteFunction, tuple[Any, ...], dict[str, Any], Stopped], Any],
    ) -> Callable[..., Any] | None:
        """As `quicker`, for any program: what is like these arguments, of such a key, need not be sorted out.

        `plainly` makes the call where the graph has raised, and Python is to say what becomes of it.
        """
        concrete = self._concrete
        self.asked_first = guards = concrete.guards
        if key in self._of_keys:
            return self._of_keys[key]
        holds_others = any(True for _ in containers_in((tuple(args), dict(kwargs))))
        if holds_others and (concrete.writes_tensors(0) or (guards is not None and guards.containers)):
            return None  # what is in them may be a tensor, and they may be among what it reads
        if concrete.generators:
            return None  # which are lent to each run

        run = _running(concrete, lambda *_: concrete.entering(), None, served, plainly)
        if len(self._of_keys) >= _MOST_WAYS:
            self._of_keys.clear()
        way = self._of_keys[key] = serving(args, kwargs, {"run": run}, _RUNS)
        return way

    def on_objects(
        self,
        arguments: Arguments,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        served: ctypes.c_ssize_t,
        plainly: Callable[[ConcreteFunction, tuple[Any, ...], dict[str, Any], Stopped], Any],
    ) -> Callable[..., Any] | None:
        """As `of_key`, for objects that are taken apart, and for containers that come in with any length.

        What was read outside is looked at in the call.

        `arguments` are `args` and `kwargs` as they were sorted out.
        """
        concrete = self._concrete
        form = arguments.structure, *map(type, arguments.given)
        if form in self._of_objects:
            return self._of_objects[form]
        bound, named = arguments.nest
        given = (*args, *kwargs.values())
        in_order = len(bound) == len(given) and all(map(is_, bound, given)) and not named
        is_as_given = in_order or (len(bound) == len(args) and [*named] == [*kwargs])
        if not is_as_given or arguments.structure.shares or concrete.compares_arguments:
            return None
        if arguments.lent or arguments.promised or not all(map(_is_usual, arguments.any_length)):
            return None

        def nest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            return ((*args, *kwargs.values()), {}) if in_order else (args, kwargs)

        guards = concrete.guards
        outside = {*arguments.whole, *(() if guards is None else (*guards.containers, *guards.instances))}

        def entering(lent: int, containers: Sequence[Any], nests: Sequence[Any]) -> Sequence[Tensor] | None:
            if concrete.writes_tensors(lent) or not _are_apart(containers, nests, outside):
                return None
            return concrete.loaded(containers) if concrete.looks_outside else ()

        run = _running(concrete, entering, nest, served, plainly)
        known = concrete.key.leaves, concrete.trace.apart, frozenset(outside), arguments.whole
        inside = Inside(*known, frozenset(arguments.entering))
        if len(self._of_objects) >= _MOST_WAYS:
            self._of_objects.clear()
        way = self._of_objects[form] = serving(args, kwargs, {"run": run}, _RUNS, inside)
        return way

    def _known_result(self) -> Callable[[], Any] | None:
        """What gives the result where the graph computes nothing; None where it does."""
        concrete, trace = self._concrete, self._concrete.trace
        if trace.effects is not None or not trace.returns or trace.inputs or trace.captures:
            return None
        if trace.changes_outside or trace.makes_variables or concrete.tells_arrays:
            return None
        if (
            not all(isinstance(node.op, Const) for node in concrete.optimised_graph.nodes)
            or concrete.variables
        ):
            return None
        if not concrete.graph.outputs:
            return partial(made_of_arrays(trace, concrete.tensors), ())
        return partial(concrete.run_arrays, []) if not concrete.graph.inputs else None


_RUNS = [
    "result = run({arrays}, {lent}, {args}, {kwargs}, {entering}, {nests})",
    "if result is None: return None",
]
"""What a way in does that `_running` has made."""


def _running(
    concrete: ConcreteFunction,
    entering: Callable[[int, Sequence[Any], Sequence[Any]], Sequence[Tensor] | None],
    nest: Callable[[tuple[Any, ...], dict[str, Any]], Any] | None,
    served: ctypes.c_ssize_t,
    plainly: Callable[[ConcreteFunction, tuple[Any, ...], dict[str, Any], Stopped], Any],
) -> Callable[..., Any]:
    """What runs a graph for a call that need not be sorted out, or gives None for one that does.

    `entering` gives the inputs from outside, or None, for arrays of which some are lent, containers that come
    in, and others; `nest` the arguments as the function gets them, where it changes any.
    """

    def run(
        arrays: list[Array],
        lent: int,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        containers: Sequence[Any],
        nests: Sequence[Any],
    ) -> Any:
        outside = entering(lent, containers, nests)
        if outside is None:
            return None
        try:
            result = concrete.run_arrays(arrays, lent, outside, None if nest is None else nest(args, kwargs))
            stopped = None
        except NotApart:
            return None
        except Stopped as raised:
            stopped = raised  # and no context of what Python raises
        served.value = 1
        if stopped is not None:
            result = plainly(concrete, args, kwargs, stopped)
        return NONE_RETURNED if result is None else result

    return run


def _is_usual(container: Any) -> bool:
    """Whether a container that comes in is one like all of its class."""
    return type(container) in {list, dict}


def _are_apart(containers: Sequence[Any], nests: Sequence[Any], outside: Collection[int]) -> bool:
    """Whether lists in lists that come in have no other names: among the arguments, and outside."""
    rows = [each for each in containers if type(each) is list and each and type(each[0]) is list]
    if not rows:
        return True
    inside = [*map(id, chain.from_iterable(rows))]
    names = {*inside}
    return len(names) == len(inside) and names.isdisjoint(outside) and names.isdisjoint(map(id, nests))


def _is_input(kind: type[Any]) -> bool:
    """Whether what is of a class is an input of a graph, and not a part of its key."""
    return kind in EAGER or kind is np.ndarray or issubclass(kind, np.generic)
