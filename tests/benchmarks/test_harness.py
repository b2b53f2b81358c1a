"""The harness lets contenders take turns and counts their least times; every scene can be set up."""

import importlib

import pytest

from benchmarks.__main__ import SCENES
from benchmarks.harness import Contender, Scene, measure, table, timed


def test_contenders_take_turns_and_the_least_time_counts():
    log = []
    slow, fast = iter([0.3, 0.2, 0.5]), iter([2e-6, 3e-6, 1e-6])

    def next_of(name, times):
        def seconds():
            log.append(name)
            return next(times)

        return Contender(name, seconds)

    result = measure(Scene("work", [next_of("slow", slow), next_of("fast", fast)], "be quick"), rounds=3)
    assert log == ["slow", "fast"] * 3
    assert result.seconds == (0.2, 1e-6)
    assert table([result]) == (
        "| scene | contender | time   | ratio | goal     |\n"
        "| ----- | --------- | ------ | ----- | -------- |\n"
        "| work  | slow      | 200 ms | 1.00  | be quick |\n"
        "|       | fast      | 1 µs   | 0.00  |          |"
    )


def test_short_work_is_repeated_until_the_clock_can_tell():
    calls = []
    seconds = timed(lambda: calls.append(None), least=0.001)
    assert 0 < seconds() < 0.001
    assert len(calls) > 100


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_contenders_without_a_peer(name):
    scene = importlib.import_module(f"benchmarks.scenes.{name}").scene(None)
    assert len(scene.contenders) > 1
    assert len({contender.name for contender in scene.contenders}) == len(scene.contenders)
