// The heart rate of a workout over its zones. A pause without samples is a gap.
import type { Schemas } from '../api/client.ts';
import { words } from '../words/en.ts';

type HeartRate = Schemas['WorkoutHeartRate'];

const [width, height] = [600, 140];
/** Samples that are further apart than this are not joined. */
const gapSeconds = 120;

export function HeartTrace({ heartRate, name }: { heartRate: HeartRate; name: string }) {
  const { samples, zones } = heartRate;
  const times = samples.map(({ timestamp }) => Date.parse(timestamp) / 1000);
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const rates = samples.map(({ bpm }) => bpm);
  const [low, high] = [Math.min(...rates) - 5, Math.max(...rates) + 5];
  const toX = (time: number): number => ((time - first) / (last - first || 1)) * width;
  const toY = (bpm: number): number => height - ((bpm - low) / (high - low || 1)) * height;
  const path = samples.map(({ bpm }, at) => {
    const isGap = at === 0 || (times[at] ?? 0) - (times[at - 1] ?? 0) > gapSeconds;
    return `${isGap ? 'M' : 'L'}${toX(times[at] ?? 0).toFixed(1)} ${toY(bpm).toFixed(1)}`;
  });
  return (
    <svg
      class="heart-trace"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.chart.traceOf(name, heartRate.avg_bpm, heartRate.max_bpm)}
    >
      {zones.map(({ zone, min_bpm, max_bpm }) => {
        const [top, bottom] = [toY(Math.min(high, max_bpm)), toY(Math.max(low, min_bpm))];
        return bottom <= top ? null : (
          <rect key={zone} class={`zone zone-${zone}`} x="0" width={width} y={top} height={bottom - top} />
        );
      })}
      <path d={path.join('')} />
    </svg>
  );
}
