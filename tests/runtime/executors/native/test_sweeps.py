"""Random loops over whole arrays, with parts whose lengths only the run knows, give what NumPy gives."""

import random

import numpy as np
import pytest

import autograph as ag

LOOPS = "range(t)", "range(1, t)", "range(len(x) - 2)", "range(2, len(x) - 1)"
STARTS, STOPS = (
    ("k", "k + 1", "k - 1", "1", "2", "", "k - 2", "-3", "0"),
    ("k + 3", "k + 1", "n", "", "-1", "k"),
)
UPDATES = "=", "+=", "*=", "-="


class Drawn:
    """A program about two vectors, or two tables, `x` and `y`."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.has_rows = self.rng.random() < 0.5
        lines = ["def program(x, y, t):", "    n, s = len(x), 0.0", "    x = x * 1.0"]
        lines.append(f"    for k in {self.rng.choice(LOOPS)}:")
        lines += [f"        {line}" for _ in range(self.rng.randint(1, 4)) for line in self.statement()]
        self.text = "\n".join([*lines, "    return x, y, s", ""])

    def cut(self):
        return f"{self.rng.choice(STARTS)}:{self.rng.choice(STOPS)}"

    def part(self, name):
        cut = f"{name}[{self.cut()}]"
        if self.has_rows:
            return self.rng.choice(
                [f"{name}[{self.cut()}, {self.cut()}]", cut, f"{name}[k]", f"{name}[:, k:k + 1]"]
            )
        return self.rng.choice([cut, cut, cut, f"{name}[k]", f"{name}[k:k + 1]"])

    def value(self, depth=0):
        kind = self.rng.random()
        if depth > 1 or kind < 0.3:
            return self.part(self.rng.choice("xy"))
        one, other = self.value(depth + 1), self.value(depth + 1)
        if kind < 0.55:
            return f"({one} {self.rng.choice('+-*')} {other})"
        forms = ["np.maximum({0}, -0.0)", "np.minimum({0}, {1})", "np.where({0} > 0.5, {1}, 0.25)"]
        forms += ["({0} * 0.5 + s)", "np.sort({0}, axis=-1)", "np.clip({0}, 0.1, 0.9)"]
        return self.rng.choice(forms).format(one, other)

    def statement(self):
        kind, part = self.rng.random(), self.part("x")
        if kind < 0.5:
            value = self.rng.choice([f"{part} * 0.5", self.value(), self.value(1)])
            return [f"{part} {self.rng.choice(UPDATES)} {value}"]
        if kind < 0.65:
            return [f"s += np.{self.rng.choice(['max', 'min', 'sum'])}({self.value()})"]
        if kind < 0.75:
            return [f"s += len(np.nonzero({self.value()} > 0.5)[0])"]
        if kind < 0.85:
            return [f"q = {self.value()}", "s += np.sum(q[q > 0.3])"]
        return [self.rng.choice(["x = np.maximum(x, y * s)", "y = y[::-1] * 0.99"])]


def outcome(program, *arguments):
    """What a program gives, or the exception that it raises."""
    try:
        return program(*[np.copy(each) if np.ndim(each) else each for each in arguments])
    except (ValueError, IndexError) as error:
        return error


@pytest.mark.parametrize("seed", range(24))
def test_random_loops_over_arrays_give_numpys_bits_and_errors(seed, tmp_path):
    drawn, path = Drawn(seed), tmp_path / "drawn.py"
    path.write_text(drawn.text, encoding="utf-8")
    names = {"np": np}
    exec(compile(drawn.text, str(path), "exec"), names)
    rng = np.random.default_rng(seed)
    staged = ag.function(names["program"])
    for length in (9, 10):
        shape = (length, length) if drawn.has_rows else length
        x, y = (rng.choice([0.0, -0.0, 0.5, 1.0, 0.3, -1.0], shape) for _ in "xy")
        found, wanted = (outcome(each, x, y, np.int64(4)) for each in (staged, names["program"]))
        if isinstance(wanted, Exception):
            assert isinstance(found, type(wanted)), drawn.text
            continue
        for one, other in zip(found, wanted, strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes(), drawn.text
