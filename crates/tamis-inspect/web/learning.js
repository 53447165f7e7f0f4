// What a person tells Tamis: rules for a site, yes or no to what a site repeats, corrections, and training on them.

import { h, count, debounce, percent } from "./dom.js";
import { api } from "./api.js";

const hostOf = (url) => {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
};
const button = (words, onclick, kind = "") => h("button", { type: "button", class: `button ${kind}`, onclick }, words);

/** Rules for the site: write a selector, see what it takes, and what the rules do. */
export function rulesPanel(app) {
  const selector = h("input", { id: "selector", type: "text", spellcheck: "false", placeholder: "div.teaser", autocomplete: "off" });
  const hits = h("p", { class: "faint", "aria-live": "polite" });
  const rules = h("textarea", { id: "rules", rows: 9, spellcheck: "false" });
  const outcome = h("div", { "aria-live": "polite" });
  let begun = "";
  const look = () => {
    const found = app.frame.try(selector.value);
    const kept = found ? [...found.blocks].filter((block) => app.kept(block)).length : 0;
    hits.textContent = !selector.value.trim() ? "" : !found ? "No selector yet."
      : `${count(found.elements, "element")} with ${count(found.blocks.size, "block")}, of which ${kept} kept.`;
  };
  selector.addEventListener("input", debounce(150, look));
  const start = () => `[[site]]\nhost = '${hostOf(app.source.url) || "example.com"}'\n`;
  const add = (name) => () => {
    if (!selector.value.trim()) return;
    const line = `'${selector.value.trim()}'`;
    const text = rules.value.trim() ? rules.value : start();
    const known = new RegExp(`^${name} = \\[(.*)\\]$`, "m");
    rules.value = known.test(text) ? text.replace(known, (_, list) => `${name} = [${list}, ${line}]`) : `${text.trimEnd()}\n${name} = [${line}]\n`;
  };
  const run = async (text) => {
    const before = app.inspection;
    outcome.replaceChildren();
    if (text && !app.source.url) app.source.url = `https://${/host\s*=\s*['"](?:\*\.)?([^'"]+)/.exec(text)?.[1] ?? "example.com"}/`;
    const after = await app.explain({ rules: text || null });
    if (!after) return;
    const changed = after.blocks.filter((block, place) => block.kept !== before.blocks[place]?.kept);
    const list = (kept, words) => {
      const blocks = changed.filter((block) => block.kept === kept);
      return blocks.length ? [h("h4", null, `${words}: ${count(blocks.length, "block")}`), h("ul", { class: "changes" }, blocks.slice(0, 50).map((block) =>
        h("li", null, h("button", { type: "button", class: "link", dir: "auto", onclick: () => app.select(block.index, "list") }, block.text.slice(0, 120)))))] : [];
    };
    outcome.replaceChildren(h("p", { class: "note" }, after.page.rules ?? (text ? "No rule applies to this address." : "Without rules.")),
      ...list(true, "Now kept"), ...list(false, "Now dropped"));
  };
  return {
    name: "Rules",
    element: h("div", { class: "scroll pad", tabindex: 0 },
      h("h3", null, "Site rules"), h("p", { class: "faint" }, "A selector is outlined in the page while you write it."),
      h("label", { for: "selector" }, "Selector"),
      h("div", { class: "row" }, selector, button("From the block", () => {
        selector.value = app.selected === null ? "" : app.frame.selectorOf(app.selected);
        look();
      }, "quiet")),
      hits,
      app.live ? [h("div", { class: "row" }, button("Keep it", add("keep")), button("Drop it", add("drop")), button("Title", add("title"), "quiet")),
        h("label", { for: "rules" }, "Rules (TOML, as in docs/site-rules.md)"), rules,
        h("div", { class: "row end" }, button("Without rules", () => run(""), "quiet"), button("Try the rules", () => run(rules.value), "primary")), outcome]
        : h("p", { class: "note" }, "To try rules, start tamis serve and open the page there.")),
    draw() {
      if (!rules.value || rules.value === begun) rules.value = begun = start();
      look();
    },
  };
}

