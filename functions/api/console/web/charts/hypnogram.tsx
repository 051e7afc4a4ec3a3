// The stages of a night as steps, in the colours that the demo page has.
import type { Schemas } from '../api/client.ts';
import { formatList, formatMinutes } from '../state/format.ts';
import { words } from '../words/en.ts';

type StagePeriod = Schemas['SleepStagePeriod'];
type Stage = StagePeriod['stage'];

const rows: readonly Stage[] = ['out_of_bed', 'awake', 'rem', 'light', 'asleep', 'deep', 'unknown'];
const rowPixels = 14;

/** Times without an offset are local to the night, and only their differences matter here. */
const toMs = (time: string): number => Date.parse(`${time}Z`);

export function Hypnogram({ stages }: { stages: readonly StagePeriod[] }) {
  const startMs = Math.min(...stages.map(({ start }) => toMs(start)));
  const lengthMs = Math.max(...stages.map(({ end }) => toMs(end))) - startMs || 1;
  const present = rows.filter((row) => stages.some(({ stage }) => stage === row));
  const toX = (time: string): number => ((toMs(time) - startMs) / lengthMs) * 100;
  const minutesOf = (row: Stage): number =>
    stages
      .filter(({ stage }) => stage === row)
      .reduce((sum, { start, end }) => sum + (toMs(end) - toMs(start)) / 60_000, 0);
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
        {stages.map(({ stage, start, end }) => (
          <rect
            key={start}
            class={`stage-${stage}`}
            x={toX(start)}
            width={toX(end) - toX(start)}
            y={present.indexOf(stage) * rowPixels + 1}
            height={rowPixels - 2}
          />
        ))}
      </svg>
    </div>
  );
}
