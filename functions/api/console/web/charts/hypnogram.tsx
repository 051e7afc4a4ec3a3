// The stages of a night as steps, in the colours that the demo page has, on the clock of all nights.
import type { Schemas } from '../api/client.ts';
import { formatList, formatMinutes } from '../state/format.ts';
import { words } from '../words/en.ts';
import { edgePercent, placeLabel } from './label-place.ts';
import { listHourMarks, minutesFromMidnight, type NightClock, nameMark, placeOnClock } from './night-clock.ts';

type StagePeriod = Schemas['SleepStagePeriod'];
type Stage = StagePeriod['stage'];

const rows: readonly Stage[] = ['out_of_bed', 'awake', 'rem', 'light', 'asleep', 'deep', 'unknown'];
const rowPixels = 14;

const hourMs = 3_600_000;

interface PlacedStage {
  stage: Stage;
  startMs: number;
  endMs: number;
}

/**
 * Times without an offset are local to the night. When clocks go back, they repeat an hour: a time
 * before the previous one is an hour later.
 */
function placeStages(stages: readonly StagePeriod[]): PlacedStage[] {
  let previousMs = Number.NEGATIVE_INFINITY;
  let repeatedMs = 0;
  const place = (time: string): number => {
    const ms = Date.parse(`${time}Z`);
    while (ms + repeatedMs < previousMs) repeatedMs += hourMs;
    previousMs = ms + repeatedMs;
    return previousMs;
  };
  return stages.map(({ stage, start, end }) => ({ stage, startMs: place(start), endMs: place(end) }));
}

interface HypnogramProps {
  stages: readonly StagePeriod[];
  /** The day of waking. */
  date: string;
  clock: NightClock;
}

export function Hypnogram({ stages, date, clock }: HypnogramProps) {
  const placed = placeStages(stages);
  const present = rows.filter((row) => stages.some(({ stage }) => stage === row));
  const toX = (ms: number): number => placeOnClock(clock, minutesFromMidnight(date, ms));
  const minutesOf = (row: Stage): number =>
    placed
      .filter(({ stage }) => stage === row)
      .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 60_000, 0);
  const summary = present.map((row) => `${words.chart.stages[row]} ${formatMinutes(minutesOf(row))}`);
  const height = present.length * rowPixels;
  return (
    <div class="hypnogram">
      <ul aria-hidden="true">
        {present.map((row) => (
          <li key={row}>{words.chart.stages[row]}</li>
        ))}
      </ul>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        style={{ height: `${height}px` }}
        role="img"
        aria-label={words.chart.hypnogram(formatList(summary))}
      >
        {listHourMarks(clock).map((mark) => {
          const x = placeOnClock(clock, mark);
          return <line key={mark} class="hour-line" x1={x} x2={x} y1={0} y2={height} />;
        })}
        {placed.map(({ stage, startMs, endMs }) => (
          <rect
            key={startMs}
            class={`stage-${stage}`}
            x={toX(startMs)}
            width={toX(endMs) - toX(startMs)}
            y={present.indexOf(stage) * rowPixels + 1}
            height={rowPixels - 2}
          />
        ))}
      </svg>
    </div>
  );
}

/** The hours above all nights of a list. */
export const NightHours = ({ clock }: { clock: NightClock }) => (
  <div class="hypnogram night-hours" aria-hidden="true">
    <span />
    <div>
      {listHourMarks(clock).map((mark) => (
        <span key={mark} style={placeLabel(placeOnClock(clock, mark), edgePercent.ofHours)}>
          {nameMark(mark)}
        </span>
      ))}
    </div>
  </div>
);
