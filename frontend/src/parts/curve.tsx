/* One item: its curve with an interval, and the responses behind it. */
import type { Curve } from "../types";
import { Figure } from "./figure";
import { niceTicks, writeNumber, writeTick } from "./numbers";

const WIDTH = 520, HEIGHT = 300, LEFT = 52, RIGHT = 12, TOP = 10, BOTTOM = 40;

export const CurveFigure = ({ curve, item }: { curve: Curve; item: string }) => {
  const low = curve.points[0], high = curve.points[curve.points.length - 1];
  const x = (value: number): number => LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  const y = (share: number): number => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  const { lower: [from], upper: [to], log } = curve.scale;
  const value = (share: number): number => (log ? from * (to / from) ** share : from + share * (to - from));
  const ups = log ? [0, 0.25, 0.5, 0.75, 1] : niceTicks(from, to).map((v) => (v - from) / (to - from));
  const path = (shares: number[]): string => shares.map((share, i) => `${i ? "L" : "M"}${x(curve.points[i]).toFixed(1)},${y(share).toFixed(1)}`).join("");
  const band = `${path(curve.upper)}${[...curve.lower].reverse().map((share, i) => `L${x(curve.points[curve.points.length - 1 - i]).toFixed(1)},${y(share).toFixed(1)}`).join("")}Z`;
  const caption = `Expected response by ${curve.axis}, with its ${Math.round(100 * curve.level)} % interval. Points: ${curve.names ? "respondents" : "groups of respondents of similar ability"}.`;
  return (
    <Figure name="item-curve" caption={caption}>
      <svg class="drawing curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Curve of ${item} with observed responses`}>
        {ups.map((share) => <g key={share}><line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(share)} y2={y(share)} /><text class="end" x={LEFT - 6} y={y(share) + 4}>{writeTick(Number(value(share).toPrecision(3)))}</text></g>)}
        {niceTicks(low, high, 6).map((tick) => <text key={tick} class="middle" x={x(tick)} y={HEIGHT - 20}>{writeTick(tick)}</text>)}
        <path class="band" d={band} /><path class="line" d={path(curve.expected)} />
        {curve.seen.map((share, i) => share !== null && curve.groups[i] >= low && curve.groups[i] <= high && (
          <circle key={i} class="seen" cx={x(curve.groups[i])} cy={y(share)} r="4.5"><title>{`${curve.names ? `${curve.names[i]}: ` : ""}${writeNumber(value(share))} at ${writeNumber(curve.groups[i])}`}</title></circle>
        ))}
        <text class="middle" x={WIDTH / 2 + 20} y={HEIGHT - 4}>{curve.axis}</text>
      </svg>
    </Figure>
  );
};
