/* Runs of ratings and votes: sentences, a picture, tables, checks, methods, all on one page. */
import { IntervalFigure } from "../parts/drawings";
import { Findings } from "../parts/findings";
import { DataTable } from "../parts/table";
import type { OtherPage } from "../types";

export const OtherRun = ({ page }: { page: OtherPage }) => (
  <>
    <h1>{page.title}</h1>
    <p class="facts">{page.facts}</p>
    {page.words.map((line) => <p key={line}>{line}</p>)}
    {page.intervals && <IntervalFigure picture={page.intervals} />}
    {page.tables.map((table) => <section key={table.key}><h2>{table.caption}</h2><DataTable table={table} run="run" /></section>)}
    {page.findings.length > 0 && <><h2>Checks</h2><Findings findings={page.findings} /></>}
    <h2>Methods</h2>
    {page.methods.map((line) => <p key={line}>{line}</p>)}
  </>
);
