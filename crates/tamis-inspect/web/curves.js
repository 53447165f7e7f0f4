// The papers' curves, drawn, and tied to the blocks.

import { h, number } from "./dom.js";

const WIDTH = 1000;
const HEIGHT = 150;

/** A curve as a figure. `point` and `pick` get a block, or null. */
class CurveFigure {
  constructor(curve, { point, pick, kept }) {
    this.curve = curve;
    const values = curve.series.flatMap((series) => series.values);
    const highest = values.reduce((most, value) => Math.max(most, value), 0);
    const limits = curve.thresholds.map((threshold) => threshold.value);
    const top = limits.reduce((most, value) => Math.max(most, value), highest) || 1;
    // Where a constant would lie on the ground, heights are drawn by their logarithms.
    this.log = limits.some((limit) => limit > 0 && top / limit > 20);
    const scale = (value) => (this.log ? Math.log1p(Math.max(0, value)) / Math.log1p(top) : Math.max(0, value) / top);
    const last = Math.max(1, curve.blocks.length - 1);
    this.x = (at) => (WIDTH * at) / last;
    const y = (value) => (HEIGHT - 12 - (HEIGHT - 20) * scale(value)).toFixed(1);
    const lines = curve.series.map((series, place) =>
      h("polyline", { class: `series s${place}`, points: series.values.map((value, at) => `${this.x(at).toFixed(1)},${y(value)}`).join(" ") }));
    const constants = limits.map((limit) => h("line", { class: "limit", x1: 0, x2: WIDTH, y1: y(limit), y2: y(limit) }));
    this.cursor = h("line", { class: "cursor", y1: 0, y2: HEIGHT, x1: -9, x2: -9 });
    this.strip = h("g", { class: "strip-kept" });
    const name = `${curve.title}, by ${curve.unit}, method ${curve.method}`;
    const svg = h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": name },
      this.strip, constants, lines, this.cursor);
    svg.addEventListener("mousemove", (event) => point(this.blockAt(svg, event)));
    svg.addEventListener("mouseleave", () => point(null));
    svg.addEventListener("click", (event) => pick(this.blockAt(svg, event)));
    this.value = h("span", { class: "value" });
    this.element = h("figure", { class: curve.series.length === 1 ? "curve single" : "curve" },
      h("figcaption", null, h("strong", null, curve.title), h("span", { class: "faint" }, ` ${curve.method} · ${curve.units.toLocaleString("en")} ${curve.unit}s${this.log ? " · logarithmic" : ""}`)),
      svg,
      h("p", { class: "key" },
        curve.series.map((series, place) => h("span", null, h("i", { class: `dash s${place}` }), series.name)),
        curve.thresholds.map((threshold) => h("span", null, h("i", { class: "dash limit" }), `${threshold.name} ${number(threshold.value)}`)),
        this.value));
    this.paint(kept);
  }

  blockAt(svg, event) {
    const { left, width } = svg.getBoundingClientRect();
    const at = Math.round(((event.clientX - left) / width) * Math.max(1, this.curve.blocks.length - 1));
    return this.curve.blocks[at]?.[0] ?? null;
  }

  /** Marks the points whose first block is kept. */
  paint(kept) {
    const rects = [];
    let from = -1;
    const { blocks } = this.curve;
    for (let at = 0; at <= blocks.length; at++) {
      const range = blocks[at];
      const on = range && range[1] - range[0] < 50 && kept(range[0]);
      if (on && from < 0) from = at;
      if (!on && from >= 0) {
        rects.push(h("rect", { x: this.x(from - 0.5), width: Math.max(2, this.x(at - from)), y: HEIGHT - 6, height: 6 }));
        from = -1;
      }
    }
    this.strip.replaceChildren(...rects);
  }

  /** Puts the cursor on the narrowest point with a block in it. */
  select(block) {
    let best = -1;
    let width = Infinity;
    this.curve.blocks.forEach((range, at) => {
      if (range && range[0] <= block && block < range[1] && range[1] - range[0] < width) {
        best = at;
        width = range[1] - range[0];
      }
    });
    const x = best < 0 ? -9 : this.x(best);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.value.textContent = best < 0 ? "" : this.curve.series.map((series) => `${series.name} ${number(series.values[best])}`).join(", ");
  }
}

/** All curves of a page. */
export class Curves {
  constructor(handlers) {
    this.handlers = handlers;
    this.figures = [];
    this.element = h("div", { class: "curves" });
  }

  show(curves) {
    this.figures = curves.map((curve) => new CurveFigure(curve, this.handlers));
    this.element.replaceChildren(
      h("p", { class: "faint" }, "What each method measures, from the beginning of the page to its end. Green at the foot: kept. Point at a curve to see its block."),
      ...this.figures.map((figure) => figure.element));
  }

  paint() {
    for (const figure of this.figures) figure.paint(this.handlers.kept);
  }

  select(block) {
    for (const figure of this.figures) figure.select(block ?? -1);
  }
}
