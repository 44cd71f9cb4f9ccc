/* Sortable, searchable tables that show a page of rows at a time. */
const PAGE_ROWS = 15;

const intervalCell = ([lower, middle, upper]) => {
  const svg = drawing("svg", { viewBox: "0 0 1000 40", preserveAspectRatio: "none", role: "img", "aria-label": "interval" });
  svg.append(
    drawing("line", { class: "rail", x1: 0, x2: 1000, y1: 20, y2: 20 }),
    drawing("line", { class: "reach", x1: lower, x2: upper, y1: 20, y2: 20 }),
    drawing("line", { class: "centre", x1: middle, x2: middle, y1: 4, y2: 36 }),
  );
  return svg;
};

const makeCell = (column, value) => {
  if (column.kind === "number") return element("td", { class: "number" }, writeNumber(value));
  if (column.kind === "interval") return element("td", { class: "interval" }, intervalCell(value));
  if (column.kind === "respondent") {
    return element("td", { title: value }, element("button", { type: "button", class: "who", "data-respondent": value }, value));
  }
  if (column.kind === "item") {
    return element("td", { title: value }, element("button", { type: "button", class: "item", "data-item": value }, value));
  }
  if (column.kind === "verdict") {
    return element("td", { class: "verdict" }, element("span", { class: "mark", "data-verdict": value }), value);
  }
  return element("td", { title: value }, value);
};

const sortKey = (column) => {
  if (column.kind === "interval") return (row) => column.cells[row][1];
  if (column.kind === "number") return (row) => column.cells[row];
  const collator = new Intl.Collator("en", { numeric: true });
  const places = new Map([...new Set(column.cells)].sort(collator.compare).map((text, i) => [text, i]));
  return (row) => places.get(column.cells[row]);
};

class PageTable {
  constructor(root, data) {
    this.root = root;
    this.columns = data.columns;
    this.size = this.columns.length ? this.columns[0].cells.length : 0;
    this.order = Array.from({ length: this.size }, (_, i) => i);
    this.shown = this.order;
    this.page = 0;
    this.sorted = { index: -1, direction: 0 };
    this.allowed = () => true;
    this.chosen = null;
    this.body = root.querySelector("tbody");
    this.makeHeadings();
    this.makeTools();
    this.draw();
  }

  makeHeadings() {
    this.headings = [...this.root.querySelectorAll("th")];
    this.headings.forEach((heading, index) => {
      const button = element("button", { type: "button" }, heading.textContent);
      heading.textContent = "";
      heading.append(button);
      heading.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => this.sort(index));
    });
  }

  makeTools() {
    const tools = this.root.querySelector(".tools");
    this.search = tools.querySelector("input");
    this.count = tools.querySelector(".count");
    this.pager = this.root.querySelector(".pager");
    tools.hidden = this.size === 0;
    tools.querySelector("label").hidden = this.size <= 5;
    tools.querySelector(".save").addEventListener("click", () => this.save());
    this.search.addEventListener("input", () => this.filter());
    this.pager.querySelectorAll("button").forEach((button) =>
      button.addEventListener("click", () => this.turn(Number(button.dataset.move))));
  }

  sort(index) {
    const isSame = this.sorted.index === index;
    // Numbers start with the largest, words with the first.
    const first = ["number", "interval"].includes(this.columns[index].kind) ? -1 : 1;
    const direction = isSame ? -this.sorted.direction : first;
    this.sorted = { index, direction };
    const key = sortKey(this.columns[index]);
    this.order.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === y) return a - b;
      if (x === null || x === undefined) return 1;
      if (y === null || y === undefined) return -1;
      return x < y ? -direction : direction;
    });
    this.headings.forEach((heading, i) =>
      heading.setAttribute("aria-sort", i === index ? (direction > 0 ? "ascending" : "descending") : "none"));
    this.filter();
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = this.columns.filter((c) => c.kind !== "number" && c.kind !== "interval");
    const matches = (row) => words.every((word) =>
      texts.some((column) => String(column.cells[row]).toLowerCase().includes(word)));
    this.shown = this.order.filter((row) => this.allowed(row) && (!words.length || matches(row)));
    this.page = 0;
    this.draw();
  }

  /* The rows that are shown, in their order, as a CSV file. */
  save() {
    const columns = this.columns.filter((c) => c.kind !== "interval");
    // A cell that starts like a formula is no formula in a spreadsheet.
    const cell = (value) => {
      const text = value === null || value === undefined ? "" : String(value);
      const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
      return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const lines = [columns.map((c) => cell(c.name)), ...this.shown.map((row) => columns.map((c) => cell(c.cells[row])))];
    const content = new Blob([lines.map((line) => line.join(",")).join("\r\n") + "\r\n"], { type: "text/csv" });
    const link = element("a", { href: URL.createObjectURL(content), download: `${this.root.dataset.table}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  turn(move) { this.page += move; this.draw(); }

  show(row) {
    this.chosen = row;
    const place = this.shown.indexOf(row);
    if (place >= 0) this.page = Math.floor(place / PAGE_ROWS);
    this.draw();
  }

  draw() {
    const pages = Math.max(1, Math.ceil(this.shown.length / PAGE_ROWS));
    const start = this.page * PAGE_ROWS;
    this.body.replaceChildren(...this.shown.slice(start, start + PAGE_ROWS).map((row) => {
      const line = element("tr", row === this.chosen ? { class: "chosen" } : {});
      line.append(...this.columns.map((column) => makeCell(column, column.cells[row])));
      return line;
    }));
    const total = this.size.toLocaleString("en-US");
    this.count.textContent = this.shown.length === this.size
      ? `${total} rows` : `${this.shown.length.toLocaleString("en-US")} of ${total} rows`;
    this.pager.hidden = pages < 2;
    this.pager.querySelector(".place").textContent = `Page ${this.page + 1} of ${pages.toLocaleString("en-US")}`;
    const [back, on] = this.pager.querySelectorAll("button");
    back.disabled = this.page === 0;
    on.disabled = this.page >= pages - 1;
  }
}
