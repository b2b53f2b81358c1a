"""`Module`: a graph that runs, and the functions that graphs call by their names.

A graph inside an op is a field of it, so no graph can hold a graph that it is in. A function that calls
itself is therefore called by its name (`RecursiveCall`), and the module knows what the name means. Nothing
changes once it is made: a pass maps a module to a module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from runtime.graph import printer as printer_
from runtime.graph.graph import Graph
from runtime.graph.resources import Resource

__all__ = ["Module", "called"]


class Module:
    """A graph with all that a run of it needs.

    Parameters
    ----------
    entry : Graph
        What runs.
    functions : mapping of str to Graph, optional
        What may be called by name. Those that no run can come to are left out.

    Attributes
    ----------
    entry : Graph
    functions : mapping of str to Graph
        In the order in which calls name them. The entry is among them where it calls itself.
    """

    __slots__ = ("entry", "functions")
    entry: Graph
    functions: Mapping[str, Graph]

    def __init__(self, entry: Graph, functions: Mapping[str, Graph] = MappingProxyType({})) -> None:
        reached: dict[str, Graph] = {}
        pending = [entry]
        while pending:
            for name in called(pending.pop(0)):
                if name not in reached and name in functions:
                    reached[name] = functions[name]
                    pending.append(functions[name])
        object.__setattr__(self, "entry", entry)
        object.__setattr__(self, "functions", MappingProxyType(reached))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self!r} cannot get another {name}: a module never changes")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self!r} cannot lose {name}: a module never changes")

    @property
    def name(self) -> str:
        """The name of the entry."""
        return self.entry.name

    @property
    def depth(self) -> int:
        """How many graphs are inside one another at the most."""
        return max(graph.depth for graph in self.graphs())

    def graphs(self) -> Iterator[Graph]:
        """The entry and the functions, each once."""
        yield from dict.fromkeys((self.entry, *self.functions.values()))

    def mapped(self, change: Callable[[Graph], Graph]) -> Module:
        """The module with each of its graphs changed; the same object where none is."""
        after = {graph: change(graph) for graph in self.graphs()}
        if all(graph is other for graph, other in after.items()):
            return self
        return Module(after[self.entry], {name: after[graph] for name, graph in self.functions.items()})

    def text(self, *, show_specs: bool = False, longest: int | None = 64) -> str:
        """The entry as a person reads it, and below it the functions that it calls by name.

        Parameters
        ----------
        show_specs : bool
            Ends each line with the shape and dtype of what the node gives.
        longest : int or None
            As in `runtime.graph.printer.to_text`. `runtime.graph.parser.module_from_text` reads it back.
        """
        return printer_.Printer(show_specs=show_specs, longest=longest).text(self.entry, self.functions)

    @property
    def resources(self) -> dict[str, Resource]:
        """What lies outside of it, by the names in its text, in the order in which it is used."""
        printer = printer_.Printer(longest=None)
        printer.text(self.entry, self.functions)
        return printer.resources

    if TYPE_CHECKING:  # written by `runtime.interchange.methods`

        def to_dot(self) -> str: ...
        def to_svg(self) -> str: ...
        def to_html(self) -> str: ...
        def _repr_html_(self) -> str: ...

    def __copy__(self) -> Module:
        return self

    def __deepcopy__(self, memo: object) -> Module:
        return self  # nothing changes

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Module of {self.entry!r}, functions: {', '.join(self.functions) or 'none'}>"


def called(graph: Graph) -> list[str]:
    """The functions that a graph, and those inside of it, call by name: each once, in order."""
    names = (node.op.callee for inner in graph.walk() for node in inner.nodes)
    return list(dict.fromkeys(name for name in names if name is not None))
