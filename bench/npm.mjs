// Pages per second of the npm package and of @mozilla/readability on jsdom, in turns in one process:
// npm.mjs PAGES ROUNDS MOST. Both get the bytes of each page and its URL, and give text and metadata.

import fs from "node:fs";
import path from "node:path";
import { TextDecoder } from "node:util";
import { Readability } from "@mozilla/readability";
import sniff from "html-encoding-sniffer";
import { JSDOM, VirtualConsole } from "jsdom";
import { extract, version } from "tamis";

const [folder, rounds, most] = process.argv.slice(2);
const files = fs.readdirSync(folder).filter((file) => file.endsWith(".html")).sort();
const step = Math.max(1, files.length / Number(most));
const chosen = Array.from({ length: Math.min(files.length, Number(most)) }, (_, place) => files[Math.floor(place * step)]);
const pages = chosen.map((file) => fs.readFileSync(path.join(folder, file)));
const url = "https://www.example.com/page";

const tools = {
  tamis: (page) => extract(page, { url }),
  readability: (page) => {
    const text = new TextDecoder(sniff(page, { defaultEncoding: "UTF-8" })).decode(page);
    const { window } = new JSDOM(text, { url, virtualConsole: new VirtualConsole() });
    const article = new Readability(window.document).parse();
    window.close();
    return article;
  },
};

// CPU time: the clock counts what else the machine does.
function seconds(tool) {
  const before = process.cpuUsage();
  for (const page of pages) {
    try {
      tool(page);
    } catch (error) {
      if (error instanceof TypeError && tool === tools.tamis) throw error;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const times = { tamis: [], readability: [] };
seconds(tools.tamis); // compiled on first use
for (let round = 0; round < Number(rounds); round++) {
  for (const name of Object.keys(times)) times[name].push(seconds(tools[name]));
}
const ratios = times.readability.map((time, round) => time / times.tamis[round]);
const rate = (name) => (pages.length / median(times[name])).toFixed(1);
const megabytes = pages.reduce((sum, page) => sum + page.length, 0) / 1e6;
const jsdom = JSON.parse(fs.readFileSync("node_modules/jsdom/package.json", "utf8")).version;
console.log(`${pages.length} pages, ${megabytes.toFixed(1)} MB, ${rounds} rounds, CPU time, Node.js ${process.version}`);
console.log(`tamis ${version()}: ${rate("tamis")} pages/s`);
console.log(`@mozilla/readability on jsdom ${jsdom}: ${rate("readability")} pages/s`);
const [least, typical, greatest] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
console.log(`ratio: ${typical.toFixed(1)} (${least.toFixed(1)} to ${greatest.toFixed(1)} over the rounds)`);
if (typical < 10) {
  console.error("less than ten times as fast");
  process.exitCode = 1;
}
