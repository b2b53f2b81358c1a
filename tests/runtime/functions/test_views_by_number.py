"""The view of an array that shows elements of which the numbers are known."""

import numpy as np
import pytest

from runtime.functions.views_by_number import view_at

TABLE = np.arange(24.0).reshape(2, 3, 4)
CUTS = {
    "the whole": lambda x: x,
    "one axis the other way": lambda x: x[:, ::-1],
    "axes in another order": lambda x: x.transpose(2, 0, 1),
    "every other one": lambda x: x[..., 1::2],
    "one row": lambda x: x[1:, 2],
    "one element, with axes": lambda x: x[:1, :1, :1],
    "in another shape": lambda x: x[:, 0].reshape(2, 2, 2),
}
MEMORY = {
    "row by row": TABLE,
    "column by column": np.asfortranarray(TABLE),
    "a part": np.arange(96.0).reshape(4, 3, 8)[1:3, :, ::2],
    "backward": TABLE[::-1],
}


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("cut", CUTS)
def test_it_is_the_view_that_was_cut_out(cut, memory):
    whole = MEMORY[memory]
    numbers = CUTS[cut](np.arange(whole.size).reshape(whole.shape))
    found = view_at(whole, numbers)
    np.testing.assert_array_equal(found, whole.reshape(-1)[numbers])
    assert np.shares_memory(found, whole)


def test_there_is_none_of_elements_that_no_steps_lead_to():
    assert view_at(TABLE, np.array([0, 1, 5])) is None


def test_there_is_none_of_no_elements():
    assert view_at(TABLE, np.empty((0, 2), dtype=int)) is None
