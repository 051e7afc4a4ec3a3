// Who measured: a field in the colour and pattern of the device for each run of its days, a gap for
// nobody.
import { useId } from 'preact/hooks';
import { formatDayRange } from '../state/format.ts';
import { words } from '../words/en.ts';
import type { DeviceMark } from './device-colors.ts';
import { findRuns } from './find-runs.ts';
import { DevicePattern, DeviceSwatch } from './patterns.tsx';

export interface StripDevice {
  id: string;
  name: string;
  mark: DeviceMark | undefined;
}

interface SourceStripProps {
  dates: readonly string[];
  /** The device of each day, or null. */
  deviceIds: readonly (string | null)[];
  devices: readonly StripDevice[];
}

export function SourceStrip({ dates, deviceIds, devices }: SourceStripProps) {
  const base = useId();
  const present = devices.filter(({ id }) => deviceIds.includes(id));
  const share = 100 / Math.max(1, dates.length);
  return (
    <div class="source-strip">
      <svg role="img" aria-label={describeStrip(deviceIds, present)}>
        <defs>
          {present.map(({ id, mark }, at) => (
            <DevicePattern key={id} id={`${base}-${at}`} mark={mark} />
          ))}
        </defs>
        {findRuns(deviceIds).map(({ id, first, last }) => {
          const index = present.findIndex((device) => device.id === id);
          return (
            <rect
              key={first}
              x={`${first * share + share * 0.08}%`}
              width={`${(last - first) * share + share * 0.84}%`}
              height="100%"
              fill={`url(#${base}-${index})`}
            >
              <title>{`${formatDayRange(dates[first] ?? '', dates[last] ?? '')}: ${present[index]?.name ?? ''}`}</title>
            </rect>
          );
        })}
      </svg>
      <ul class="legend">
        {present.map(({ id, name, mark }) => (
          <li key={id}>
            <DeviceSwatch mark={mark} /> {name}
          </li>
        ))}
        {deviceIds.some((id) => id === null) && <li>{words.chart.gap}</li>}
      </ul>
    </div>
  );
}

const describeStrip = (deviceIds: readonly (string | null)[], devices: readonly StripDevice[]): string =>
  devices.length === 0
    ? words.chart.noDeviceMeasured
    : devices
        .map(({ id, name }) => words.chart.daysFrom(deviceIds.filter((each) => each === id).length, name))
        .join(', ');
