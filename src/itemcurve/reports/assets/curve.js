/* One item: its curve, its responses, its verdict and its numbers. */
const drawCurve = (layout, curve, row) => {
  const width = 520, height = 300, left = 52, right = 12, top = 10, bottom = 40;
  const { points, groups, names } = layout;
  // Errors have a scale of their own for each item; shares have one for all.
  const end = (ends) => ends[ends.length > 1 ? row : 0];
  const scale = { log: layout.scale.log, lower: end(layout.scale.lower), upper: end(layout.scale.upper) };
  const low = points[0], high = points[points.length - 1];
  const x = (value) => left + ((value - low) / (high - low)) * (width - left - right);
  const y = (share) => height - bottom - share * (height - top - bottom);
  const svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Item curve with observed responses" });
  const share = scale.log
    ? (v) => (Math.log(v) - Math.log(scale.lower)) / (Math.log(scale.upper) - Math.log(scale.lower))
    : (v) => (v - scale.lower) / (scale.upper - scale.lower);
  const ticks = scale.log
    ? niceTicks(Math.log10(scale.lower), Math.log10(scale.upper), 4).map((p) => 10 ** p)
    : scale.upper - scale.lower === 1
      ? [0, 0.25, 0.5, 0.75, 1].map((part) => scale.lower + part)
      : niceTicks(scale.lower, scale.upper, 4);
  for (const tick of ticks) {
    const at = y(share(tick));
    svg.append(
      drawing("line", { class: "grid", x1: left, x2: width - right, y1: at, y2: at }),
      drawing("text", { class: "end", x: left - 6, y: at + 4 }, writeTick(scale.log ? Number(tick.toPrecision(2)) : tick)),
    );
  }
  for (const tick of niceTicks(low, high)) {
    svg.append(drawing("text", { class: "middle", x: x(tick), y: height - 22 }, writeTick(tick)));
  }
  svg.append(drawing("text", { class: "middle", x: (width + left) / 2, y: height - 5 }, layout.axis));
  const along = (values) => values.map((v, i) => `${x(points[i]).toFixed(1)},${y(v).toFixed(1)}`);
  const band = [...along(curve.upper), ...along(curve.lower).reverse()];
  svg.append(
    drawing("path", { class: "band", d: `M${band.join("L")}Z` }),
    drawing("path", { class: "line", d: `M${along(curve.expected).join("L")}` }),
  );
  groups.forEach((ability, i) => {
    if (curve.seen[i] === null) return;
    const dot = drawing("circle", { class: "seen", cx: x(ability).toFixed(1), cy: y(curve.seen[i]).toFixed(1), r: 4.5 });
    const value = scale.log
      ? Math.exp(Math.log(scale.lower) + curve.seen[i] * (Math.log(scale.upper) - Math.log(scale.lower)))
      : scale.lower + curve.seen[i] * (scale.upper - scale.lower);
    dot.append(drawing("title", {}, `${names ? names[i] : `group ${i + 1} of ${groups.length}`}: ${Number(value.toPrecision(2))}`));
    svg.append(dot);
  });
  return svg;
};

const showItem = (panel, table, layout, curve, row, facts) => {
  const cell = (name) => {
    const column = table.columns.find((c) => c.name === name);
    return column ? column.cells[row] : null;
  };
  const list = element("dl");
  for (const column of table.columns) {
    if (column.kind !== "number" || column.name.endsWith("_se")) continue;
    const error = cell(`${column.name}_se`);
    const text = writeNumber(column.cells[row]) + (error ? ` ± ${writeNumber(error)}` : "");
    list.append(element("dt", {}, column.name.replaceAll("_", " ")), element("dd", {}, text));
  }
  const verdict = element("p", {}, element("span", { class: "mark", "data-verdict": cell("verdict") }), "verdict: ", element("strong", {}, cell("verdict")));
  const level = Math.round(100 * layout.level);
  const kind = layout.names ? "respondents" : "means of groups of respondents";
  const hint = element("p", { class: "hint" }, `Line: expected ${layout.scale.log ? "error" : "response"}, band: ${level} % interval, points: ${kind}.`);
  const parts = [
    element("h3", {}, cell("item")), verdict, itemFacts(facts, row), drawCurve(layout, curve, row), hint, list,
    itemAnswers(layout, curve),
  ];
  panel.replaceChildren(...parts.filter((part) => part !== null));
};
