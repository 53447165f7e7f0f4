const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { extract, initSync, version } = require("./module.cjs");

initSync({ module: readFileSync(join(__dirname, "module_bg.wasm")) });

async function init() {}

module.exports = { extract, init, default: init, version };
