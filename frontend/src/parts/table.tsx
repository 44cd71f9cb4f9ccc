/* Sortable, searchable tables that show a page of rows at a time; their state is in the link. */
import { useMemo } from "preact/hooks";
import { linkTo, useSetting } from "../router";
import type { Column, Table } from "../types";
import { Term } from "./meanings";
import { writeNumber } from "./numbers";
import { saveTable } from "./saving";
import { Verdict } from "./verdict";

const PAGE_ROWS = 15;

const IntervalBar = ({ ends }: { ends: [number, number, number] }) => (
  <svg viewBox="0 0 1000 40" preserveAspectRatio="none" role="img" aria-label="interval">
    <line class="rail" x1="0" x2="1000" y1="20" y2="20" /><line class="reach" x1={ends[0]} x2={ends[2]} y1="20" y2="20" />
    <line class="centre" x1={ends[1]} x2={ends[1]} y1="4" y2="36" />
  </svg>
);

const Cell = ({ column, value, run }: { column: Column; value: unknown; run: string }) => {
  if (column.kind === "number") return <td class="number">{writeNumber(value)}</td>;
  if (column.kind === "interval") return <td class="interval"><IntervalBar ends={value as [number, number, number]} /></td>;
  const text = String(value ?? "");
  if (column.kind === "verdict") return <td><Verdict word={text} /></td>;
  if (column.kind === "item" || column.kind === "respondent") {
    return <td title={text}><a href={linkTo(["run", run, column.kind, text])}>{text}</a></td>;
  }
  return <td title={text}>{text}</td>;
};

const sortedRows = (column: Column, isDown: boolean, size: number): number[] => {
  const rows = Array.from({ length: size }, (_, i) => i);
  const middle = (v: unknown): unknown => (column.kind === "interval" ? (v as number[])[1] : v);
  const collator = new Intl.Collator("en", { numeric: true });
  const isNumber = column.kind === "number" || column.kind === "interval";
  return rows.sort((a, b) => {
    const x = middle(column.cells[a]), y = middle(column.cells[b]);
    // What is not known comes last, either way.
    if (x === null || x === "") return y === null || y === "" ? a - b : 1;
    if (y === null || y === "") return -1;
    const order = isNumber ? (x as number) - (y as number) : collator.compare(String(x), String(y));
    return (isDown ? -order : order) || a - b;
  });
};

interface Props { table: Table; run: string; onSearch?: (text: string) => void; allowed?: (row: number) => boolean; most?: number }

export const DataTable = ({ table, run, onSearch, allowed, most = PAGE_ROWS }: Props) => {
  const [word, setWord] = useSetting(`${table.key}.q`);
  const [sort, setSort] = useSetting(`${table.key}.s`);
  const [page, setPage] = useSetting(`${table.key}.p`, "1");
  // A column that says nothing takes no room.
  const columns = useMemo(() => table.columns.filter((c) => c.kind !== "hidden" && (!c.cells.length || c.cells.some((cell) => cell !== null && cell !== ""))), [table]);
  const size = table.columns.length ? table.columns[0].cells.length : 0;
  const name = sort.replace(/^-/, ""), isDown = sort.startsWith("-");
  const order = useMemo(() => {
    const column = columns.find((c) => c.name === name);
    return column ? sortedRows(column, isDown, size) : Array.from({ length: size }, (_, i) => i);
  }, [table, sort]);
  const shown = useMemo(() => {
    const text = word.toLowerCase();
    const words = columns.filter((c) => c.kind !== "number" && c.kind !== "interval");
    return order.filter((row) => (!allowed || allowed(row)) &&
      (!text || words.some((c) => String(c.cells[row] ?? "").toLowerCase().includes(text))));
  }, [order, word, allowed]);
  const pages = Math.max(1, Math.ceil(shown.length / most));
  const at = Math.min(Math.max(1, Number(page) || 1), pages);
  const rows = shown.slice((at - 1) * most, at * most);
  const search = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value;
    setPage("1");
    setWord(text);
    onSearch?.(text);
  };
  const press = (column: Column) => () => setSort(sort === `-${column.name}` ? column.name : sort === column.name ? "" : `-${column.name}`);
  const sortOf = (column: Column) => (name !== column.name ? "none" : isDown ? "descending" : "ascending");
  return (
    <div class="table" data-table={table.key}>
      <div class="tools">
        <label>Search <input type="search" value={word} onInput={search} autocomplete="off" /></label>
        <span class="count" aria-live="polite">
          {shown.length === table.total ? `${shown.length.toLocaleString("en-US")} rows` : `${shown.length.toLocaleString("en-US")} of ${table.total.toLocaleString("en-US")} rows`}
        </span>
        <button type="button" class="save" onClick={() => saveTable(table, shown)} aria-label={`Save ${table.caption} as CSV`}>CSV</button>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label={table.caption}>
        <table>
          <caption>{table.caption}</caption>
          <thead><tr>
            {columns.map((c) => <th key={c.name} scope="col" class={c.kind === "number" ? "number" : undefined} aria-sort={sortOf(c)}><Term word={c.label} press={press(c)} /></th>)}
          </tr></thead>
          <tbody>
            {rows.map((row) => <tr key={row}>{columns.map((c) => <Cell key={c.name} column={c} value={c.cells[row]} run={run} />)}</tr>)}
            {!rows.length && <tr><td class="nothing" colSpan={columns.length || 1}>{word ? "Nothing is called like this." : "No rows."}</td></tr>}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <div class="pager">
          <button type="button" disabled={at <= 1} onClick={() => setPage(String(at - 1))}>Previous</button>
          <span class="place" aria-live="polite">{at.toLocaleString("en-US")} of {pages.toLocaleString("en-US")}</span>
          <button type="button" disabled={at >= pages} onClick={() => setPage(String(at + 1))}>Next</button>
        </div>
      )}
    </div>
  );
};

export const cellsOf = (table: Table, name: string): unknown[] => table.columns.find((c) => c.name === name)?.cells ?? [];
