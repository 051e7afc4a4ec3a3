// A day from midnight to midnight: one lane for each device, what counted filled and what was left
// out in outline.
import { useId } from 'preact/hooks';
import { dayBounds } from '../../../../../shared/platform/time/local-day.ts';
import { formatClock } from '../state/format.ts';
import { words } from '../words/en.ts';
import { DevicePattern } from './patterns.tsx';
import type { StripDevice } from './source-strip.tsx';

interface DayPeriodsProps {
  date: string;
  zone: string;
  periods: readonly { start: string; end: string; device_id: string; value: number; counted: number }[];
  devices: readonly StripDevice[];
}

const lanePixels = 28;
const minWidth = 0.25;

export function DayPeriods({ date, zone, periods, devices }: DayPeriodsProps) {
  const base = useId();
  const { startMs, endMs } = dayBounds(date, zone);
  const lengthMs = endMs - startMs;
  const toX = (time: string): number => Math.max(0, Math.min(100, ((Date.parse(time) - startMs) / lengthMs) * 100));
  const rateOf = ({ start, end, value }: DayPeriodsProps['periods'][number]): number =>
    value / Math.max(1, (Date.parse(end) - Date.parse(start)) / 60_000);
  const maxRate = Math.max(...periods.map(rateOf), 0) || 1;
  const lanes = devices.filter(({ id }) => periods.some(({ device_id }) => device_id === id));
  return (
    <div class="day-periods">
      {lanes.map(({ id, name, mark }, lane) => {
        const own = periods.filter(({ device_id }) => device_id === id);
        return (
          <div key={id} class="lane">
            <span>{name}</span>
            <svg
              viewBox={`0 0 100 ${lanePixels}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={words.why.lane(name, own.length, own.filter(({ counted }) => counted === 0).length)}
            >
              <defs>
                <DevicePattern id={`${base}-${lane}`} mark={mark} />
              </defs>
              {own.map((period) => {
                const [x, height] = [toX(period.start), Math.max(2, (rateOf(period) / maxRate) * (lanePixels - 2))];
                return (
                  <rect
                    key={period.start + period.end}
                    class={period.counted === 0 ? 'left-out' : undefined}
                    x={x}
                    y={lanePixels - height}
                    width={Math.max(minWidth, toX(period.end) - x)}
                    height={height}
                    fill={period.counted === 0 ? 'none' : `url(#${base}-${lane})`}
                  />
                );
              })}
            </svg>
          </div>
        );
      })}
      <div class="lane hours" aria-hidden="true">
        <span />
        <span class="hour-names">
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <span key={part}>{formatClock(new Date(startMs + part * lengthMs), zone)}</span>
          ))}
        </span>
      </div>
      <p class="muted small">{words.why.outline}</p>
    </div>
  );
}
