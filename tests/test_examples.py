"""Each program in `examples/` runs, as a graph and as plain Python, and finds what it says."""

import importlib
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def main(monkeypatch, capsys):
    """Runs the `main` of an example; gives its result and what it prints."""
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def run(name, *arguments):
        result = importlib.import_module(name).main(*arguments)
        return result, capsys.readouterr().out

    return run


def test_the_ball_bounces_where_mechanics_says(main):
    bounces, printed = main("bouncing_ball", 1.0)
    assert bounces[0] == pytest.approx(0.649, abs=1e-3)  # without air it were (2 * 2 / 9.81) ** 0.5 == 0.639
    assert "times as fast" in printed


def test_k_means_finds_the_clouds(main):
    centres, _ = main("kmeans", 100)
    assert np.allclose(sorted(centres[:, 0].tolist()), [0.0, 1.0, 4.0], atol=0.7)


def test_page_ranks_add_up_to_one(main):
    ranks, _ = main("pagerank", 20)
    assert len(ranks) == 20
    assert np.sum(ranks) == pytest.approx(1.0)


def test_a_wide_beam_finds_a_word_that_a_narrow_one_misses(main):
    word, printed = main("beam_search", 4)
    assert f"a beam of 4 finds `{word}`" in printed
    assert f"a beam of 1 finds `{word}`" not in printed


def test_life_settles_into_a_picture(main):
    board, printed = main("life", 12)
    assert set(board.ravel().tolist()) <= {0, 1}
    assert "generation" in printed


def test_the_state_machine_finds_the_numbers(main):
    (count, total), _ = main("state_machine", 2)
    assert count == 10
    assert total == 2 * (-12.5 + 3 + 0.25 + 1984 + 42)


def test_every_example_is_here_and_in_the_readme():
    readme = (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")
    programs = {path.stem for path in EXAMPLES.glob("*.py")} - {"beside"}
    assert all(f"examples/{name}.py" in readme for name in programs)
    tested = Path(__file__).read_text(encoding="utf-8")
    assert all(f'main("{name}"' in tested for name in programs - {"hits"})
