"""Every function of the standard gives what `array_api_strict` gives: at once, and in graphs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.standard.calls import CALLS
from tests.standard.creation_calls import ANY_VALUES
from tests.standard.functions import FAMILIES, NEEDS_LENGTHS, OF_OTHER_SUITES, WITHOUT_CALLS
from tests.standard.ways import GRAPHS, every_way, expected, require_same

TOLERANCE = {
    **dict.fromkeys(["matmul", "tensordot", "vecdot", "std", "var", "sign"], 1e-5),
    **dict.fromkeys(ANY_VALUES, np.inf),
}
"""For functions that add up in another order than the oracle, or divide where it multiplies."""


def test_every_function_has_calls():
    of_other_suites = {name for family in OF_OTHER_SUITES for name in FAMILIES[family]}
    assert (
        CALLS.keys()
        == {name for names in FAMILIES.values() for name in names} - of_other_suites - WITHOUT_CALLS
    )


@pytest.mark.filterwarnings("ignore:.*(empty slice|Degrees of freedom):RuntimeWarning")
@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_function_gives_what_the_oracle_gives(name, data):
    call = data.draw(CALLS[name], label="call")
    with np.errstate(all="ignore"):
        wanted = expected(name, call)
        for way, found in every_way(name, call, GRAPHS[:1] if name in NEEDS_LENGTHS else GRAPHS):
            try:
                require_same(found, wanted, TOLERANCE.get(name, 0.0))
            except AssertionError as error:
                error.add_note(f"{name} {way}")
                raise
