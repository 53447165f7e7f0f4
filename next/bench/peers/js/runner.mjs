// Runs @mozilla/readability on pages, as ../README.md asks of a runner: runner.mjs TOOL LIST.
// It needs somebody else's DOM: jsdom is the one its documentation shows, linkedom a light one.

import fs from "node:fs";
import { createInterface } from "node:readline";
import { TextDecoder } from "node:util";
import { Readability } from "@mozilla/readability";
import sniff from "html-encoding-sniffer";
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";

const BLOCKS = new Set(
  ("ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI " +
    "MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL").split(" "),
);

// Text with an end of line at the borders of blocks: `textContent` glues the words there.
function blockText(root) {
  let text = "";
  let node = root;
  while (node) {
    if (node.nodeType === 3) text += node.data;
    const block = BLOCKS.has(node.nodeName);
    if (block) text += "\n";
    if (node.firstChild) {
      node = node.firstChild;
      continue;
    }
    while (node !== root && !node.nextSibling) {
      node = node.parentNode;
      if (BLOCKS.has(node.nodeName)) text += "\n";
    }
    node = node === root ? null : node.nextSibling;
  }
  return text;
}

// Neither DOM guesses an encoding. Most pages that declare none are in UTF-8.
function decoded(page) {
  return new TextDecoder(sniff(page, { defaultEncoding: "UTF-8" })).decode(page);
}

function article(document) {
  return new Readability(document, { serializer: blockText }).parse();
}

const TOOLS = {
  "readability-jsdom": (page) => {
    const { window } = new JSDOM(decoded(page), { virtualConsole: new VirtualConsole() });
    const found = article(window.document);
    window.close();
    return found;
  },
  "readability-linkedom": (page) => article(parseHTML(decoded(page)).document),
};

function orNothing(work, page) {
  try {
    return { found: work(page), error: null };
  } catch (error) {
    return { found: null, error: String(error) };
  }
}

const [tool, listing] = process.argv.slice(2);
const work = TOOLS[tool];
const pages = fs.readFileSync(listing, "utf8").split("\n").filter(Boolean).map((path) => fs.readFileSync(path));
const dropped = new Set();
const answer = (line) => fs.writeSync(1, line + "\n");
const versionOf = (name) => {
  const about = new URL(`./node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(fs.readFileSync(about, "utf8")).version;
};

answer(`ready ${versionOf("@mozilla/readability")} on ${tool.split("-")[1]} ${versionOf(tool.split("-")[1])}`);
for await (const line of createInterface({ input: process.stdin })) {
  const [command, number] = [line.split(" ")[0], Number(line.split(" ")[1])];
  if (command === "page") {
    const { found, error } = orNothing(work, pages[number]);
    const [text, title, date] = [found?.content ?? "", found?.title ?? null, found?.publishedTime ?? null];
    answer(`page ${text.trim().length} ${JSON.stringify({ text, title, date, error })}`);
  } else if (command === "drop") {
    dropped.add(number);
    answer("ok");
  } else if (command === "round") {
    const [cpu, wall] = [process.cpuUsage(), performance.now()];
    for (let pass = 0; pass < number; pass++) {
      pages.forEach((page, place) => dropped.has(place) || orNothing(work, page));
    }
    const { user, system } = process.cpuUsage(cpu);
    answer(`round ${(user + system) / 1e6} ${(performance.now() - wall) / 1e3}`);
  }
}
