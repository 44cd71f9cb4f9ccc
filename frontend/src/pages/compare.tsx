/* Two runs, or two respondents, on the items that both answered. */
import { useLoaded } from "../loading";
import { Glossary } from "../parts/meanings";
import { Empty, Shown } from "../parts/states";
import { DataTable } from "../parts/table";
import { go, useSetting } from "../router";
import type { Source } from "../sources/source";
import type { Comparison, RunEntry } from "../types";

/* Runs of responses: two of ratings or votes have no items that both answered. */
export const comparable = (runs: RunEntry[]): RunEntry[] => runs.filter((run) => (run.holds ?? "responses") === "responses");

const Words = ({ words }: { words: string[] }) => <ul class="said">{words.map((line) => <li key={line}>{line}</li>)}</ul>;

const RunChoice = ({ label, runs, value, choose }: { label: string; runs: RunEntry[]; value: string; choose: (id: string) => void }) => (
  <label>{label} <select value={value} onChange={(event) => choose((event.target as HTMLSelectElement).value)}>
    {!runs.some((run) => run.id === value) && <option value={value}>choose …</option>}
    {runs.map((run) => <option key={run.id} value={run.id}>{run.name}</option>)}
  </select></label>
);

const NameChoice = ({ label, names, value, choose }: { label: string; names: string[]; value: string; choose: (name: string) => void }) => (
  <label>{label} <select value={value} onChange={(event) => choose((event.target as HTMLSelectElement).value)}>
    <option value="">choose …</option>
    {names.map((name) => <option key={name} value={name}>{name}</option>)}
  </select></label>
);

const TwoRespondents = ({ source, before, now, choices }: { source: Source; before: string; now: string; choices: Comparison["choices"] }) => {
  const [a, setA] = useSetting("a");
  const [b, setB] = useSetting("b");
  const found = useLoaded(() => (a && b ? source.compareTwo(before, a, now, b) : Promise.resolve(null)), [before, now, a, b]);
  return (
    <>
      <h3>One against one</h3>
      <div class="tools"><NameChoice label="From" names={choices[0]} value={a} choose={setA} /><NameChoice label="to" names={choices[1]} value={b} choose={setB} /></div>
      {a && b ? (
        <Shown loaded={{ ...found, value: found.value ?? null }} what="Comparing">
          {(two) => two && <><Words words={two.words} /><p class="hint">This is of these two alone, as if nobody else had been tried. Who looks at a pair because it stands out goes by the tiers of the leaderboard, which allow for all comparisons.</p><DataTable table={two.flips} run={now} /><DataTable table={two.summary} run={now} /></>}
        </Shown>
      ) : <p class="hint">Choose two respondents to see on which items they differ.</p>}
    </>
  );
};

export const ComparePage = ({ source, before, now }: { source: Source; before: string; now: string }) => {
  const runs = useLoaded(() => source.runs(), []);
  const is = Boolean(before && now);
  const found = useLoaded(() => (is ? source.compare(before, now) : Promise.resolve(null)), [before, now]);
  return (
    <>
      <h1>Compare</h1>
      <Shown loaded={runs} what="Looking for runs">
        {(any) => {
          const all = comparable(any);
          return all.length > 0 && (
            <div class="tools">
              <RunChoice label="Before" runs={all} value={before} choose={(id) => go(["compare", id, now || all[0].id])} />
              <RunChoice label="now" runs={all} value={now} choose={(id) => go(["compare", before || all[all.length - 1].id, id])} />
            </div>
          );
        }}
      </Shown>
      {!is ? <Empty title={comparable(runs.value ?? []).length ? "Choose two runs" : "No runs to compare yet"}><p>Of responses: respondents and items are matched by their names. Choose one run twice to compare two of its respondents.</p></Empty> : (
        <Shown loaded={found} what="Comparing">
          {(both) => both && (
            <Glossary.Provider value={both.glossary}>
              {before !== now && <>
                <Words words={both.words} />
                {both.respondents && <DataTable table={both.respondents} run={now} />}
              </>}
              <TwoRespondents source={source} before={before} now={now} choices={both.choices} />
              {before !== now && <><h3>Items in both</h3><DataTable table={both.items} run={now} /></>}
            </Glossary.Provider>
          )}
        </Shown>
      )}
    </>
  );
};
