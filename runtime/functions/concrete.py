"""`ConcreteFunction`: one graph for one signature, compiled when it is first needed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

import numpy as np

from autograph_base.garbage import garbage_waits
from runtime.analysis.aliasing import held_inputs
from runtime.core.printed import printed_since, printed_so_far
from runtime.core.spec import ArraySpec, Spec
from runtime.core.stack import in_one_piece, room
from runtime.core.structure import Structure, unflatten
from runtime.core.tensor import Array, Tensor
from runtime.errors import Error, GraphError, SignatureError
from runtime.executors.base import choose
from runtime.executors.executor import Lends
from runtime.executors.native.run import Native
from runtime.executors.numpy_plan import standalone
from runtime.executors.program import Inspected, Program, Report
from runtime.functions import described
from runtime.functions import listed as listed_
from runtime.functions.external_state import Guards, Place
from runtime.functions.key import ContainerKey, Key
from runtime.functions.results import made_of_arrays
from runtime.functions.shown_as_arrays import shown_as_arrays
from runtime.functions.signature import Arguments, Parameters, adapted
from runtime.functions.stand_ins import GeneratorKey, lent
from runtime.functions.trace import Trace
from runtime.functions.ways_in import WaysIn
from runtime.functions.written import Stopped
from runtime.graph.build import as_tensor, current_builder
from runtime.graph.builder import Builder
from runtime.graph.frames import shows_callers_alone
from runtime.graph.graph import Graph
from runtime.graph.module import Module
from runtime.graph.op import Effects, Op
from runtime.graph.symbol import Symbol
from runtime.graph.warned import warned_since, warned_so_far
from runtime.ops.control_flow import RecursiveCall
from runtime.ops.control_flow.call import call_function, call_graph, linked, name_of
from runtime.ops.control_flow.tracing import NoOutcome, mark_numbers, mark_weak
from runtime.ops.printing import PrintV2
from runtime.ops.variable_ops import Storage
from runtime.passes.pipeline import optimise

__all__ = ["ConcreteFunction"]


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
    tensors : type
        The class of its results.
    looks_outside : bool
        Whether it depends on places outside of the function, or changes some, or an argument.
    tells_arrays : bool
        Whether it depends on which of its arrays share memory.
    may_meet_arrays : bool
        Whether those may be some of outside, too.
    """

    def __init__(
        self,
        trace: Trace,
        parameters: Parameters,
        executor: str | None,
        tensors: type[Tensor] | None = None,
    ) -> None:
        self.graph = trace.graph
        self.tensors = tensors or Tensor
        self.name = trace.graph.name
        self._trace = trace
        self._is_single = trace.is_single and trace.effects is None
        self._writes = bool(trace.written)
        self._may_stop = trace.changes_outside or bool(trace.written.indices) or trace.key.is_for_more
        self._gives_one = trace.gives_one and trace.effects is None
        reads = trace.guards is not None or bool(trace.inputs)
        writes = self._writes or bool(trace.written.where_raised)
        self.tells_arrays = trace.written.tells
        self.may_meet_arrays = self.tells_arrays and bool(trace.inputs or trace.arrays_outside())
        self.looks_outside = reads or trace.changes_outside or writes or self.tells_arrays
        self._parameters = parameters
        self._executor = executor
        self._lock = threading.Lock()
        self._module: Module | None = None
        self._optimised: Module | None = None
        self._program: Program | None = None
        self._looked_at: Inspected | None = None
        self._written = sum(1 << index for index in trace.written.indices)
        self._held = 0
        self._is_shared = False
        keys = trace.key.leaves
        self._stand_ins = [each.stand_in for each in keys if isinstance(each, ContainerKey)]
        self._apart = trace.apart
        self._ways: WaysIn | None = None
        self._result_of: Callable[[Sequence[Array]], Any] | None = None

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
            with lent(zip(self.generators, generators, strict=True)):
                return self.run_arrays(*args)

        return run

    @property
    def generators(self) -> list[GeneratorKey]:
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
        return None if guards is not None and not guards.hold() else self.entering(containers)

    def entering(self, containers: Sequence[Any] = ()) -> list[Tensor] | None:
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
        constants = () if self.guards is None else self.guards.with_tensors()
        with shown_as_arrays(constants, self._trace.inputs):
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
        kind: Any = self.tensors.symbol
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
            self.tensors.written(leaf.shape, leaf.dtype, path) if isinstance(leaf, ArraySpec) else leaf
            for leaf, path in zip(self.key.values, self._trace.paths, strict=True)
        ]
        args, kwargs = unflatten(self.key.structure, leaves)
        return args, kwargs

    @property
    def structured_outputs(self) -> Any:
        """What the function returns, with a `TensorSpec` for each tensor."""
        specs = [
            self.tensors.written(spec.shape, spec.dtype) if isinstance(spec, ArraySpec) else spec
            for spec in self.graph.output_specs[: self._trace.count]
        ]
        return unflatten(self._trace.structure, self._trace.filled(specs))

    def to_python(self) -> str:
        """The optimised graph as a Python program that needs NumPy and nothing else."""
        return standalone.to_python(self.optimised_module, self.name)

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

    def _machine_code(self) -> Inspected:
        program = self.program
        if isinstance(program, Inspected):
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
                f"it takes:  {listed_.header(self)}",
                *listed_.listing(self).splitlines()[1:],
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
        if self.tells_arrays:
            trace.written.require_apart(given)
        builder.context.changed_where_raised += map(
            partial(self._of_caller, given), trace.changed_where_raised
        )
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
        if self.tells_arrays and (lent or given is not None):
            given = self._told_apart(arrays, lent, given)
        if lent & self._held:
            for index in range(len(arrays)):
                if (lent & self._held) >> index & 1:
                    arrays[index] = arrays[index].copy()
        if outside:
            arrays = arrays + [tensor._array for tensor in outside]
        before, warned = (printed_so_far(), warned_so_far()) if self._may_stop else ({}, 0)
        try:
            found = program.entry(*arrays)
        except Exception as error:
            explained = program.explain(error)
            given = given or (None,) * len(arrays)
            changes = self._trace.changes_outside or self._is_of_graphs(explained)
            if self._trace.written.may_run_plainly(given, changes):
                raise Stopped(explained, printed_since(before), warned_since(warned)) from None
            if explained is error:
                raise
            raise explained from None
        if self._is_single:
            return self.tensors(found)
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
                return self.tensors(found[0])
        if self._result_of is None:
            self._result_of = made_of_arrays(trace, self.tensors)
        result = self._result_of(found)
        if trace.effects is not None:
            return trace.effects.left(found[trace.count :], self.tensors, arguments, result)
        return result

    def _is_of_graphs(self, error: Exception) -> bool:
        """Whether Python may do without an error, as a graph cannot do all that Python does with numbers."""
        return isinstance(error, Error) and self.key.is_for_more and self.may_run_again

    def _told_apart(self, arrays: list[Array], lent: int, given: Sequence[Any] | None) -> Sequence[Any]:
        """What is written into, once it has shown that no two of these arrays meet: see `run_arrays`."""
        if given is None and self._written and lent & self._written == self._written:
            given = arrays.copy()
            if not self.may_meet_arrays and self._trace.written.are_usual(given):
                return given
        elif given is None:
            given = [array if lent >> index & 1 else None for index, array in enumerate(arrays)]
        beside = self._trace.arrays_outside() if self.may_meet_arrays else ()
        self._trace.written.require_apart(given, beside)
        return given

    @property
    def keeps_inputs(self) -> bool:
        """Whether results may lie in its inputs, as it runs now."""
        if not self.program.may_hold:  # another one may have taken its place
            self._held = 0
        return self._held != 0

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
        twin = ConcreteFunction(self._trace, self._parameters, executor, self.tensors)
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

    @in_one_piece
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

    @property
    def ways(self) -> WaysIn:
        """The quicker ways in."""
        if self._ways is None:
            self._ways = WaysIn(self)
        return self._ways

    @property
    def function_type(self) -> described.FunctionType:
        """The type of each parameter, and of the result; its `str` is one line."""
        args, kwargs = self.structured_input_signature
        captured = {each.name: self.tensors.written(each.static_shape, each.dtype) for each in self.variables}
        return described.FunctionType(
            self._parameters.signature, args, kwargs, self.structured_outputs, captured
        )

    def pretty_printed_signature(self, verbose: bool | None = None) -> str:
        """Arguments and results, as a person reads them.

        Parameters
        ----------
        verbose : bool, optional
            As TensorFlow prints it since its release 2.16: True for a line per parameter, False for one line.
        """
        if verbose is not None:
            return self.function_type.listed() if verbose else str(self.function_type)
        return listed_.listed(self)

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


def _shown(value: Any) -> str:
    return str(value.spec) if isinstance(value, Tensor) else repr(value)
