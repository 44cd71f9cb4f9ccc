/* All runs, and what changed since the last visit. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLoaded } from "../loading";
import { writeTime } from "../parts/numbers";
import { Empty, Shown } from "../parts/states";
import { linkTo } from "../router";
import type { Source } from "../sources/source";
import type { Brief, RunEntry } from "../types";
import { comparable } from "./compare";
import { Tiles } from "./overview";

interface Seen { at: number; answers: string[] }
const KEY = "itemcurve-seen";
const readSeen = (): Record<string, Seen> => {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "{}"); } catch { return {}; }
};
const keepSeen = (id: string, seen: Seen): void => {
  try { localStorage.setItem(KEY, JSON.stringify({ ...readSeen(), [id]: seen })); } catch { /* Then nothing is said next time. */ }
};

/* What is new about a run, in words; nothing on a first visit. */
const sayNews = (run: RunEntry, brief: Brief | null, before: Record<string, Seen>): string[] => {
  if (!Object.keys(before).length) return [];
  const seen = before[run.id];
  if (!seen) return ["New since your last visit."];
  if (!brief) return [];
  const news = brief.tiles.map((tile, i) => (seen.answers[i] !== undefined && seen.answers[i] !== tile.answer ? `${tile.question} Was ${seen.answers[i]}, is ${tile.answer}.` : ""));
  return news.some(Boolean) ? news.filter(Boolean) : run.created_at > seen.at + 1 ? ["Written again since your last visit, with the same answers."] : [];
};

const RunCard = ({ source, run, before }: { source: Source; run: RunEntry; before: Record<string, Seen> }) => {
  const brief = useLoaded(() => source.brief(run.id), [run.id]);
  useEffect(() => { if (brief.value) keepSeen(run.id, { at: run.created_at, answers: brief.value.tiles.map((tile) => tile.answer) }); }, [brief.value]);
  const news = sayNews(run, brief.value, before);
  return (
    <article class="run">
      <h2><a href={linkTo(["run", run.id])}>{run.name}</a> <small>{writeTime(run.created_at)}</small></h2>
      {news.length > 0 && <ul class="news">{news.map((line) => <li key={line}>{line}</li>)}</ul>}
      <Shown loaded={brief} what="Reading the run">
        {(found) => <><p class="facts">{found.title} · {found.facts}</p>{found.words?.map((line) => <p key={line}>{line}</p>)}<Tiles tiles={found.tiles} run={run.id} /></>}
      </Shown>
    </article>
  );
};

const LOOKED_AT = 10, OFFERED = 3;

/* Of the newest runs, pairs that share items: before and now. */
const offers = (runs: RunEntry[], briefs: Brief[]): [RunEntry, RunEntry][] => {
  const seen = briefs.map((brief) => new Set(brief.sketch ?? []));
  const pairs: [RunEntry, RunEntry][] = [];
  seen.forEach((now, i) => seen.forEach((before, j) => {
    if (j > i && [...now].some((mark) => before.has(mark))) pairs.push([runs[j], runs[i]]);
  }));
  return pairs.slice(0, OFFERED);
};

const Comparisons = ({ source, runs }: { source: Source; runs: RunEntry[] }) => {
  const newest = runs.slice(0, LOOKED_AT);
  const briefs = useLoaded(() => Promise.all(newest.map((run) => source.brief(run.id))), [newest.map((run) => run.id).join()]);
  return runs.length > 1
    ? <p class="hint">Compare: {offers(newest, briefs.value ?? []).map(([before, now]) => <span key={before.id + now.id}><a href={linkTo(["compare", before.id, now.id])}>{before.name} → {now.name}</a> · </span>)}<a href="#/compare">any two</a></p>
    : null;
};

export const HomePage = ({ source }: { source: Source }) => {
  const runs = useLoaded(() => source.runs(), []);
  const before = useMemo(readSeen, []);
  const [most, setMost] = useState(10);
  return (
    <>
      <h1>Runs</h1>
      <Shown loaded={runs} what="Looking for runs">
        {(found) => !found.length ? (
          <Empty title="No runs yet">
            <p>Make one and start again where it lies, or <a href="#/upload">hand in a file</a>:</p>
            <pre><code>itemcurve evaluate breast_cancer --out demo/run{"\n"}itemcurve serve</code></pre>
          </Empty>
        ) : (
          <>
            <Comparisons source={source} runs={comparable(found)} />
            {found.slice(0, most).map((run) => <RunCard key={run.id} source={source} run={run} before={before} />)}
            {found.length > most && <button type="button" onClick={() => setMost(most + 10)}>Show more ({found.length - most})</button>}
          </>
        )}
      </Shown>
    </>
  );
};
