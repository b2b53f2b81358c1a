"""The parameters of a function, and the arguments of a call: a structure, tensors and Python values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from types import FunctionType
from typing import Any

import numpy as np

from autograph_base.dataclass import dataclass
from runtime.core.instances import NOTHING_APART, TakenApart
from runtime.core.spec import ArraySpec, Spec, TensorSpec, as_array_spec
from runtime.core.structure import (
    Structure,
    changing_containers_in,
    containers_in,
    flatten,
    flatten_shared,
    leaf_paths,
    level_of,
    unflatten,
)
from runtime.core.taken_apart import instances_in, taken_apart
from runtime.core.tensor import Tensor, as_array
from runtime.errors import DTypeError, ShapeError, SignatureError
from runtime.functions.callables import is_written_in_python, signature_of
from runtime.functions.key import ContainerKey, Key, ZeroDimSpec, key_of_lent, leaf_key, tensor_leaf
from runtime.functions.stand_ins import is_generator
from runtime.graph.build import as_tensor, current_builder

__all__ = ["ADAPTERS", "Arguments", "Parameters", "adapted"]


def _items(input_signature: Any, name: str) -> tuple[Any, ...]:
    """What an `input_signature` says, parameter by parameter."""
    if isinstance(input_signature, Sequence) and not isinstance(input_signature, str):
        return tuple(input_signature)
    raise SignatureError(
        f"input_signature of {name}() is {input_signature!r}, which is no sequence",
        why="It has an item for each parameter.",
        way_out="Put it into a list: `input_signature=[…]`.",
    )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


@dataclass
class Arguments:
    """The arguments of one call, in canonical order."""

    leaves: list[Any]
    structure: Structure
    paths: list[str]
    promised: tuple[ArraySpec, ...] = ()
    """What an input signature says of some leaves, which may be wider than they are."""
    first_promised: int = 0
    """The leaf where the input signature starts: behind `self`."""
    nest: Any = None
    """Positional and keyword arguments, as they were given."""
    given: Sequence[Any] = ()
    """The leaves as the caller has them: arrays of NumPy's in the place of tensors."""
    whole: Collection[int] = ()
    """The ids of objects that the function has from outside, too, and so are no containers of arguments."""
    lends: bool = False
    """Whether generators of random numbers may be others in the next call."""
    entering: Mapping[int, Any] = field(default_factory=dict)
    """The containers of any length among the leaves, by their ids: what each holds, as a place."""
    instances: Mapping[int, Any] = field(default_factory=dict)
    """The instances that are taken apart, by their ids."""
    apart: TakenApart = NOTHING_APART
    """Which are, where they lead to nothing that leads back to them, and what of them is looked at."""

    @property
    def containers(self) -> list[Any]:
        """The containers among them, instances that are taken apart included."""
        with taken_apart(self.instances, self.apart):
            return [*containers_in(self.nest, self.whole)]

    @property
    def of_objects(self) -> frozenset[int]:
        """The leaves that are in instances which are taken apart."""
        return frozenset(self.structure.leaves_of_instances()) if self.instances else frozenset()

    @property
    def objects(self) -> list[Any]:
        """The containers, arrays of NumPy's, generators and sets that a function may find elsewhere, too.

        Some are there twice: a list of any length is a container as well.
        """
        arrays = [each for each in self.given if isinstance(each, np.ndarray) and id(each) not in self.whole]
        return [*self.containers, *arrays, *self.lent.values(), *self.any_length]

    @property
    def generators(self) -> dict[int, Any]:
        """The generators of random numbers for which others may stand, by the leaves that they are."""
        return {index: leaf for index, leaf in self.lent.items() if type(leaf) is not set}

    @property
    def lent(self) -> dict[int, Any]:
        """These, and the sets for which a copy may stand."""
        if not self.lends:
            return {}
        return {
            index: leaf
            for index, leaf in enumerate(self.leaves)
            if id(leaf) not in self.whole and (is_generator(leaf) or type(leaf) is set)
        }

    @property
    def key(self) -> Key:
        """What of them decides the graph."""
        start, end = self.first_promised, self.first_promised + len(self.promised)
        own = list(map(leaf_key, self.leaves))
        for index, given in enumerate(self.given):
            if type(given) is np.ndarray and not given.ndim and id(given) not in self.whole:
                own[index] = ZeroDimSpec((), self.leaves[index].dtype)
        known: dict[int, Any] = {}
        for index, leaf in self.lent.items():
            if id(leaf) not in known:
                known[id(leaf)] = key_of_lent(leaf, len(known))
            own[index] = known[id(leaf)] or own[index]
        for index, leaf in enumerate(self.leaves) if self.entering else ():
            if id(leaf) in self.entering:
                own[index] = ContainerKey(self.entering[id(leaf)])
        return Key(self.structure, (*own[:start], *self.promised, *own[end:]))

    @property
    def any_length(self) -> list[Any]:
        """The containers of any length, in the order of the leaves."""
        return [leaf for leaf in self.leaves if id(leaf) in self.entering]

    def refuse_specs(self, name: str) -> None:
        """A call takes values; specs are for `get_concrete_function`."""
        for leaf, path in zip(self.leaves, self.paths, strict=True):
            if isinstance(leaf, TensorSpec):
                raise SignatureError(
                    f"argument `{path}` of {name}() is a spec, which has no value",
                    details=[f"{path}: {leaf!r}"],
                    why="A call runs the graph, on tensors.",
                    way_out=f"Call {name}() with a tensor, or {name}.get_concrete_function() with specs.",
                )

    @property
    def tensors(self) -> list[Tensor]:
        """The leaves that are inputs of the graph."""
        return [leaf for leaf in self.leaves if isinstance(leaf, Tensor)]

    def inputs(self, key: Key) -> list[Tensor]:
        """The inputs of a graph that was made for `key`."""
        if not key.has_numbers or self._are_tensors:
            return self.tensors
        return [
            leaf if isinstance(leaf, Tensor) else Tensor(np.asarray(leaf, as_array_spec(spec).dtype.numpy))
            for leaf, spec in zip(self.leaves, key.leaves, strict=True)
            if isinstance(spec, Spec)
        ]

    def given_as(self, key: Key) -> list[Any]:
        """What the caller has in the place of each input of a graph that was made for `key`."""
        if not key.has_numbers or self._are_tensors:
            pairs = zip(self.given, self.leaves, strict=True)
            return [given for given, leaf in pairs if isinstance(leaf, Tensor)]
        return [given for given, spec in zip(self.given, key.leaves, strict=True) if isinstance(spec, Spec)]

    @property
    def _are_tensors(self) -> bool:
        """Whether these are the inputs of a graph, and nothing is told of the parameters."""
        return self.structure.kind is tuple and not self.structure.children

    def rebuilt(self, leaves: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """``args, kwargs`` with other leaves."""
        args, kwargs = unflatten(self.structure, leaves)
        return args, kwargs


ADAPTERS: dict[type, Callable[[Any], Any]] = {}
"""What becomes of an argument where the signature has a container of a class that stands for one value."""


def adapted(value: Any, structure: Structure) -> Any:
    """An argument with what a caller has for such containers of a signature turned into them."""
    if structure.kind in ADAPTERS:
        return ADAPTERS[structure.kind](value)
    level = level_of(value)
    if level is None or not structure.children or level[0].kind is not structure.kind:
        return value
    if len(level[1]) != len(structure.children):
        return value
    children = [adapted(*pair) for pair in zip(level[1], structure.children, strict=True)]
    unchanged = all(one is other for one, other in zip(children, level[1], strict=True))
    return value if unchanged else level[0].build(children)


def _as_given(before: Sequence[Any], converted: Sequence[Any], leaves: Sequence[Any]) -> list[Any]:
    """The leaves of converted arguments, as far as possible as they were before."""
    given: list[Any] = []
    for one, other in zip(before, converted, strict=True):
        (own, form), (new, form_now) = flatten(one), flatten(other)
        given += own if form == form_now else new
    return [*given, *leaves[len(given) :]]


def _may_share(structure: Structure) -> bool:
    """Whether there are two containers among arguments, which may be one."""
    args, kwargs = structure.children
    outermost = [each for each in (*args.children, *kwargs.children) if each.kind is not None]
    return len(outermost) > 1 or any(child.kind is not None for each in outermost for child in each.children)


def _held_once(
    entering: Mapping[int, Any], leaves: Sequence[Any], nest: Any, whole: Collection[int]
) -> dict[int, Any]:
    """Those containers of any length that are in no other, with all that is in them and may change."""
    times = Counter([id(leaf) for leaf in leaves if id(leaf) in entering])
    found = {key: place for key, place in entering.items() if times[key] == 1}
    inside = {key: [*map(id, changing_containers_in(place.owner))][1:] for key, place in found.items()}
    if not any(inside.values()):
        return found
    times = Counter(map(id, changing_containers_in(nest)))
    return {
        key: place
        for key, place in found.items()
        if all(times[each] == 1 and each not in whole for each in inside[key])
    }


def _has_no_end(value: Any) -> bool:
    """Whether an argument holds itself, as the nodes of a tree do that know their parents."""
    try:
        flatten(value)
    except RecursionError:
        return True
    return False


class Parameters:
    """The parameters of a Python function, and how its arguments become `Arguments`.

    Parameters
    ----------
    function : callable
    input_signature : nest of TensorSpec, optional
        One for each parameter but `self`: arguments are converted to these specs, and every call runs one
        graph.
    lends : bool
        Whether its graphs serve all generators of random numbers of a kind: they draw when they run.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        input_signature: Sequence[Any] | None = None,
        *,
        lends: bool = False,
    ) -> None:
        self.lends = lends
        self.name = getattr(function, "__name__", type(function).__name__)
        self.function = function
        self.signature = signature_of(function)
        self.input_signature = None if input_signature is None else _items(input_signature, self.name)
        parameters = list(self.signature.parameters.values())
        self.positional = [
            p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        self.is_plain = len(self.positional) == len(parameters)
        """Whether a call with as many positional arguments as parameters needs no sorting out."""
        self._has_defaults = is_written_in_python(function)
        self.skipped = int(input_signature is not None and self.positional[:1] == ["self"])
        """Arguments in front of those that `input_signature` is about."""
        self._promised = self._promised_specs()

    def _promised_specs(self) -> tuple[ArraySpec, ...]:
        if self.input_signature is None:
            return ()
        self._check_signature()
        return tuple([leaf.plain for leaf in flatten(self.input_signature)[0]])

    def _check_signature(self) -> None:
        leaves, _ = flatten(self.input_signature)
        for leaf in leaves:
            if not isinstance(leaf, TensorSpec):
                raise SignatureError(
                    f"input_signature of {self.name}() holds {leaf!r}, which is no TensorSpec",
                    why="It says the shape and the dtype of each argument.",
                    way_out="Give a TensorSpec, or a nest of them, for each parameter.",
                )
        variadic = any(p.kind is p.VAR_POSITIONAL for p in self.signature.parameters.values())
        names = self.positional[self.skipped :]
        if len(self.input_signature or ()) > len(names) and not variadic:
            raise SignatureError(
                f"input_signature of {self.name}() has {_counted(len(self.input_signature or ()), 'item')}, "
                f"but the function takes {_counted(len(names), 'positional argument')}",
                details=[f"def {self.name}{self.signature}"],
                why="Each item says what one argument is.",
                way_out="Leave out those that have no argument.",
            )
        missing = self._without_spec()
        if missing:
            raise SignatureError(
                f"input_signature of {self.name}() says nothing of "
                f"{' and '.join(f'`{name}`' for name in missing)}, which every call has to give",
                details=[f"def {self.name}{self.signature}"],
                why="Each item says what one argument is, and every call is converted to the same ones.",
                way_out="Add a TensorSpec for each, or give the parameter a default.",
            )

    def _without_spec(self) -> list[str]:
        """Parameters without a default that the input signature leaves out."""
        promised = {*self.positional[: self.skipped + len(self.input_signature or ())]}
        return [
            p.name
            for p in self.signature.parameters.values()
            if p.default is p.empty
            and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            and p.name not in promised
        ]

    def canonical(
        self,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        whole: Collection[int] = (),
        *,
        tells_arrays: bool = False,
        entering: Callable[[Sequence[str], Sequence[Any]], Mapping[int, Any]] | None = None,
        apart: TakenApart = NOTHING_APART,
    ) -> Arguments:
        """The arguments in the order of the parameters, with defaults filled in.

        A container that is among them twice is one container, and one that holds itself is an object.

        Parameters
        ----------
        args, kwargs
            Those of a call.
        whole : collection of int
            The ids of containers and arrays that the function has from outside, too: they are objects.
        tells_arrays : bool
            Whether an array that is among them twice is one array.
        entering : callable, optional
            Says which of the arguments, of these names, are containers of any length: by id, what each holds.
        apart : TakenApart, optional
            The instances that are taken apart.

        Raises
        ------
        SignatureError
            When the function cannot be called so.
        """
        if kwargs or not self.is_plain or len(args) != len(self.positional):
            try:
                bound = self.signature.bind(*args, **kwargs)
            except TypeError as error:
                raise SignatureError(
                    self._refusal(args, kwargs) or f"{self.name}() {error}",
                    details=[f"def {self.name}{self.signature}"],
                    why="The arguments must fit the parameters of the function.",
                    way_out="Call it as its `def` says.",
                ) from None
            if self._has_defaults:
                bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        kwargs = dict(kwargs)
        nest = args, kwargs
        if self.input_signature is not None:
            args = self._as_promised(args)
        names = [*self.argument_names(len(args)), *kwargs] if entering is not None else []
        places = entering(names, (*args, *kwargs.values())) if entering is not None else {}
        found = {key: place for key, place in places.items() if key not in whole}
        instances = instances_in((args, kwargs), apart) if apart.kinds else {}
        instances = {key: each for key, each in instances.items() if key not in whole}
        with taken_apart(instances, apart):
            leaves, structure, whole = self._flattened(
                (args, kwargs), whole, found, tells_arrays=tells_arrays
            )
            apart_from_others = _held_once(found, leaves, nest, whole)
            if len(apart_from_others) < len(found):
                found = apart_from_others
                leaves, structure, whole = self._flattened(
                    (args, kwargs), whole, found, tells_arrays=tells_arrays
                )
        given = leaves if args is nest[0] else _as_given(nest[0], args, leaves)
        tensors = [leaf if id(leaf) in whole else tensor_leaf(leaf) for leaf in leaves]
        receivers = structure.children[0].children[: self.skipped]
        start = sum(receiver.leaf_count for receiver in receivers)
        lends = self.lends and current_builder() is None
        return Arguments(
            tensors,
            structure,
            self._paths(structure),
            self._promised,
            start,
            nest,
            given,
            whole,
            lends,
            found,
            instances,
            apart,
        )

    def _flattened(
        self,
        nest: tuple[Any, dict[str, Any]],
        whole: Collection[int],
        entering: Collection[int],
        *,
        tells_arrays: bool,
    ) -> tuple[list[Any], Structure, Collection[int]]:
        """The leaves and the structure of arguments, each object once, and which are objects as a whole.

        With an `input_signature`, all are apart: it has one graph.
        """
        try:
            leaves, structure = flatten(nest)
        except RecursionError:
            args, kwargs = nest
            whole = {*whole, *[id(each) for each in (*args, *kwargs.values()) if _has_no_end(each)]}
            leaves, structure = flatten_shared(nest, (), whole)
        may_share = whole or entering or tells_arrays or _may_share(structure)
        if self.input_signature is not None or not may_share:
            return leaves, structure, whole
        objects = [id(each) for each in containers_in(nest, whole)]
        if tells_arrays:
            objects += [id(leaf) for leaf in leaves if isinstance(leaf, (Tensor, np.ndarray))]
        shared = {each for each, count in Counter(objects).items() if count > 1}
        if not (shared or whole or entering):
            return leaves, structure, whole
        return *flatten_shared(nest, shared, {*whole, *entering}), whole

    def argument_names(self, count: int) -> list[str]:
        """A name for each of `count` positional arguments: of ``*args``, ``args_0`` and so on."""
        extra = next(
            (p.name for p in self.signature.parameters.values() if p.kind is p.VAR_POSITIONAL), "args"
        )
        surplus = [f"{extra}_{index}" for index in range(count - len(self.positional))]
        return [*self.positional[:count], *surplus]

    def _paths(self, structure: Structure) -> list[str]:
        args, kwargs = structure.children
        names = self.argument_names(len(args.children))
        named = zip([*names, *map(str, kwargs.keys)], [*args.children, *kwargs.children], strict=True)
        return [path for name, child in named for path in leaf_paths(child, name)]

    def _as_promised(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        promised = self.input_signature or ()
        end = self.skipped + len(promised)
        if len(args) < end:
            raise SignatureError(
                f"{self.name}() has an input_signature of {_counted(len(promised), 'argument')}, and was "
                f"called with {len(args) - self.skipped}",
                details=[f"def {self.name}{self.signature}"],
                why="The graph has one input for each item of the signature.",
                way_out="Give them all, or leave the last ones out of the signature.",
            )
        names = self.argument_names(end)
        triples = zip(args[self.skipped : end], promised, names[self.skipped :], strict=True)
        converted = [self._convert(value, spec, name) for value, spec, name in triples]
        return (*args[: self.skipped], *converted, *args[end:])

    def _convert(self, value: Any, spec: Any, name: str) -> Any:
        """`value` as tensors of the promised specs."""
        specs, structure = flatten(spec)
        if structure.kind is None:
            return self._convert_leaf(value, spec, name)
        leaves, given = flatten(adapted(value, structure))
        if given != structure:
            raise SignatureError(
                f"argument `{name}` of {self.name}() has another structure than its input_signature",
                details=[f"signature:  {structure}", f"given:      {given}"],
                why="The function has one graph, for the nest of tensors (each a `*`) in the signature.",
                way_out="Give the same nest of lists, tuples and dicts.",
            )
        paths = leaf_paths(structure, name)
        return unflatten(
            structure, [self._convert_leaf(*each) for each in zip(leaves, specs, paths, strict=True)]
        )

    def _convert_leaf(self, value: Any, spec: TensorSpec, name: str) -> Any:
        if isinstance(value, TensorSpec):
            tensor: Any = value
        elif isinstance(value, (Tensor, np.ndarray, np.generic)) or hasattr(type(value), "__tensor__"):
            tensor = as_tensor(value)
        else:
            tensor = self._from_python(value, spec, name)
        found = tensor.plain if isinstance(tensor, TensorSpec) else tensor.spec
        if not spec.plain.contains(found):
            raise self._mismatch(name, str(found), spec)
        return spec if isinstance(tensor, TensorSpec) else tensor

    def _from_python(self, value: Any, spec: TensorSpec, name: str) -> Tensor:
        try:
            array = as_array(value)
        except (DTypeError, ShapeError) as error:
            raise SignatureError(
                f"argument `{name}` of {self.name}() is no tensor: {error.happened}",
                why=error.why,
                way_out=f"Its input_signature asks for {spec.plain}: give a tensor, an array or a number.",
            ) from None
        if not np.can_cast(array.dtype, spec.dtype.numpy, "same_kind"):
            raise self._mismatch(name, repr(value), spec)
        return Tensor(array.astype(spec.dtype.numpy))

    def _mismatch(self, name: str, found: str, spec: TensorSpec) -> SignatureError:
        return SignatureError(
            f"argument `{name}` of {self.name}() is {found}, but its input_signature asks for {spec.plain}",
            why="The function has one graph, for tensors of the dtype and shape that the signature gives.",
            way_out="Cast or reshape it before the call, or widen the signature: None stands for any length.",
        )

    def _refusal(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
        """What Python says when the function itself is called so; its body does not begin to run."""
        if not isinstance(self.function, FunctionType) or not vars(self.function).keys().isdisjoint(
            ("__wrapped__", "__signature__")
        ):
            return None
        try:
            self.function(*args, **kwargs)
        except TypeError as error:
            return str(error)
        return None
