// Everything that the inspector asks of a server. Another module with the same `api` can stand in for it.

const TOKEN = "tamis-token";

/** A refusal of the server, with its remedy. */
export class Refusal extends Error {
  constructor(problem) {
    super([problem.title, problem.detail].filter(Boolean).join(": "));
    this.status = problem.status;
  }
}

let asking = null;

/** Asks for a token in the dialog of the page; null if the person has none. All requests that wait get the same answer. */
function askToken(wasWrong) {
  const dialog = document.getElementById("token-dialog");
  const field = document.getElementById("token");
  asking ??= new Promise((then) => {
    field.value = "";
    dialog.returnValue = "";
    document.getElementById("token-wrong").hidden = !wasWrong;
    dialog.addEventListener("close", () => {
      asking = null;
      then(dialog.returnValue && field.value.trim());
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

/** Asks the server, and a person for a token where the server wants one. */
export async function call(method, path, body, signal, isText) {
  for (;;) {
    const headers = { accept: isText ? "text/plain, application/json" : "application/json" };
    const token = sessionStorage.getItem(TOKEN);
    if (token) headers.authorization = `Bearer ${token}`;
    const isBytes = body instanceof Uint8Array;
    if (body !== undefined) headers["content-type"] = isBytes ? "text/html" : "application/json";
    const options = { method, headers, signal, cache: "no-store", body: isBytes ? body : JSON.stringify(body) };
    const response = await fetch(path, options);
    if (response.status === 401) {
      const given = await askToken(Boolean(token));
      if (given) {
        sessionStorage.setItem(TOKEN, given);
        continue;
      }
      sessionStorage.removeItem(TOKEN);
    }
    const text = await response.text();
    if (response.ok && isText) return text;
    let answer = null;
    try {
      answer = text ? JSON.parse(text) : null;
    } catch {
      answer = { title: text.slice(0, 200) };
    }
    if (!response.ok) throw new Refusal({ status: response.status, title: response.statusText, ...answer });
    return answer;
  }
}

const part = encodeURIComponent;

export const api = {
  /** An inspection that this file brings along; then there is no server. */
  embedded() {
    const data = document.getElementById("inspection");
    return data ? JSON.parse(data.textContent) : null;
  },
  /** What the server allows. */
  config: () => call("GET", "/v1/config"),
  /** Inspects `{ html, url, bias, rules }`. Where `html` is bytes, the answer has them decoded. */
  explain({ html, ...options }, signal) {
    if (!(html instanceof Uint8Array)) return call("POST", "/v1/explain", { methods: "all", html, ...options }, signal);
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    return call("POST", `/v1/explain?${new URLSearchParams(given)}`, html, signal);
  },
  /** A story of the corpus. */
  story: (id) => call("GET", `/v1/corpus/stories/${part(id)}`),
  /** The page of a story as it was fetched. */
  storyPage: (id) => call("GET", `/v1/corpus/stories/${part(id)}/raw`, undefined, undefined, true),
  /** The texts that a site repeats, with what a person said of them. */
  site: (name) => call("GET", `/v1/sites/${part(name)}`),
  /** A person's yes or no: `noise`, `content` or null. */
  judge: (name, id, verdict) => call("PUT", `/v1/sites/${part(name)}/verdicts`, { id, verdict }),
  /** The labelled pages. */
  labels: () => call("GET", "/v1/labels"),
  /** Saves a page as a label. */
  saveLabel: (id, label) => call("PUT", `/v1/labels/${part(id)}`, label),
  /** Takes a label back. */
  dropLabel: (id) => call("DELETE", `/v1/labels/${part(id)}`),
  /** How the training goes. */
  training: () => call("GET", "/v1/training"),
  /** Trains on the labelled pages. */
  train: () => call("POST", "/v1/training", {}),
  /** Makes the trained model the server's, or forgets it. */
  decide: (keep) => call("POST", `/v1/training/${keep ? "keep" : "discard"}`, {}),
};
