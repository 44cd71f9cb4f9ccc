/* One's own table in, the same table with the labels as decided out; it never leaves the browser. */
import { useState } from "preact/hooks";
import type { Decided } from "../parts/decide";
import { cellsOf } from "../parts/table";
import { save } from "../parts/saving";
import type { Source } from "../sources/source";
import type { Table } from "../types";
import { correctLabels } from "./worklist";

/* Fields of a CSV file with their places in the text, so that all else stays as it is. */
interface Field { text: string; from: number; to: number }
export const readCsv = (content: string, separator: string): Field[][] => {
  const rows: Field[][] = [];
  let row: Field[] = [], from = 0, text = "", isQuoted = false;
  const end = (to: number): void => { row.push({ text, from, to }); text = ""; };
  for (let i = 0; i <= content.length; i += 1) {
    const sign = content[i];
    if (isQuoted) {
      if (sign === '"' && content[i + 1] === '"') { text += '"'; i += 1; }
      else if (sign === '"' || sign === undefined) isQuoted = false;
      else text += sign;
    } else if (sign === '"' && text === "") isQuoted = true;
    else if (sign === separator) { end(i); from = i + 1; }
    else if (sign === "\n" || sign === "\r" || sign === undefined) {
      if (sign !== undefined || row.length || text) { end(i); rows.push(row); }
      if (sign === "\r" && content[i + 1] === "\n") i += 1;
      row = []; from = i + 1;
    } else text += sign;
  }
  return rows.filter((each) => each.length > 1 || each[0].text !== "");
};

const quoted = (text: string, separator: string): string => (text.includes(separator) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

interface Change { given: string; label: string; row: string }

/* Whether a row of the file is the one that was judged: "name=value, …", numbers to four digits. */
const isSame = (names: string[], row: Field[], words: string): boolean => names.every((name, i) => {
  const start = `, ${words}`.indexOf(`, ${name}=`), own = row[i]?.text.trim() ?? "";
  if (name === "" || start < 0 || own === "") return true;
  const known = words.slice(start + name.length + 1).split(/, (?=[^,]*=|…$)/)[0];
  if (known.endsWith("…") || known.toLowerCase() === own.toLowerCase()) return true;
  const gap = Math.abs(Number(known) - Number(own));
  return gap <= 1e-3 * Math.max(Math.abs(Number(known)), Math.abs(Number(own)));
});

/* Rows are found by a column that names items, else by their number: row_12 is the twelfth row. */
export const correctText = (content: string, changes: Map<string, Change>, wanted: string): { text: string; changed: number; column: string } => {
  const first = content.slice(0, content.search(/[\r\n]|$/));
  const separator = [",", ";", "\t"].reduce((best, sign) => (first.split(sign).length > first.split(best).length ? sign : best), ",");
  const [heading, ...rows] = readCsv(content, separator);
  const names = heading.map((field) => field.text.replace(/^\ufeff/, ""));
  const column = names.indexOf(wanted) >= 0 ? names.indexOf(wanted) : names.length - 1;
  const key = names.findIndex((_, i) => i !== column && rows.some((row) => row[i] && changes.has(row[i].text)));
  const edits: [number, number, string][] = [];
  rows.forEach((row, i) => {
    const change = key >= 0 ? changes.get(row[key]?.text ?? "") : [...changes].find(([item]) => Number(item.match(/(\d+)$/)?.[1]) === i + 1)?.[1];
    const field = row[column];
    if (!change || !field || field.text !== change.given || !isSame(names.map((name, at) => (at === column ? "" : name)), row, change.row)) return;
    edits.push([field.from, field.to, quoted(change.label, separator)]);
  });
  let text = "", at = 0;
  for (const [from, to, label] of edits) { text += content.slice(at, from) + label; at = to; }
  return { text: text + content.slice(at), changed: edits.length, column: names[column] };
};

export const CorrectFile = ({ source, run, decided, known, table }: { source: Source; run: string; decided: Decided; known: string; table: Table }) => {
  const [target, setTarget] = useState(known);
  const [words, setWords] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const labels = await correctLabels(source, run, decided);
    const words = new Map(cellsOf(table, "item").map((item, i) => [String(item), String(cellsOf(table, "row")[i] ?? "")]));
    const changes = new Map(labels.filter((l) => l.label !== l.given).map((l) => [l.item, { given: l.given, label: l.label, row: words.get(l.item) ?? "" }]));
    if (!changes.size) { setWords("Nothing is decided to be wrong yet."); return; }
    const { text, changed, column } = correctText(await file.text(), changes, target);
    if (changed < changes.size) {
      setWords(`Nothing was changed: of ${changes.size} rows ${changed} have the values and the label that were judged, in column ${column}. Give the very file that was evaluated, its rows in the same order, and name the column of labels.`);
      return;
    }
    save(new Blob([text], { type: "text/csv" }), file.name.replace(/(\.\w+)?$/, "-corrected$1"));
    setWords(`${changed} labels changed in column ${column}; all else is as it was.`);
  };
  return (
    <details class="correct">
      <summary>Or get your own table back with the labels corrected</summary>
      <p>Choose the CSV file that was evaluated. It stays in this browser; you get it back with the labels as decided and all else as it was.</p>
      <label>Column of labels <input type="text" value={target} placeholder="the last" onInput={(event) => setTarget((event.target as HTMLInputElement).value)} /></label>{" "}
      <label>File <input type="file" accept=".csv,.tsv,text/csv" onChange={(event) => { const field = event.target as HTMLInputElement; void take(field.files?.[0]).finally(() => { field.value = ""; }); }} /></label>
      <p role="status">{words}</p>
    </details>
  );
};
