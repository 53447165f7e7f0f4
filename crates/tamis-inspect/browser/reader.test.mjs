// The reader in Chromium, on stories in English, Chinese and Uyghur, and on hostile ones.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { accessible, browse, root, run, scratch, screenshots, serve, smuggled, watched } from "./harness.mjs";

/** Serves the stories of `cargo build -p tamis-serve --features corpus --example demo`. */
async function start(t) {
  const demo = spawn(process.env.TAMIS_DEMO ?? join(root, "target/debug/examples/demo"), { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => demo.stdin.end());
  const base = await new Promise((found, lost) => {
    demo.stdout.once("data", (line) => found(line.toString().trim()));
    demo.once("exit", () => lost(new Error("the demo ended")));
  });
  const browser = await browse(t);
  return async (path, options) => {
    const page = await watched(browser, base, { viewport: { width: 1280, height: 860 }, ...options });
    page.on("console", (message) => message.type() === "error" && page.wrong.push(`console: ${message.text()}`));
    await page.goto(`${base}${path}`);
    await page.waitForSelector("#results:not([aria-busy]) li", { state: "attached" });
    return page;
  };
}

/** Takes a picture; fails on serious findings of axe, on a page wider than its window, and on what should not happen. */
async function check(page, name) {
  await page.screenshot({ path: join(screenshots, `reader-${name}.png`) });
  await accessible(page, name);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${name} is too wide`);
  assert.deepEqual(page.wrong, []);
}

/** Waits until these are the titles: results of an earlier search may still be there. */
const titled = (page, ...titles) => page.waitForFunction((wanted) => [...document.querySelectorAll("#results h3")].map((it) => it.textContent).join("\n") === wanted, titles.join("\n"));
const counted = (page, words) => page.waitForFunction((wanted) => document.querySelector("#count").textContent === wanted, words);

test("search, filters and the plot find stories", async (t) => {
  const open = await start(t);
  const page = await open("/corpus");
  await counted(page, "65 stories");
  await check(page, "list");
  await page.click("#more");
  await page.waitForFunction(() => document.querySelectorAll("#results li").length === 40);
  for (const [words, title] of [['"said that" ferries', "Harbour bridge closed until spring"], ["大桥", "港口大桥因风暴关闭"], ["كۆۋرۈك", "پورت كۆۋرۈكى تاقالدى"]]) {
    await page.fill("#q", words);
    await page.press("#q", "Enter");
    await page.waitForFunction((wanted) => document.querySelector("#results").textContent.includes(wanted) && document.querySelectorAll("#results li").length < 5, title);
    assert.ok(await page.locator("#results mark").count(), `${words} is marked`);
  }
  await page.fill("#q", "");
  await page.selectOption("select[name=language]", "zh-CN");
  await titled(page, "港口大桥因风暴关闭");
  assert.match(page.url(), /language=zh-CN/);
  await page.click("#clear");
  await page.waitForFunction(() => document.querySelectorAll("#results li").length === 20);
  await page.click("#plot summary");
  await page.locator("#plot tbody button").first().click();
  await page.waitForFunction(() => document.querySelector("[name=since]").value === "2026-11-05");
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll("#results li").length === 20);
  await page.locator(".outlets button", { hasText: "Bay Radio" }).click();
  await page.waitForFunction(() => document.querySelector("[name=source]").value === "Bay Radio");
  await counted(page, "20 stories");
  assert.ok(await page.locator("#plot svg rect.source-0").count());
  await page.context().close();
});

test("a story shows its text, versions, near-duplicates, comments and the way into the inspector", async (t) => {
  const open = await start(t);
  const page = await open("/corpus?story=1");
  await page.waitForSelector(".story h2");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "H2");
  await check(page, "story");
  const why = await page.getAttribute(".text p:nth-child(3) .why", "href");
  assert.equal(why, `/?story=1#text=${encodeURIComponent("Ferries carry passengers across the bay every ten minutes until the repairs are done.")}`);
  assert.match(await page.textContent(".comments"), /Then take the one at half past seven\./);
  await page.getByRole("button", { name: "Show what changed" }).click();
  await page.waitForSelector(".diff ins");
  await page.selectOption("select[aria-label='Older version']", "1");
  await page.waitForFunction(() => document.querySelector(".diff del")?.textContent.includes("after storm"));
  assert.match(page.url(), /versions=1\.\.3/);
  await check(page, "diff");
  await page.click(".similar a");
  await page.waitForFunction(() => document.querySelector(".story h2").textContent === "Bridge closed after storm");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !location.search.includes("story"));
  await page.keyboard.press("j");
  await page.waitForSelector(".story h2");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "q");
  await page.goBack();
  await page.goto(new URL(why, page.url()).href);
  await page.waitForFunction(() => document.querySelector("#block")?.textContent.includes("Ferries carry passengers"));
  await page.screenshot({ path: join(screenshots, "reader-why.png") });
  assert.deepEqual(page.wrong, []);
  await page.context().close();
});