/** What the site repeats, with a person's yes or no. */
export function sitePanel(app) {
  const body = h("div", { class: "scroll pad", tabindex: 0 });
  const row = (name, text, draw) => {
    const say = (verdict, words) => h("button", {
      type: "button", class: "choice", "aria-pressed": String((text.verdict ?? null) === verdict),
      onclick: async () => {
        await app.trying(() => api.judge(name, text.id, verdict));
        await draw();
        await app.explain({});
      },
    }, words);
    return h("li", null, h("p", { dir: "auto" }, text.text), h("p", { class: "faint" }, [text.pages !== undefined && `on ${count(text.pages, "page")}`, text.dropped !== undefined && (text.dropped ? "dropped" : "kept")].filter(Boolean).join(" · ")),
      h("div", { class: "correct", role: "group", "aria-label": "Is it noise?" }, say("noise", "noise"), say("content", "content"), say(null, "by the counts")));
  };
  const here = () => {
    const known = app.inspection.blocks.filter((block) => block.site);
    return known.length ? [h("h3", null, `On this page: ${count(known.length, "block")}`), h("ul", { class: "changes" }, known.slice(0, 200).map((block) =>
      h("li", null, h("button", { type: "button", class: "link", dir: "auto", onclick: () => app.select(block.index, "list") }, block.text.slice(0, 120)), h("span", { class: "faint" }, ` ${count(block.site.pages, "page")}`))))] : [];
  };
  const draw = async () => {
    const name = hostOf(app.source.url);
    const head = [h("h3", null, "Site memory"), h("p", { class: "faint" }, name ? `What other pages of ${name} repeat.` : "Give the page's address to see what its site repeats.")];
    const url = h("input", { id: "site-url", type: "url", placeholder: "https://…", value: app.source.url, "aria-label": "Address of the page", spellcheck: "false", required: true });
    if (app.live) head.push(h("form", { class: "row", onsubmit: async (event) => {
      event.preventDefault();
      await app.explain({ source: { ...app.source, url: url.value } });
    } }, url, h("button", { class: "button" }, "Use the address")));
    let texts = [];
    if (!app.config?.sites) head.push(h("p", { class: "note" }, "For a memory of sites, start tamis serve --sites and open the page there."));
    else if (name) {
      const answer = await app.trying(() => api.site(name), 404);
      texts = answer?.texts ?? [];
      if (!answer) head.push(h("p", { class: "note" }, "The memory does not know this site: tamis site learn teaches it."));
    }
    body.replaceChildren(...head, ...here(), ...(texts.length ? [h("h3", null, `In memory: ${count(texts.length, "text")}`), h("ul", { class: "texts" }, texts.slice(0, 500).map((text) => row(name, text, draw)))] : []));
  };
  return { name: "Site", element: body, draw };
}

