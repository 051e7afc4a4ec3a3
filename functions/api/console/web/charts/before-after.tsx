// The days before and after a change in one chart: the outline is now, the filled mark is afterwards.
// A day that nobody measured is a gap.
import { formatDay } from '../state/format.ts';
import { words } from '../words/en.ts';

interface BeforeAfterProps {
  label: string;
  dates: readonly string[];
  before: readonly (number | null)[];
  after: readonly (number | null)[];
  /** Amounts are bars from zero; a rate is a mark whose axis need not begin there. */
  kind: 'amount' | 'rate';
  format: (value: number) => string;
}

export function BeforeAfter({ label, dates, before, after, kind, format }: BeforeAfterProps) {
  const values = [...before, ...after].filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return null;
  const highest = Math.max(...values);
  const lowest = kind === 'amount' ? 0 : Math.min(...values);
  // A percentage from the top, with room for the marks of the extremes.
  const topOf = (value: number): number => 96 - ((value - lowest) / (highest - lowest || 1)) * 92;
  const share = 100 / dates.length;
  return (
    <figure class="before-after">
      <div class="before-after-axis muted" aria-hidden="true">
        <span>{format(highest)}</span>
        <span>{format(lowest)}</span>
      </div>
      <svg role="img" aria-label={label}>
        {dates.map((date, at) => {
          const [now, next] = [before[at] ?? null, after[at] ?? null];
          const left = at * share;
          return (
            <g key={date}>
              <title>{describeDay(date, now, next, format)}</title>
              {now !== next && <rect class="changed-day" x={`${left}%`} width={`${share}%`} height="100%" />}
              {next !== null && <Mark class="after" kind={kind} top={topOf(next)} left={left} share={share} />}
              {now !== null && <Mark class="before" kind={kind} top={topOf(now)} left={left} share={share} />}
            </g>
          );
        })}
      </svg>
      <figcaption class="muted">
        <span>{formatDay(dates[0] ?? '')}</span>
        <span class="legend">
          <span class="before-swatch" aria-hidden="true" /> {words.consolidation.before}
          <span class="after-swatch" aria-hidden="true" /> {words.consolidation.after}
        </span>
        <span>{formatDay(dates.at(-1) ?? '')}</span>
      </figcaption>
    </figure>
  );
}

interface MarkProps {
  class: 'before' | 'after';
  kind: 'amount' | 'rate';
  /** Percentages of the chart. */
  top: number;
  left: number;
  share: number;
}

const Mark = ({ class: className, kind, top, left, share }: MarkProps) =>
  kind === 'amount' ? (
    <rect
      class={className}
      x={`${left + share * 0.18}%`}
      width={`${share * 0.64}%`}
      y={`${top}%`}
      height={`${96 - top}%`}
    />
  ) : (
    <circle class={className} cx={`${left + share / 2}%`} cy={`${top}%`} r={className === 'before' ? 4.5 : 3} />
  );

function describeDay(date: string, before: number | null, after: number | null, format: (value: number) => string) {
  const write = (value: number | null): string => (value === null ? words.chart.missing : format(value));
  return words.consolidation.dayChange(formatDay(date, 'long'), write(before), write(after));
}
