// Small tools: elements, numbers, and a list that draws only the rows in sight.

/** Makes an element. Strings become text, never markup. */
export function h(tag, attributes, ...children) {
  const svg = SVG_TAGS.has(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "css") for (const [key, it] of Object.entries(value)) element.style.setProperty(key, it);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG_TAGS = new Set(["svg", "polyline", "line", "rect", "g", "text", "title"]);

export const byId = (id) => document.getElementById(id);
export const percent = (value) => `${Math.round(value * 100)} %`;
export const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(1);
/** Three digits, or all of a whole number. */
export const number = (value) => value.toLocaleString("en", Math.abs(value) < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
export const count = (value, one) => `${value.toLocaleString("en")} ${one}${value === 1 ? "" : "s"}`;

/** Calls `then` once nothing has asked for it during `ms`. */
export function debounce(ms, then) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => then(...values), ms);
  };
}

/** Calls `then` when the pointer itself moves. Content that scrolls under a resting pointer does not count: keys scroll too. */
export function onPointerMove(target, then) {
  target.addEventListener("mousemove", (event) => {
    const place = `${event.screenX} ${event.screenY}`;
    if (place === onPointerMove.last) return;
    onPointerMove.last = place;
    then(event);
  });
}

const THEMES = { system: "as the system has them", light: "light", dark: "dark" };

/** Makes a button go through the colours; all pages share the choice. */
export function wireTheme(button, changed) {
  const root = document.documentElement;
  const set = (name) => {
    root.dataset.theme = name;
    button.setAttribute("aria-label", `Colours: ${THEMES[name]}`);
    changed?.();
  };
  button.addEventListener("click", () => {
    const names = Object.keys(THEMES);
    const next = names[(names.indexOf(root.dataset.theme) + 1) % names.length];
    try {
      localStorage.setItem("tamis-theme", next);
    } catch { /* a file may not store anything */ }
    set(next);
  });
  let stored = null;
  try {
    stored = localStorage.getItem("tamis-theme");
  } catch { /* likewise */ }
  set(stored in THEMES ? stored : "system");
}

/** Saves a text as a file. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A list box of thousands of rows, of which only those in sight are elements. */
export class VirtualList {
  constructor(label, { rowHeight = 34, render, pick, hover }) {
    Object.assign(this, { rowHeight, render, pick, hover, items: [], selected: -1, id: `list-${VirtualList.made++}` });
    this.space = h("div", { class: "rows", role: "presentation" });
    this.element = h("div", { class: "list", role: "listbox", tabindex: 0, "aria-label": label }, this.space);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("click", (event) => this.from(event, this.pick));
    onPointerMove(this.element, (event) => this.from(event, this.hover));
    this.element.addEventListener("mouseleave", () => this.hover?.(null));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  from(event, then) {
    const row = event.target.closest("[data-row]");
    if (row) then?.(this.items[Number(row.dataset.row)]);
  }

  /** Shows these items; `key` finds the selected one again. */
  show(items) {
    this.items = items;
    this.space.style.height = `${items.length * this.rowHeight}px`;
    this.drawn = null;
    this.draw();
  }

  /** Marks the row at this place, in sight if told so. */
  select(place, reveal) {
    this.selected = place;
    if (reveal && place >= 0 && this.element.clientHeight) {
      const top = place * this.rowHeight;
      const { scrollTop, clientHeight } = this.element;
      if (top < scrollTop) this.element.scrollTop = top - this.rowHeight;
      else if (top + this.rowHeight > scrollTop + clientHeight) this.element.scrollTop = top - clientHeight + 2 * this.rowHeight;
    }
    this.drawn = null;
    this.draw();
  }

  draw() {
    const { scrollTop, clientHeight } = this.element;
    const from = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 6);
    const to = Math.min(this.items.length, Math.ceil((scrollTop + (clientHeight || 400)) / this.rowHeight) + 6);
    if (this.drawn?.[0] === from && this.drawn[1] === to) return;
    this.drawn = [from, to];
    const rows = [];
    for (let place = from; place < to; place++) {
      const selected = place === this.selected;
      const row = h("div", {
        class: "option", role: "option", id: `${this.id}-${place}`, "data-row": place, "aria-selected": String(selected),
        "aria-setsize": this.items.length, "aria-posinset": place + 1, css: { top: `${place * this.rowHeight}px`, height: `${this.rowHeight}px` },
      }, this.render(this.items[place]));
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
    const active = this.selected >= from && this.selected < to;
    if (active) this.element.setAttribute("aria-activedescendant", `${this.id}-${this.selected}`);
    else this.element.removeAttribute("aria-activedescendant");
  }
}
VirtualList.made = 0;
