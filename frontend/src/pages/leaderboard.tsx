/* The leaderboard: intervals, tiers, and who differs from whom beyond doubt. */
import { linkTo } from "../router";
import { IntervalFigure, PictureFigure } from "../parts/drawings";
import { Term } from "../parts/meanings";
import { writeNumber, writeSigned } from "../parts/numbers";
import { save, writeCsv } from "../parts/saving";
import { DataTable } from "../parts/table";
import type { Pairs, RunPage } from "../types";

const PairMatrix = ({ pairs, run, isLive, areErrors }: { pairs: Pairs; run: string; isLive: boolean; areErrors: boolean }) => {
  const most = Math.max(1e-9, ...pairs.differences.flat().map((v) => Math.abs(v ?? 0)));
  const csv = (): void => {
    const rows = pairs.names.flatMap((a, i) => pairs.names.map((b, j) => [a, b, pairs.differences[i][j], pairs.reach[i][j], pairs.p_values[i][j]]).filter((_, j) => j !== i));
    save(writeCsv(["respondent", "against", "difference", "reach", "p_adjusted"], rows), "paired-differences.csv");
  };
  const cell = (i: number, j: number) => {
    if (i === j) return <td key={j} class="self" aria-label="itself" />;
    // Of errors, less is ahead.
    const gap = pairs.differences[i][j], isAhead = areErrors ? (gap ?? 0) < 0 : (gap ?? 0) > 0, isClear = pairs.is_clear[i][j];
    const level = Math.ceil((3 * Math.abs(gap ?? 0)) / most);
    const words = `${pairs.names[i]} less ${pairs.names[j]}: ${writeSigned(gap)} ± ${writeNumber(pairs.reach[i][j])} (${Math.round(100 * pairs.level)} % interval), p ${writeNumber(pairs.p_values[i][j])} after Holm`;
    const text = <>{writeSigned(gap)}{isClear && <b aria-label="beyond doubt">*</b>}</>;
    return (
      <td key={j} class={isClear ? `${isAhead ? "ahead" : "behind"}-${level}` : "level"} title={words}>
        {isLive ? <a href={linkTo(["compare", run, run], { a: pairs.names[j], b: pairs.names[i] })}>{text}</a> : text}
      </td>
    );
  };
  return (
    <div class="table" data-table="pairs">
      <div class="tools"><span class="count">Each row less each column in mean {areErrors ? "error (less is better, blue)" : "response"}, pair by pair, on the {pairs.items.toLocaleString("en-US")} items both answered; tiers compare all with the best{areErrors ? "" : ", and allow for labels in doubt"}. * beyond doubt (Holm, 5 %).</span><button type="button" class="save" onClick={csv}>CSV</button></div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Paired differences">
        <table class="matrix">
          <thead><tr><th />{pairs.names.map((name) => <th key={name} scope="col" title={name}><span>{name}</span></th>)}</tr></thead>
          <tbody>{pairs.names.map((name, i) => <tr key={name}><th scope="row" title={name}>{name}</th>{pairs.names.map((_, j) => cell(i, j))}</tr>)}</tbody>
        </table>
      </div>
    </div>
  );
};

export const LeaderboardPage = ({ run, page, isLive }: { run: string; page: RunPage; isLive: boolean }) => (
  <>
    <h2>Leaderboard</h2>
    <p>{page.summary.data} {page.summary.best}</p>
    <p class="hint">{page.order} Bars are 90&nbsp;% intervals; those of one <Term word="tier" /> cannot be told apart. Click a heading to sort, a name for its card.</p>
    <DataTable table={page.board} run={run} />
    <IntervalFigure picture={page.intervals} run={run} />
    {page.classes && <><h3>{page.classes.caption}</h3><p class="hint">{page.labels_are} Shares are against the labels as given.</p><DataTable table={page.classes} run={run} /></>}
    {page.pairs && <><h3>Paired differences</h3><PairMatrix pairs={page.pairs} run={run} isLive={isLive} areErrors={page.is_numeric} /></>}
    {page.pictures.length > 0 && <div class="pair">{page.pictures.map((picture) => <PictureFigure key={picture.title} picture={picture} />)}</div>}
  </>
);
