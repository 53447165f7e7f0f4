// The views beside the page. Each has an element, and draws itself from the inspection when it is looked at.

import { h, count, download, number, percent, signed, VirtualList } from "./dom.js";
import { CLASSES, load } from "./frame.js";

/** Longer texts are shown in part; the files have all of them. */
const MAX_SHOWN = 400_000;

const READER = `
:root{color-scheme:light dark;background:light-dark(#fffefb,#17191b);color:light-dark(#1d1f21,#dcdcd6)}
body{font:1.06rem/1.65 "Iowan Old Style",Charter,Georgia,"Noto Serif","Noto Naskh Arabic","Noto Serif CJK SC",serif;max-width:38rem;margin:1.5rem auto;padding:0 1.25rem}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance}h1{font-size:1.7rem}
pre,code{font:.85em ui-monospace,monospace}pre{overflow:auto}
table{border-collapse:collapse}td,th{border:1px solid light-dark(#ddd,#444);padding:.25rem .5rem;text-align:start}
blockquote{border-inline-start:3px solid light-dark(#ccc,#555);margin-inline:0;padding-inline-start:1rem;color:light-dark(#555,#aaa)}
a{color:light-dark(#1a4f8b,#9cc4f0)}body>*{content-visibility:auto;contain-intrinsic-block-size:auto 4em}section#comments{border-top:1px solid light-dark(#ddd,#444);margin-top:2rem;font-size:.94em}`;
const READER_POLICY = "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">";

/** Takes out what would load, rather than leave it to the policy; a parsed document is inert. */
function withoutLoads(html) {
  if (!/<(img|link)/i.test(html)) return html;
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const image of page.querySelectorAll("img, link")) {
    const source = image.getAttribute("src") ?? "";
    if (!source.startsWith("data:image/")) image.replaceWith(image.getAttribute("alt") ? h("em", null, `[${image.getAttribute("alt")}]`) : "");
  }
  return page.documentElement.outerHTML;
}

/** The clean text in a frame without scripts. */
export function readerPanel(app) {
  const frame = h("iframe", { class: "reader", title: "The extracted text", sandbox: "allow-same-origin", referrerpolicy: "no-referrer" });
  const note = h("p", { class: "note", hidden: true });
  return {
    name: "Reader", element: h("div", { class: "fill" }, note, frame),
    async draw() {
      const { html, text } = app.inspection.result;
      note.hidden = Boolean(text.trim());
      note.textContent = "No block was kept. Move the bias towards recall, or look at the blocks to see why.";
      await load(frame, READER_POLICY + withoutLoads(html), () => [READER]);
      this.theme();
      frame.contentDocument.addEventListener("click", (event) => event.preventDefault());
    },
    theme() {
      const root = frame.contentDocument?.documentElement;
      if (root) root.style.colorScheme = getComputedStyle(document.documentElement).colorScheme;
    },
  };
}

/** A text to read, copy and save. */
export function textPanel(app, name, extension, type, make) {
  const text = h("pre", { class: "source", tabindex: 0, dir: "auto" });
  const copy = h("button", { class: "button quiet", type: "button", onclick: async () => {
    await navigator.clipboard.writeText(make(app.inspection));
    app.say("Copied.");
  } }, "Copy");
  const save = h("button", { class: "button quiet", type: "button", onclick: () => download(`page.${extension}`, type, make(app.inspection)) }, "Save");
  return {
    name, element: h("div", { class: "fill" }, h("div", { class: "strip end" }, copy, save), text),
    draw() {
      const all = make(app.inspection);
      text.textContent = all.length > MAX_SHOWN ? `${all.slice(0, MAX_SHOWN)}\n…` : all;
    },
  };
}

const FILTERS = {
  all: ["all blocks", () => true],
  kept: ["kept", (block, app) => app.kept(block.index)],
  dropped: ["dropped", (block, app) => !app.kept(block.index)],
  unsure: ["unsure", (block) => block.probability > 0.2 && block.probability < 0.8],
  split: ["methods disagree", (block) => {
    const kept = Object.values(block.methods).filter((verdict) => verdict.keep).length;
    return kept > 0 && kept < Object.keys(block.methods).length;
  }],
  site: ["known to the site memory", (block) => Boolean(block.site)],
  rule: ["decided by a rule", (block) => Boolean(block.rule)],
  corrected: ["corrected", (block, app) => app.labels.has(block.index)],
};

