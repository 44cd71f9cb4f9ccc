/* Cards: what is known of one item beside its curve, and what surprised in one respondent. */
const itemButtons = (names) => {
  const list = element("ul", { class: "names" });
  for (const name of names) {
    list.append(element("li", {}, element("button", { type: "button", class: "item", "data-item": name }, name)));
  }
  return list;
};

/* Labels and the row itself; null where neither is known. */
const itemFacts = (facts, row) => {
  const cell = (name) => (facts[name] ? facts[name][row] : "");
  const list = element("dl", { class: "facts" });
  const add = (term, text) => { if (text) list.append(element("dt", {}, term), element("dd", {}, text)); };
  add("given label", cell("given_label"));
  if (cell("likely_label") !== cell("given_label")) add("likely label", cell("likely_label"));
  add("row", cell("row"));
  add("who disagrees", cell("dissenters"));
  return list.children.length ? list : null;
};

/* Who answered what, where the curve's points are respondents. */
const itemAnswers = (layout, curve) => {
  if (!layout.names || layout.scale.log || layout.names.length > 60) return null;
  const given = layout.names.map((name, i) => [name, curve.seen[i]]).filter(([, seen]) => seen !== null).reverse();
  const list = element("ul", { class: "answers" });
  for (const [name, seen] of given) {
    list.append(element("li", { class: seen >= 0.5 ? "right" : "wrong" }, `${name} ${writeNumber(seen)}`));
  }
  return element("details", {}, element("summary", {}, "Who answered what"), list);
};

const showRespondent = (panel, table, surprises, name) => {
  const names = table.columns.find((c) => c.name === "respondent").cells;
  const row = names.indexOf(name);
  const list = element("dl");
  for (const column of table.columns) {
    if (column.kind === "interval" || column.name === "respondent" || column.name.endsWith("_se")) continue;
    const value = column.cells[row];
    const text = column.kind === "number" ? writeNumber(value) : value;
    if (text !== "" && text !== "–") list.append(element("dt", {}, column.name.replaceAll("_", " ")), element("dd", {}, text));
  }
  const parts = [element("h3", {}, name), list];
  for (const [kind, words] of [["worse", "Answered worse than expected"], ["better", "Answered better than expected"]]) {
    const found = surprises && surprises[kind][name];
    if (found && found.length) parts.push(element("p", { class: "hint" }, `${words}, the most surprising first:`), itemButtons(found));
  }
  if (parts.length === 2) parts.push(element("p", { class: "hint" }, "No answer of it surprises."));
  panel.replaceChildren(...parts);
  panel.hidden = false;
};
