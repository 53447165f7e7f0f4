// Stands in for `api.js` where the inspector is a static page: the engine runs in the page, and nothing is kept.

import load, { inspect } from "./module.js";

let loaded = null;

const refuse = async () => {
  throw new Error("this page has no server: start tamis serve");
};

const own = {
  embedded: () => null,
  config: async () => ({}),
  async explain({ html, url, bias, rules }, signal) {
    loaded ??= load({ module_or_path: new URL("module_bg.wasm", import.meta.url) });
    await loaded;
    signal?.throwIfAborted();
    return inspect(html ?? "", url, bias ?? 0, rules);
  },
};

export const api = new Proxy(own, { get: (_, name) => own[name] ?? refuse });