test("Chinese and Uyghur stories have their language and direction, in the dark and on a phone", async (t) => {
  const open = await start(t);
  for (const [id, lang, direction, scheme, viewport] of [
    [3, "zh-CN", "ltr", "light", { width: 390, height: 800 }],
    [4, "ug", "rtl", "dark", { width: 390, height: 800 }],
    [4, "ug", "rtl", "dark", { width: 1280, height: 860 }],
  ]) {
    const page = await open("/corpus", { colorScheme: scheme, viewport });
    await page.locator(`#results li[data-story="${id}"] a`).click();
    const text = page.locator(".story .text");
    await text.waitFor();
    assert.equal(await text.getAttribute("lang"), lang);
    assert.equal(await text.locator("p").first().evaluate((it) => getComputedStyle(it).direction), direction);
    await check(page, `${lang}-${viewport.width}`);
    if (viewport.width < 500) {
      await page.click(".back");
      await page.waitForSelector("#results li a:visible");
      await check(page, `list-${scheme}-${viewport.width}`);
    }
    await page.context().close();
  }
});

test("what a hostile story holds stays text", async (t) => {
  const open = await start(t);
  const page = await open("/corpus?story=5");
  await page.waitForSelector(".story h2");
  assert.equal(await page.textContent(".story h2"), "<script>alert('title')</script>");
  assert.match(await page.textContent(".story .text"), /<img src=x onerror=alert\('image'\)>/);
  assert.equal(await page.locator("[href^='javascript:'], .story img, .story svg, .story script, [onmouseover]").count(), 0);
  await page.goto(`${new URL(page.url()).origin}/corpus?story=1&q=%3Cscript%3E&source=%3Ci%3ESource%3C%2Fi%3E`);
  await page.waitForSelector(".comments");
  assert.match(await page.textContent(".comments"), /<script>alert\('comment'\)<\/script>/);
  await check(page, "hostile");
  await page.context().close();
});

test("scripts smuggled into stories do nothing", async (t) => {
  const rows = smuggled().map((html, at) => JSON.stringify({ url: `https://gazette.example/${at}`, html: html.replaceAll("bridge opens", `bridge ${at} opens`) }));
  const [file, db] = [join(scratch, "smuggled.jsonl"), join(scratch, "smuggled.db")];
  writeFileSync(file, rows.join("\n"));
  run("corpus", "import", "-q", "--all", "--db", db, file);
  const address = await serve(t, "--db", db);
  const page = await watched(await browse(t), address);
  for (let story = 1; story <= rows.length; story++) {
    await page.goto(`${address}/corpus?story=${story}`);
    await page.waitForSelector(".story h2");
    assert.match(await page.textContent(".story .text"), /The new bridge over the harbour/);
    assert.deepEqual(page.wrong, [], rows[story - 1]);
  }
});
