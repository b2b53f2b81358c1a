"""`ConcreteFunction`: one graph for one signature, compiled when it is first needed."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from operator import is_
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from runtime.analysis.aliasing import held_inputs
from runtime.core.garbage import garbage_waits
from runtime.core.printed import printed_since, printed_so_far
from runtime.core.spec import ArraySpec, Spec
from runtime.core.stack import room
from runtime.core.structure import Structure, containers_in, unflatten
from runtime.core.tensor import EAGER, Array, Tensor
from runtime.errors import Error, GraphError, SignatureError
from runtime.executors.base import Lends, Program, Report, choose
from runtime.executors.native.run import MachineCode, Native
from runtime.executors.numpy_plan.standalone import to_python
from runtime.executors.program import NEXT, Given
from runtime.functions.alike import NONE_RETURNED, Inside, serving
from runtime.functions.described import FunctionType
from runtime.functions.external_state import Guards, Place
from runtime.functions.fast_key import FastKey
from runtime.functions.key import CellSpec, ContainerKey, Key
from runtime.functions.laid_out import is_no_argument, laid_out
from runtime.functions.listed import header, listed, listing
from runtime.functions.results import finished, made_of_arrays
from runtime.functions.signature import Arguments, Parameters, adapted
from runtime.functions.stand_ins import GeneratorKey, lent
from runtime.functions.trace import OUTPUT, Trace
from runtime.functions.written import NotApart, Stopped
from runtime.graph.build import as_tensor, current_builder
from runtime.graph.builder import Builder
from runtime.graph.frames import shows_callers_alone
from runtime.graph.graph import Graph
from runtime.graph.module import Module
from runtime.graph.op import Const, Effects, Op
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import RecursiveCall
from runtime.ops.control_flow.call import call_function, call_graph, linked, name_of
from runtime.ops.control_flow.tracing import NoOutcome, mark_numbers, mark_weak
from runtime.ops.printing import PrintV2
from runtime.ops.variable_ops import Storage
from runtime.passes.pipeline import optimise

__all__ = ["ConcreteFunction"]


_EXACT = frozenset((int, bool, str, bytes, type(None)))
"""Classes of which equal objects are one to a graph."""
_MOST_WAYS = 100
"""Keys of arguments for which a way in is kept that is written for these."""


class ConcreteFunction:
    """A function as one graph, for arguments of one signature.

    Made by `PolymorphicFunction.get_concrete_function`, and by every first call with a new signature.

    Attributes
    ----------
    graph : Graph
        As it was traced.
    module : Module
        The graph, with the functions that it calls by name.
    optimised_graph : Graph
        As it runs.
    optimised_module : Module
    name : str
    looks_outside : bool
        Whether it depends on places outside of the function, or changes some, or an argument.
    """

    def __init__(
        self,
        trace: Trace,
        parameters: Parameters,
        executor: str | None,
        tensors: type[Tensor] | None = None,
    ) -> None:
        self.graph = trace.graph
        self._tensors = tensors or Tensor
        self.name = trace.graph.name
        self._trace = trace
        self._is_single = trace.is_single and trace.effects is None
        self._writes = bool(trace.written)
        self._may_stop = trace.changes_outside or bool(trace.written.indices) or trace.key.is_for_more
        self._gives_one = trace.gives_one and trace.effects is None
        reads = trace.guards is not None or bool(trace.inputs)
        writes = self._writes or bool(trace.written.where_raised)
        self._tells_arrays = trace.written.tells
        self._may_meet_arrays = self._tells_arrays and bool(trace.inputs or trace.arrays_outside())
        self.looks_outside = reads or trace.changes_outside or writes or self._tells_arrays
        self._parameters = parameters
        self._executor = executor
        self._lock = threading.Lock()
        self._module: Module | None = None
        self._optimised: Module | None = None
        self._program: Program | None = None
        self._looked_at: MachineCode | None = None
        self._written = sum(1 << index for index in trace.written.indices)
        self._held = 0
        self._is_shared = False
        keys = trace.key.leaves
        self._stand_ins = [each.stand_in for each in keys if isinstance(each, ContainerKey)]
        self._ways: dict[FastKey, Callable[..., Any] | None] = {}
        self._ways_of_objects: dict[tuple[type, ...], Callable[..., Any] | None] = {}
        self._apart = trace.apart
        self._result_of: Callable[[Sequence[Array]], Any] | None = None
        self.asked_first: Guards | None = trace.guards
        """What has to hold in front of a call of the last `quicker` way in, which may look at it itself."""

    @property
    def key(self) -> Key:
        """What arguments it takes."""
        return self._trace.key

    @property
    def trace(self) -> Trace:
        """What became of the function when it was traced."""
        return self._trace

    def beside(self, generators: Sequence[Any]) -> Callable[..., Any]:
        """As `run_arrays`, for calls with these generators of random numbers."""

        def run(*args: Any) -> Any:
            with lent(zip(self._generators, generators, strict=True)):
                return self.run_arrays(*args)

        return run

    @property
    def _generators(self) -> list[GeneratorKey]:
        """The places of generators of random numbers among the arguments."""
        return [key for key in self.key.leaves if isinstance(key, GeneratorKey)]

    @property
    def guards(self) -> Guards | None:
        """What the function read outside of itself, as it was; None where that is nothing."""
        return self._trace.guards

    @property
    def serves_once(self) -> bool:
        """Whether it is for one call, because what it leaves outside of the function cannot be made anew."""
        return self._trace.serves_once

    @property
    def changes_arguments(self) -> bool:
        """Whether it changes containers among its arguments, or leaves them somewhere."""
        return self._trace.changes_arguments

    @property
    def compares_arguments(self) -> bool:
        """Whether it asks which of its arguments are one."""
        return bool(self._trace.written.compared)

    def fits_in(self, builder: Builder) -> bool:
        """Whether a graph has what this one captures, and what the function read there is as it was."""
        trace = self._trace
        if trace.surroundings is None or (trace.captures and builder.owner_of(trace.captures) is None):
            return False
        inputs = {each.place.key for each in trace.inputs}
        return trace.surroundings.are_as_they_were(inputs, trace.captures)

    def reaches(self, containers: set[int]) -> bool:
        """Whether the function has one of these from outside: containers and objects, by their ids."""
        guards = self.guards
        if guards is None:
            return False
        return not (containers.isdisjoint(guards.containers) and containers.isdisjoint(guards.instances))

    def loaded(self, containers: Sequence[Any] = ()) -> list[Tensor] | None:
        """The inputs from outside; None where what is there is not what the function was traced with.

        `containers` are those of any length among the arguments of a call: what they hold comes in so, too.
        """
        guards = self._trace.guards
        return None if guards is not None and not guards.hold() else self._entering(containers)

    def _entering(self, containers: Sequence[Any] = ()) -> list[Tensor] | None:
        """As `loaded`, where all that is guarded is as it was."""
        if len(containers) != len(self._stand_ins):
            return None
        given = {id(each): value for each, value in zip(self._stand_ins, containers, strict=True)}
        found: list[Tensor] = []
        replaced: list[Tensor] = []
        for each in self._trace.inputs:
            owner = given.get(id(each.place.owner))
            values = each.load() if owner is None else each.of(owner)
            if values is None:
                return None
            found += values
            replaced += each.replaced_in(values)
        for tensor in replaced:
            if sum(each is tensor for each in found) > 1:  # whoever has it as well gets the other one, too
                return None
        return found

    @contextmanager
    def on_arrays(self) -> Iterator[None]:
        """While Python runs the function: where tensors are outside, there are values of NumPy's."""
        with ExitStack() as stack:
            for each in self._trace.inputs:
                stack.enter_context(each.as_arrays())
            yield

    @property
    def paths(self) -> tuple[str, ...]:
        """A name for each leaf of the arguments, as a user would write it."""
        return self._trace.paths

    @property
    def module(self) -> Module:
        """The graph as it was traced, with the functions that it calls by name."""
        if self._module is None:
            self._module = Module(self.graph, self._trace.functions)
        return self._module

    @property
    def optimised_module(self) -> Module:
        """The module after the passes of `runtime.passes.pipeline`."""
        if self._optimised is None:
            self._optimised = optimise(self.module)
        return self._optimised

    @property
    def optimised_graph(self) -> Graph:
        """The graph after the passes of `runtime.passes.pipeline`."""
        return self.optimised_module.entry

    @property
    def inputs(self) -> list[Symbol]:
        """The inputs of the graph."""
        return list(map(self._symbol, self.graph.inputs))

    @property
    def outputs(self) -> list[Symbol]:
        """The outputs of the graph."""
        return list(map(self._symbol, self.graph.outputs))

    @property
    def _symbol(self) -> type[Symbol]:
        kind: Any = self._tensors.symbol
        return kind or Symbol

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that the graph reads or writes, and those of the functions that it calls."""
        return tuple([each for each in self.module.resources.values() if isinstance(each, Storage)])

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of the variables that optimisers should change."""
        return tuple([variable for variable in self.variables if getattr(variable, "trainable", False)])

    @property
    def captured_inputs(self) -> list[Any]:
        """What the graph takes beside the arguments: variables, and values from outside as they are now."""
        return [*self.variables, *(self.loaded() or ())]

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """``(args, kwargs)`` with a `TensorSpec` for each tensor, and Python values as they are."""
        leaves = [
            self._tensors.written(leaf.shape, leaf.dtype, path) if isinstance(leaf, ArraySpec) else leaf
            for leaf, path in zip(self.key.values, self._trace.paths, strict=True)
        ]
        args, kwargs = unflatten(self.key.structure, leaves)
        return args, kwargs

    @property
    def structured_outputs(self) -> Any:
        """What the function returns, with a `TensorSpec` for each tensor."""
        specs = [
            self._tensors.written(spec.shape, spec.dtype) if isinstance(spec, ArraySpec) else spec
            for spec in self.graph.output_specs[: self._trace.count]
        ]
        return unflatten(self._trace.structure, self._trace.filled(specs))

    def to_python(self) -> str:
        """The optimised graph as a Python program that needs NumPy and nothing else."""
        return to_python(self.optimised_module, self.name)

    def report(self) -> Report:
        """What runs where, and why."""
        return self.program.report()

    def llvm_ir(self) -> str:
        """The graph as LLVM's code, after LLVM's own passes; whether it runs so, `report` says.

        Raises
        ------
        CompileError
            When a part of it has no machine code, or llvmlite is not there.
        """
        return self._machine_code().llvm_ir()

    def assembly(self) -> str:
        """The graph as instructions of the processor, as `llvm_ir`."""
        return self._machine_code().assembly()

    def _machine_code(self) -> MachineCode:
        program = self.program
        if isinstance(program, MachineCode):
            return program
        if self._looked_at is None:
            self._looked_at = Native().compile(self.optimised_module)
        return self._looked_at

    @shows_callers_alone
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph.

        Takes the arguments of the function, or only those of them that are tensors.

        Raises
        ------
        SignatureError
            When they are not of this signature.
        """
        arguments = self._arguments(args, kwargs)
        outside = self.loaded(arguments.any_length)
        if outside is None:
            raise self.changed_outside()
        try:
            with lent(zip(self.key.leaves, arguments.leaves, strict=False)):  # or its tensors alone
                inputs = arguments.inputs(self.key)
                return self.run(inputs, outside, arguments.nest, arguments.given_as(self.key))
        except Stopped as stopped:
            raise stopped.error from None

    def changed_outside(self) -> SignatureError:
        """The error where what the function read outside of itself is not as it was."""
        guards = self._trace.guards
        changed = [change.place.name for change in guards.changes()] if guards is not None else []
        names = changed or [each.place.name for each in self._trace.inputs if each.load() is None]
        return SignatureError(
            f"`{names[0]}` is not what it was when this graph of {self.name}() was traced",
            why="The function reads it, and a concrete function is one graph.",
            way_out="Call the function itself: it traces another graph.",
        )

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        try:
            entering = self._containers if self._stand_ins else None
            arguments = self._parameters.canonical(args, kwargs, entering=entering, apart=self._apart)
        except SignatureError:
            arguments = None
        if arguments is not None and not self.key.accepts(arguments.key):
            arguments = self._parameters.canonical(*adapted(arguments.nest, self.key.structure))
        if arguments is not None and self.key.accepts(arguments.key):
            return arguments
        specs = [leaf for leaf in self.key.leaves if isinstance(leaf, Spec)]
        given = [as_tensor(arg) for arg in args if isinstance(arg, (Tensor, np.ndarray, np.generic))]
        draws = any(isinstance(leaf, GeneratorKey) for leaf in self.key.leaves)
        if not kwargs and not draws and len(given) == len(args) == len(specs):
            pairs = zip(specs, given, strict=True)
            if all(spec.contains(tensor.spec) for spec, tensor in pairs):
                return Arguments(given, Structure(tuple), [], given=args)
        given_now = ", ".join(_shown(value) for value in (*args, *kwargs.values()))
        raise SignatureError(
            f"these arguments are not of the signature that this graph of {self.name}() was traced for",
            details=[
                f"it takes:  {header(self)}",
                *listing(self).splitlines()[1:],
                f"given:     {given_now or 'nothing'}",
            ],
            why="A concrete function is one graph, for tensors of one dtype and shape.",
            way_out="Call the function itself: it traces another graph for other arguments.",
        )

    def _containers(self, names: Sequence[str], values: Sequence[Any]) -> Mapping[int, Place]:
        """The containers among some arguments that come in as ones of the graph: by id, what each holds."""
        leaves = zip(self.paths, self.key.leaves, strict=True)
        places = {path: leaf.place for path, leaf in leaves if isinstance(leaf, ContainerKey)}
        pairs = zip(names, values, strict=True)
        found = {id(value): places[name].at(value) for name, value in pairs if name in places}
        return {key: place for key, place in found.items() if place.get() is not None}

    def run(
        self, tensors: Sequence[Tensor], outside: Sequence[Tensor], arguments: Any, given: Sequence[Any]
    ) -> Any:
        """The result for these inputs: a call node while a graph is built, otherwise a run.

        `outside` are what `loaded` gives, `arguments` those of the call, where the function changes any, and
        `given` the inputs as the caller has them: arrays of NumPy's that are written into change there.
        """
        builder = current_builder()
        if builder is None:
            return self.run_arrays([tensor._array for tensor in tensors], 0, outside, arguments, given)
        trace = self._trace
        if self._tells_arrays:
            trace.written.require_apart(given)
        builder.changed_where_raised += map(partial(self._of_caller, given), trace.changed_where_raised)
        outputs = list(self._recorded([*tensors, *outside]))
        if not trace.returns:
            raise NoOutcome
        if not builder.strict:
            returned = [symbol.value for symbol in outputs[: trace.count]]
            mark_numbers(builder, returned, trace.weak, trace.mixed)
        result = unflatten(trace.structure, trace.filled(outputs[: trace.count]))
        stored, held = self._behind_results(outputs)
        if trace.written:
            trace.written.store(given, held)
        if trace.effects is not None:
            mark_weak(builder, [symbol.value for symbol in stored], trace.effects.weak)
            return trace.effects.store(stored, arguments, result)
        return result

    def _recorded(self, inputs: Sequence[Tensor]) -> Sequence[Symbol]:
        """A call of the graph in the one that is built.

        One that calls itself is there once where it is called often: in graphs inside one another it would be
        in each of them as often as in all those inside.
        """
        trace, entry = self._trace, linked(self.module)
        name = name_of(entry) if self._is_shared else None
        self._is_shared = trace.surroundings is not None and bool(trace.captures)
        if name is None:
            return call_graph(entry, inputs, trace.captures)
        does = tuple([str(effect.name) for effect in entry.effects])
        call = RecursiveCall(name, tuple(entry.input_specs), tuple(entry.output_specs), does)
        return call_function(call, inputs, trace.captures)

    def _of_caller(self, given: Sequence[Any], place: Place) -> Place:
        """A place that the function changes where it raises: that of an argument is one of the caller's."""
        index = next((i for i, value in enumerate(self.graph.inputs) if value is place.owner), len(given))
        array = given[index] if index < len(given) else None
        builder = current_builder()
        if builder is None or not isinstance(array, Symbol):
            return place
        return place.at(builder.arrays.root(array.value))

    def _behind_results(self, outputs: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
        """The outputs that are stored outside, and those that the arguments hold in the end."""
        end = len(outputs) - len(self._trace.written.inputs)
        return outputs[self._trace.count : end], outputs[end:]

    def run_arrays(
        self,
        arrays: list[Array],
        lent: int = 0,
        outside: Sequence[Tensor] = (),
        arguments: Any = None,
        given: Sequence[Any] | None = None,
    ) -> Any:
        """The result of a run, while no graph is being built.

        The arrays whose bits are set in `lent` are the caller's, who may write into them later: what a result
        may lie in, or something else may keep, is copied. `outside` are what `loaded` gives. Without `given`,
        what is lent is what is written into.

        Raises
        ------
        Stopped
            When the graph raises, and what the function changed before that has not happened yet.
        """
        program = self._program or self.program
        if self._tells_arrays and (lent or given is not None):
            given = self._told_apart(arrays, lent, given)
        if lent & self._held:
            for index in range(len(arrays)):
                if (lent & self._held) >> index & 1:
                    arrays[index] = arrays[index].copy()
        if outside:
            arrays = arrays + [tensor._array for tensor in outside]
        before = printed_so_far() if self._may_stop else {}
        try:
            found = program.entry(*arrays)
        except Exception as error:
            explained = program.explain(error)
            given = given or (None,) * len(arrays)
            changes = self._trace.changes_outside or self._is_of_graphs(explained)
            if self._trace.written.may_run_plainly(given, changes):
                raise Stopped(explained, printed_since(before)) from None
            if explained is error:
                raise
            raise explained from None
        if self._is_single:
            return self._tensors(found)
        trace = self._trace
        if type(found) is not tuple:
            found = (found,)
        if self._writes:
            end = len(found) - len(trace.written.inputs)
            if given is not None:
                trace.written.store(given, found[end:])
                if arguments is not None:
                    trace.written.replace(given, found[end:], arguments, self._apart)
            found = found[:end]
            if self._gives_one:
                return self._tensors(found[0])
        if self._result_of is None:
            self._result_of = made_of_arrays(trace, self._tensors)
        result = self._result_of(found)
        if trace.effects is not None:
            return trace.effects.left(found[trace.count :], self._tensors, arguments, result)
        return result

    def _is_of_graphs(self, error: Exception) -> bool:
        """Whether Python may do without an error, as a graph cannot do all that Python does with numbers."""
        return isinstance(error, Error) and self.key.is_for_more and self.may_run_again

    def _known_result(self) -> Callable[[], Any] | None:
        """What gives the result where the graph computes nothing; None where it does."""
        trace = self._trace
        if trace.effects is not None or not trace.returns or trace.inputs or trace.captures:
            return None
        if trace.changes_outside or trace.makes_variables or self._tells_arrays:
            return None
        if not all(isinstance(node.op, Const) for node in self.optimised_graph.nodes) or self.variables:
            return None
        if not self.graph.outputs:
            return partial(made_of_arrays(trace, self._tensors), ())
        return partial(self.run_arrays, []) if not self.graph.inputs else None

    def _told_apart(self, arrays: list[Array], lent: int, given: Sequence[Any] | None) -> Sequence[Any]:
        """What is written into, once it has shown that no two of these arrays meet: see `run_arrays`."""
        if given is None and self._written and lent & self._written == self._written:
            given = arrays.copy()
            if not self._may_meet_arrays and self._trace.written.are_usual(given):
                return given
        elif given is None:
            given = [array if lent >> index & 1 else None for index, array in enumerate(arrays)]
        beside = self._trace.arrays_outside() if self._may_meet_arrays else ()
        self._trace.written.require_apart(given, beside)
        return given

    def writes_tensors(self, lent: int) -> bool:
        """Whether it writes into inputs that are no arrays of the caller's, whose bits are set in `lent`."""
        return self._written & ~lent != 0

    def _lasting(self) -> Iterator[Op]:
        """The ops that leave something behind: text, variables, random numbers, whatever the host does."""
        allowed = Effects.READS | Effects.CHECKS | Effects.MARKS
        return (
            node.op
            for function in self.module.graphs()
            for graph in function.walk()
            for node in graph.nodes
            if not node.op.graphs and node.op.effects & ~allowed
        )

    @property
    def may_run_again(self) -> bool:
        """Whether a run that was stopped has left nothing but text, which need not be printed again."""
        return all(isinstance(op, PrintV2) and op.is_standard for op in self._lasting())

    @property
    def leaves_something(self) -> bool:
        """Whether a run that went well has left something behind, beside its results."""
        trace = self._trace
        changes = trace.changes_outside or trace.effects is not None
        return changes or self._writes or any(True for _ in self._lasting())

    def with_program(self, program: Program) -> ConcreteFunction:
        """The same function, run by another program of its graph."""
        twin = ConcreteFunction(self._trace, self._parameters, self._executor)
        twin._program = program  # one of its own class
        twin._held = self._held
        return twin

    def on_executor(self, executor: str) -> ConcreteFunction:
        """The same function on another executor, which runs the same module."""
        twin = ConcreteFunction(self._trace, self._parameters, executor, self._tensors)
        twin._module, twin._optimised = self._module, self._optimised  # as above
        return twin

    @property
    def program(self) -> Program:
        """The graph as an executor runs it."""
        if self._program is None:
            with self._lock:
                if self._program is None:
                    with garbage_waits:
                        self._program = self._compile()
        return self._program

    def _compile(self) -> Program:
        if self._trace.captures:
            raise GraphError(
                f"{self.name}() was traced inside another graph, uses tensors of it, and cannot run alone",
                why="Those tensors have a value only while the graph around it runs.",
                way_out="Pass them as arguments.",
            )
        executor = choose(self._executor)
        module = self.optimised_module if executor.optimises else self.module
        with room(module.depth):
            written = self._trace.written.inputs
            is_lent = bool(written) and not self._trace.inputs
            if is_lent and isinstance(executor, Lends):
                program = executor.compile_lending(module, written)
            else:
                program = executor.compile(module)
            held = held_inputs(module.entry) if program.may_hold else ()
        self._held = sum(1 << index for index in held)
        return program

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
        self.asked_first = self.guards
        trace, written = self._trace, self._trace.written
        served = ctypes.c_ssize_t() if served is None else served
        known_result = self._known_result()
        if known_result is not None:
            names = {"served": served, "known_result": known_result}
            return serving(args, kwargs, names, ["served.value = 1", "result = known_result()"])
        args = (*args, *kwargs.values())
        laid = laid_out(args)
        if laid is None:
            return None
        flat, nests, order = laid
        positions = tuple([at for at in order if _is_input(type(flat[at]))])
        known = {at: flat[at] for at in order if at not in positions}
        if trace.inputs or len(positions) != len(self.inputs) or not trace.returns:
            return None
        if trace.effects is not None and trace.effects.blueprints.needs_arguments:
            return None
        leaves = trace.flat_leaves if trace.effects is None and not trace.changes_outside else None
        if not all(type(each) in _EXACT or (type(each) is float and each) for each in known.values()):
            return None
        outside = self.guards.identities() if self.guards is not None else ()
        if nests and (outside is None or not all(map(is_no_argument, outside))):
            return None
        program = self.program
        if not program.may_hold:  # another one may have taken its place
            self._held = 0
        is_told = written.unknown or written.in_rows or written.compared or written.changes_array
        lent = not (is_told or self._held or self._may_meet_arrays)
        first = len(self.graph.outputs) - len(written.inputs)
        back = {first + number: index for number, index in enumerate(written.inputs)} if lent else {}
        specs = [leaf for leaf in self.key.leaves if isinstance(leaf, Spec)]
        cells = frozenset([index for index, spec in enumerate(specs) if isinstance(spec, CellSpec)])
        is_tuple = trace.structure.kind is tuple
        returned = [NEXT if leaf is OUTPUT else leaf for leaf in leaves or ()]
        if returned == [None] and not is_tuple:
            returned = [NONE_RETURNED]
        quick = program.quicker(
            Given(
                self._tensors,
                len(args),
                positions,
                known,
                nests,
                lent,
                cells,
                tuple(kwargs),
                back,
                tuple(returned),
                is_tuple,
                outside or (),
                served,
                None if leaves is not None else finished(trace, self._tensors, first),
            )
        )
        if outside is not None:
            self.asked_first = None
        return quick

    def run_quickly(
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
        self.asked_first = guards = self.guards
        if key in self._ways:
            return self._ways[key]
        holds_others = any(True for _ in containers_in((tuple(args), dict(kwargs))))
        if holds_others and (self._written or (guards is not None and guards.containers)):
            return None  # what is in them may be a tensor, and they may be among what it reads
        if self._generators:
            return None  # which are lent to each run

        def run(arrays: list[Array], lent: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            outside = self._entering()
            if outside is None:
                return None
            try:
                result = self.run_arrays(arrays, lent, outside)
                stopped = None
            except NotApart:
                return None
            except Stopped as raised:
                stopped = raised  # and no context of what Python raises
            served.value = 1
            if stopped is not None:
                result = plainly(self, args, kwargs, stopped)
            return NONE_RETURNED if result is None else result

        lines = ["result = run({arrays}, {lent}, {args}, {kwargs})", "if result is None: return None"]
        if len(self._ways) >= _MOST_WAYS:
            self._ways.clear()
        way = self._ways[key] = serving(args, kwargs, {"run": run}, lines)
        return way

    def run_on_objects(
        self,
        arguments: Arguments,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        served: ctypes.c_ssize_t,
        plainly: Callable[[ConcreteFunction, tuple[Any, ...], dict[str, Any], Stopped], Any],
    ) -> Callable[..., Any] | None:
        """As `run_quickly`, for objects that are taken apart; what was read outside is looked at in the call.

        `arguments` are `args` and `kwargs` as they were sorted out.
        """
        form = tuple(map(type, arguments.given))
        if form in self._ways_of_objects:
            return self._ways_of_objects[form]
        bound, named = arguments.nest
        given = (*args, *kwargs.values())
        in_order = len(bound) == len(given) and all(map(is_, bound, given)) and not named
        is_as_given = in_order or (len(bound) == len(args) and [*named] == [*kwargs])
        if not is_as_given or arguments.structure.shares or self.compares_arguments:
            return None
        if arguments.entering or arguments.lent or arguments.promised:
            return None

        def run(arrays: list[Array], lent: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            if self.writes_tensors(lent):
                return None
            outside = self.loaded() if self.looks_outside else ()
            if outside is None:
                return None
            try:
                nest = ((*args, *kwargs.values()), {}) if in_order else (args, kwargs)
                result = self.run_arrays(arrays, lent, outside, nest)
                stopped = None
            except NotApart:
                return None
            except Stopped as raised:
                stopped = raised  # and no context of what comes behind this statement
            served.value = 1
            if stopped is not None:
                result = plainly(self, args, kwargs, stopped)
            return NONE_RETURNED if result is None else result

        guards = self.guards
        outside = {*arguments.whole, *(() if guards is None else (*guards.containers, *guards.instances))}
        inside = Inside(self.key.leaves, self._apart, frozenset(outside), arguments.whole)
        lines = ["result = run({arrays}, {lent}, {args}, {kwargs})", "if result is None: return None"]
        if len(self._ways_of_objects) >= _MOST_WAYS:
            self._ways_of_objects.clear()
        way = self._ways_of_objects[form] = serving(args, kwargs, {"run": run}, lines, inside)
        return way

    @property
    def function_type(self) -> FunctionType:
        """The type of each parameter, and of the result; its `str` is one line."""
        args, kwargs = self.structured_input_signature
        captured = {
            each.name: self._tensors.written(each.static_shape, each.dtype) for each in self.variables
        }
        return FunctionType(self._parameters.signature, args, kwargs, self.structured_outputs, captured)

    def pretty_printed_signature(self, verbose: bool | None = None) -> str:
        """Arguments and results, as a person reads them.

        Parameters
        ----------
        verbose : bool, optional
            As TensorFlow prints it since its release 2.16: True for a line per parameter, False for one line.
        """
        if verbose is not None:
            return self.function_type.listed() if verbose else str(self.function_type)
        return listed(self)

    def argument_names(self, count: int) -> list[str]:
        """What so many of its first parameters are called."""
        return self._parameters.argument_names(count)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            f"cannot pickle a graph of {self.name}(): pickle the function, which finds or traces it again; "
            "`concrete.to_python()` is the graph as text"
        )

    def __copy__(self) -> ConcreteFunction:
        return self

    def __deepcopy__(self, memo: object) -> ConcreteFunction:
        return self

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.pretty_printed_signature()}>"


def _is_input(kind: type[Any]) -> bool:
    """Whether what is of a class is an input of a graph, and not a part of its key."""
    return kind in EAGER or kind is np.ndarray or issubclass(kind, np.generic)


def _shown(value: Any) -> str:
    return str(value.spec) if isinstance(value, Tensor) else repr(value)
