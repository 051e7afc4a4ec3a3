// The heart rate of a workout over its zones, with the rate and the minutes on axes. A pause without
// samples is a gap.
import type { Schemas } from '../api/client.ts';
import { formatMinutes, formatNumber } from '../state/format.ts';
import { words } from '../words/en.ts';
import { edgePercent, placeLabel } from './label-place.ts';
import { chooseScale, minuteSteps } from './value-scale.ts';

type HeartRate = Schemas['WorkoutHeartRate'];

const [width, height] = [600, 140];
/** Samples that are further apart than this are not joined. */
const gapSeconds = 120;

interface HeartTraceProps {
  heartRate: HeartRate;
  name: string;
  /** Local, without an offset, as the times of the samples are. */
  startTime: string;
  durationMinutes: number;
}

const readLocalSeconds = (time: string): number => Date.parse(`${time.slice(0, 19)}Z`) / 1000;

export function HeartTrace({ heartRate, name, startTime, durationMinutes }: HeartTraceProps) {
  const { samples, zones } = heartRate;
  const times = samples.map(({ timestamp }) => readLocalSeconds(timestamp));
  const start = readLocalSeconds(startTime);
  const first = Math.min(start, times[0] ?? start);
  const last = Math.max(start + durationMinutes * 60, times.at(-1) ?? start);
  const rates = chooseScale(
    'rate',
    samples.map(({ bpm }) => bpm),
    { minStep: 5 },
  );
  const minutes = chooseScale('amount', [(last - first) / 60], { steps: minuteSteps });
  const toX = (time: number): number => ((time - first) / (last - first || 1)) * width;
  const toY = (bpm: number): number => height - ((bpm - rates.min) / (rates.max - rates.min)) * height;
  const path = samples.map(({ bpm }, at) => {
    const isGap = at === 0 || (times[at] ?? 0) - (times[at - 1] ?? 0) > gapSeconds;
    return `${isGap ? 'M' : 'L'}${toX(times[at] ?? 0).toFixed(1)} ${toY(bpm).toFixed(1)}`;
  });
  const minuteTicks = minutes.ticks.filter((minute) => first + minute * 60 <= last);
  return (
    <div class="heart-trace">
      <ol class="trace-rates" aria-hidden="true">
        {rates.ticks.toReversed().map((bpm) => (
          <li key={bpm} style={{ top: `${(toY(bpm) / height) * 100}%` }}>
            {words.chart.bpm(formatNumber(bpm, rates.decimals))}
          </li>
        ))}
      </ol>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart.traceOf(name, heartRate.avg_bpm, heartRate.max_bpm)}
      >
        {zones.map(({ zone, min_bpm, max_bpm }) => {
          const [top, bottom] = [toY(Math.min(rates.max, max_bpm)), toY(Math.max(rates.min, min_bpm))];
          return bottom <= top ? null : (
            <rect key={zone} class={`zone zone-${zone}`} x="0" width={width} y={top} height={bottom - top} />
          );
        })}
        {rates.ticks.map((bpm) => (
          <line key={bpm} class="hour-line" x1="0" x2={width} y1={toY(bpm)} y2={toY(bpm)} />
        ))}
        <path d={path.join('')} />
      </svg>
      <ol class="trace-minutes" aria-hidden="true">
        {minuteTicks.map((minute) => (
          <li key={minute} style={placeLabel((toX(first + minute * 60) / width) * 100, edgePercent.ofMinutes)}>
            {formatMinutes(minute)}
          </li>
        ))}
      </ol>
    </div>
  );
}