/** Corrections, labels and training. */
export function trainingPanel(app) {
  const body = h("div", { class: "scroll pad", tabindex: 0 });
  const id = h("input", { id: "label-id", type: "text", autocomplete: "off", spellcheck: "false" });
  const progress = h("progress", { max: 1, value: 0, "aria-label": "Training" });
  let named = null;
  const state = h("p", { "aria-live": "polite" });
  const outcome = h("div");
  const cancel = button("Stop", () => decide(false), "quiet");
  const suggestion = () => (app.inspection.page.title ?? "page").toLowerCase().normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 30).replace(/-$/, "") || "page";
  /** A name that no other page has: its label would be replaced. */
  const free = (labels) => {
    const name = suggestion();
    const isTaken = (id) => labels.some((label) => label.id === id && label.url !== (app.source.url || null));
    for (let at = 1; ; at++) {
      const id = at === 1 ? name : `${name}-${at}`;
      if (!isTaken(id)) return id;
    }
  };
  const save = async () => {
    const blocks = {};
    for (const block of app.inspection.blocks) {
      const said = app.labels.get(block.index) ?? (app.kept(block.index) ? "main" : app.classOf(block.index));
      if (["main", "comment", "caption", "noise"].includes(said)) blocks[block.index] = said;
      else blocks[block.index] = app.kept(block.index) ? "main" : "noise";
    }
    const saved = await app.trying(() => api.saveLabel(id.value || suggestion(), { html: app.source.html, url: app.source.url || undefined, blocks }));
    if (saved !== undefined) app.say(saved.replaced ? "Saved in place of the label of that name." : "Saved as a label.");
    await draw();
  };
  const show = (status) => {
    const running = status.state === "running";
    progress.hidden = !running;
    progress.max = status.total || 1;
    progress.value = status.done ?? 0;
    state.textContent = { idle: "Nothing has been trained yet.", running: `Training: ${status.done} of ${status.total}.`, done: "Trained. Keep the model, or discard it.", failed: `The training failed: ${status.error ?? "see the server's log"}.` }[status.state] ?? status.state;
    cancel.hidden = !running;
    const changed = status.changed ?? [];
    const scores = (name, it) => it && h("p", null, `${name}: F1 ${percent(it.before)} before, ${percent(it.after)} after`, it.held_out === null ? "" : `, ${percent(it.held_out)} on sites that were held out`, ` (${it.changed} of ${count(it.pages, "page")} changed).`);
    outcome.replaceChildren(...(status.state === "done" ? [
      scores("Labelled pages", status.labelled) ?? "", scores("Other pages", status.others) ?? "",
      h("table", { class: "methods" }, h("caption", null, "Page by page (F1)"),
        h("thead", null, h("tr", null, ["page", "", "before", "after"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", null, changed.map((page) => h("tr", null, h("th", { scope: "row", dir: "auto" }, page.id), h("td", { class: "faint" }, page.labelled ? "labelled" : "other"), h("td", null, percent(page.before)), h("td", null, percent(page.after)))))),
      h("div", { class: "row end" }, button("Discard", () => decide(false), "quiet"), button("Keep the model", () => decide(true), "primary")),
    ] : []));
    return running;
  };
  const watch = async () => {
    for (;;) {
      const status = await app.trying(() => api.training());
      if (!status || !show(status)) return;
      await new Promise((then) => setTimeout(then, 400));
    }
  };
  const decide = async (keep) => {
    await app.trying(() => api.decide(keep));
    app.say(keep ? "The server uses the new model." : "The model was discarded.");
    await watch();
    if (keep) await app.explain({});
  };
  const draw = async () => {
    const corrected = [...app.labels].map(([block, name]) => h("li", null, h("button", { type: "button", class: "link", dir: "auto", onclick: () => app.select(block, "list") }, `${name}: ${app.inspection.blocks[block].text.slice(0, 90)}`)));
    const parts = [h("h3", null, "Corrections"), corrected.length ? h("ul", { class: "changes" }, corrected)
      : h("p", { class: "faint" }, "Select a block and say what it is: 1 main, 2 comment, 3 caption, 4 noise.")];
    if (app.config?.labels) {
      const known = await app.trying(() => api.labels());
      const list = known?.labels ?? [];
      if (named !== app.source) id.value = free(list);
      named = app.source;
      parts.push(h("label", { for: "label-id" }, "Name of the label"), h("div", { class: "row" }, id, button("Save the page as a label", save, "primary")),
        h("h3", null, `Labelled pages: ${list.length}`), h("ul", { class: "changes" }, list.slice(0, 200).map((label) => h("li", null, h("span", { dir: "auto" }, label.id), " ", button("Remove", async () => {
          await app.trying(() => api.dropLabel(label.id));
          await draw();
        }, "quiet")))),
        h("h3", null, "Training"), h("div", { class: "row" }, button("Train on the labelled pages", async () => {
          await app.trying(() => api.train());
          await watch();
        }), progress, cancel), state, outcome);
    } else {
      parts.push(h("p", { class: "note" }, app.live ? "Start the server with --labels to save corrections and to train on them." : "To save corrections, start tamis serve --labels and open the page there."));
    }
    body.replaceChildren(...parts);
    if (app.config?.labels) await watch();
  };
  progress.hidden = true;
  return { name: "Learn", element: body, draw, corrected: draw };
}
