// Uses a page of a report as a reader would, and reports the results to the parent page.
(() => {
  const root = document.documentElement;
  const told = { page: location.pathname, width: /width=(\d+)/.exec(location.hash)[1], blocked: 0 };
  addEventListener("securitypolicyviolation", () => { told.blocked += 1; });
  const seen = (element) => element.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const change = (control, value) => {
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
    control.dispatchEvent(new Event("input", { bubbles: true }));
  };

  const list = () => {
    const table = document.querySelector("table.list");
    if (!table) return;
    const heads = all("th[data-column] button");
    const column = heads.length - 1;
    heads[column].click();
    heads[column].click();
    const figures = [...table.tBodies[0].rows].map((row) => Number(row.dataset.v.split(" ")[column]));
    const falling = figures.every((value, at) => !at || value <= figures[at - 1]);
    told.rows = figures.length;
    told.sorted = falling && table.dataset.sorted === `${column} descending` ? "yes" : "no";
    change(document.getElementById("language"), "ug");
    told.filtered = table.tBodies[0].rows.length;
    change(document.getElementById("language"), "");
  };

  const texts = () => {
    const table = document.querySelector("table.diff");
    if (!table) return;
    told.missing = all("table.diff del").length;
    told.extra = all("table.diff ins").length;
    told.language = table.lang;
    const row = [...table.rows].find((it) => it.parentElement.tagName === "TBODY" && it.cells[0].textContent);
    told.direction = row ? getComputedStyle(row.cells[0]).direction : "";
    // Tries every option; the last one is the last tool.
    for (const control of all("select[data-beside], #seen")) {
      for (const option of [...control.options].reverse()) change(control, option.value);
      if (control.dataset.beside) change(control, String(Number(control.dataset.beside) + 1));
    }
    const cells = row ? [...row.cells].filter(seen).length : 0;
    told.texts = cells;
  };

  const blocks = () => {
    const items = all("ol.blocks > li");
    if (!items.length) return;
    told.blocks = items.length;
    told.explained = items.every((item) => item.matches(".g") || item.querySelector("small b")) ? "yes" : "no";
    for (const control of all("#by, #which")) {
      for (const option of [...control.options].reverse()) change(control, option.value);
    }
  };

  addEventListener("load", () => {
    try {
      list();
      texts();
      blocks();
      dispatchEvent(new KeyboardEvent("keydown", { key: "x" }));
    } catch (error) {
      root.dataset.error = `probe: ${error}`;
    }
    // Tables may scroll, the page must not.
    told.overflow = Math.max(0, root.scrollWidth - innerWidth);
    // Long names of tools must not be truncated.
    told.cut = all("th").filter((it) => seen(it) && it.scrollWidth > it.clientWidth + 1).length;
    told.pictures = all("figure svg").filter(seen).length;
    told.error = root.dataset.error || "";
    told.ready = root.dataset.ready || "";
    told.hacked = root.dataset.hacked || "";
    parent.postMessage(Object.entries(told).map(([key, value]) => `${key}=${value}`).join("\t"), "*");
  });
})();
