// Names of languages, and URLs that may be opened.

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** The English name of a language tag. */
export function languageName(tag) {
  try {
    return tag ? names.of(tag) : "";
  } catch {
    return tag;
  }
}

/** A URL that a click may open: pages could store others, such as javascript:. */
export function safe(url) {
  try {
    const parsed = new URL(url);
    return ["http:", "https:"].includes(parsed.protocol) ? parsed.href : null;
  } catch {
    return null;
  }
}
