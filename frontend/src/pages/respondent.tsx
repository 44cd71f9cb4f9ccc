/* The card of one respondent: numbers, strengths, answers that surprise. */
import { useLoaded } from "../loading";
import { Figure } from "../parts/figure";
import { Term } from "../parts/meanings";
import { niceTicks, writeNumber, writeSigned, writeTick } from "../parts/numbers";
import { Empty, Shown } from "../parts/states";
import { cellsOf, DataTable } from "../parts/table";
import { useWidth } from "../parts/width";
import { linkTo } from "../router";
import type { Source } from "../sources/source";
import type { Fact, RunPage, Table } from "../types";

const MOST_BARS = 24;

const StrengthFigure = ({ table, by }: { table: Table; by: string }) => {
  const [ref, width] = useWidth(720);
  const column = <T,>(name: string): T[] => cellsOf(table, name) as T[];
  const names = column<string>("group").slice(0, MOST_BARS), gaps = column<number>("against_expected");
  const lower = column<number>("lower"), upper = column<number>("upper"), verdicts = column<string>("verdict");
  const ends = names.flatMap((_, i) => [lower[i], upper[i], 0]);
  const low = Math.min(...ends), high = Math.max(...ends), margin = 0.05 * (high - low) || 0.1;
  const left = Math.min(220, width * 0.3), row = 24, height = names.length * row + 44, most = Math.floor(left / 7.4);
  const x = (v: number): number => left + ((v - low + margin) / (high - low + 2 * margin)) * (width - left - 16);
  return (
    <Figure name="strengths" wide caption={`Mean response less what its ability lets expect, by ${by}, with 90 % intervals. Crosses: weaker beyond doubt; filled: stronger.`}>
      <div ref={ref}>
        <svg class="drawing intervals" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Strengths by ${by}`}>
          {niceTicks(low, high).map((tick) => <g key={tick}><line class={tick === 0 ? "zero" : "grid"} x1={x(tick)} x2={x(tick)} y1="4" y2={height - 38} /><text class="middle" x={x(tick)} y={height - 22}>{writeTick(tick)}</text></g>)}
          {names.map((name, i) => {
            const y = 16 + i * row;
            return (
              <g key={name} class={`row ${verdicts[i] || "level"}`}>
                <title>{`${name}: ${writeSigned(gaps[i])} (${writeSigned(lower[i])} to ${writeSigned(upper[i])})`}</title>
                <text class="end" x={left - 10} y={y + 4}>{name.length > most ? `${name.slice(0, most - 1)}…` : name}</text>
                <line class="reach" x1={x(lower[i])} x2={x(upper[i])} y1={y} y2={y} />
                {verdicts[i] === "weaker" ? <path class="cross" d={`M${x(gaps[i]) - 5},${y - 5}l10,10m0,-10l-10,10`} /> : <circle cx={x(gaps[i])} cy={y} r="5" />}
              </g>
            );
          })}
          <text class="middle" x={(left + width) / 2} y={height - 6}>against expected</text>
        </svg>
      </div>
    </Figure>
  );
};

const Numbers = ({ facts }: { facts: Fact[] }) => (
  <dl class="numbers">{facts.map((n) => [<dt key={n.name}><Term word={n.label} /></dt>, <dd key={`${n.name}-value`}>{writeNumber(n.value)}</dd>])}</dl>
);

export const RespondentPage = ({ source, run, page, name }: { source: Source; run: string; page: RunPage; name: string }) => {
  const card = useLoaded(() => source.respondent(run, name), [run, name]);
  const list = cellsOf(page.board, "respondent") as string[];
  const at = list.indexOf(name);
  return (
    <>
      <p class="crumbs">
        <a href={linkTo(["run", run, "leaderboard"])}>Leaderboard</a>
        {at > 0 && <> · <a href={linkTo(["run", run, "respondent", list[at - 1]])}>← one above</a></>}
        {at >= 0 && at < list.length - 1 && <> · <a href={linkTo(["run", run, "respondent", list[at + 1]])}>one below →</a></>}
        {source.isLive && at > 0 && <> · <a href={linkTo(["compare", run, run], { a: list[0], b: name })}>compare with the first</a></>}
      </p>
      <h2 class="name">{name}</h2>
      <Shown loaded={card} what="Reading the card">
        {(found) => (
          <>
            <Numbers facts={found.numbers} />
            <h3>Strengths by {found.by}</h3>
            {found.strengths
              ? <><StrengthFigure table={found.strengths} by={found.by} /><DataTable table={found.strengths} run={run} /></>
              : <Empty title="Strengths cannot be told"><p>Its items follow several models.</p></Empty>}
            {found.by === "difficulty" && !page.classes && <p class="hint">Subjects of items are not known here: a table of the run with columns <code>item</code> and <code>group</code> tells them.</p>}
            <h3>Answers that surprise</h3>
            {found.surprises && found.surprises.total > 0
              ? <DataTable table={found.surprises} run={run} />
              : <Empty title="No answer of it surprises"><p>All lie within one and a half standard deviations of what is expected.</p></Empty>}
            {found.tables.map((table) => <div key={table.key}><h3>{table.caption}</h3><DataTable table={table} run={run} /></div>)}
          </>
        )}
      </Shown>
    </>
  );
};
