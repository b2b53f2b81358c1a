import re

import pytest

from runtime.functions.polymorphic import PolymorphicFunction
from runtime.interchange.graphdef.writer import graph_to_graphdef


@pytest.fixture
def written():
    """The GraphDef of a function, for some arguments."""

    def write(function, *arguments):
        return graph_to_graphdef(PolymorphicFunction(function).get_concrete_function(*arguments).graph)

    return write


@pytest.fixture
def nodes():
    """The nodes of a graph or of one of its functions as short lines: ``name = op(inputs)``."""

    def listed(message):
        found = getattr(message, "node_def", None)
        each = message.node if found is None else found
        return [f"{node.name} = {node.op}({', '.join(node.input)})" for node in each]

    return listed


@pytest.fixture
def functions():
    """The functions of a GraphDef by name, with N for the number that their content gives."""

    def named(message):
        return {re.sub(r"_\d+$", "_N", each.signature.name): each for each in message.library.function}

    return named


@pytest.fixture
def attributes():
    """The attributes of a node as text, with N for the numbers of functions."""

    def shown(message, name):
        (node,) = [node for node in message.node if node.name == name]
        return {
            key: re.sub(r"_\d{3,}", "_N", " ".join(str(value).split())) for key, value in node.attr.items()
        }

    return shown
