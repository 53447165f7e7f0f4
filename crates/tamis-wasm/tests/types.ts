// Compiled, not run: the types of the package as users meet them.

import init, { extract, version, type Options, type Record, type TamisError } from "tamis";

const options: Options = { url: "https://example.com/", fetched: new Date(), balance: "precision", hidden: "flag" };
const record: Record = extract(new Uint8Array(), options);
const title: string | null = record.title;
const authors: string[] = record.authors;
const markdown: string | undefined = record.markdown;
for (const piece of record.content) {
  if (piece.type === "heading") console.log(piece.level, piece.span[0]);
  if (piece.type === "list") console.log(piece.items.length, piece.ordered);
}

const chosen = extract("<p>", { fields: ["markdown", "posts"] });
const whole: string = chosen.markdown;
const replies: (string | null)[] = chosen.posts.map((post) => post.reply_to);
// @ts-expect-error a field that was not chosen
chosen.title;
// @ts-expect-error an option that there is not
extract("<p>", { colour: "red" });
// @ts-expect-error a page is no number
extract(7);

const code: TamisError["code"] = "time_limit";
const loaded: Promise<void> = init(new URL("https://example.com/module_bg.wasm"));
console.log(title, authors, markdown, whole, replies, code, loaded, version());
