// Stories by day and source, as stacked bars and as a table.

import { h } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 120;
const DAY = 86_400_000;
/** More bars than these are too thin to be hit. */
const MAX_BARS = 100;

const date = (time) => new Date(time).toISOString().slice(0, 10);

/** Days as bars of equal length in time; several days are one bar where there are many. */
function bars(days, width) {
  const times = days.map((day) => Date.parse(day.day));
  const first = times[0];
  const span = Math.round((times[times.length - 1] - first) / DAY) + 1;
  const step = [1, 7, 30, 91, 365, 3650].find((length) => span / length <= MAX_BARS) ?? span;
  const made = Array.from({ length: Math.ceil(span / step) }, (_, at) => ({
    since: date(first + at * step * DAY),
    until: date(first + Math.min(span, (at + 1) * step) * DAY - DAY),
    stories: new Array(width).fill(0),
  }));
  days.forEach((day, place) => {
    const bar = made[Math.floor(Math.round((times[place] - first) / DAY) / step)];
    day.stories.forEach((count, source) => (bar.stories[source] += count));
  });
  return made;
}

const sum = (counts) => counts.reduce((total, count) => total + count, 0);
const period = (bar) => (bar.since === bar.until ? bar.since : `${bar.since} to ${bar.until}`);

/** Draws the counts into a figure. `pick.source` and `pick.days` filter by what was clicked. */
export function plot(figure, counted, pick) {
  figure.hidden = counted.days.length === 0;
  if (figure.hidden) return;
  const names = [...counted.sources.map((source) => source.name), "others"];
  const all = bars(counted.days, names.length);
  const top = Math.max(...all.map((bar) => sum(bar.stories)));
  const width = WIDTH / all.length;
  const drawn = all.map((bar, at) => {
    let y = HEIGHT;
    const parts = bar.stories.map((count, source) => {
      const height = (HEIGHT * count) / top;
      y -= height;
      const gap = Math.min(2, width / 5);
      return count > 0 && h("rect", { class: `source-${source}`, x: at * width + gap / 2, y, width: Math.max(1, Math.min(48, width - gap)), height });
    });
    const hit = h("rect", { class: "hit", x: at * width, y: 0, width, height: HEIGHT },
      h("title", null, `${period(bar)}: ${sum(bar.stories)}`));
    return h("g", { onclick: () => pick.days(bar.since, bar.until) }, parts, hit);
  });
  const open = figure.querySelector("details")?.open;
  const used = names.map((_, source) => counted.days.some((day) => day.stories[source] > 0));
  const total = `${counted.stories.toLocaleString("en")} stories from ${counted.days[0].day} to ${counted.days.at(-1).day}, by day and source`;
  const legend = names.map((name, source) => used[source] && h("li", null, source < names.length - 1
    ? h("button", { type: "button", class: "outlet", onclick: () => pick.source(name) }, h("i", { class: `source-${source}` }), h("bdi", null, name))
    : h("span", { class: "outlet" }, h("i", { class: `source-${source}` }), name)));
  const head = h("tr", null, h("th", { scope: "col" }, "Days"), names.map((name, source) => used[source] && h("th", { scope: "col" }, h("bdi", null, name))));
  const rows = all.filter((bar) => sum(bar.stories) > 0).reverse().map((bar) => h("tr", null,
    h("th", { scope: "row" }, h("button", { type: "button", class: "outlet", onclick: () => pick.days(bar.since, bar.until) }, period(bar))),
    bar.stories.map((count, source) => used[source] && h("td", null, String(count)))));
  figure.replaceChildren(
    h("figcaption", null, h("span", null, all[0].since), h("strong", null, "Stories by day and source"), h("span", null, all.at(-1).until)),
    h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": total }, drawn),
    h("ul", { class: "outlets", "aria-label": "Sources" }, legend),
    h("details", { open }, h("summary", null, "As a table"),
      h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Stories by day and source" }, h("table", null, h("thead", null, head), h("tbody", null, rows)))));
}
