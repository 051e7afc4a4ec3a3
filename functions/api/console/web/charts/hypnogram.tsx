// The stages of a night as steps, in the colours that the demo page has.
import type { Schemas } from '../api/client.ts';
import { formatList, formatMinutes } from '../state/format.ts';
import { words } from '../words/en.ts';

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

export function Hypnogram({ stages }: { stages: readonly StagePeriod[] }) {
  const placed = placeStages(stages);
  const nightStartMs = placed[0]?.startMs ?? 0;
  const lengthMs = (placed.at(-1)?.endMs ?? 0) - nightStartMs || 1;
  const present = rows.filter((row) => stages.some(({ stage }) => stage === row));
  const toShare = (ms: number): number => (ms / lengthMs) * 100;
  const minutesOf = (row: Stage): number =>
    placed
      .filter(({ stage }) => stage === row)
      .reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / 60_000, 0);
  const summary = present.map((row) => `${words.chart.stages[row]} ${formatMinutes(minutesOf(row))}`);
  return (
    <div class="hypnogram">
      <ul aria-hidden="true">
        {present.map((row) => (
          <li key={row}>{words.chart.stages[row]}</li>
        ))}
      </ul>
      <svg
        viewBox={`0 0 100 ${present.length * rowPixels}`}
        preserveAspectRatio="none"
        style={{ height: `${present.length * rowPixels}px` }}
        role="img"
        aria-label={words.chart.hypnogram(formatList(summary))}
      >
        {placed.map(({ stage, startMs, endMs }) => (
          <rect
            key={startMs}
            class={`stage-${stage}`}
            x={toShare(startMs - nightStartMs)}
            width={toShare(endMs - startMs)}
            y={present.indexOf(stage) * rowPixels + 1}
            height={rowPixels - 2}
          />
        ))}
      </svg>
    </div>
  );
}
