/* Benchmark health: which questions still tell something. */
import { useLoaded } from "../loading";
import { Empty, Shown } from "../parts/states";
import { DataTable } from "../parts/table";
import type { Source } from "../sources/source";

export const HealthPage = ({ source, run }: { source: Source; run: string }) => {
  const health = useLoaded(() => source.health(run), [run]);
  return (
    <>
      <h2>Benchmark health</h2>
      <p class="hint">Which items all or none solve, which are answered alike, whose key is suspect, and what is left to gain; beside what chance would give.</p>
      <Shown loaded={health} what="Checking the benchmark">
        {(found) => found.reason ? <Empty title="Health cannot be told here"><p>{found.reason}</p></Empty> : (
          <>
            <ul class="said">{found.words.map((line) => <li key={line}>{line}</li>)}</ul>
            {found.tables.filter((table) => table.total > 0).map((table) => <section key={table.key}><h3>{table.caption}</h3><DataTable table={table} run={run} /></section>)}
          </>
        )}
      </Shown>
    </>
  );
};
