/**
 * Main text and metadata of web pages.
 *
 * ```js
 * import { extract } from "tamis"; // in a browser: `await init()` first
 * const { title, published, authors, text } = extract(html, { url: "https://example.com/rain" });
 * ```
 */

/**
 * Loads the module. Await it in browsers before the first `extract`; in Node.js, the module is already loaded.
 * `module` is the location of the module, if it is not beside the script: a URL, a `Response`, bytes, or a compiled
 * module.
 */
export function init(module?: string | URL | Request | Response | BufferSource | WebAssembly.Module): Promise<void>;
export default init;

/**
 * Extracts the record of a page. Prefer bytes, whose encoding is detected as browsers do it.
 *
 * @throws {TamisError} if the page cannot be extracted
 * @throws {TypeError} for wrong arguments
 */
export function extract<F extends keyof Record>(
  html: string | Uint8Array | ArrayBuffer,
  options: Options & { fields: readonly F[] },
): Pick<Required<Record>, F>;
export function extract(html: string | Uint8Array | ArrayBuffer, options?: Options): Record;

/** The version of Tamis. */
export function version(): string;

/** Options of `extract`. Unknown ones throw a `TypeError`. */
export interface Options {
  /** The URL of the page. */
  url?: string | null;
  /**
   * The fields to compute, as an array or one string with commas. Default: all but `chunks`, `blocks`, `markdown`,
   * `html`, `xml` and `tei`.
   */
  fields?: readonly (keyof Record)[] | string | null;
  /** The `Content-Type` header. */
  content_type?: string | null;
  /** A WHATWG encoding label that overrides detection. */
  encoding?: string | null;
  /** The fetch time: the reference for relative dates; later dates are rejected. */
  fetched?: Date | string | null;
  /** Default: `"fused"`, the learned extractor. */
  method?: "fused" | "lines" | "template-svm" | "correlation" | "containers" | "blocks" | "density" | "svm" | null;
  /** Bias towards precision or recall. Default: none. */
  balance?: "precision" | "recall" | null;
  /** A custom model of `tamis train`. */
  model?: Uint8Array | ArrayBuffer | null;
  /** Text hidden by markup: drop it, keep it, or report it in the field `hidden`. Default: `"drop"`. */
  hidden?: "drop" | "keep" | "flag" | null;
  /** Adds the field `chunks`: a size in characters, or `"200tokens"`, `"200tokens,markdown"`. */
  chunks?: number | string | null;
  /** Size limit of a page in bytes. Default: 16 MiB. */
  max_bytes?: number | null;
  /** Time limit of a page in seconds. Default: 10. */
  timeout?: number | null;
}

/** Thrown if a page cannot be extracted. */
export interface TamisError extends Error {
  name: "TamisError";
  code: "not_a_page" | "too_large" | "time_limit" | "internal";
}

