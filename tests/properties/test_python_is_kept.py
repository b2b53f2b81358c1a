"""Random programs in most of Python's grammar do, converted, all that they do; see `docs/fidelity.md`.

`python tests/properties/test_python_is_kept.py 1000` compares as many as it is told, and counts them.
"""

import collections
import random
import sys
import warnings
from pathlib import Path

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from autograph.errors import ConversionWarning
from autograph.transpiler import Transpiler

sys.path.insert(0, str(Path(__file__).parent))
from python_programs import Program


def is_valid(program):
    """Whether Python takes the text: a few combinations of the grammar are refused, such as some walruses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `1 is None` is said for the sake of the test
        try:
            compile(program.text, "<program>", "exec")
        except SyntaxError:
            return False
    return True


def observed(program):
    """A plain run, a converted one, and whether there was something to convert."""
    converted = []

    def convert(function):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConversionWarning)
            converted.append(Transpiler().convert(function))
        return converted[-1]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the programs themselves, and of what is left to Python
        plain = program.run(lambda function: function)
        return plain, program.run(convert), converted[0].__code__.co_freevars.count("ag__") > 0


@settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 10**9))
def test_a_converted_program_does_all_that_the_program_does(seed):
    program = Program.from_random(random.Random(seed))
    assume(is_valid(program))
    plain, converted, _ = observed(program)
    assert converted == plain, program


def main(count):
    """Compares programs, prints what they did, and the first that differs."""
    counts = collections.Counter()
    for seed in range(count):
        program = Program.from_random(random.Random(seed))
        if not is_valid(program):
            continue
        plain, converted, is_converted = observed(program)
        if converted != plain:
            print(f"seed {seed}", program, plain, converted, sep="\n")
            return 1
        kind = plain["outcome"][0]
        counts["converted" if is_converted else "left to Python"] += 1
        counts[kind if isinstance(kind, str) else "raised"] += 1
    print(f"{sum(counts[kind] for kind in ('converted', 'left to Python'))} programs: {dict(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
