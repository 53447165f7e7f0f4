// Sorting, filtering and choosing columns. Everything is readable without scripts.
(() => {
  "use strict";
  const root = document.documentElement;
  addEventListener("error", (event) => { root.dataset.error = String(event.message); });
  root.classList.add("js");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // The list of a set: data-v of a row has its values, separated by spaces; "-" means none.
  const list = document.querySelector("table.list");
  if (list) {
    const body = list.tBodies[0];
    const heads = all("th[data-column]", list);
    const rows = [...body.rows].map((row, place) => ({
      row, place, values: row.dataset.v.split(" ").map((value) => (value === "-" ? NaN : Number(value))),
      text: row.cells[0].textContent.toLowerCase(),
    }));
    const size = 100;
    let shown = rows, from = 0;
    const find = (name) => document.getElementById(name);
    const [words, type, language, count] = ["words", "type", "language", "count"].map(find);

    const show = () => {
      from = Math.max(0, Math.min(from, shown.length - 1));
      from -= from % size;
      body.replaceChildren(...shown.slice(from, from + size).map((it) => it.row));
      const last = Math.min(from + size, shown.length);
      count.textContent = shown.length ? `${from + 1} to ${last} of ${shown.length} pages` : "no page";
      find("before").disabled = from === 0;
      find("after").disabled = last >= shown.length;
    };
    const filter = () => {
      const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      shown = rows.filter((it) => asked.every((word) => it.text.includes(word))
        && (!type.value || it.row.dataset.t === type.value)
        && (!language.value || it.row.dataset.l === language.value));
      from = 0;
      show();
    };
    const sort = (column, direction) => {
      const sign = direction === "descending" ? -1 : 1;
      rows.sort((a, b) => {
        const [x, y] = [a.values[column], b.values[column]];
        // Rows without a value come last in both directions; equal rows keep their order.
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a.place - b.place;
        return sign * (x - y) || a.place - b.place;
      });
      for (const head of heads) {
        if (Number(head.dataset.column) === column) head.setAttribute("aria-sort", direction);
        else head.removeAttribute("aria-sort");
      }
      list.dataset.sorted = `${column} ${direction}`;
      filter();
    };
    for (const head of heads) {
      head.querySelector("button").addEventListener("click", () => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        history.replaceState(null, "", `#sort=${head.dataset.column},${direction}`);
        sort(Number(head.dataset.column), direction);
      });
    }
    words.addEventListener("input", filter);
    type.addEventListener("change", filter);
    language.addEventListener("change", filter);
    find("before").addEventListener("click", () => { from -= size; show(); });
    find("after").addEventListener("click", () => { from += size; show(); });
    const follow = () => {
      const asked = /^#sort=(\d+),(ascending|descending)$/.exec(location.hash);
      if (asked && heads.some((head) => head.dataset.column === asked[1])) sort(Number(asked[1]), asked[2]);
      else sort(Number(heads[0].dataset.column), "ascending");
    };
    addEventListener("hashchange", follow);
    follow();
  }

  // Texts side by side: the tools beside the truth, or the single visible one on a phone.
  const diff = document.querySelector("table.diff");
  if (diff) {
    for (const cell of all("td.s:empty", diff)) {
      cell.textContent = cell.parentElement.cells[0].textContent;
      cell.dir = "auto";
    }
    const choices = all("select[data-beside]");
    const narrow = document.getElementById("seen");
    const choose = () => {
      const beside = choices.length ? choices.map((it) => Number(it.value)) : null;
      const seen = narrow ? Number(narrow.value) : 1;
      for (const row of diff.rows) {
        for (const cell of row.cells) {
          const column = cell.cellIndex;
          cell.classList.toggle("on", column === seen);
          if (beside) cell.hidden = column > 0 && !beside.includes(column) && !(phone.matches && column === seen);
        }
        // Hide rows that have text of hidden tools only.
        row.hidden = ![...row.cells].some((cell) => !cell.hidden && cell.textContent);
      }
      diff.dataset.seen = seen;
    };
    const phone = matchMedia("(max-width: 44rem)");
    for (const control of narrow ? [...choices, narrow] : choices) control.addEventListener("change", choose);
    phone.addEventListener("change", choose);
    choose();
  }

  // Blocks, coloured by the verdict of one method, optionally filtered. data-b has a digit per method and one for the
  // truth, then the score and evidence of each method, then the path: length of the prefix shared with the previous
  // path, and the rest.
  const blocks = document.querySelector("ol.blocks");
  if (blocks) {
    const methods = blocks.dataset.methods.split(";");
    const names = blocks.dataset.why.split(";").map((list) => list.split(",").filter(Boolean));
    let path = "";
    const items = [...blocks.children].map((item) => {
      if (!item.dataset.b) return { item };
      const parts = item.dataset.b.split(";");
      const rest = parts.slice(1 + methods.length).join(";");
      const space = rest.indexOf(" ");
      path = path.slice(0, Number(rest.slice(0, space))) + rest.slice(space + 1);
      item.title = path;
      const digits = parts[0];
      const truth = digits[methods.length];
      const about = document.createElement("small");
      about.dir = "ltr";
      methods.forEach((method, at) => {
        const [score, ...numbers] = parts[1 + at].split(" ");
        const keep = digits[at];
        const word = document.createElement("b");
        word.textContent = (keep === "1" ? "kept" : "dropped")
          + (truth === "-" || truth === keep ? "" : truth === "1" ? ", though in the truth" : ", not in the truth");
        word.className = truth === "-" || truth === keep ? "" : "w";
        const why = numbers.map((number, nth) => (number === "-" ? "" : `, ${names[at][nth]} ${number}`)).join("");
        about.append(at ? " · " : "", methods.length > 1 ? `${method}: ` : "", word, ` ${score}${why}`);
      });
      item.append(about);
      return { item, digits, truth };
    });
    const by = document.getElementById("by");
    const which = document.getElementById("which");
    const colour = () => {
      const method = by ? Number(by.value) : 0;
      for (const { item, digits, truth } of items) {
        const keep = digits !== undefined && digits[method] === "1";
        const wrong = digits !== undefined && truth !== "-" && digits[method] !== truth;
        item.classList.toggle("k", keep);
        item.hidden = !{ all: true, kept: keep, dropped: !keep, wrong }[which.value];
      }
      blocks.dataset.by = methods[method];
    };
    if (by) by.addEventListener("change", colour);
    which.addEventListener("change", colour);
    colour();
  }

  // n and p go to the next and the previous page, unless an input field has the focus.
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const rel = { n: "next", p: "prev" }[event.key];
    const link = rel && document.querySelector(`a[rel=${rel}]`);
    if (link) link.click();
  });
  root.dataset.ready = "yes";
})();
