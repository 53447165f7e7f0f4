// Elements, names of languages, and URLs that may be opened.

const SVG = new Set(["svg", "rect", "g", "text", "line", "title"]);

/** Makes an element. Strings become text, never markup. */
export function h(tag, attributes, ...children) {
  const element = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

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
