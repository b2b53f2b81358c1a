"""TensorBoard reads what `ag.write_graph` writes: with its own reader, and on its page over HTTP."""

import json
import subprocess
import urllib.parse

import pytest

import autograph as ag
import runtime as rt
from tests.peers.tensorboard import PYTHON, asked, serving

pytestmark = pytest.mark.peers

READ = """
import sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1])
events.Reload()
print(*[f"{node.op} {node.name}" for node in events.Graph().node], sep="\\n")
"""


@ag.function
def network(rows, weights):
    state = rt.zeros(4)
    for row in rows:
        state = rt.tanh(weights @ state + row)
        if rt.max(state) > 0.9:
            state = state / 2
    return state


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    concrete = network.get_concrete_function(
        rt.TensorSpec((None, 4), rt.float64), rt.TensorSpec((4, 4), rt.float64)
    )
    ag.write_graph(concrete, folder)
    return folder, concrete.graph.as_graph_def()


def test_its_reader_finds_the_graph(logs):
    folder, graph = logs
    found = subprocess.run([PYTHON, "-c", READ, folder], check=True, stdout=subprocess.PIPE, encoding="utf-8")
    assert found.stdout.splitlines() == [f"{node.op} {node.name}" for node in graph.node]


@pytest.fixture(scope="module")
def server(logs):
    with serving(logs[0]) as url:
        yield url


def test_its_graph_page_has_the_graph_and_the_functions_of_branches_and_loops(logs, server):
    _, graph = logs
    (run,) = json.loads(asked(f"{server}/data/plugin/graphs/info"))
    page = asked(f"{server}/data/plugin/graphs/graph?run={urllib.parse.quote(run)}&conceptual=false")
    for node in graph.node:
        assert f'name: "{node.name}"' in page
    for function in graph.library.function:
        assert f'name: "{function.signature.name}"' in page
