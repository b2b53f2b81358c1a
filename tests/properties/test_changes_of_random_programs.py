"""Random functions of nested lists: none changes an argument unseen."""

import copy
import importlib.util
import itertools
import random

from autograph.backends.tensors import TENSORS
from autograph.staging import reach
from autograph.staging.closed import NOT_CLOSED, closed_call
from autograph.staging.dispatch import Backends
from autograph.staging.journal import recording

BACKENDS = Backends([TENSORS])
_VARIABLES = ("a", "b", "c", "d", "e")


def function_text(rng, name):
    """A function of lists `a` and `b` that makes lists of its own, and changes some of them."""
    lines = [f"def {name}(a, b):", "    c, d, e = [], [[]], [a[0]]"]
    for _ in range(rng.randrange(2, 9)):
        lines += ["    " * rng.choice((1, 1, 1, 2)) + each for each in statement_text(rng)]
    indented = []
    for before, line in itertools.pairwise([*lines, f"    return {rng.choice(_VARIABLES)}"]):
        indented.append(before)
        if line.startswith("        ") and not before.startswith("        "):
            loops = (
                "for _ in range(2):",
                "if a:",
                "while len(c) > 3:",
                f"for {rng.choice('cde')} in [{rng.choice('abcde')}]:",
            )
            choice = rng.choice(loops)
            indented.append("    " + choice)
            if choice.startswith("while"):
                indented.append("        c = c[:2]")
    indented.append(f"    return {rng.choice(_VARIABLES)}")
    return "\n".join(indented)


def statement_text(rng):
    x, y, z = (rng.choice(_VARIABLES) for _ in range(3))
    return [
        rng.choice(
            (
                f"{x} = {y}",
                f"{x} = {y}[:]",
                f"{x} = {y}[0]",
                f"{x} = [{y}, {z}]",
                f"{x} = {y} + {z}",
                f"{x}, {y} = {y}, {z}",
                f"{x}.append({y})",
                f"{x}[0] = {y}",
                f"{x} += {y}[:2]",
                f"{x}[0] += [{y}]",
                f"{x} = [each for each in {y}]",
                f"{x} = [each[0] for each in [{y}]]",
                f"{x} = max({y}, {z}, key=len)",
                f"{x} = sorted({y}, key=str)",
                f"{x} = {y} or {z}",
                f"{x} = [*{y}, {z}]",
                f"{x}.extend({y}[:2])",
                f"{x}.insert(0, {y})",
                f"{x} = {y}.pop()",
                f"({x},) = {y}[:1]",
                f"{x} = dict(enumerate({y})).get(0, {z})",
                f"{x} = [*map(list, [{y}])]",
                f"{x} = helper({y}, {z})",
                f"{x} = given({y})",
                f"del {x}[1:]",
                f"{x} = next(iter({y}), {z})",
                f"{x} = copy.copy({y})",
                f"{x} = copy.deepcopy({y})",
            )
        )
    ]


HELPERS = """import copy

def helper(x, y):
    x.append(y)
    return y

def given(x):
    return [x]

"""


def test_no_change_of_a_random_program_goes_unseen(tmp_path):
    rng = random.Random(20)
    count = 400
    text = HELPERS + "\n\n".join(function_text(rng, f"f{number}") for number in range(count))
    path = tmp_path / "random_programs.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("random_programs", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    known = ran = 0
    for number in range(count):
        function = getattr(module, f"f{number}")
        facts = reach.facts_of(function)
        facts._calls_with_copies = reach._CALLS_BEFORE_LOOK - 1
        found = facts.effects_known()
        known += found is not None
        shared = [1, [2]]
        for a, b in (
            ([[1], [2, [3]]], [[4], [5]]),
            ([[[1]], [2]], [[[6]]]),
            ([shared, [1]], [shared, shared]),
        ):
            held = copy.deepcopy((a, b))
            with recording() as journal:
                result = closed_call(BACKENDS, function, (a, b), None)
                ran += result is not NOT_CLOSED
                journal.undo()
            assert (a, b) == held, text
    assert known > 0.9 * count
    assert ran > 0.2 * 3 * count
