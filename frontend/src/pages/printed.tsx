/* A report on paper: its pages one after the other, with the first rows of each table. */
import { render } from "preact";
import { Glossary } from "../parts/meanings";
import { writeNumber } from "../parts/numbers";
import { RowFacts } from "../parts/row";
import { cellsOf, DataTable } from "../parts/table";
import { readPlace } from "../router";
import type { Source } from "../sources/source";
import type { RunPage, Table } from "../types";
import { LeaderboardPage } from "./leaderboard";
import { ChecksPage, OverviewPage, TablesPage } from "./overview";

const ROWS = 40;

/* Rows of many values need the whole width: one block each in place of a table. */
const ToCheck = ({ table }: { table: Table }) => {
  const items = cellsOf(table, "item") as string[];
  const at = (name: string, row: number): string => String(cellsOf(table, name)[row] ?? "");
  return (
    <>
      {items.slice(0, ROWS).map((item, row) => (
        <div key={item} class="work">
          <p><b>{item}</b> · given <b>{at("given_label", row)}</b>, likely <b>{at("likely_label", row)}</b> · wrong with probability {writeNumber(cellsOf(table, "label_error_probability")[row])}{at("in_each", row) && ` (in each ${at("in_each", row)})`} · {at("verdict", row)}</p>
          {at("row", row) && <RowFacts text={at("row", row)} />}
          {at("dissenters", row) && <p>Dissenters: {at("dissenters", row)}</p>}
        </div>
      ))}
      {table.total > ROWS && <p>The first {ROWS} of {table.total.toLocaleString("en-US")}.</p>}
    </>
  );
};

const Printed = ({ page, items }: { page: RunPage; items: Table }) => (
  <Glossary.Provider value={page.glossary}>
    <h1>{page.title}</h1>
    <p class="facts">{page.facts}</p>
    <OverviewPage run="run" page={page} />
    <LeaderboardPage run="run" page={page} isLive={false} />
    {page.has_labels && page.worklist.total > 0 && <><h2>Labels to check</h2><p>{page.summary.items}</p><ToCheck table={page.worklist} /></>}
    <h2>Items</h2>
    {!page.has_labels && <p>{page.summary.items}</p>}
    <DataTable table={items} run="run" most={ROWS} />
    <TablesPage run="run" page={page} />
    <ChecksPage page={page} />
  </Glossary.Provider>
);

/* Whoever prints a card wants that card; from any other page the whole report. */
export const printWhole = async (source: Source): Promise<void> => {
  const [page, items] = await Promise.all([source.page("run"), source.items("run", "", [])]);
  if ("other" in page) return;
  const paper = document.body.appendChild(document.createElement("div"));
  paper.id = "paper";
  addEventListener("beforeprint", () => {
    if (["item", "respondent"].includes(readPlace().parts[2] ?? "")) return;
    render(<Printed page={page} items={items} />, paper);
  });
  addEventListener("afterprint", () => render(null, paper));
};
