/* Documents that the page itself holds: base64 of gzip. */
import type { Curve, Decision, HealthPage, ItemCard, Labels, OtherPage, RespondentCard, RunPage, Table } from "../types";
import { Fault, isInside, readMap, type Source } from "./source";

interface Layout {
  items: number; points: number[]; axis: string; groups: number[]; names: string[] | null; level: number;
  fine: number; coarse: number; scale: Curve["scale"];
}
interface Held {
  mark: string; name: string; page: RunPage; health: HealthPage; labels: Labels; items: Table;
  curves: Layout; respondents: Record<string, RespondentCard>;
  cards: { facts: Record<string, string[]>; words: string[]; groups: string[]; pictures: Record<string, string>; suspicions: string[] };
  answers: { respondents: string[]; steps: number; lower: number; width: number; options: string[] } | null;
}

const bytes = async (id: string): Promise<Uint8Array> => {
  const text = document.getElementById(id)!.textContent!.trim();
  const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

export const isFrozen = (): boolean => document.getElementById("data-run") !== null;

/* Curves are written as differences, which compress better: `reports/curve_data.py`. */
const summed = (steps: number[], levels: number, wrap: number): number[] => {
  let total = 0;
  return steps.map((step) => { total = (total + step) % wrap; return total / levels; });
};

const readCurve = (content: Uint8Array, layout: Layout, index: number): Curve => {
  const n = layout.items, m = layout.points.length, g = layout.groups.length;
  const slice = (start: number): number[] => Array.from(content.subarray(start + index * m, start + (index + 1) * m));
  const low = slice(0), high = slice(n * m), end = (ends: number[]): number => ends[ends.length > 1 ? index : 0];
  const seenAt = 4 * n * m + index * g;
  return {
    points: layout.points, axis: layout.axis, groups: layout.groups, names: layout.names, level: layout.level,
    scale: { lower: [end(layout.scale.lower)], upper: [end(layout.scale.upper)], log: layout.scale.log },
    expected: summed(low.map((byte, i) => byte + 256 * high[i]), layout.fine, 65536),
    lower: summed(slice(2 * n * m), layout.coarse, 256),
    upper: summed(slice(3 * n * m), layout.coarse, 256),
    seen: Array.from(content.subarray(seenAt, seenAt + g)).map((step) => (step === 255 ? null : step / layout.coarse)),
  };
};

const filtered = (table: Table, keep: (row: number) => boolean): Table => {
  const size = table.columns.length ? table.columns[0].cells.length : 0;
  const rows = Array.from({ length: size }, (_, row) => row).filter(keep);
  const columns = table.columns.map((c) => ({ ...c, cells: rows.map((row) => c.cells[row]) }));
  return { ...table, columns, total: rows.length };
};

const cells = (table: Table, name: string): unknown[] => table.columns.find((c) => c.name === name)?.cells ?? [];

/* What the page holds: a run, or one of ratings or votes, which has a page of its own. */
export const readFrozen = async (): Promise<Source | OtherPage> => {
  const held = JSON.parse(new TextDecoder().decode(await bytes("data-run"))) as Held | { other: OtherPage };
  return "other" in held ? held.other : openRun(held);
};

const openRun = async (held: Held): Promise<Source> => {
  const [curves, places] = await Promise.all([bytes("data-curves"), bytes("data-map")]);
  const map = readMap(places.buffer as ArrayBuffer);
  const answers = held.answers ? await bytes("data-answers") : null;
  const names = cells(held.items, "item") as string[];
  const rows = new Map(names.map((name, row) => [name, row]));
  const key = `itemcurve-decisions-${held.mark}`;
  const stored = (): Decision[] => {
    try { return JSON.parse(localStorage.getItem(key) ?? "[]"); } catch { return []; }
  };
  const own = (): never => { throw new Fault("A report holds one run. Start `itemcurve serve` to compare several."); };
  const answersTo = (row: number): ItemCard["answers"] => {
    if (!answers || !held.answers) return null;
    const { respondents, steps, lower, width, options } = held.answers, n = respondents.length;
    // Low bytes of all cells, then high bytes; what was said after what it was worth.
    const plane = answers.length / (options.length ? 4 : 2);
    const code = (first: number, i: number): number => answers[first * plane + row * n + i] + 256 * answers[(first + 1) * plane + row * n + i];
    const responses = respondents.map((_, i) => (code(0, i) > steps ? null : Number((lower + (code(0, i) / steps) * width).toPrecision(4))));
    const said = options.length ? respondents.map((_, i) => options[code(2, i)] ?? "") : [];
    return { total: n, respondents, responses, expected: [], said };
  };
  return {
    isLive: false,
    lacks: held.health.reason ? ["health"] : [],
    runs: async () => [{ id: "run", name: held.name, created_at: 0, is_linked: true }],
    brief: async () => held.page,
    page: async () => held.page,
    map: async () => map,
    items: async (_, search, corners) => {
      const word = search.toLowerCase(), at = cells(held.items, "place") as number[];
      if (!word && !corners.length) return held.items;
      return filtered(held.items, (row) =>
        (!word || names[row].toLowerCase().includes(word)) &&
        (!corners.length || isInside(map.x[at[row]], map.y[at[row]], corners)));
    },
    item: async (_, item) => {
      const row = rows.get(item);
      if (row === undefined) throw new Fault(`This report holds no card of ${item}.`, 404);
      const facts = Object.fromEntries(Object.entries(held.cards.facts).map(([name, cells_]) => [name, cells_[row]]));
      const numbers = held.items.columns.filter((c) => c.kind === "number").map((c) => ({ name: c.name, label: c.label, value: c.cells[row] as number | null }));
      const said = { item, verdict: String(cells(held.items, "verdict")[row]), numbers, facts, words: held.cards.words[row], group: held.cards.groups[row] };
      return { ...said, picture: held.cards.pictures[item] ?? "", suspicion: held.cards.suspicions[row], curve: readCurve(curves, held.curves, row), answers: answersTo(row) };
    },
    respondent: async (_, name) => held.respondents[name] ?? (() => { throw new Fault(`This report holds no card of ${name}.`, 404); })(),
    health: async () => held.health,
    labels: async () => held.labels,
    decisions: async () => stored(),
    decide: async (_, item, decision, note) => {
      const made = { item, decision, note, decided_at: Date.now() / 1000 };
      try { localStorage.setItem(key, JSON.stringify([...stored(), made])); } catch {
        throw new Fault("This browser keeps nothing for pages from disk. Download the decisions before you leave.");
      }
      return made;
    },
    compare: async () => own(),
    compareTwo: async () => own(),
  };
};
