// What the browser tests share: the command, its server, a browser, and axe.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const root = new URL("../../../", import.meta.url).pathname;
export const tamis = process.env.TAMIS ?? join(root, "target/debug/tamis");
export const screenshots = join(root, "target/screenshots");
export const scratch = mkdtempSync(join(tmpdir(), "tamis-browser-"));
mkdirSync(screenshots, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const example = (name) => readFileSync(join(root, "examples", name), "utf8");

/** Pages with script, requests and forms to smuggle through. */
export function smuggled() {
  const [, template, ...entries] = readFileSync(join(root, "crates/tamis-serve/tests/data/smuggle.txt"), "utf8").split(/^=== .*\n/m);
  assert.ok(entries.length >= 40, `${entries.length} ways`);
  return entries.map((entry) => template.replace("@@@", () => entry));
}

/** Runs the command, and gives what it writes. */
export const run = (...words) => execFileSync(tamis, words, { maxBuffer: 1 << 30, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Starts a server on a free port; ends with the test. */
export async function serve(test, ...flags) {
  const child = spawn(tamis, ["serve", "--addr", "127.0.0.1:0", "--no-log", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  test.after(() => child.kill());
  const address = await new Promise((found, lost) => {
    let said = "";
    const listen = (data) => {
      said += data;
      const url = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (url) found(url);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", () => lost(new Error(`the server ended: ${said}`)));
  });
  return address;
}

/** Starts a browser; ends with the test. */
export async function browse(test) {
  const executablePath = process.env.TAMIS_BROWSER ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--force-color-profile=srgb"] });
  test.after(() => browser.close());
  return browser;
}

/** A page that notes everything that should not happen: errors, dialogs, requests to elsewhere. */
export async function watched(browser, address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  page.wrong = [];
  // Slow machines are no failure.
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => page.wrong.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    page.wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  // What the policy stops never leaves the browser.
  const check = (request) => {
    const url = request.url();
    const isStopped = request.failure()?.errorText === "csp";
    if (!isStopped && !url.startsWith(address) && !/^(data:|blob:|about:)/.test(url)) page.wrong.push(`request: ${url}`);
  };
  page.on("requestfinished", check);
  page.on("requestfailed", check);
  return page;
}

/** Asserts that axe has no serious finding. */
export async function accessible(page, where) {
  await page.evaluate(`if (!window.axe) { ${axe} }`).catch(() => page.evaluate(axe));
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false, resultTypes: ["violations"] }));
  const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
  assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`), [], where);
}
