// One story: its text, versions, near-duplicates, comments, and the way into the inspector.

import { h } from "./dom.js";
import { languageName, safe } from "./reader-dom.js";

let current = null;
let data = null;

/** Shows a story in `place`, or nothing where `id` is null; `versions` is a diff such as `1..2`. */
export async function showStory(place, id, versions, { call, go }) {
  if (!id) {
    current = null;
    place.replaceChildren(h("p", { class: "empty" }, "Choose a story to read it."));
    document.title = "Tamis reader";
    return;
  }
  const wanted = `${id} ${versions ?? ""}`;
  if (wanted === current) return;
  const opened = !current?.startsWith(`${id} `);
  current = wanted;
  if (opened) data = null;
  const story = (data ??= await call(`/v1/corpus/stories/${encodeURIComponent(id)}`));
  const change = versions ? await call(`/v1/corpus/stories/${id}/diff?${range(versions)}`) : null;
  if (wanted !== current) return;
  place.replaceChildren(...parts(story, change, go));
  document.title = `${story.title || story.url} – Tamis reader`;
  if (opened) {
    place.scrollTop = 0;
    place.querySelector("h2").focus({ preventScroll: true });
  }
}

function range(versions) {
  const [from, to] = versions.split("..");
  return new URLSearchParams({ from: from ?? "", to: to ?? "" });
}

const outside = (url, text) => {
  const href = safe(url);
  return href ? h("a", { href, rel: "noopener noreferrer", target: "_blank", dir: "ltr" }, text ?? url) : h("span", { dir: "ltr" }, text ?? url);
};

const time = (text) => (text ? text.replace("T", " ").replace(/(:\d\d)(:\d\d(\.\d+)?)?Z$/, "$1 UTC") : null);

function parts(story, change, go) {
  const lang = story.language;
  const fields = [
    ["Source", story.source ?? story.site_name ?? story.host],
    ["Published", time(story.published)],
    ["By", story.authors.join(", ")],
    ["Language", languageName(lang)],
    ["Type", story.page_type],
    ["Confidence", story.confidence === null ? null : `${Math.round(story.confidence * 100)} %`],
    ["Fetched", time(story.fetched)],
    ["Changed", story.revisions > 0 ? time(story.updated) : null],
  ];
  const back = h("button", { type: "button", class: "button quiet back", onclick: () => go({ story: null, versions: null }) }, "← Stories");
  const kept = story.raw.length > 0;
  return [
    back,
    h("header", null,
      h("h2", { tabindex: -1, dir: "auto", lang }, story.title || "Without a title"),
      h("p", { class: "where" }, outside(story.url)),
      h("dl", { class: "fields" }, fields.filter(([, value]) => value).map(([name, value]) =>
        h("div", null, h("dt", null, name), h("dd", null, h("bdi", null, value))))),
      kept && h("p", null, h("a", { class: "button", href: inspector(story.id) }, "Open in the inspector"))),
    story.versions.length > 1 && versionBar(story, change, go),
    change ? diffView(story, change) : textView(story, kept),
    similar(story, go),
    comments(story),
  ].filter(Boolean);
}

const inspector = (id, text) => `/?story=${id}${text ? `#text=${encodeURIComponent(text)}` : ""}`;

/** The text by paragraph, each with a link to the block that it came from. */
function textView(story, kept) {
  const lines = story.text.split("\n").filter((line) => line.trim());
  const why = (line) => h("a", { class: "why", dir: "ltr", href: inspector(story.id, excerpt(line)), "aria-label": `Why is this here? ${line.slice(0, 40)}` }, "why?");
  const body = h("div", { class: "text", lang: story.language }, lines.map((line) =>
    h("p", { dir: "auto" }, line, kept && [" ", why(line)])));
  // A sentence that is selected is what the link asks about.
  body.addEventListener("mouseup", () => {
    const chosen = getSelection();
    const paragraph = chosen.anchorNode?.parentElement?.closest(".text p");
    const link = paragraph?.querySelector(".why");
    const text = chosen.toString().split("\n")[0].trim();
    if (link && text) link.href = inspector(story.id, excerpt(text.replace(/\s*why\?$/, "")));
  });
  return body;
}

const excerpt = (text) => [...text.trim()].slice(0, 120).join("");

function versionBar(story, change, go) {
  const last = story.versions.length;
  const options = (chosen) => story.versions.map((version) =>
    h("option", { value: version.number, selected: version.number === chosen }, `${version.number} · ${time(version.fetched)}`));
  const from = h("select", { "aria-label": "Older version" }, options(change?.from ?? last - 1));
  const to = h("select", { "aria-label": "Newer version" }, options(change?.to ?? last));
  const compare = () => go({ versions: `${from.value}..${to.value}` });
  if (change) for (const field of [from, to]) field.addEventListener("change", compare);
  return h("section", { class: "versions", "aria-label": "Versions" },
    h("h3", null, `${last} versions`), h("label", null, "From ", from), h("label", null, "to ", to),
    h("button", { type: "button", class: "button", "aria-pressed": String(Boolean(change)), onclick: () => (change ? go({ versions: null }) : compare()) },
      change ? "Show the text" : "Show what changed"));
}

const TAG = { same: "span", removed: "del", added: "ins" };

function diffView(story, change) {
  const piece = ({ change: kind, text }) => h(TAG[kind], null, text);
  const count = (kind) => change.text.concat(change.title).filter((it) => it.change === kind).length;
  const text = change.title.some((it) => it.change !== "same") ? [...change.title, { change: "same", text: "\n\n" }, ...change.text] : change.text;
  return h("section", { class: "diff", "aria-label": `Changes from version ${change.from} to ${change.to}` },
    h("p", { class: "about" }, `${count("removed")} passages removed, ${count("added")} added`),
    h("div", { class: "text", dir: "auto", lang: story.language }, text.map(piece)));
}

function similar(story, go) {
  const open = (event, id) => {
    event.preventDefault();
    go({ story: id, versions: null });
  };
  return story.near_duplicates.length > 0 && h("section", { class: "similar", "aria-labelledby": "similar" },
    h("h3", { id: "similar" }, "Nearly the same"),
    h("ul", null, story.near_duplicates.map((other) => h("li", null,
      h("a", { href: `?story=${other.id}`, dir: "auto", lang: story.language, onclick: (event) => open(event, other.id) }, other.title || other.url),
      h("span", { class: "about", dir: "ltr" }, host(other.url))))));
}

function host(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

/** Comments, answers below what they answer; deep threads are not indented further. */
function comments(story) {
  if (!story.comments.length) return null;
  const depth = new Map();
  const items = story.comments.map((comment) => {
    const level = Math.min(6, comment.reply_to ? (depth.get(comment.reply_to) ?? 0) + 1 : 0);
    depth.set(comment.number, level);
    const about = [comment.author ?? "Anonymous", time(comment.time), comment.reply_to && `answers ${comment.reply_to}`];
    return h("li", { class: `level-${level}` },
      h("p", { class: "about" }, h("span", { class: "tag" }, `${comment.number}`), about.filter(Boolean).map((part) => h("bdi", null, part))),
      h("p", { class: "comment", dir: "auto", lang: story.language }, comment.text.trim()));
  });
  return h("section", { class: "comments", "aria-labelledby": "comments" },
    h("h3", { id: "comments" }, items.length === 1 ? "1 comment" : `${items.length} comments`), h("ol", null, items));
}
