"""Functions of a GraphDef: their bodies, their signatures, and the library that holds them."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.digests import sha256
from runtime.core.dtypes import DType
from runtime.core.shapes import Shape
from runtime.core.spec import Spec
from runtime.graph.graph import Graph
from runtime.interchange import messages
from runtime.interchange.graphdef import attributes as attr
from runtime.interchange.graphdef.body import Body, WriteStructure
from runtime.interchange.graphdef.names import Names, argument_name
from runtime.interchange.graphdef.operands import Argument, Operand
from runtime.interchange.messages import Message
from runtime.ops.facts import shape_in_graphdef
from runtime.ops.variable_ops import Storage

__all__ = ["FunctionBody", "Library"]


class Library:
    """The functions of one GraphDef, by name.

    TensorFlow knows one function of a name in a whole process. So a name ends in a number that its content
    gives: equal functions are one, others never meet.
    """

    def __init__(self) -> None:
        self._functions: dict[str, Message] = {}

    def add(self, base: str, function: Message) -> str:
        """Keeps `function`, named after `base`, and returns its name."""
        function.signature.name = base
        content = function.SerializeToString(deterministic=True)
        number = int.from_bytes(sha256(content).digest()[:5], "big")
        function.signature.name = f"{base}_{number}"
        while self._functions.setdefault(function.signature.name, function) != function:
            number += 1
            function.signature.name = f"{base}_{number}"
        return str(function.signature.name)

    def message(self) -> Message:
        """The library, its functions in order of their names."""
        return messages.FunctionDefLibrary(
            function=[self._functions[name] for name in sorted(self._functions)]
        )


class FunctionBody(Body):
    """The body of a function, and its arguments.

    Parameters
    ----------
    graph : Graph
    arguments : sequence of Argument
        One for each input of `graph`, after `leading` ones.
    leading : sequence of Argument
        Arguments that the graph does not know of.
    scope : str
    write_structure : WriteStructure
    """

    def __init__(
        self,
        graph: Graph,
        arguments: Sequence[Argument],
        scope: str,
        write_structure: WriteStructure,
        leading: Sequence[Argument] = (),
    ) -> None:
        super().__init__(scope, in_function=True, write_structure=write_structure)
        self.arguments = [*leading, *arguments]
        for argument in self.arguments:
            if argument.name is not None:
                argument.name = self.names.unique(argument.name)
        self.operands.update(zip(graph.inputs, arguments, strict=True))
        self.write(graph)

    def _new_resource(self, variable: Storage) -> Operand:
        """A variable that a function uses comes in as its last argument."""
        argument = Argument(variable.name, variable)
        self.arguments.append(argument)
        return argument

    def require(self, variables: Sequence[Storage]) -> None:
        """Takes exactly these variables, in this order, whether the function uses them or not."""
        own = [argument for argument in self.arguments if isinstance(argument.holds, Spec)]
        self.arguments = own
        known = {key: operand for key, (_, operand) in self.resources.items()}
        for variable in variables:
            argument = known.get(id(variable)) or Argument(variable.name, variable)
            assert isinstance(argument, Argument), "a function has its variables as arguments"
            self.resources[id(variable)] = variable, argument
            self.arguments.append(argument)

    def finish(
        self, outputs: Sequence[Operand], dtypes: Sequence[DType], passed: Sequence[Argument] = ()
    ) -> Message:
        """The function, without its name.

        Parameters
        ----------
        outputs : sequence of Operand
        dtypes : sequence of DType
            One for each output.
        passed : sequence of Argument
            Arguments that are further outputs, as they are.
        """
        named = self.identities(outputs, dtypes)
        for argument in self.arguments:
            if argument.name is None:
                argument.name = self.names.unique(argument_name(f"{self.scope}placeholder"))
        function = messages.FunctionDef(node_def=self.nodes)
        function.signature.is_stateful = self.is_stateful
        self._sign_arguments(function)
        results = Names()
        for argument in self.arguments:
            results.unique(str(argument.name))
        signed = function.signature.output_arg
        for endpoint, dtype in zip(named, dtypes, strict=True):
            name = results.unique(argument_name(endpoint.node))
            signed.add(name=name, type=attr.data_type(dtype))
            function.ret[name] = endpoint.reference(in_function=True)
        for argument in passed:
            name = results.unique(str(argument.name))
            signed.add(name=name, type=attr.data_type(argument.dtype))
            function.ret[name] = argument.name
        for effect in self.must_run:
            function.control_ret[effect] = effect
            function.signature.control_output.append(effect)
        function.attr["_construction_context"].s = b"kEagerRuntime"
        return function

    def _sign_arguments(self, function: Message) -> None:
        for index, argument in enumerate(self.arguments):
            signed = function.signature.input_arg.add(name=argument.name, type=attr.data_type(argument.dtype))
            held = argument.holds
            shape: Shape = ()
            if isinstance(held, Spec):
                shape = shape_in_graphdef(held)
            else:
                signed.handle_data.add(dtype=attr.data_type(held.dtype), shape=attr.shape(held.static_shape))
            function.arg_attr[index].attr["_output_shapes"].CopyFrom(attr.shape_list([shape]))
