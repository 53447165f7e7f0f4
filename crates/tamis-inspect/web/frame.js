// The page in its frame: no scripts run there (sandbox, policy), and all that happens is done from here.

import { h, onPointerMove } from "./dom.js";

/** Classes of blocks: name, colour in the page, what it means. */
export const CLASSES = {
  main: ["46 125 80", "main text"],
  title: ["24 100 140", "title"],
  caption: ["150 105 20", "caption"],
  comment: ["125 75 160", "comment"],
  supplemental: ["20 125 130", "byline, date and the like"],
  related: ["190 90 50", "related pages"],
  noise: ["110 110 115", "noise"],
};

const STEPS = 10;

/** Pages with more blocks are laid out where one looks. This changes how some margins and floats fall. */
const MANY_BLOCKS = 4000;
const LAZY = "body :is(address,article,blockquote,dd,div,dl,dt,footer,h1,h2,h3,h4,h5,h6,header,li,main,nav,ol,p,pre,section,table,ul)"
  + "{content-visibility:auto;contain-intrinsic-block-size:auto 3em}";

function overlay(isLong) {
  const rules = [
    isLong ? LAZY : "",
    ":root{color-scheme:light;background:#fff}",
    "body{visibility:visible!important;opacity:1!important;animation:none!important}",
    ":where(a){color:#1a4f8b;text-decoration:underline}",
    "img:not([src]){outline:1px dashed #bbb;color:#777;min-width:2em}",
    "tamis-b{border-radius:2px;cursor:pointer}",
    "tamis-b[on]{outline:1.5px solid #888;outline-offset:1px}",
    "tamis-b[sel]{outline:2.5px solid #d0006f!important;outline-offset:1px;opacity:1!important}",
    "tamis-b[l]{text-decoration:underline wavy 2px #d0006f;text-underline-offset:3px;opacity:1!important}",
    "[tamis-hit]{outline:2px dotted #d0006f!important;outline-offset:-1px}",
  ];
  for (const [name, [colour]] of Object.entries(CLASSES)) {
    for (let step = 0; step < STEPS; step++) {
      const sure = (step + 1) / STEPS;
      const look = name === "noise"
        ? `opacity:${(1 - 0.6 * sure).toFixed(2)};background:rgb(${colour}/${(0.03 + 0.05 * sure).toFixed(2)})`
        : `background:rgb(${colour}/${(0.08 + 0.26 * sure).toFixed(2)})`;
      rules.push(`tamis-b[c="${name}"][s="${step}"]{${look}}`);
    }
  }
  return rules.join("\n");
}

/**
 * Puts a document into a frame, with the style sheets that `styles` makes of it: by script, since its policy may forbid them
 * in its markup. Nothing is laid out before they are there.
 */
export async function load(frame, html, styles) {
  frame.hidden = true;
  await new Promise((loaded) => {
    frame.addEventListener("load", loaded, { once: true });
    frame.srcdoc = html;
  });
  const { contentWindow, contentDocument } = frame;
  contentDocument.adoptedStyleSheets = styles(contentDocument).map((text) => {
    const sheet = new contentWindow.CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  frame.hidden = false;
}

/** The frame with the page. */
export class PageFrame {
  constructor(frame, { hover, pick, key }) {
    Object.assign(this, { frame, hover, pick, key, marks: new Map(), looks: new Map(), selected: null });
  }

  async show(view) {
    await load(this.frame, view.html, (page) => [view.styles, overlay(page.querySelectorAll("tamis-b").length > MANY_BLOCKS)]);
    const page = this.frame.contentDocument;
    for (const element of page.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;
    this.marks = new Map();
    this.looks = new Map();
    for (const mark of page.querySelectorAll("tamis-b")) {
      const block = Number(mark.getAttribute("n"));
      const known = this.marks.get(block);
      if (known) known.push(mark);
      else this.marks.set(block, [mark]);
    }
    const under = (event) => {
      const mark = event.target.closest?.("tamis-b");
      return mark ? Number(mark.getAttribute("n")) : null;
    };
    onPointerMove(page, (event) => this.hover(under(event)));
    page.documentElement.addEventListener("mouseleave", () => this.hover(null));
    page.addEventListener("click", (event) => {
      event.preventDefault();
      const block = under(event);
      if (block !== null) this.pick(block);
    });
    page.addEventListener("keydown", this.key);
    this.selected = null;
  }

  /** Colours every block: `look` gives its class, how sure it is (0 to 1), and a correction. */
  paint(look) {
    for (const [block, marks] of this.marks) {
      const [name, sure, label] = look(block);
      const step = Math.min(STEPS - 1, Math.floor(sure * STEPS));
      const next = `${name} ${step} ${label ?? ""}`;
      if (this.looks.get(block) === next) continue;
      this.looks.set(block, next);
      for (const mark of marks) {
        mark.setAttribute("c", name);
        mark.setAttribute("s", step);
        if (label) mark.setAttribute("l", label);
        else mark.removeAttribute("l");
      }
    }
  }

  select(block, reveal) {
    this.mark("sel", this.selected, block);
    this.selected = block;
    if (reveal) this.reveal(block);
  }

  reveal(block) {
    this.marks.get(block)?.[0].scrollIntoView({ block: "center", inline: "nearest" });
  }

  point(block) {
    this.mark("on", this.pointed, block);
    this.pointed = block;
  }

  mark(name, before, after) {
    for (const mark of this.marks.get(before) ?? []) mark.removeAttribute(name);
    for (const mark of this.marks.get(after) ?? []) mark.setAttribute(name, "");
  }

  /** Outlines what a selector takes, and gives the blocks in it; null if it is no selector. */
  try(selector) {
    const page = this.frame.contentDocument;
    for (const hit of page.querySelectorAll("[tamis-hit]")) hit.removeAttribute("tamis-hit");
    if (!selector.trim()) return null;
    try {
      const hits = [...page.querySelectorAll(selector)];
      const blocks = new Set();
      for (const hit of hits) {
        hit.setAttribute("tamis-hit", "");
        for (const mark of hit.querySelectorAll("tamis-b")) blocks.add(Number(mark.getAttribute("n")));
      }
      return { elements: hits.length, blocks };
    } catch {
      return null;
    }
  }

  /** A selector for the element of a block: its tag and class, or those of what is around it. */
  selectorOf(block) {
    let element = this.marks.get(block)?.[0]?.parentElement;
    while (element && element.tagName !== "BODY") {
      const tag = element.tagName.toLowerCase();
      const name = element.id || element.classList[0];
      if (name && /^[A-Za-z_][\w-]*$/.test(name)) return element.id ? `#${name}` : `${tag}.${name}`;
      element = element.parentElement;
    }
    return "";
  }
}

/** The colours, for people. */
export function legend() {
  const entry = ([name, [colour, words]]) =>
    h("li", { title: words }, h("span", { class: "swatch", css: { "--c": `rgb(${colour})` } }), name);
  return [...Object.entries(CLASSES).map(entry), h("li", { class: "hint" }, "stronger: surer")];
}
