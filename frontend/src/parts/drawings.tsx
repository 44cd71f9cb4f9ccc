/* Pictures whose places were worked out by the library. */
import type { BarDrawing, Intervals, LineDrawing, Picture, Tick } from "../types";
import { linkTo } from "../router";
import { Figure } from "./figure";
import { useWidth } from "./width";

const UpTicks = ({ ticks, right }: { ticks: Tick[]; right: number }) => (
  <>{ticks.map((tick) => (
    <g key={tick.text}><line class="grid" x1="52" x2={right} y1={tick.place} y2={tick.place} /><text class="end" x="46" y={tick.place + 4}>{tick.text}</text></g>
  ))}</>
);

const AcrossTicks = ({ ticks, y }: { ticks: Tick[]; y: number }) => (
  <>{ticks.map((tick) => <text key={tick.text} class="middle" x={tick.place} y={y}>{tick.text}</text>)}</>
);

export const IntervalFigure = ({ picture, run }: { picture: Intervals; run?: string }) => {
  const [ref, width] = useWidth(720);
  const left = Math.min(220, Math.max(110, width * 0.28)), right = 16, row = 26;
  const height = picture.rows.length * row + 46;
  const x = (place: number): number => left + (place / 100) * (width - left - right);
  const most = Math.floor(left / 7.4);
  const words = (name: string, y: number) => <text class="end" x={left - 10} y={y + 4}>{name}</text>;
  const caption = (
    <>Bars are 90&nbsp;% intervals. Filled points: not clearly behind the best; hollow points: clearly behind it.
      {picture.line && ` The dashed line is ${picture.line.text}, which never looks at an item.`}
      {picture.far && ` ${picture.far}, far to the left.`}
      {picture.more > 0 && ` ${picture.more.toLocaleString("en-US")} more are in the leaderboard.`}</>
  );
  return (
    <Figure name="intervals" caption={caption} wide>
      <div ref={ref}>
        <svg class="drawing intervals" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${picture.label} of the best respondents with 90 % intervals`}>
          {picture.ticks.map((tick) => (
            <g key={tick.text}><line class="grid" x1={x(tick.place)} x2={x(tick.place)} y1="4" y2={height - 40} /><text class="middle" x={x(tick.place)} y={height - 24}>{tick.text}</text></g>
          ))}
          {picture.line && <line class="constant" x1={x(picture.line.place)} x2={x(picture.line.place)} y1="4" y2={height - 40} />}
          {picture.rows.map((each, i) => {
            const y = 18 + i * row, room = i === 0 ? most - 2 : most, name = each.name.length > room ? `${each.name.slice(0, room - 1)}…` : each.name;
            return (
              <g key={each.name} class={`row ${each.kind}`}>
                <title>{each.words}</title>
                {run ? <a href={linkTo(["run", run, "respondent", each.name])}>{words(name, y)}</a> : words(name, y)}
                <line class="reach" x1={x(each.lower)} x2={x(each.upper)} y1={y} y2={y} />
                <circle cx={x(each.middle)} cy={y} r="5.5" />
              </g>
            );
          })}
          <text class="middle" x={(left + width - right) / 2} y={height - 6}>{picture.label}</text>
        </svg>
      </div>
    </Figure>
  );
};

export const PictureFigure = ({ picture: p }: { picture: Picture }) => (
  <Figure name={p.title.toLowerCase().replaceAll(" ", "-")} caption={<><strong>{p.title}.</strong> {p.caption} {p.traces.map((t, i) => <span key={t.name} class={`key trace-${i + 1}`}>{t.name} </span>)}</>}>
    <svg class="drawing" viewBox={`0 0 ${p.width} ${p.height}`} role="img" aria-label={p.title}>
      <UpTicks ticks={p.up} right={p.width - 14} /><AcrossTicks ticks={p.across} y={p.height - 22} />
      {p.diagonal && <path class="diagonal" d={p.diagonal} />}
      {p.traces.map((t, i) => (
        <g key={t.name} class={`trace trace-${i + 1}`}><path d={t.path} />{t.dots.map((d, j) => <circle key={j} cx={d.x} cy={d.y} r="4"><title>{d.words}</title></circle>)}</g>
      ))}
      {p.dots.map((d, i) => (
        <g key={i}><circle class="seen" cx={d.x} cy={d.y} r="5"><title>{d.words}</title></circle>
          {d.name && <text class={d.is_left ? "end" : undefined} x={d.x + (d.is_left ? -9 : 9)} y={d.y + 4}>{d.name}</text>}</g>
      ))}
      <text class="middle" x={p.width / 2 + 20} y={p.height - 4}>{p.labels[0]}</text>
      <text class="middle" transform="rotate(-90)" x={-(p.height - 40) / 2} y="12">{p.labels[1]}</text>
    </svg>
  </Figure>
);

export const ScaleFigures = ({ scale: [line, map] }: { scale: [LineDrawing, BarDrawing] }) => (
  <div class="pair">
    <Figure name="information" caption={`${line.title}: the higher, the more precisely abilities there are measured (standard error = 1/√information).`}>
      <svg class="drawing" viewBox={`0 0 ${line.width} ${line.height}`} role="img" aria-label={line.title}>
        <UpTicks ticks={line.up} right={line.width - 12} /><AcrossTicks ticks={line.across} y={line.height - 20} />
        <path class="area" d={line.area} /><path class="line" d={line.path} />
        <text class="middle" x={line.width / 2 + 20} y={line.height - 4}>{line.label_across}</text>
      </svg>
    </Figure>
    <Figure name="wright-map" caption={`Wright map, ${map.label_up}: where one side has bars and the other none, the test is too easy or too hard.`}>
      <svg class="drawing" viewBox={`0 0 ${map.width} ${map.height}`} role="img" aria-label={map.title}>
        <UpTicks ticks={map.up} right={map.width - 12} />
        {map.bars.map((bar, i) => <rect key={i} class={bar.kind} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />)}
        <text class="end respondents" x={map.middle - 8} y={map.height - 2}>abilities of respondents</text>
        <text class="items" x={map.middle + 8} y={map.height - 2}>difficulties of items</text>
      </svg>
    </Figure>
  </div>
);
