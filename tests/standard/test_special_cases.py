"""The standard's special cases, one by one: eager code and graphs give them, in both precisions."""

import numpy as np
import pytest

from tests.standard import special_cases
from tests.standard.ways import every_way

REAL = {
    name: cases
    for table in (special_cases.UNARY, special_cases.BINARY)
    for name, cases in special_cases.cases_of(table, ",", ("x1", "x2")).items()
}
COMPLEX = special_cases.complex_cases()


def require(found, cases, text):
    """Each element is the value of its case: NaN for NaN, and of its sign unless that is open."""
    wanted = np.array([value for value, _ in cases], found.dtype if found.dtype == bool else float)
    with_sign = np.array([signed for _, signed in cases])
    found, wanted = found.astype(float), wanted.astype(float)
    found, wanted = (np.where(with_sign, each, np.abs(each)) for each in (found, wanted))
    same = np.isclose(found, wanted, rtol=1e-6, atol=0, equal_nan=True)
    same &= (wanted != 0) | (np.signbit(found) == np.signbit(wanted))
    wrong = [
        f"{each} is {got}, not {value}"
        for each, got, value, ok in zip(text, found, wanted, same, strict=True)
        if not ok
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", REAL)
def test_special_cases_of_real_numbers(name, dtype):
    operands = tuple(
        np.array(column, dtype) for column in zip(*(chosen for chosen, _ in REAL[name]), strict=True)
    )
    texts = [f"{name}{chosen}" for chosen, _ in REAL[name]]
    for way, found in every_way(name, (operands, {})):
        require(found.numpy(), [result for _, (result,) in REAL[name]], [f"{way}: {text}" for text in texts])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", COMPLEX)
def test_special_cases_of_complex_numbers(name, dtype):
    x = np.array([complex(*chosen) for chosen, _ in COMPLEX[name]], dtype)
    texts = [f"{name}({complex(*chosen)})" for chosen, _ in COMPLEX[name]]
    for way, found in every_way(name, ((x,), {})):
        for part, of in enumerate((np.real, np.imag)[: len(COMPLEX[name][0][1])]):
            results = [parts[part] for _, parts in COMPLEX[name]]
            require(of(found.numpy()), results, [f"{way}, part {part}: {text}" for text in texts])
