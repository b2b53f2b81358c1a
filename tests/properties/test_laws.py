"""The laws of the IR, on random graphs: what passes, executors, copies and the core may not change."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from runtime.executors.base import choose
from runtime.graph.file import digest, from_bytes, to_bytes
from runtime.graph.module import Module
from runtime.graph.printer import resources_of
from runtime.graph.verify import verify_module
from runtime.passes.decompose import decompose
from runtime.passes.pipeline import PASSES, trace
from tests.properties.test_optimised_is_same import graphs, run
from tests.runtime.passes.equivalence import arguments

EFFORT = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@EFFORT
@given(graphs())
def test_after_every_pass_the_module_is_valid(pair):
    graph, _ = pair
    for step in trace(Module(graph)):  # which verifies each
        assert step.before != step.after


@pytest.mark.parametrize("name", PASSES)
@settings(EFFORT, max_examples=8)
@given(pair=graphs())
def test_a_pass_keeps_results_and_effects_in_their_order(name, pair):
    graph, variable = pair
    after = Module(graph).mapped(PASSES[name])
    verify_module(after)
    arrays = arguments(graph)
    assert run(after.entry, variable, arrays) == run(graph, variable, arrays)


@EFFORT
@given(graphs())
def test_the_core_changes_no_bit(pair):
    graph, variable = pair
    arrays = arguments(graph)
    assert run(decompose(graph), variable, arrays) == run(graph, variable, arrays)


@EFFORT
@given(graphs())
def test_copies_have_one_digest_and_run_the_same(pair):
    graph, variable = pair
    module = Module(graph)
    named = resources_of(graph)
    arrays = arguments(graph)
    expected = run(graph, variable, arrays)
    for again in (copy.copy(module), copy.deepcopy(module), from_bytes(to_bytes(module), objects=named)):
        assert digest(again) == digest(module)
    assert run(from_bytes(to_bytes(module), objects=named).entry, variable, arrays) == expected
    assert digest(pickle.loads(pickle.dumps(module))) == digest(module)


@EFFORT
@given(graphs())
def test_every_executor_agrees_with_the_reference_on_the_raw_graph(pair):
    graph, variable = pair
    arrays = arguments(graph)
    found = []
    for name in ("reference", "numpy", "auto"):
        variable.assign(1.5)
        with np.errstate(all="ignore"):
            try:
                results = choose(name).compile(Module(graph)).run(arrays)
            except ZeroDivisionError as error:
                found.append(str(error).splitlines()[0])
                continue
        for result, spec in zip(results, graph.output_specs, strict=True):
            assert np.asarray(result).dtype == spec.dtype.numpy
        found.append([*map(np.asarray, results), variable.numpy()])
    expected, *others = found
    for other in others:
        if isinstance(expected, str):
            assert other == expected
            continue
        for one, two in zip(expected, other, strict=True):
            np.testing.assert_array_equal(one, two, strict=True)
