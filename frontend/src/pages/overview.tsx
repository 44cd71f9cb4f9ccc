/* A run at first sight: three answers, the best, what to do next; checks and methods behind. */
import { linkTo } from "../router";
import { IntervalFigure, PictureFigure, ScaleFigures } from "../parts/drawings";
import { Findings } from "../parts/findings";
import { DataTable } from "../parts/table";
import type { RunPage, Tile } from "../types";

const TARGETS: Record<string, string> = { respondents: "leaderboard", labels: "worklist", items: "items", findings: "checks", methods: "checks" };

export const Tiles = ({ tiles, run }: { tiles: Tile[]; run: string }) => (
  <div class="tiles">
    {tiles.map((tile) => (
      <a key={tile.question} class={`tile ${tile.kind}`} href={linkTo(["run", run, TARGETS[tile.target] ?? "checks"])}>
        <span class="question">{tile.question}</span><strong>{tile.answer}</strong><span>{tile.text}</span>
      </a>
    ))}
  </div>
);

export const OverviewPage = ({ run, page }: { run: string; page: RunPage }) => (
  <>
    <h2 class="unseen">Summary</h2>
    <Tiles tiles={page.tiles} run={run} />
    <IntervalFigure picture={page.intervals} run={run} />
    <div class="next"><h3>What to do next</h3><ol>{page.steps.map((step) => <li key={step}>{step}</li>)}</ol></div>
  </>
);

const Pairs = ({ pairs }: { pairs: [string, string][] }) => <dl>{pairs.map(([name, text]) => [<dt key={name}>{name}</dt>, <dd key={`${name} text`}>{text}</dd>])}</dl>;

export const ChecksPage = ({ page }: { page: RunPage }) => (
  <>
    <h2>Checks</h2>
    <p class={page.summary.is_trustworthy ? "sound" : "doubt"}>{page.summary.trust}</p>
    <Findings findings={page.findings} />
    <h2>Scale</h2>
    <ScaleFigures scale={page.scale} />
    <h2>Methods</h2>
    <Pairs pairs={page.methods} />
    {page.command && <><p>To make it again:</p><pre><code>{page.command}</code></pre></>}
    <h2>Glossary</h2>
    <Pairs pairs={Object.entries(page.glossary).sort(([a], [b]) => a.localeCompare(b))} />
  </>
);

export const TablesPage = ({ run, page }: { run: string; page: RunPage }) => (
  <>
    {page.analyses.map((section) => (
      <section key={section.key} id={section.key}>
        <h2>{section.title}</h2>
        {section.notes.length > 0 && <Pairs pairs={section.notes} />}
        {section.pictures.length > 0 && <div class="pair">{section.pictures.map((each) => <PictureFigure key={each.title} picture={each} />)}</div>}
        <DataTable table={section.table} run={run} />
      </section>
    ))}
  </>
);
