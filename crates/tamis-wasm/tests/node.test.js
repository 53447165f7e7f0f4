// The package in Node.js, as a user installs it. `cargo xtask npm` runs this with
// TAMIS_ROOT, the repository, and TAMIS_COMMAND, the command that records are compared with.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import init, { extract, version } from "tamis";

const root = process.env.TAMIS_ROOT;
const url = "https://www.example.com/rain";
const story = `<title>Rain</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><article><h1>Rain at last</h1>
  <p>It rained in the harbour on Monday, for the first time since the spring, and nobody had an umbrella.</p>
  <p>The ferries were late, the market closed early, and the water in the old dock rose by two metres.</p></article>`;
const schema = JSON.parse(readFileSync(join(root, "docs/schema/document-2.json"), "utf8"));
const all = Object.keys(schema.properties);

function pages(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"));
  return files.sort().map((file) => join(folder, file));
}

function command(page, fields) {
  const flags = ["extract", "-f", "json", "--url", url, "--fields", fields.join(","), page];
  return JSON.parse(execFileSync(process.env.TAMIS_COMMAND, flags, { maxBuffer: 1 << 28 }));
}

test("records are those of the command", () => {
  const examples = pages(join(root, "examples"));
  assert.ok(examples.length >= 10);
  for (const page of examples) {
    // Only the command knows the file.
    const fields = all.filter((field) => field !== "path");
    assert.deepEqual(extract(readFileSync(page), { url, fields }), command(page, fields), page);
  }
});

test("a record has every field but rendered forms, chunks and blocks", () => {
  const rendered = ["markdown", "html", "xml", "tei", "chunks", "blocks"];
  assert.deepEqual(Object.keys(extract(story)), all.filter((field) => !rendered.includes(field)));
});

test("strings and bytes of any encoding", () => {
  const page = "<meta charset=gbk><p>" + "港口星期一下雨了，这是今年春天以来的第一场雨。".repeat(5);
  // GBK of the ten words above cannot be written by TextEncoder; Latin 1 can, by hand.
  const latin = Uint8Array.from("<p>" + "Über Nacht fiel Schnee auf die Dörfer. ".repeat(9), (c) => c.charCodeAt(0));
  assert.match(extract(page).text, /港口/);
  const { text, encoding } = extract(latin, { content_type: "text/html; charset=iso-8859-1" });
  assert.match(text, /Dörfer/);
  assert.equal(encoding, "windows-1252");
  assert.equal(extract(latin.buffer, { encoding: "latin1" }).text, text);
  assert.match(extract("<p>half \ud83d a letter, and a sentence that is long enough to be kept by anybody.").text, /half \ufffd/);
});

test("options", () => {
  const record = extract(story, { url, fields: "url,host,title", method: "correlation", hidden: undefined });
  assert.deepEqual(record, { url, host: "www.example.com", title: "Rain at last" });
  const { chunks } = extract(story, { chunks: "9tokens" });
  assert.ok(chunks.length > 2 && chunks.every((chunk) => chunk.size <= 9 && chunk.headings[0] === "Rain at last"));
  assert.equal(extract(story, { fetched: new Date(0) }).fetched, "1970-01-01T00:00:00Z");
  assert.equal(extract(story, { fetched: "1970-01-01" }).fetched, "1970-01-01T00:00:00Z");
});

test("wrong arguments are type errors", () => {
  for (const [html, options, said] of [
    [7, {}, /a page is a string/],
    [story, "fast", /options are an object/],
    [story, { colour: "red" }, /no option "colour".*balance/],
    [story, { fields: ["colour"] }, /unknown field "colour"/],
    [story, { fields: 7 }, /fields are an array/],
    [story, { url: 7 }, /url is a string/],
    [story, { method: "best" }, /best/],
    [story, { balance: "both" }, /precision/],
    [story, { hidden: "show" }, /flag/],
    [story, { encoding: "martian" }, /martian/],
    [story, { chunks: "9words" }, /200tokens/],
    [story, { fetched: "yesterday" }, /fetched is a Date/],
    [story, { fetched: new Date(NaN) }, /fetched is a Date/],
    [story, { model: new Uint8Array(3) }, /model/],
    [story, { max_bytes: 0 }, /max_bytes/],
    [story, { timeout: -1 }, /timeout/],
  ]) {
    assert.throws(() => extract(html, options), (error) => error instanceof TypeError && said.test(error.message), String(said));
  }
});

test("pages that fail are errors with a code", () => {
  const slow = "<a href=x>b<p>".repeat(400_000);
  for (const [html, options, code] of [
    [new TextEncoder().encode("%PDF-1.7"), {}, "not_a_page"],
    [story, { max_bytes: 100 }, "too_large"],
    [slow, { timeout: 0.05 }, "time_limit"],
  ]) {
    assert.throws(() => extract(html, options), { name: "TamisError", code });
  }
  assert.equal(extract(story).title, "Rain at last");
});

test("CommonJS, version and init", async () => {
  const classic = createRequire(import.meta.url)("tamis");
  assert.deepEqual(classic.extract(story, { url }), extract(story, { url }));
  assert.equal(version(), JSON.parse(readFileSync(new URL("node_modules/tamis/package.json", import.meta.url), "utf8")).version);
  await init();
});
