/* The dashboard: one front end, live over a server or frozen in one file. */
import { render } from "preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLoaded } from "./loading";
import { Glossary } from "./parts/meanings";
import { Failed, Shown, Waiting } from "./parts/states";
import { ComparePage } from "./pages/compare";
import { HealthPage } from "./pages/health";
import { HomePage } from "./pages/home";
import { ItemPage } from "./pages/item";
import { ItemsPage } from "./pages/items";
import { LeaderboardPage } from "./pages/leaderboard";
import { OtherRun } from "./pages/other";
import { ChecksPage, OverviewPage, TablesPage } from "./pages/overview";
import { printWhole } from "./pages/printed";
import { RespondentPage } from "./pages/respondent";
import { SessionPage, SessionsPage } from "./pages/sessions";
import { UploadPage } from "./pages/upload";
import { WorklistPage } from "./pages/worklist";
import { linkTo, usePlace } from "./router";
import { isFrozen, readFrozen } from "./sources/frozen";
import { live } from "./sources/live";
import type { Source } from "./sources/source";
import { ThemeButton } from "./theme";
import type { OtherPage, RunPage } from "./types";

const RUN_PAGES: [string, string][] = [
  ["", "Summary"], ["leaderboard", "Leaderboard"], ["items", "Items"], ["worklist", "To check"], ["health", "Health"], ["tables", "Tables"], ["checks", "Checks and methods"],
];

const Inside = ({ source, run, page, parts }: { source: Source; run: string; page: RunPage; parts: string[] }) => {
  const [kind = "", name = ""] = parts;
  switch (kind) {
    case "": return <OverviewPage run={run} page={page} />;
    case "leaderboard": return <LeaderboardPage run={run} page={page} isLive={source.isLive} />;
    case "items": return <ItemsPage source={source} run={run} page={page} />;
    case "item": return <ItemPage source={source} run={run} page={page} item={name} />;
    case "respondent": return <RespondentPage source={source} run={run} page={page} name={name} />;
    case "worklist": return <WorklistPage source={source} run={run} page={page} />;
    case "health": return <HealthPage source={source} run={run} />;
    case "tables": return <TablesPage run={run} page={page} />;
    case "checks": return <ChecksPage page={page} />;
    default: return <Failed fault={new Error("There is no such page.")} again={() => { location.hash = linkTo(["run", run]); }} />;
  }
};

const RunPages = ({ source, run, parts }: { source: Source; run: string; parts: string[] }) => {
  const page = useLoaded(() => source.page(run), [run]);
  const current = parts[0] === "item" ? "items" : parts[0] === "respondent" ? "leaderboard" : parts[0] ?? "";
  return (
    <Shown loaded={page} what="Reading the run">
      {(found) => {
        if ("other" in found) return <Other page={found.other} />;
        const isEmpty: Record<string, boolean> = { tables: !found.analyses.length, worklist: !found.worklist.total };
        const shown = RUN_PAGES.filter(([key]) => !isEmpty[key] && !source.lacks.includes(key));
        return (
          <Glossary.Provider value={found.glossary}>
            <Title text={found.title} />
            <h1>{found.title}</h1>
            <p class="facts">{found.facts}</p>
            <nav aria-label="Pages of the run">
              {shown.map(([key, label]) => <a key={key} href={linkTo(key ? ["run", run, key] : ["run", run])} aria-current={key === current ? "page" : undefined}>{label}</a>)}
            </nav>
            <Inside source={source} run={run} page={found} parts={parts} />
          </Glossary.Provider>
        );
      }}
    </Shown>
  );
};

const Other = ({ page }: { page: OtherPage }) => (
  <Glossary.Provider value={page.glossary}><Title text={page.title} /><OtherRun page={page} /></Glossary.Provider>
);

const Title = ({ text }: { text: string }) => {
  useEffect(() => { document.title = text; }, [text]);
  return null;
};

const Page = ({ source, parts }: { source: Source; parts: string[] }) => {
  const [kind = "", first = "", second = ""] = parts;
  if (!source.isLive) return <RunPages source={source} run="run" parts={kind === "run" ? parts.slice(2) : []} />;
  if (kind === "run" && first) return <RunPages key={first} source={source} run={first} parts={parts.slice(2)} />;
  if (kind === "compare") return <ComparePage source={source} before={first} now={second} />;
  if (kind === "sessions") return <SessionsPage />;
  if (kind === "session") return <SessionPage id={first} />;
  if (kind === "upload") return <UploadPage />;
  if (kind) return <Failed fault={new Error("There is no such page.")} again={() => { location.hash = "#/"; }} />;
  return <><Title text="itemcurve" /><HomePage source={source} /></>;
};

const LIVE_LINKS: [string, string][] = [["", "Runs"], ["compare", "Compare"], ["sessions", "Adaptive tests"], ["upload", "Hand in"]];

const Dashboard = ({ source }: { source: Source }) => {
  const { parts } = usePlace();
  const path = parts.join("/");
  useEffect(() => { scrollTo(0, 0); }, [path]);
  return <Frame isLive={source.isLive} current={parts[0]}><Page source={source} parts={parts} /></Frame>;
};

const Frame = ({ isLive, current = "", children }: { isLive: boolean; current?: string; children: ComponentChildren }) => (
  <>
    <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to the content</a>
    <header>
      <a class="brand" href="#/"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1 14C8 14 8 2 15 2" /></svg>itemcurve</a>
      {isLive && <nav aria-label="Dashboard">{LIVE_LINKS.map(([key, label]) => <a key={key} href={linkTo(key ? [key] : [])} aria-current={current === key ? "page" : undefined}>{label}</a>)}</nav>}
      <ThemeButton />
    </header>
    <main id="main" tabIndex={-1}>{children}</main>
    <footer><p>{isLive ? "Served by itemcurve." : "Written by itemcurve. This page is complete in itself and loads nothing."}</p></footer>
  </>
);

const Start = () => {
  const [shown, setShown] = useState<Source | OtherPage | null>(isFrozen() ? null : live);
  const [fault, setFault] = useState<Error | null>(null);
  useEffect(() => { if (!shown) readFrozen().then(setShown, setFault); }, []);
  useEffect(() => {
    if (!shown) return;
    document.documentElement.dataset.ready = "true";
    if ("isLive" in shown && !shown.isLive) void printWhole(shown);
  }, [shown]);
  if (fault) return <Failed fault={fault} again={() => location.reload()} />;
  if (!shown) return <Waiting what="Opening" />;
  return "isLive" in shown
    ? <Dashboard source={shown} />
    : <Frame isLive={false}><Other page={shown} /></Frame>;
};

render(<Start />, document.getElementById("page")!);
