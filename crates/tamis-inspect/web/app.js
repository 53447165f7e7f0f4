// The inspector: one inspection, one selected block, and the views that show them.

import { byId, count, debounce, h, percent, wireTheme } from "./dom.js";
import { api } from "./api.js";
import { CLASSES, legend, PageFrame } from "./frame.js";
import { Curves } from "./curves.js";
import { blockCard, blocksPanel, metadataPanel, methodsPanel, readerPanel, textPanel } from "./panels.js";
import { rulesPanel, sitePanel, trainingPanel } from "./learning.js";

const LABELS = { 1: "main", 2: "comment", 3: "caption", 4: "noise", 0: null };

class App {
  constructor() {
    this.inspection = null;
    this.base = null;
    this.selected = null;
    this.pointed = null;
    this.labels = new Map();
    this.source = { html: null, url: "" };
    this.rules = null;
    this.bias = 0;
    this.method = "fused";
    this.config = null;
    const given = api.embedded();
    this.live = !given;
    this.frame = new PageFrame(byId("frame"), { hover: (block) => this.point(block), pick: (block) => this.select(block, "frame"), key: (event) => this.key(event) });
    this.card = blockCard(this, byId("block"));
    const handlers = { point: (block) => this.point(block), pick: (block) => block !== null && this.select(block, "curve"), kept: (block) => this.kept(block) };
    const curves = new Curves(handlers);
    const curvesPanel = { name: "Curves", element: h("div", { class: "scroll pad", tabindex: 0 }, curves.element), draw: () => curves.show(this.inspection.curves), recolour: () => curves.paint(), select: (block) => curves.select(block) };
    this.panels = [
      readerPanel(this), textPanel(this, "Markdown", "md", "text/markdown", (it) => it.result.markdown),
      textPanel(this, "JSON", "json", "application/json", (it) => JSON.stringify(it.result.record, null, 2)),
      blocksPanel(this), methodsPanel(this), curvesPanel, metadataPanel(this), sitePanel(this), rulesPanel(this), trainingPanel(this),
    ];
    this.tab = 0;
    this.makeTabs();
    this.wire();
    byId("legend").replaceChildren(...legend());
    if (given) this.show(given, true);
    else this.begin();
  }

  async begin() {
    byId("start").hidden = false;
    this.config = await this.trying(() => api.config()) ?? null;
    byId("fetch").hidden = !this.config?.fetch;
    byId("corpus-link").hidden = !this.config?.corpus;
    const story = new URLSearchParams(location.search).get("story");
    if (story && this.config?.corpus) await this.openStory(story);
  }

  /** Opens the page of a story of the corpus, at the block with the text that the link asks about. */
  async openStory(id) {
    const story = await this.trying(() => api.story(id));
    const html = story && await this.trying(() => api.storyPage(id));
    if (!html) return;
    await this.open(html, story.url);
    const text = new URLSearchParams(location.hash.slice(1)).get("text")?.trim();
    const found = text && this.inspection?.blocks.find((block) => block.text.includes(text) || text.includes(block.text) && block.words > 2);
    if (found) this.select(found.index, "link");
  }

  /** Runs something that may be refused; the refusal is shown, except for the status `quiet`. */
  async trying(what, quiet) {
    try {
      const answer = await what();
      byId("notice").hidden = true;
      return answer;
    } catch (error) {
      if (error.name !== "AbortError" && !(quiet && error.status === quiet)) this.notice(error.message);
      return undefined;
    }
  }

  notice(words) {
    byId("notice").textContent = words;
    byId("notice").hidden = false;
  }

  say(words) {
    byId("live").textContent = words;
  }

  /** Asks for an inspection of the page, and shows it. */
  async explain({ rules = this.rules, bias = this.bias, source = this.source, keepSelection = true }) {
    this.request?.abort();
    const request = this.request = new AbortController();
    document.body.setAttribute("aria-busy", "true");
    const question = { html: source.html ?? undefined, url: source.url || undefined, bias, rules: rules ?? undefined };
    const answer = await this.trying(() => api.explain(question, request.signal));
    // A newer question goes on.
    if (request !== this.request) return undefined;
    document.body.removeAttribute("aria-busy");
    if (!answer) return undefined;
    this.source = { ...source, html: answer.source ?? source.html };
    this.rules = rules;
    await this.show(answer, !keepSelection);
    return answer;
  }

  async open(html, url) {
    this.labels.clear();
    this.bias = 0;
    this.rules = null;
    byId("bias").value = 0;
    const before = this.base;
    this.base = null;
    if (!await this.explain({ source: { html, url }, keepSelection: false })) this.base = before;
  }

