/* Documents that pages are made of; the library works them out. */
export type Kind = "text" | "number" | "interval" | "item" | "verdict" | "respondent" | "hidden";
export interface Column { name: string; label: string; kind: Kind; cells: unknown[] }
export interface Table { key: string; caption: string; total: number; columns: Column[] }
export interface Tick { place: number; text: string }
export interface Tile { question: string; answer: string; text: string; target: string; kind: string }
export interface Dot { x: number; y: number; words: string; name: string; is_left: boolean }
export interface Trace { name: string; path: string; dots: Dot[] }
export interface Picture {
  title: string; caption: string; across: Tick[]; up: Tick[]; labels: [string, string];
  dots: Dot[]; traces: Trace[]; diagonal: string; width: number; height: number;
}
export interface IntervalRow { name: string; lower: number; middle: number; upper: number; kind: string; words: string }
export interface Intervals { rows: IntervalRow[]; ticks: Tick[]; label: string; line: Tick | null; far: string; more: number }
export interface LineDrawing {
  width: number; height: number; path: string; area: string; across: Tick[]; up: Tick[]; label_across: string; title: string;
}
export interface BarDrawing {
  width: number; height: number; bars: { x: number; y: number; width: number; height: number; kind: string }[];
  middle: number; up: Tick[]; label_up: string; title: string;
}
export interface Finding { code: string; title: string; severity: string; message: string; advice: string; concerned: string[] }
export interface Pairs {
  names: string[]; level: number; items: number; differences: (number | null)[][]; reach: (number | null)[][];
  p_values: (number | null)[][]; is_clear: boolean[][];
}
export interface Section { key: string; title: string; notes: [string, string][]; pictures: Picture[]; table: Table }
export interface RunPage {
  version: string; title: string; facts: string; tiles: Tile[]; steps: string[];
  summary: { data: string; best: string; items: string; trust: string; is_trustworthy: boolean };
  findings: Finding[]; board: Table; order: string; intervals: Intervals; pictures: Picture[]; pairs: Pairs | null;
  worklist: Table; has_labels: boolean; labels_are: string; classes: Table | null; is_numeric: boolean; verdicts: Record<string, number>; scale: [LineDrawing, BarDrawing];
  analyses: Section[]; methods: [string, string][]; command: string; glossary: Record<string, string>;
}
export interface OtherPage {
  version: string; title: string; facts: string; words: string[]; intervals: Intervals | null; tables: Table[];
  findings: Finding[]; methods: string[]; glossary: Record<string, string>;
}
export interface Brief { title: string; facts: string; tiles: Tile[]; words?: string[]; sketch?: number[] }
export interface RunEntry { id: string; name: string; created_at: number; is_linked: boolean; holds?: string }
export interface Curve {
  points: number[]; axis: string; groups: number[]; names: string[] | null; level: number;
  scale: { lower: number[]; upper: number[]; log: boolean };
  expected: number[]; lower: number[]; upper: number[]; seen: (number | null)[];
}
export interface Answers { total: number; respondents: string[]; responses: (number | null)[]; expected: (number | null)[]; said: string[] }
export interface Fact { name: string; label: string; value: number | string | null }
export interface ItemCard {
  item: string; verdict: string; numbers: Fact[]; facts: Record<string, string>; words: string; picture: string;
  group: string; suspicion: string; curve: Curve; answers: Answers | null;
}
export interface RespondentCard {
  respondent: string; numbers: Fact[]; strengths: Table | null; by: string; surprises: Table | null; tables: Table[];
}
export interface HealthPage { words: string[]; reason: string; tables: Table[] }
export interface Labels { item: string[]; given_label: string[]; likely_label: string[] }
export interface Comparison { glossary: Record<string, string>; words: string[]; respondents: Table | null; items: Table; choices: [string[], string[]] }
export interface PairComparison { words: string[]; flips: Table; summary: Table }
export interface Decision { item: string; decision: string; note: string; decided_at: number }
export interface MapData {
  items: number; across: string; up: string; verdicts: { word: string; items: number }[];
  x: Float32Array; y: Float32Array; verdict: Uint8Array;
}
export type Corner = [number, number];
