"""The page of a graph in a browser: what opens and closes, moves and shows itself."""

import runpy
from pathlib import Path

import pytest

import autograph as ag
import runtime as rt

pytestmark = pytest.mark.browser


def guide(x):
    if rt.greater(x, 0):
        return x
    return 0


def network(rows, weights):
    state, states = rt.zeros(4), []
    for row in rows:
        state = rt.tanh(weights @ state + row)
        if rt.max(state) > 0.9:
            print("saturated", state)
        states.append(state)
    return rt.stack(states), state


hits = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "hits.py"))["hits"]


def ladder(x):
    for function in (rt.sin, rt.cos, rt.exp, rt.tanh) * 12:
        x = function(x) + 1
    return x


SPECS = {
    guide: [rt.TensorSpec((), rt.int64)],
    network: [rt.TensorSpec((None, 4), rt.float64), rt.TensorSpec((4, 4), rt.float64)],
    hits: [rt.TensorSpec((34, 34), rt.float64), rt.TensorSpec((), rt.float64)],
    ladder: [rt.TensorSpec((), rt.float64)],
}


@pytest.fixture
def shown(browser, tmp_path):
    """Opens the page of a function's graph."""

    def open_page(function, made="to_html"):
        graph = ag.function(function).get_concrete_function(*SPECS[function]).graph
        (tmp_path / "graph.html").write_text(getattr(graph, made)(), encoding="utf-8")
        browser.get(f"file://{tmp_path}/graph.html")
        return Page(browser)

    return open_page


class Page:
    """What a person sees of a page, and does to it."""

    def __init__(self, browser):
        self.browser = browser

    def box(self, title):
        """The first box of that name."""
        return self.browser.execute_script(
            "return [...document.querySelectorAll('.box')].find(box => "
            "[...box.children].some(each => each.matches('.title') && "
            "each.textContent.replace(/^[▸▾] /, '') === arguments[0]))",
            title,
        )

    def head(self, title):
        """The line with the name of a box."""
        return self.browser.execute_script(
            "return [...arguments[0].children].find(each => each.matches('.title'))", self.box(title)
        )

    def rect(self, title):
        """Where a box is on the screen, with nothing of it where it is not shown."""
        return self.browser.execute_script(
            "const {x, y, width, height} = arguments[0].getBoundingClientRect();return [x, y, width, height]",
            self.box(title),
        )

    def text_height(self, title):
        """How large its letters are."""
        return self.browser.execute_script(
            "return arguments[0].getBoundingClientRect().height", self.head(title)
        )

    def told(self):
        """What shows beside the pointer."""
        return self.browser.execute_script(
            "const told = document.querySelector('.told'); "
            "return told.style.display === 'block' ? told.textContent : null"
        )

    def do(self):
        from selenium.webdriver import ActionChains

        return ActionChains(self.browser, duration=0)

    def wheel(self, title, amount):
        from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

        self.do().scroll_from_origin(ScrollOrigin.from_element(self.head(title)), 0, amount).perform()


def test_branches_and_loops_close_and_open_at_a_click(shown):
    page = shown(network)
    for title, inside in [("If", "PrintV2"), ("While", "Tanh")]:
        before = page.rect(title)
        assert page.rect(inside)[3] > 0
        page.do().click(page.head(title)).perform()
        assert page.head(title).text.startswith("▸")
        assert page.rect(inside)[3] == 0
        assert page.rect(title)[3] < before[3] / 2
        page.do().click(page.head(title)).perform()
        assert page.head(title).text.startswith("▾")
        assert page.rect(inside)[3] > 0
        assert page.rect(title)[3] == pytest.approx(before[3], abs=1)


def test_what_follows_a_closed_loop_moves_up_and_stays_below_it(shown):
    page = shown(network)
    below = page.rect("TensorListStack")[1]
    page.do().click(page.head("While")).perform()
    loop = page.rect("While")
    assert loop[1] + loop[3] < page.rect("TensorListStack")[1] < below


def test_the_pointer_shows_dtype_shape_and_the_users_line(shown):
    page = shown(network)
    assert page.told() is None
    page.do().move_to_element(page.head("Tanh")).perform()
    assert page.told().startswith("Tanh()\ngives f64[4]\n")
    assert page.told().endswith("in network\n    state = rt.tanh(weights @ state + row)")
    page.do().move_to_element(page.head("weights")).perform()
    assert page.told() == "the argument weights: f64[4,4]"
    page.do().move_by_offset(-600, -30).perform()
    assert page.told() is None


def test_the_wheel_zooms_where_the_pointer_is(shown):
    page = shown(guide)
    x, y, width, height = page.rect("Greater")
    page.wheel("Greater", -200)
    near, top, wide, tall = page.rect("Greater")
    assert wide / width == pytest.approx(tall / height) == pytest.approx(1.49, abs=0.02)
    assert near < x < x + width < near + wide
    assert top < y < y + height < top + tall
    page.do().double_click(page.head("Greater")).perform()
    assert page.rect("Greater") == pytest.approx([x, y, width, height], abs=1)


def test_dragging_moves_the_picture_and_closes_nothing(shown):
    page = shown(guide)
    x, y, width, height = page.rect("StatelessIf")
    page.do().drag_and_drop_by_offset(page.head("StatelessIf"), 40, 30).perform()
    assert page.rect("StatelessIf") == pytest.approx([x + 40, y + 30, width, height], abs=1)
    assert page.head("StatelessIf").text.startswith("▾")


@pytest.mark.parametrize(
    ("function", "result"),
    [(guide, "result"), (network, "result 1"), (hits, "result 2")],
    ids=["the guide's example", "a network", "hits"],
)
def test_a_page_opens_with_all_of_it_in_letters_that_can_be_read(shown, function, result):
    page = shown(function)
    room = page.browser.execute_script("return [innerWidth, innerHeight]")
    x, y, width, height = page.rect(result)
    assert 0 < x < x + width < room[0]
    assert 0 < y < y + height < room[1]
    assert page.text_height(result) > 8


def test_the_largest_loop_is_closed_at_first_where_a_graph_is_large(shown):
    page = shown(hits)
    assert page.head("StatelessWhile").text.startswith("▸")
    assert page.head("StatelessIf").text.startswith("▾")


def test_a_page_begins_at_the_top_of_a_graph_that_is_larger_than_it(shown):
    page = shown(ladder)
    assert page.text_height("Sin") > 8
    assert page.rect("Sin")[1] > 0
    assert page.rect("result")[1] > 1000


def test_a_notebook_shows_the_same_and_leaves_the_wheel_to_the_page(shown):
    page = shown(network, "_repr_html_")
    width = page.rect("While")[2]
    page.wheel("While", 50)
    assert page.rect("While")[2] == width
    page.do().click(page.head("While")).perform()
    assert page.rect("Tanh")[3] == 0
