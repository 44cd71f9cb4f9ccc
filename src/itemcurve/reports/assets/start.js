/* Brings the page to life: decodes what is embedded, then links tables and pictures. */
const startReport = async () => {
  theme.start();
  if (typeof DecompressionStream === "undefined") {
    document.getElementById("detail").textContent =
      "This browser is too old to unpack all rows and curves; the first rows are shown.";
    return;
  }
  const data = await embedded.tables();
  const tables = new Map();
  for (const table of data.tables) {
    const root = [...document.querySelectorAll(".table")].find((t) => t.dataset.table === table.key);
    if (!root) continue; // a table without rows is not shown
    tables.set(table.key, new PageTable(root, table));
  }
  const items = tables.get("items");
  const names = items.columns.find((c) => c.name === "item").cells;
  const verdicts = items.columns.find((c) => c.name === "verdict").cells;
  const rows = new Map(names.map((name, row) => [name, row]));
  const readCurve = embedded.curveReader(await embedded.bytes("data-curves"), data.curves);
  const panel = document.getElementById("detail");

  const choose = (row) => {
    scatter.chosen = row;
    scatter.draw();
    items.show(row);
    showItem(panel, items, data.curves, readCurve(row), row, data.facts);
  };
  /* Every item has a link. */
  const open = (name) => {
    choose(rows.get(name));
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  };
  const follow = () => {
    const name = decodeURIComponent(location.hash.replace(/^#item=/, ""));
    if (location.hash.startsWith("#item=") && rows.has(name)) open(name);
  };
  const scatter = new Scatter(document.getElementById("scatter"), items, data.axes, choose);

  document.addEventListener("click", (event) => {
    const who = event.target.closest("button.who");
    if (who) {
      const card = document.getElementById("who");
      showRespondent(card, tables.get("respondents"), data.surprises, who.dataset.respondent);
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: "nearest" });
    }
    const button = event.target.closest("button.item");
    if (!button || !rows.has(button.dataset.item)) return;
    history.replaceState(null, "", `#item=${encodeURIComponent(button.dataset.item)}`);
    open(button.dataset.item);
  });
  window.addEventListener("hashchange", follow);
  items.allowed = (row) => !scatter.hidden.has(verdicts[row]);
  document.querySelectorAll("#legend button").forEach((button) =>
    button.addEventListener("click", () => {
      const isOn = button.getAttribute("aria-pressed") === "true";
      button.setAttribute("aria-pressed", String(!isOn));
      scatter.hidden[isOn ? "add" : "delete"](button.dataset.verdict);
      scatter.draw();
      items.filter();
    }));
  if (names.length) choose(0);
  follow();
  meanings.start();
  document.documentElement.dataset.ready = "true";
};
startReport();