/** All blocks, filtered, as a list. */
function blockList(app, label, rowHeight, render) {
  const list = new VirtualList(label, {
    rowHeight, render, pick: (block) => app.select(block.index, "list"), hover: (block) => app.point(block?.index ?? null),
  });
  const filter = h("select", { "aria-label": "Which blocks" }, Object.entries(FILTERS).map(([name, [words]]) => h("option", { value: name }, words)));
  const words = h("input", { type: "search", placeholder: "words", "aria-label": "Blocks with these words", dir: "auto" });
  const total = h("span", { class: "faint" });
  let places = new Map();
  const fill = () => {
    const wanted = words.value.trim().toLowerCase();
    const [, test] = FILTERS[filter.value];
    const blocks = app.inspection.blocks.filter((block) => test(block, app) && (!wanted || block.text.toLowerCase().includes(wanted)));
    places = new Map(blocks.map((block, place) => [block.index, place]));
    total.textContent = count(blocks.length, "block");
    list.selected = places.get(app.selected) ?? -1;
    list.show(blocks);
  };
  filter.addEventListener("change", fill);
  words.addEventListener("input", fill);
  const strip = h("div", { class: "strip" }, filter, words, total);
  return { strip, list, fill, select: (block, reveal) => list.select(places.get(block) ?? -1, reveal) };
}

const badge = (name) => h("span", { class: "badge", css: { "--c": `rgb(${CLASSES[name]?.[0] ?? "110 110 115"})` } }, name);
const meter = (value) => h("span", { class: "meter", "aria-hidden": "true" }, h("i", { css: { width: percent(value).replace(" ", "") } }));

/** The blocks with class and probability. */
export function blocksPanel(app) {
  const rows = blockList(app, "Blocks", 34, (block) => [
    h("span", { class: "n" }, block.index), badge(app.labels.get(block.index) ?? app.classOf(block.index)), meter(block.probability),
    h("span", { class: "unseen" }, `${percent(block.probability)}, ${app.kept(block.index) ? "kept" : "dropped"}: `),
    h("span", { class: `text${app.kept(block.index) ? "" : " faded"}`, dir: "auto" }, block.text.slice(0, 160)),
  ]);
  return { name: "Blocks", element: h("div", { class: "fill" }, rows.strip, rows.list.element), draw: rows.fill, recolour: rows.fill, select: rows.select };
}

