/* The card of one item: curve, numbers, what it asks, who answered what, and what was decided. */
import { useLoaded } from "../loading";
import { CurveFigure } from "../parts/curve";
import { Decide, kindOf } from "../parts/decide";
import { Term } from "../parts/meanings";
import { writeNumber } from "../parts/numbers";
import { RowFacts } from "../parts/row";
import { Empty, Shown } from "../parts/states";
import { cellsOf, DataTable } from "../parts/table";
import { Verdict } from "../parts/verdict";
import { linkTo } from "../router";
import type { Source } from "../sources/source";
import type { Answers, ItemCard, RunPage, Table } from "../types";

const FACTS: [string, string][] = [["given_label", "given label"], ["likely_label", "likely label"], ["dissenters", "dissenters"]];

const answersTable = (answers: Answers): Table => {
  const gaps = answers.responses.map((v, i) => (v === null || answers.expected[i] == null ? "" : Math.abs(v - answers.expected[i]!) > 0.5 ? "surprising" : ""));
  const columns: Table["columns"] = [
    { name: "respondent", label: "respondent", kind: "respondent", cells: answers.respondents },
    { name: "response", label: "response", kind: "number", cells: answers.responses },
  ];
  if (answers.said.length) columns.splice(1, 0, { name: "answer", label: "answer", kind: "text", cells: answers.said });
  if (answers.expected.length) {
    columns.push({ name: "expected", label: "expected", kind: "number", cells: answers.expected });
    columns.push({ name: "note", label: "note", kind: "text", cells: gaps });
  }
  return { key: "answers", caption: "Who answered what", total: answers.respondents.length, columns };
};

const Content = ({ card, page }: { card: ItemCard; page: RunPage }) => {
  const facts = FACTS.filter(([name]) => card.facts[name] && !(name === "likely_label" && card.facts.likely_label === card.facts.given_label));
  return (
    <>
      {card.picture && <img class="content" src={card.picture} alt={`What ${card.item} shows`} />}
      {card.words && <blockquote>{card.words}</blockquote>}
      {(facts.length > 0 || card.group) && (
        <dl class="facts">
          {card.group && <><dt>subject</dt><dd>{card.group}</dd></>}
          {facts.map(([name, label]) => [<dt key={name}><Term word={label} /></dt>, <dd key={`${name}-text`}>{card.facts[name]}</dd>])}
        </dl>
      )}
      {page.labels_are && card.facts.given_label && <p class="hint">{page.labels_are}</p>}
      {card.facts.row && <RowFacts text={card.facts.row} />}
    </>
  );
};

export const ItemPage = ({ source, run, page, item }: { source: Source; run: string; page: RunPage; item: string }) => {
  const card = useLoaded(() => source.item(run, item), [run, item]);
  const list = cellsOf(page.worklist, "item") as string[];
  const at = list.indexOf(item);
  return (
    <>
      <p class="crumbs">
        <a href={linkTo(["run", run, "items"])}>Items</a>
        {at >= 0 && <> · <a href={linkTo(["run", run, "worklist"])}>To check</a></>}
        {at > 0 && <> · <a href={linkTo(["run", run, "item", list[at - 1]])}>← previous in the list</a></>}
        {at >= 0 && at < list.length - 1 && <> · <a href={linkTo(["run", run, "item", list[at + 1]])}>next in the list →</a></>}
      </p>
      <h2 class="name">{item}</h2>
      <Shown loaded={card} what="Reading the card">
        {(found) => (
          <>
            <p><Verdict word={found.verdict} /> · <span class="suspicion">{found.suspicion}</span></p>
            <div class="linked">
              <CurveFigure curve={found.curve} item={item} />
              <div>
                <Content card={found} page={page} />
                <dl class="numbers">{found.numbers.map((n) => [<dt key={n.name}><Term word={n.label} /></dt>, <dd key={`${n.name}-value`}>{writeNumber(n.value)}</dd>])}</dl>
                <Decide source={source} run={run} item={item} kind={kindOf(page)} likely={found.facts.likely_label !== found.facts.given_label ? found.facts.likely_label : ""} />
              </div>
            </div>
            <h3>Who answered what</h3>
            {page.has_labels && <p class="hint">{page.order}</p>}
            {found.answers && found.answers.total > found.answers.respondents.length && <p class="hint">The {found.answers.respondents.length.toLocaleString("en-US")} most surprising of {found.answers.total.toLocaleString("en-US")}.</p>}
            {found.answers
              ? <DataTable table={answersTable(found.answers)} run={run} />
              : <Empty title="Answers are not in this report"><p>There are too many to hold. <code>itemcurve serve</code> shows them.</p></Empty>}
          </>
        )}
      </Shown>
    </>
  );
};
