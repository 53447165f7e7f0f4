// The reader: finds stories of the corpus and shows them. What a page said is only ever text here, never markup.

import { call as ask } from "./api.js";
import { byId, h, wireTheme } from "./dom.js";
import { languageName } from "./reader-dom.js";
import { plot } from "./reader-plot.js";
import { showStory } from "./reader-story.js";

const form = byId("search");
const results = byId("results");
const FIELDS = ["q", "source", "language", "page_type", "since", "until", "sort", "duplicates"];
const FILTERS = ["source", "language", "page_type", "since", "until"];
const call = (path) => ask("GET", path);

let cursor = null;
let round = 0;

function fail(error) {
  byId("notice").textContent = error.message;
  byId("notice").hidden = false;
}

/** The query in the address bar. */
const query = () => new URLSearchParams(location.search);

function filterOf(params) {
  const filter = new URLSearchParams();
  for (const name of FILTERS) if (params.get(name)) filter.set(name, params.get(name));
  return filter;
}

/** Changes the address and shows what it says. */
function go(changes) {
  const params = query();
  for (const [name, value] of Object.entries(changes)) {
    if (value) params.set(name, value);
    else params.delete(name);
  }
  const text = params.toString();
  history.pushState(null, "", text ? `?${text}` : location.pathname);
  return show();
}

let shown = null;

/** Shows what the address says: the list where its query changed, and the story. */
async function show() {
  const params = query();
  const listed = FIELDS.map((name) => params.get(name) ?? "").join("\n");
  byId("notice").hidden = true;
  const story = params.get("story");
  byId("reader").dataset.view = story ? "story" : "list";
  const tasks = [];
  if (listed !== shown) {
    shown = listed;
    tasks.push(list(params));
  }
  for (const item of results.children) mark(item, story);
  tasks.push(showStory(byId("story"), story, params.get("versions"), { call, go }));
  await Promise.all(tasks).catch(fail);
}

function mark(item, story) {
  const link = item.querySelector("a");
  if (item.dataset.story === story) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
}

async function list(params) {
  const own = ++round;
  for (const name of FIELDS) {
    const field = form.elements[name];
    if (field.type === "checkbox") field.checked = params.get(name) === "true";
    else if (field.type !== "select-one") field.value = params.get(name) ?? "";
  }
  byId("sort").hidden = !params.get("q");
  byId("clear").hidden = [...filterOf(params)].length === 0;
  results.setAttribute("aria-busy", "true");
  const [counted] = await Promise.all([call(`/v1/corpus/days?${filterOf(params)}`), more(params, own, null)]);
  if (own !== round) return;
  results.removeAttribute("aria-busy");
  choices("source", counted.sources, params, "All sources");
  choices("language", counted.languages, params, "All languages", languageName);
  choices("page_type", counted.page_types, params, "All types");
  form.elements.sort.value = params.get("sort") ?? "";
  plot(byId("plot"), counted, {
    source: (name) => go({ source: name, story: null }),
    days: (since, until) => go({ since, until, story: null }),
  });
  const found = results.children.length;
  const text = params.get("q")
    ? `${found}${cursor ? " or more" : ""} ${found === 1 && !cursor ? "story" : "stories"} with these words`
    : `${counted.stories.toLocaleString("en")} ${counted.stories === 1 ? "story" : "stories"}`;
  byId("count").textContent = text;
  byId("live").textContent = text;
}

/** Adds stories to the list; the first ones replace what is there. */
async function more(params, own, from) {
  const asked = filterOf(params);
  for (const name of ["q", "sort", "duplicates"]) if (params.get(name)) asked.set(name, params.get(name));
  if (from) asked.set("cursor", from);
  const answer = await call(`/v1/corpus/search?${asked}`);
  if (own !== round) return;
  const items = answer.stories.map(item);
  if (from) results.append(...items);
  else results.replaceChildren(...items);
  if (!results.children.length) results.append(h("li", { class: "empty" }, h("a", { href: "/corpus" }, "No story matches: show all")));
  cursor = answer.cursor;
  byId("more").hidden = !cursor;
  for (const it of items) mark(it, query().get("story"));
}

function item(story) {
  const params = query();
  params.set("story", story.id);
  params.delete("versions");
  const lang = story.language;
  const about = [story.source ?? story.host, (story.published ?? "").slice(0, 10), languageName(lang)];
  const link = h("a", { href: `?${params}`, dir: "auto", lang }, story.title || story.url);
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go({ story: story.id, versions: null });
  });
  return h("li", { "data-story": story.id },
    h("h3", null, link),
    h("p", { class: "about" }, about.filter(Boolean).map((part) => h("bdi", null, part)),
      story.duplicates > 0 && h("span", { class: "tag" }, `${story.duplicates} similar`)),
    h("p", { class: "snippet", dir: "auto", lang }, ...marked(story.snippet)));
}

/** The text of a snippet with its hits, which are ranges of UTF-8 bytes. */
function marked({ text, hits }) {
  const bytes = new TextEncoder().encode(text);
  const part = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  const parts = [];
  let at = 0;
  for (const { start, end } of hits) {
    parts.push(part(at, start), h("mark", null, part(start, end)));
    at = end;
  }
  return [...parts, part(at)];
}

function choices(name, counts, params, all, label = (it) => it) {
  const field = form.elements[name];
  const chosen = params.get(name) ?? "";
  const known = counts.map((count) => count.name);
  const listed = chosen && !known.includes(chosen) ? [{ name: chosen, stories: 0 }, ...counts] : counts;
  const option = (count) => h("option", { value: count.name },
    `${label(count.name)}${count.stories ? ` (${count.stories.toLocaleString("en")})` : ""}`);
  field.replaceChildren(h("option", { value: "" }, all), ...listed.filter((it) => !["und", "unknown"].includes(it.name)).map(option));
  field.value = chosen;
}

function submit() {
  const data = new FormData(form);
  go({ ...Object.fromEntries(FIELDS.map((name) => [name, data.get(name)])), story: null, versions: null });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
form.addEventListener("change", (event) => event.target.name !== "q" && submit());
byId("clear").addEventListener("click", () => go(Object.fromEntries(FILTERS.map((name) => [name, null]))));
byId("more").addEventListener("click", async () => {
  const before = results.children.length;
  await more(query(), round, cursor).catch(fail);
  results.children[before]?.querySelector("a")?.focus();
});
addEventListener("popstate", show);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  const links = [...results.querySelectorAll("h3 a")];
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  const next = { j: links[at + 1], k: links[at - 1] }[event.key];
  if (event.key === "/") byId("q").focus();
  else if (event.key === "Escape" && query().get("story")) go({ story: null, versions: null });
  else if (next) next.click();
  else return;
  event.preventDefault();
});

wireTheme(byId("theme"));
try {
  const { corpus } = await call("/v1/config");
  if (!corpus) throw new Error("This server has no corpus: start it with --db FILE.");
  await show();
} catch (error) {
  fail(error);
}
