import load, { extract, version } from "./module.js";

/** Loads the module; by default, from the folder of this file. */
async function init(module = new URL("module_bg.wasm", import.meta.url)) {
  await load({ module_or_path: module });
}

export { extract, init, init as default, version };