  async show(inspection, isNew) {
    const sameView = this.inspection?.view?.html === inspection.view?.html;
    this.inspection = inspection;
    if (!this.base || isNew || (inspection.page.bias === 0)) this.base = inspection;
    const { page } = inspection;
    byId("start").hidden = true;
    byId("work").hidden = false;
    byId("open").hidden = !this.live;
    const facts = [page.page_type, `${percent(page.confidence)} sure`, `${count(page.kept, "block")} of ${page.blocks.toLocaleString("en")} kept`, page.language, ...inspection.left_out.length ? ["shortened"] : []];
    byId("crumb").replaceChildren(h("strong", { dir: "auto" }, page.title ?? page.url ?? "Untitled page"), h("span", { class: "faint" }, ` ${facts.filter(Boolean).join(" · ")}`));
    byId("crumb").title = [page.url, ...inspection.left_out.map((what) => `left out: ${what}`), page.truncated].filter(Boolean).join("\n");
    document.title = `${page.title ?? "Page"} – Tamis inspector`;
    byId("colour").replaceChildren(...inspection.methods.map((method) => h("option", { value: method.name, selected: method.name === this.method }, method.name === "fused" ? "class and probability" : method.name)));
    byId("bias").disabled = this.base.page.bias !== 0;
    this.showBias();
    if (inspection.view && (isNew || !sameView)) {
      await this.frame.show(inspection.view);
      this.frame.reveal(inspection.blocks.find((block) => block.kept)?.index);
    }
    if (isNew) this.selected = inspection.blocks.find((block) => block.kept)?.index ?? null;
    this.recolour();
    for (const panel of this.panels) panel.fresh = false;
    this.drawPanel();
    this.card(inspection.blocks[this.selected] ?? null);
    this.mark();
  }

  /** Whether a block is kept at the bias of the slider, which only adds to or takes from what is kept without one. */
  kept(index) {
    const block = this.inspection.blocks[index];
    if (this.inspection.page.bias === this.bias || this.base.page.bias !== 0) return block.kept;
    const balanced = this.base.blocks[index].kept;
    if (this.bias === 0 || block.rule) return balanced;
    const sure = block.probability >= this.threshold();
    return this.bias < 0 ? balanced && sure : balanced || sure;
  }

  threshold() {
    const balanced = this.base.page.threshold;
    const middle = this.bias < 0 ? Math.max(balanced, 0.5) : Math.min(balanced, 0.5);
    const most = this.bias < 0 ? middle + 0.25 * (1 - middle) : middle * 0.4;
    return balanced + (most - balanced) * Math.abs(this.bias);
  }

  /** What a block is at the bias of the slider. */
  classOf(index) {
    const { class: name } = this.inspection.blocks[index];
    if (this.kept(index)) return CLASSES[name] && name !== "noise" && name !== "related" && name !== "comment" ? name : "main";
    return name === "main" ? "noise" : name;
  }

  recolour() {
    const { blocks } = this.inspection;
    this.frame.paint((index) => {
      const block = blocks[index];
      const label = this.labels.get(index);
      if (!block) return ["noise", 0, null];
      if (this.method !== "fused") {
        const verdict = block.methods[this.method];
        return [verdict?.keep ? "main" : "noise", verdict?.keep ? verdict.score : 1 - (verdict?.score ?? 1), label];
      }
      const kept = this.kept(index);
      return [label ?? this.classOf(index), block.rule || label ? 1 : kept ? block.probability : 1 - block.probability, label];
    });
  }

  select(index, from) {
    this.selected = index;
    this.pointed = null;
    this.frame.point(null);
    const block = this.inspection.blocks[index];
    this.card(block);
    this.mark(from);
    if (from === "key") this.say(`Block ${index}, ${this.classOf(index)}, ${this.kept(index) ? "kept" : "dropped"}, ${percent(block.probability)}: ${block.text.slice(0, 200)}`);
  }

  mark(from) {
    this.frame.select(this.selected, from && from !== "frame");
    this.panels[this.tab].select?.(this.selected, from !== "list");
  }

  /** Shows a block in passing. */
  point(index) {
    if (index === this.pointed || !this.inspection) return;
    this.pointed = index;
    this.frame.point(index);
    this.card(this.inspection.blocks[index ?? this.selected] ?? null);
    if (this.panels[this.tab].name === "Curves") this.panels[this.tab].select(index ?? this.selected);
  }

