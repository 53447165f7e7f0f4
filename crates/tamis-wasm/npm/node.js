import { readFileSync } from "node:fs";
import { extract, initSync, version } from "./module.js";

initSync({ module: readFileSync(new URL("module_bg.wasm", import.meta.url)) });

/** For code that runs in browsers as well: here the module is loaded already. */
async function init() {}

export { extract, init, init as default, version };
