"""A graph as a page to look around in: one file, and nothing from the network."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from runtime.graph.graph import Graph
from runtime.interchange.pictures.layout import BEND, DETAIL, HEAD, PAD, ROW_GAP
from runtime.interchange.pictures.svg import to_svg

__all__ = ["fragment", "to_html"]

READABLE = 0.75
"""How small a page may show its graph at first: letters of eight pixels."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{title}</title>
<style>
html, body {{ margin: 0; height: 100%; }}
.ag-picture svg {{ width: 100vw; height: 100vh; display: block; cursor: grab; }}
.ag-picture p {{ position: fixed; left: 0; bottom: 0; margin: 0; padding: .3em .8em; }}
.ag-picture p {{ font: 12px system-ui, sans-serif; color: #656d76; background: canvas; }}
</style></head>
<body>
<div class="ag-picture" data-fills="window">
{svg}
<p>wheel: zoom · drag: move · double click: all of it · click on ▾, ▸: close, open · rest on a box: more</p>
</div>
<script>{script}</script>
</body>
</html>
"""

SCRIPT = """
(() => {
  SIZES
  const picture = document.currentScript.previousElementSibling, svg = picture.querySelector("svg");
  const view = svg.querySelector(".view");
  const own = (element, selector) => [...element.children].filter((each) => each.matches(selector));
  const number = (element, name) => parseFloat(element.getAttribute(name));
  const at = (element) => element.transform.baseVal.getItem(0).matrix;

  // Sets the rows of a graph below each other, after the boxes in it that are folded, as layout.py does.
  function settle(drawing) {
    const boxes = own(drawing, ".box"), rows = [], sizes = [];
    boxes.forEach((box, index) => {
      const body = own(box, ".body")[0], inner = own(box, ".drawing");
      let height = body ? number(body, "height") : BEND;
      if (inner.length) {
        const isFolded = box.classList.contains("folded");
        inner.forEach((each) => { each.style.display = isFolded ? "none" : ""; });
        const tallest = isFolded ? -PAD : Math.max(...inner.map(settle));
        height = HEAD + DETAIL + tallest + PAD;
        body.setAttribute("height", height);
      }
      sizes[index] = { x: at(box).e, y: 0, width: body ? number(body, "width") : BEND, height };
      (rows[box.dataset.row] ||= []).push(index);
    });
    let y = PAD + HEAD;
    rows.forEach((row) => {
      const tallest = Math.max(...row.map((index) => sizes[index].height));
      row.forEach((index) => {
        const size = sizes[index], box = boxes[index];
        if (box.classList.contains("bend")) {
          size.height = tallest;
          own(box, ".line")[0].setAttribute("d", `M${BEND / 2} 0V${tallest}`);
        }
        const free = tallest - size.height;
        if (box.classList.contains("constant")) size.y = y + free;
        else if (own(box, ".drawing").length || free > 2 * size.height) size.y = y;
        else size.y = y + free / 2;
        box.setAttribute("transform", `translate(${size.x} ${size.y})`);
      });
      y += tallest + ROW_GAP;
    });
    own(drawing, ".line").forEach((line) => {
      const from = sizes[line.dataset.from], to = sizes[line.dataset.to];
      const x = from.x + from.width / 2, end = to.x + to.width / 2, start = from.y + from.height;
      const middle = (start + to.y) / 2;
      line.setAttribute("d", `M${x} ${start}C${x} ${middle} ${end} ${middle} ${end} ${to.y}`);
    });
    const height = Math.max(y - ROW_GAP, HEAD) + PAD;
    own(drawing, ".frame")[0].setAttribute("height", height);
    return height;
  }

  const folding = [...svg.querySelectorAll(".folds")];
  function fold(box, isFolded) {
    box.classList.toggle("folded", isFolded);
    const title = own(box, ".title")[0];
    title.textContent = (isFolded ? "▸ " : "▾ ") + title.textContent.replace(/^[▸▾] /, "");
    own(view, ".drawing").forEach(settle);
  }
  folding.forEach((box) => {
    box.style.cursor = "pointer";
    fold(box, false);
    box.addEventListener("click", (event) => {
      if (event.target.closest(".box") === box && !moved) fold(box, !box.classList.contains("folded"));
    });
  });

  // What rests in the titles of boxes and lines shows beside the pointer, at once.
  const told = picture.appendChild(document.createElement("div"));
  told.className = "told";
  told.style.cssText = "position: fixed; display: none; pointer-events: none; white-space: pre; " +
    "z-index: 1; font: 12px ui-monospace, Menlo, Consolas, monospace; padding: .5em .8em; " +
    "border-radius: 4px; background: #1f2328; color: #ffffff; max-width: 90vw; overflow: hidden;";
  svg.querySelectorAll("title").forEach((title) => {
    title.parentElement.dataset.told = title.textContent;
    title.remove();
  });
  svg.addEventListener("pointermove", (event) => {
    const on = event.target.closest("[data-told]");
    told.style.display = on && !held ? "block" : "none";
    if (!on) return;
    told.textContent = on.dataset.told;
    const room = told.getBoundingClientRect();
    told.style.left = `${Math.max(Math.min(event.clientX + 14, innerWidth - room.width - 8), 0)}px`;
    const below = event.clientY + 18, fits = below + room.height < innerHeight;
    told.style.top = `${fits ? below : event.clientY - room.height - 10}px`;
  });
  svg.addEventListener("pointerleave", () => { told.style.display = "none"; });

  let scale = 1, left = 0, top = 0, moved = false, held = null;
  const show = () => view.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
  const fillsWindow = picture.dataset.fills === "window";
  function fit(smallest = 0) {
    const whole = view.getBBox(), room = svg.getBoundingClientRect();
    const height = room.height - 2 * HEAD;  // above the line at the bottom
    const all = Math.min(room.width / (whole.width + 2 * PAD), height / (whole.height + 2 * PAD), 1.5);
    scale = Math.max(all, smallest);
    left = (room.width - whole.width * scale) / 2;
    top = Math.max((height - whole.height * scale) / 2, 0);
    show();
  }
  if (fillsWindow) {
    svg.removeAttribute("viewBox");
    fit();
    // The tallest boxes are closed until what is left can be read.
    const tallestFirst = folding.map((box) => [number(own(box, ".body")[0], "height"), box]);
    tallestFirst.sort((one, other) => other[0] - one[0]);
    for (const [, box] of tallestFirst) {
      if (scale >= READABLE) break;
      if (box.parentElement.closest(".folded")) continue;
      fold(box, true);
      fit();
    }
    fit(READABLE);
  }
  svg.addEventListener("wheel", (event) => {
    if (!fillsWindow && !event.ctrlKey) return;
    event.preventDefault();
    const room = svg.getBoundingClientRect(), x = event.clientX - room.left, y = event.clientY - room.top;
    const factor = Math.exp(-event.deltaY / 500);
    left = x - (x - left) * factor; top = y - (y - top) * factor; scale *= factor;
    show();
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    held = [event.clientX - left, event.clientY - top];
    moved = false;
  });
  window.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held[0], event.clientY - held[1]];
    moved ||= Math.hypot(x - left, y - top) > 3;
    if (moved) { left = x; top = y; show(); }
  });
  window.addEventListener("pointerup", () => { held = null; });
  svg.addEventListener("dblclick", () => fit());
})();
"""

SCRIPT = SCRIPT.replace(
    "SIZES",
    f"const HEAD = {HEAD:g}, DETAIL = {DETAIL:g}, PAD = {PAD:g}, ROW_GAP = {ROW_GAP:g}, BEND = {BEND:g}, "
    f"READABLE = {READABLE};",
)


def to_html(graph: Graph, functions: Mapping[str, Graph]) -> str:
    """The page of a graph, and of the functions that it calls by name.

    Parameters
    ----------
    graph : Graph
    functions : mapping of str to Graph

    Returns
    -------
    str
    """
    return PAGE.format(title=escape(graph.name), svg=to_svg(graph, functions), script=SCRIPT)


def fragment(graph: Graph, functions: Mapping[str, Graph]) -> str:
    """What a notebook shows: the picture as large as it is, with the same script.

    Parameters
    ----------
    graph : Graph
    functions : mapping of str to Graph

    Returns
    -------
    str
    """
    picture = f'<div class="ag-picture">{to_svg(graph, functions)}</div>'
    return f'<div style="overflow: auto; max-height: 80vh">{picture}\n<script>{SCRIPT}</script></div>'
