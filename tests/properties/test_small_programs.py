"""Small programs over shared, chosen and changed objects do as a graph what they do in plain Python.

`python -m tests.properties 2000 --property small` compares as many as one likes, and counts what is refused
by its cause; docs/semantics.md has such counts.
"""

import pytest

from tests.properties.small import SmallProgram
from tests.properties.small_case import outcome_of

KNOWN: dict[int, str] = {}
"""Programs among these that show a defect, and which; who mends it takes them out."""

TOGETHER = 10


@pytest.mark.parametrize("first", range(0, 150, TOGETHER))
def test_a_small_program_does_what_it_does_in_python_or_is_refused(first):
    for seed in range(first, first + TOGETHER):
        program = SmallProgram.from_seed(seed)
        outcome = outcome_of(program)
        assert outcome.is_defect == (seed in KNOWN), f"program {seed}\n{program}\n\n{outcome.text}"
