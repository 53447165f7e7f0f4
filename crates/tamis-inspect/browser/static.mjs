// The inspector as a static page, without a server of ours: `cargo xtask inspector` runs it. TAMIS_INSPECTOR is its folder.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { accessible, browse, example, root, run, screenshots, watched } from "./harness.mjs";

const folder = process.env.TAMIS_INSPECTOR ?? join(root, "target/inspector");
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", wasm: "application/wasm" };

async function files(t) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html");
    try {
      const body = readFileSync(join(folder, path));
      response.setHeader("Content-Type", TYPES[path.split(".").at(-1)]);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

for (const name of ["harbour-news", "chinese-news", "uyghur-forum"]) {
  test(`inspects ${name} as the command does`, { timeout: 120_000 }, async (t) => {
    const address = await files(t);
    const page = await watched(await browse(t), address);
    await page.goto(address);
    await page.fill("#source", example(`${name}.html`));
    await page.click("text=Inspect");
    await page.waitForFunction(() => document.querySelector("#frame").contentDocument?.querySelector("tamis-b[c]"));
    await page.click('role=tab[name="Markdown"]');
    const shown = await page.locator("pre:visible").first().textContent();
    assert.equal(shown.trim(), run("extract", "-f", "markdown", "--with", "links,images,comments", join(root, `examples/${name}.html`)).trim());
    assert.equal(await page.locator("#notice").isVisible(), false);
    await accessible(page, name);
    await page.screenshot({ path: join(screenshots, `static-${name}.png`) });
    assert.deepEqual(page.wrong, []);
  });
}

test("reports wrong site rules", { timeout: 120_000 }, async (t) => {
  const address = await files(t);
  const page = await (await browse(t)).newPage();
  await page.goto(address);
  const refusal = await page.evaluate(async () => {
    const { api } = await import("/assets/api.js");
    return api.explain({ html: "<p>Rain", url: "https://a.example/", rules: "[[site]]\nhost = 1" }).catch((error) => error.message);
  });
  assert.match(refusal, /rules, line \d+/);
});