/** The methods side by side. */
export function methodsPanel(app) {
  const names = () => app.inspection.methods.map((method) => method.name);
  const rows = blockList(app, "Verdicts of the methods", 30, (block) => [
    h("span", { class: "n" }, block.index),
    names().map((name) => {
      const verdict = block.methods[name];
      const words = `${name}: ${verdict?.keep ? "kept" : "dropped"}`;
      return h("span", { class: `cell ${verdict?.keep ? "yes" : "no"}`, title: verdict ? `${words}, ${verdict.score.toFixed(2)}` : words },
        h("span", { class: "unseen" }, `${words}; `));
    }),
    h("span", { class: "text", dir: "auto" }, block.text.slice(0, 160)),
  ]);
  const table = h("table", { class: "methods" });
  const heads = h("div", { class: "heads", "aria-hidden": "true" });
  return {
    name: "Methods", element: h("div", { class: "fill" }, h("div", { class: "scroll-x", tabindex: 0 }, table), rows.strip, heads, rows.list.element), select: rows.select, recolour: rows.fill,
    draw() {
      const { methods, blocks } = app.inspection;
      const agrees = (name) => blocks.filter((block) => block.methods[name]?.keep === block.kept).length / Math.max(1, blocks.length);
      table.replaceChildren(
        h("caption", { class: "unseen" }, "What each method keeps"),
        h("thead", null, h("tr", null, ["method", "blocks", "words", "as the result", ""].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, methods.map((method) => h("tr", null,
          h("th", { scope: "row" }, method.name), h("td", null, method.kept.toLocaleString("en")), h("td", null, method.words.toLocaleString("en")),
          h("td", null, percent(agrees(method.name))), h("td", { class: "faint", title: method.about }, method.about)))));
      heads.replaceChildren(h("span", { class: "n" }), ...names().map((name) => h("span", { class: "cell head" }, h("i", null, name))));
      rows.fill();
    },
  };
}

const FIELD = (name) => name.replaceAll("_", " ");

/** Metadata: every candidate, and why one won. */
export function metadataPanel(app) {
  const body = h("div", { class: "scroll", tabindex: 0 });
  const candidate = (one, most) => h("li", { class: one.chosen ? "chosen" : "" },
    h("p", null, h("span", { class: "value", dir: "auto" }, one.value), one.chosen ? h("span", { class: "badge won" }, "chosen") : null),
    h("p", { class: "faint" }, meter(Math.max(0, one.score / most)), `${signed(one.score)} · from ${one.source}`),
    h("ul", { class: "signs" }, one.signs.map((sign) => h("li", { class: sign.weight < 0 ? "against" : "for" }, `${signed(sign.weight)} ${sign.name}`))));
  return {
    name: "Metadata", element: body,
    draw() {
      const fields = app.inspection.metadata.map((field) => {
        const most = Math.max(0.1, ...field.candidates.map((one) => one.score));
        return h("section", { class: "field-report" },
          h("h3", null, FIELD(field.field)),
          h("p", { class: "value", dir: "auto" }, field.value ?? h("span", { class: "faint" }, "none")),
          h("p", { class: "faint" }, [field.source && `from ${field.source}`, field.confidence !== null && `${percent(field.confidence)} sure`].filter(Boolean).join(" · ")),
          h("p", null, field.why),
          field.candidates.length
            ? h("details", null, h("summary", null, count(field.candidates.length, "candidate")), h("ol", { class: "candidates" }, field.candidates.map((one) => candidate(one, most))))
            : null);
      });
      body.replaceChildren(...(fields.length ? fields : [h("p", { class: "note" }, "The page says nothing about itself.")]));
    },
  };
}

/** One block: what it is, why, and what a person says. */
export function blockCard(app, element) {
  const choice = (block, name, key) => h("button", {
    type: "button", class: "choice", "data-label": name ?? "", css: { "--c": `rgb(${CLASSES[name]?.[0] ?? "110 110 115"})` },
    "aria-pressed": String((app.labels.get(block.index) ?? null) === name), onclick: () => app.correct(block.index, name),
  }, name ?? "as it was", " ", h("kbd", null, key));
  const said = (name, verdict) => h("li", { class: verdict.keep ? "yes" : "no" },
    h("strong", null, `${verdict.keep ? "✓" : "✗"} ${name}`), ` ${verdict.score.toFixed(2)}`,
    verdict.evidence ? h("small", null, Object.entries(verdict.evidence).map(([key, value]) => `${key} ${number(value)}`).join(" · ")) : null);
  return (block) => {
    if (!block) {
      element.replaceChildren(h("h2", { id: "block-title" }, "Block"), h("p", { class: "note" }, "Point at a text, or press ↓. Each text of the page is a block; here is why it was kept or dropped."));
      return;
    }
    const kept = app.kept(block.index);
    const name = app.classOf(block.index);
    const most = Math.max(0.5, ...block.evidence.map((piece) => Math.abs(piece.log_odds)));
    const site = block.site;
    const facts = [
      block.rule && ["Rule", block.rule],
      site && ["Site memory", `on ${count(site.pages, "other page")} of ${app.inspection.page.site_pages ?? 0}${site.template ? "; a template of the site" : ""}${site.decision === null ? "" : `; a person said to ${site.decision ? "keep" : "drop"} it`}`],
      !site && app.inspection.page.site_pages && ["Site memory", `on none of the other ${count(app.inspection.page.site_pages, "page")}`],
      ["Path", h("code", null, block.path || "(left out)")],
      ["Source", `bytes ${block.span[0].toLocaleString("en")} to ${block.span[1].toLocaleString("en")}`],
      ["Counts", `${count(block.words, "word")}, ${count(block.links, "link")}`],
    ].filter(Boolean);
    element.replaceChildren(
      h("div", { class: "strip" }, h("h2", { id: "block-title" }, `Block ${block.index}`), badge(name),
        h("span", null, `${kept ? "kept" : "dropped"}, ${percent(block.probability)} main text`), meter(block.probability)),
      h("div", { class: "correct", role: "group", "aria-label": "What it is" }, h("span", null, "It is"),
        choice(block, "main", 1), choice(block, "comment", 2), choice(block, "caption", 3), choice(block, "noise", 4), app.labels.has(block.index) ? choice(block, null, 0) : null),
      h("p", { class: "quote", dir: "auto" }, block.text),
      h("div", { class: "columns" },
        h("section", null, h("h3", null, "Evidence"), h("ul", { class: "evidence" }, block.evidence.map((piece) => h("li", { class: piece.log_odds < 0 ? "against" : "for", title: `${piece.family}: ${piece.feature}` },
          h("i", { css: { "--w": `${Math.round((Math.abs(piece.log_odds) / most) * 100)}%` } }), h("b", null, signed(piece.log_odds)), ` ${piece.words}`)))),
        h("section", null, h("h3", null, "Methods"), h("ul", { class: "said" }, Object.entries(block.methods).map(([key, verdict]) => said(key, verdict)))),
        h("section", null, h("h3", null, "Where"), h("dl", { class: "facts" }, facts.flatMap(([key, value]) => [h("dt", null, key), h("dd", null, value)])))));
  };
}
