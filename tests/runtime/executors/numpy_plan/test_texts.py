"""Text with slots as Python source."""

import numpy as np
import pytest

from runtime.core.text import Apply, Slot, filled, joined
from runtime.executors.numpy_plan.texts import text_source

SLOT = Slot()
VALUES = (np.float64(1.5), np.int64(3))
TEXTS = {
    "f'x = {a} {{}}'": joined(["x = ", Apply("str", (SLOT,)), " {}"]),
    "f'{a!r}, {b:>5}'": joined([Apply("repr", (SLOT,)), ", ", Apply("format", (SLOT, ">5"))]),
    "'n: ' + format(a, f'{b}')": joined(["n: ", Apply("format", (SLOT, Apply("str", (SLOT,))))]),
    "'%5.2f' % (a,)": Apply("%", ("%5.2f", SLOT)),
    "f'<{a}>'.rjust(9, '.')": Apply("rjust", (joined(["<", Apply("str", (SLOT,)), ">"]), 9, ".")),
    "f'{a.item()!r}'": Apply("repr", (Slot(is_number=True),)),
    "'plain {}'": "plain {}",
}


@pytest.mark.parametrize("source", TEXTS)
def test_source_is_short_and_gives_the_same_text(source):
    names = dict(zip("ab", VALUES, strict=True))
    assert text_source(TEXTS[source], list(names)) == source
    if "a.item" not in source:
        assert eval(source, names) == filled(TEXTS[source], VALUES)
