"""TensorBoard's page "Graphs" shows in a browser what `ag.write_graph` writes: the picture of the guide."""

import pytest

import autograph as ag
import runtime as rt
from tests.peers.tensorboard import asked, serving

pytestmark = pytest.mark.browser

DRAWN = """
const found = [];
function walk(root) {
  for (const each of root.querySelectorAll("*")) {
    if (each.shadowRoot) walk(each.shadowRoot);
    const title = each.tagName === "text" && each.querySelector("title");
    if (title) found.push(title.textContent);
  }
}
walk(document);
return found;
"""
"""The full names beside what TensorBoard draws, which lie in the shadows of its elements."""


@ag.function
def simple_relu(x):
    if rt.greater(x, 0):
        return x
    return 0


def test_the_graph_page_draws_the_guides_example(browser, tmp_path):
    from selenium.webdriver.support.wait import WebDriverWait

    ag.write_graph(simple_relu.get_concrete_function(rt.asarray(1)), tmp_path)
    with serving(tmp_path) as url:
        asked(f"{url}/data/plugin/graphs/info")  # it has read the file by then
        browser.get(f"{url}/#graphs")
        drawn = WebDriverWait(browser, 60).until(lambda page: page.execute_script(DRAWN))
        main = [name for name in drawn if not name.startswith("cond_")]
        assert main == ["x", "y", "Greater", "cond", "Identity"]
        functions = sorted(name.rpartition("_")[0] for name in drawn if name.startswith("cond_"))
        assert functions == ["cond_false", "cond_true"]