/** A page: where it comes from, its main text and its metadata. */
export interface Record {
  /** The version of this schema. */
  schema: 2;
  /** What identifies the page in the input: its `id` field or WARC-Record-ID. */
  id: string | null;
  /** The file that the page was read from. */
  path: string | null;
  /** Where it stands in that file: a byte offset, in Parquet a row number. */
  offset: number | null;
  /** The URL of the page. */
  url: string | null;
  /** The host of that URL. */
  host: string | null;
  /** The HTTP status. */
  status: number | null;
  /** When the page was fetched. */
  fetched: string | null;
  /** The headline, without the name of the site. */
  title: string | null;
  /** When the piece was published, as precise as the page says. */
  published: string | null;
  /** When it was changed, if it says so. */
  modified: string | null;
  /** Names of people who wrote it. */
  authors: string[];
  /** Names of people who edited it. */
  editors: string[];
  /** The author as the page has it, where that is not a list of names. */
  byline: string | null;
  /** The organisation that is named as the author. */
  organisation: string | null;
  /** The outlet that the piece was taken from. */
  source: string | null;
  /** What the site calls itself. */
  site_name: string | null;
  /** The language of the main text as a BCP 47 tag. */
  language: string | null;
  /** The direction of writing: `ltr` or `rtl`. */
  direction: "ltr" | "rtl" | null;
  /** The page's own summary. */
  description: string | null;
  /** Keywords. */
  tags: string[];
  /** Sections of the site. */
  categories: string[];
  /** The URL of the main image. */
  image: string | null;
  /** The licence, by URL or by name. */
  licence: string | null;
  /** The URL that the page gives as its own. */
  canonical: string | null;
  /** The next page of the same piece. */
  next_page: string | null;
  /** The page with the readers' comments, if it is another one. */
  comments_page: string | null;
  /** URLs of feeds. */
  feeds: string[];
  /** Where metadata was found, and how sure it is. */
  evidence: { field: string; evidence: string; confidence: number }[];
  /** The kind of page: article, forum, listing, product, documentation, other. */
  page_type: "article" | "forum" | "listing" | "product" | "documentation" | "other";
  /** The probability of that kind. */
  page_type_probability: number;
  /** How good the text is expected to be, from 0 to 1; null for other methods than the default. */
  confidence: number | null;
  /** The main text, one block per line. */
  text: string;
  /** The main text with its structure. */
  content: Piece[];
  /** The links of the main text. */
  links: { url: string; text: string }[];
  /** The images of the main text. */
  images: { url: string; alt: string; caption: string }[];
  /** Reader comments. */
  comments: Comment[];
  /** The posts of a thread. */
  posts: Post[];
  /** The entries of a listing. */
  entries: Entry[];
  /** Text hidden by markup, if it was asked for. */
  hidden: { text: string; reason: string; span: Span }[];
  /** What rules of the user for the site did to the text. */
  site_rules: string | null;
  /** The encoding, if the input was bytes. */
  encoding: string | null;
  /** The limit at which reading the page stopped. */
  truncated: string | null;
  /** The main text as Markdown. Only if chosen with `fields`. */
  markdown?: string;
  /** The main text as clean HTML. Only if chosen with `fields`. */
  html?: string;
  /** The document as XML. Only if chosen with `fields`. */
  xml?: string;
  /** The document as TEI. Only if chosen with `fields`. */
  tei?: string;
  /** The main text in chunks for retrieval. Only if chosen with `fields` or `chunks`. */
  chunks?: { text: string; headings: string[]; size: number; span: Span }[];
  /** Every block of the page, kept or not. Only if chosen with `fields`. */
  blocks?: ({ text: string; kind: string; path: string; span: Span; score: number; kept: boolean; comment?: "body" | "around" })[];
  /** The method that classified the blocks. */
  method: string;
  /** The digest of a custom model; null for the built-in one. */
  model: string | null;
  /** The version of Tamis. */
  version: string;
  /** What went wrong. */
  error: string | null;
}

/** A byte range of the page's UTF-8 text with Arabic presentation forms folded to letters, end exclusive. */
export type Span = [start: number, end: number];

export interface Comment {
  author: string | null;
  time: string | null;
  time_text: string | null;
  reply_to: number | null;
  text: string;
  path: string;
  span: Span;
  blocks: number[];
}

export interface Post {
  author: string | null;
  time: string | null;
  time_text: string | null;
  number: number | null;
  reply_to: string | null;
  text: string;
  own_text?: string;
  quotes?: ({ author: string | null; text: string })[];
  path: string;
  span: Span;
  blocks: number[];
}

export interface Entry {
  title: string;
  url: string | null;
  date: string | null;
  text: string;
}

/** The source of a piece: the XPath of its element, its byte range, and the numbers of its blocks. */
export interface Place {
  path: string;
  span: Span;
  blocks: number[];
}

export type Piece = Place & (
  | { type: "heading"; level: number; content: Inline[] }
  | { type: "paragraph"; content: Inline[] }
  | { type: "list"; ordered: boolean; start: number; items: { checked?: boolean; content: Piece[] }[] }
  | { type: "definitions"; entries: { term: boolean; content: Piece[] }[] }
  | { type: "table"; caption?: Inline[]; rows: { cells: { header: boolean; colspan: number; rowspan: number; content: Piece[] }[] }[] }
  | { type: "code"; language?: string; text: string }
  | { type: "quote"; cite?: string; content: Piece[] }
  | { type: "image"; src: string; alt?: string; caption?: Inline[] }
  | { type: "formula"; tex?: string; text: string; display: boolean }
  | { type: "footnote"; label: string; content: Piece[] }
  | { type: "rule" }
);

export type Inline =
  | { type: "text"; text: string }
  | { type: "styled"; style: Style; content: Inline[] }
  | { type: "code"; text: string }
  | { type: "link"; href: string; content: Inline[] }
  | { type: "image"; src: string; alt?: string; caption?: Inline[] }
  | { type: "formula"; tex?: string; text: string; display: boolean }
  | { type: "break" }
  | { type: "footnote_ref"; label: string; content: Inline[] };

export type Style =
  | "emphasis"
  | "strong"
  | "strike"
  | "underline"
  | "mark"
  | "subscript"
  | "superscript"
  | "quotation"
  | "ruby"
  | "ruby_text";
