"""AutoGraph knows its own code by marks, never by how a name is spelt.

Marks are in the context of a conversion, in the nodes of a tree, behind the constants of generated code, and
in the roles of a state's variables. A user may call a variable whatever generated code would.
"""

import ast

from tests.architecture.trees import ROOT, files_of, nodes_in

LOOKS_INTO_NAMES = {
    "backends/tensors/objects/proxies.py": "special methods are looked up on the class: `__…`",
    "backends/tensors/effects/filtering.py": "the texts of warnings, which the program's filters look into",
    "backends/tensors/effects/host.py": "as in proxies.py",
    "backends/tensors/objects/inspecting.py": "another library's module, wherever packages keep a copy",
    "backends/tensors/containers/linked.py": "as in proxies.py",
    "backends/tensors/statements/maybe.py": "as in proxies.py",
    "backends/tensors/statements/raising.py": "the package that a class of exceptions is defined in",
    "backends/tensors/text/text.py": "the grammar of Python's `%` conversions",
    "backends/tensors/statements/truths.py": "as in proxies.py",
    "checking/outcome.py": "special attributes of classes, as Python spells them",
    "converters/picture.py": "the text of a doctest",
    "frames.py": "the folder that a file lies in",
    "source/file.py": "the characters that statements begin with: what is found there is compared",
    "source/load.py": "Python calls the code of lambdas and comprehensions `<…>`, which is no name",
    "source/names.py": "Python's rule for private attributes",
    "source/texts.py": "options on Python's command line, and what Python calls texts that are no file",
    "stepping.py": "as in frames.py",
    "staging/announcing.py": "the package that a class is defined in",
    "staging/reach.py": "as in stand_ins.py; what instructions are called: an unknown one leads out",
    "staging/regions.py": "names no text: what functions of `re` give",
    "staging/stand_ins.py": "special methods, as Python spells them, and the package of a class",
    "tracing/entries.py": "special methods and attributes, as Python spells them",
    "tracing/guards.py": "special methods and attributes, as Python spells them",
    "tracing/uses.py": "what instructions are called, to tell which lists are only added to",
}
"""Files that look at how something is spelt, and what that is."""

METHODS = {"startswith", "endswith", "removeprefix", "removesuffix"}

RESERVED = {
    "source/template.py": "marks the operators in the text of templates",
    "transpiler.py": "refuses functions that use the one reserved name",
}
"""Files that may compare with the name of the operators."""


def nodes(pattern=""):
    """The nodes of each file in which a pattern is."""
    for path, text in files_of("autograph", pattern):
        place = path.relative_to(ROOT / "autograph").as_posix()
        if not place.startswith("compat/"):  # the names there are TensorFlow's
            yield place, nodes_in(text)


def given_names():
    """What converters call the variables that they add; functions have the names of operators' parameters."""
    return {
        node.args[0].value
        for _, found in nodes(r"\b(fresh|variable)\(")
        for node in found
        if isinstance(node, ast.Call)
        and (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
        in {"fresh", "variable"}
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def compared(node):
    """The texts that a node compares something with."""
    parts = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.MatchValue):
        parts = [node.value]
    for part in parts:
        for each in part.elts if isinstance(part, ast.Tuple | ast.Set | ast.List) else [part]:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value


def test_no_name_that_converters_give_is_compared_with():
    names = given_names()
    assert {"retval_", "do_return", "break_", "matched_", "fscope"} <= names
    for place, inside in nodes():
        found = {text for node in inside for text in compared(node)}
        assert not found & names, place
        assert place in RESERVED or "ag__" not in found, place


def test_who_looks_at_the_beginning_or_the_end_of_a_text_says_why():
    looking = set()
    for place, found in nodes("|".join([*METHODS, r"\bre\b"])):
        for node in found:
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                looking.add(place)
            if isinstance(node, ast.Import) and any(alias.name == "re" for alias in node.names):
                looking.add(place)
    assert looking == set(LOOKS_INTO_NAMES)
