/* Adaptive tests as they go on. */
import { useEffect, useState } from "preact/hooks";
import { useLoaded } from "../loading";
import { Figure } from "../parts/figure";
import { niceTicks, writeNumber, writeTick, writeTime } from "../parts/numbers";
import { save, writeCsv } from "../parts/saving";
import { Empty, Shown } from "../parts/states";
import { DataTable } from "../parts/table";
import { useWidth } from "../parts/width";
import { linkTo } from "../router";
import { follow, getJson } from "../sources/live";
import type { Table } from "../types";

interface Summary {
  id: string; status: string; reason: string | null; respondent: string; bank: string; answers: number;
  ability: number | null; ability_se: number | null; created_at: number; changed_at: number;
}
interface Trace { state: Summary & { score: { value: number; lower: number; upper: number } | null; lease: { items: string[] } }; measure: "ability" | "score"; steps: { item: string; response: number; value: number | null; lower: number | null; upper: number | null }[] }

/* Counts up when one of the sessions changes, at most twice a second. */
const useNews = (): number => {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let waiting = 0;
    const tell = (): void => { if (!waiting) waiting = window.setTimeout(() => { waiting = 0; setCount((n) => n + 1); }, 500); };
    const listen = (): void => {
      follow("/v1/sessions/events", tell, stop.signal).catch(() => undefined).then(() => { if (!stop.signal.aborted) setTimeout(listen, 5000); });
    };
    listen();
    return () => { stop.abort(); clearTimeout(waiting); };
  }, []);
  return count;
};

const saveSessions = (sessions: Summary[]): void => {
  const names = ["id", "respondent", "status", "reason", "answers", "ability", "ability_se", "created_at", "changed_at"] as const;
  save(writeCsv([...names], sessions.map((each) => names.map((name) => each[name]))), "adaptive-tests.csv");
};

const Interval = ({ ability, error }: { ability: number | null; error: number | null }) =>
  <>{ability === null ? "–" : `${writeNumber(ability)} ± ${writeNumber(error)}`}</>;

export const SessionsPage = () => {
  const news = useNews();
  const found = useLoaded(() => getJson<{ sessions: Summary[] }>("/v1/sessions?limit=100"), [news], true);
  return (
    <>
      <h1>Adaptive tests</h1>
      <p class="hint">The latest changed first; the list follows the tests as they go on.</p>
      <Shown loaded={found} what="Looking for tests">
        {({ sessions }) => !sessions.length ? (
          <Empty title="No tests yet">
            <p>A harness begins one in twenty lines:</p>
            <pre><code>{"from itemcurve.client import Service\nservice = Service(\"" + location.origin + "\")\nsession = service.begin(service.banks()[0].mark, respondent=\"my-model\")"}</code></pre>
          </Empty>
        ) : (
          <div class="table" data-table="sessions"><div class="tools"><span class="count">{sessions.length.toLocaleString("en-US")} tests</span><button type="button" class="save" onClick={() => saveSessions(sessions)}>CSV</button></div><div class="scroll" tabIndex={0} role="region" aria-label="Adaptive tests"><table>
            <thead><tr>{["respondent", "status", "answers", "ability", "changed"].map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
            <tbody>{sessions.map((each) => (
              <tr key={each.id}>
                <td><a href={linkTo(["session", each.id])}>{each.respondent}</a></td>
                <td>{each.status}{each.reason && ` (${each.reason})`}</td><td class="number">{each.answers}</td>
                <td class="number"><Interval ability={each.ability} error={each.ability_se} /></td><td>{writeTime(each.changed_at)}</td>
              </tr>
            ))}</tbody>
          </table></div></div>
        )}
      </Shown>
    </>
  );
};

const TraceFigure = ({ steps, measure }: { steps: Trace["steps"]; measure: string }) => {
  const [ref, width] = useWidth(720);
  const known = steps.map((step, i) => ({ ...step, at: i + 1 })).filter((step) => step.value !== null);
  const height = 280, left = 52, ends = known.flatMap((step) => [step.lower!, step.upper!]);
  const low = Math.min(...ends), high = Math.max(...ends);
  const x = (at: number): number => left + ((at - 0.5) / Math.max(1, steps.length)) * (width - left - 14);
  const y = (value: number): number => height - 40 - ((value - low) / (high - low || 1)) * (height - 54);
  const line = (name: "value" | "lower" | "upper"): string => known.map((step, i) => `${i ? "L" : "M"}${x(step.at).toFixed(1)},${y(step[name]!).toFixed(1)}`).join("");
  const back = [...known].reverse().map((step) => `L${x(step.at).toFixed(1)},${y(step.lower!).toFixed(1)}`).join("");
  return (
    <Figure name={`${measure}-trace`} wide caption={`The ${measure} after each answer with its 90 % interval. Filled: answered right; open: wrong.`}>
      <div ref={ref}><svg class="drawing curve" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`The ${measure} after each answer`}>
        {niceTicks(low, high).map((tick) => <g key={tick}><line class="grid" x1={left} x2={width - 14} y1={y(tick)} y2={y(tick)} /><text class="end" x={left - 6} y={y(tick) + 4}>{writeTick(tick)}</text></g>)}
        <path class="band" d={`${line("upper")}${back}Z`} /><path class="line" d={line("value")} />
        {known.length <= 300 && known.map((step) => <circle key={step.at} class={step.response >= 0.5 ? "seen" : "open"} cx={x(step.at)} cy={y(step.value!)} r="4"><title>{`${step.at}. ${step.item}: ${writeNumber(step.response)}`}</title></circle>)}
        <text class="middle" x={(left + width) / 2} y={height - 6}>answers</text>
      </svg></div>
    </Figure>
  );
};

export const SessionPage = ({ id }: { id: string }) => {
  const news = useNews();
  const found = useLoaded(() => getJson<Trace>(`/v1/sessions/${encodeURIComponent(id)}/trace`), [id, news], true);
  const table = (trace: Trace): Table => ({
    key: "trace", caption: "Answers", total: trace.steps.length,
    columns: (["item", "response", "value", "lower", "upper"] as const).map((name) => ({ name: name === "value" ? trace.measure : name, label: name === "value" ? trace.measure : name, kind: name === "item" ? "text" : "number", cells: trace.steps.map((step) => step[name]) })),
  });
  return (
    <>
      <p class="crumbs"><a href="#/sessions">Adaptive tests</a></p>
      <Shown loaded={found} what="Reading the test">
        {(trace) => (
          <>
            <h1>{trace.state.respondent}</h1>
            <p>{trace.state.status}{trace.state.reason && `: ${trace.state.reason}`}. {trace.state.answers} answers{trace.state.ability !== null && <>, ability <Interval ability={trace.state.ability} error={trace.state.ability_se} /></>}.
              {trace.state.score && ` Predicted score ${writeNumber(trace.state.score.value)} (${writeNumber(trace.state.score.lower)} to ${writeNumber(trace.state.score.upper)}).`}
              {trace.state.lease.items.length > 0 && ` Being asked: ${trace.state.lease.items.slice(0, 5).join(", ")}.`}</p>
            {trace.steps.length ? <><TraceFigure steps={trace.steps} measure={trace.measure} /><DataTable table={table(trace)} run="" /></> : <Empty title="No answer yet"><p>This page follows the test.</p></Empty>}
          </>
        )}
      </Shown>
    </>
  );
};
