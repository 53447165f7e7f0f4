// The package in Chromium, loaded by a module script without a bundler. TAMIS_BROWSER names the browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { extract } from "tamis";

const types = { js: "text/javascript", wasm: "application/wasm", html: "text/html" };

test("records are those of Node.js", { timeout: 120_000 }, async () => {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    if (path === "/") return response.end("<!doctype html><title>Test</title>");
    const type = types[path.split(".").at(-1)];
    // Chromium asks for an icon.
    if (!type) return response.writeHead(404).end();
    response.setHeader("Content-Type", type);
    response.end(readFileSync(join("node_modules/tamis", path)));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: process.env.TAMIS_BROWSER, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    for (const name of ["harbour-news", "chinese-news", "uyghur-forum"]) {
      const html = readFileSync(join(process.env.TAMIS_ROOT, `examples/${name}.html`), "utf8");
      const options = { url: "https://www.example.com/rain" };
      const record = await page.evaluate(
        async ([html, options]) => {
          const { default: init, extract } = await import("/browser.js");
          await init();
          return extract(html, options);
        },
        [html, options],
      );
      assert.deepEqual(record, extract(html, options), name);
      assert.ok(record.text.length > 200);
    }
  } finally {
    await browser.close();
    server.close();
  }
});
