import { readFileSync } from "node:fs";
import { extract, initSync, version } from "./module.js";

initSync({ module: readFileSync(new URL("module_bg.wasm", import.meta.url)) });

/** For code that also runs in browsers. In Node.js, the module is already loaded. */
async function init() {}

export { extract, init, init as default, version };