  correct(index, name) {
    if (name === null) this.labels.delete(index);
    else this.labels.set(index, name);
    this.card(this.inspection.blocks[index]);
    this.recolour();
    const panel = this.panels[this.tab];
    (panel.corrected ?? panel.recolour)?.();
    this.mark();
    this.say(name === null ? `Block ${index} is as it was.` : `Block ${index} is ${name}.`);
    byId("block").querySelector(`[data-label="${name ?? ""}"]`)?.focus({ preventScroll: true });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.inspection || document.querySelector("dialog[open]")) return;
    const field = event.target.closest?.("input, textarea, select");
    if (field) return;
    const last = this.inspection.blocks.length - 1;
    const at = this.selected ?? -1;
    const isList = event.target.closest?.("[role=listbox]");
    const next = { ArrowDown: Math.min(last, at + 1), ArrowUp: Math.max(0, at - 1), Home: 0, End: last }[event.key];
    if (next !== undefined && last >= 0) {
      if (event.target.closest?.("[role=tab], .scroll, pre, summary") && !isList) return;
      event.preventDefault();
      this.select(this.step(next, event.key), "key");
    } else if (event.key in LABELS && this.selected !== null) {
      event.preventDefault();
      this.correct(this.selected, LABELS[event.key]);
    } else if (event.key === "?") byId("help").showModal();
  }

  /** In a filtered list, the arrow keys stay in it. */
  step(next, key) {
    const list = document.activeElement?.closest?.("[role=listbox]");
    const shown = list ? [...list.querySelectorAll("[data-row]")] : [];
    const place = shown.findIndex((row) => row.getAttribute("aria-selected") === "true");
    const row = place >= 0 && (key === "ArrowDown" ? shown[place + 1] : key === "ArrowUp" ? shown[place - 1] : null);
    return row ? Number(row.querySelector(".n").textContent) : next;
  }

  showBias() {
    const value = Math.round(this.bias * 100);
    byId("bias-value").textContent = value === 0 ? "balanced" : `${Math.abs(value)} % ${value < 0 ? "precision" : "recall"}`;
    byId("bias").setAttribute("aria-valuetext", byId("bias-value").textContent);
  }

  makeTabs() {
    const tabs = this.panels.map((panel, place) => h("button", {
      role: "tab", type: "button", id: `tab-${place}`, "aria-controls": `panel-${place}`, "aria-selected": String(place === 0), tabindex: place === 0 ? 0 : -1, onclick: () => this.goTo(place),
    }, panel.name));
    byId("tabs").append(...tabs);
    byId("panels").append(...this.panels.map((panel, place) => h("div", { role: "tabpanel", id: `panel-${place}`, "aria-labelledby": `tab-${place}`, hidden: place !== 0 }, panel.element)));
    byId("tabs").addEventListener("keydown", (event) => {
      const rtl = getComputedStyle(byId("tabs")).direction === "rtl" ? -1 : 1;
      const step = { ArrowRight: rtl, ArrowLeft: -rtl, Home: -this.tab, End: tabs.length - 1 - this.tab }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.goTo((this.tab + step + tabs.length) % tabs.length);
      tabs[this.tab].focus();
    });
  }

  goTo(place) {
    this.tab = place;
    [...byId("tabs").children].forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === place));
      tab.tabIndex = at === place ? 0 : -1;
      byId(`panel-${at}`).hidden = at !== place;
    });
    byId("tabs").children[place].scrollIntoView({ block: "nearest", inline: "nearest" });
    this.drawPanel();
    this.panels[place].select?.(this.selected, true);
  }

  drawPanel() {
    const panel = this.panels[this.tab];
    if (panel.fresh || !this.inspection) return;
    panel.fresh = true;
    panel.draw();
  }

  wire() {
    document.addEventListener("keydown", (event) => this.key(event));
    byId("colour").addEventListener("change", (event) => {
      this.method = event.target.value;
      this.recolour();
    });
    const ask = debounce(250, () => this.live && this.explain({}));
    byId("bias").addEventListener("input", (event) => {
      this.bias = event.target.value / 100;
      this.showBias();
      this.recolour();
      this.panels[this.tab].recolour?.();
      this.card(this.inspection.blocks[this.selected] ?? null);
      ask();
    });
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      if (byId("source").value.trim()) this.open(byId("source").value, byId("url").value.trim());
      else this.notice("Paste the source of a page first, or choose a file.");
    });
    byId("fetch").addEventListener("click", () => {
      const url = byId("url").value.trim();
      if (url) this.open(null, url);
      else this.notice("Write the address of a page first.");
    });
    byId("file").addEventListener("change", (event) => this.read(event.target.files[0]));
    byId("open").addEventListener("click", () => {
      byId("work").hidden = true;
      byId("start").hidden = false;
      byId("open").hidden = true;
      byId("source").focus();
    });
    for (const name of ["dragover", "drop"]) {
      document.addEventListener(name, (event) => {
        event.preventDefault();
        document.body.classList.toggle("dropping", name === "dragover");
        if (name === "drop" && this.live) this.read(event.dataTransfer.files[0], event.dataTransfer.getData("text/html") || event.dataTransfer.getData("text/plain"));
      });
    }
    document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    byId("help-button").addEventListener("click", () => byId("help").showModal());
    for (const pane of document.querySelectorAll(".panes button")) {
      pane.addEventListener("click", () => {
        byId("work").dataset.pane = pane.dataset.pane;
        for (const other of document.querySelectorAll(".panes button")) other.setAttribute("aria-pressed", String(other === pane));
        this.goTo(this.tab);
      });
    }
    wireTheme(byId("theme"), () => {
      for (const panel of this.panels) panel.theme?.();
    });
  }

  /** Opens a file, as bytes: its encoding is for the engine to find; or else the text. */
  async read(file, text) {
    const html = file ? new Uint8Array(await file.arrayBuffer()) : text;
    if (html?.length) await this.open(html, byId("url").value.trim());
    else if (file) this.notice("The file is empty.");
  }
}

new App();
