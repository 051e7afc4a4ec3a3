// The patterns of devices, as SVG definitions that every strip and legend refers to.
import { useId } from 'preact/hooks';
import type { DeviceMark, PatternName } from './device-colors.ts';

const strokes: Readonly<Record<PatternName, string>> = {
  solid: '',
  rising: 'M-1 7 7 -1',
  falling: 'M-1 -1 7 7',
  dots: 'M3 2.4v1.2',
  bars: 'M3 0v6',
  lines: 'M0 3h6',
  grid: 'M3 0v6M0 3h6',
  checks: 'M0 1.5h3M3 4.5h3',
};

/** A small rectangle in the device's colour and pattern. */
export function DeviceSwatch({ mark }: { mark: DeviceMark | undefined }) {
  const id = useId();
  return (
    <svg class="device-swatch" viewBox="0 0 12 12" aria-hidden="true">
      <defs>
        <DevicePattern id={id} mark={mark} />
      </defs>
      <rect width="12" height="12" rx="2" fill={`url(#${id})`} />
    </svg>
  );
}

export const DevicePattern = ({ id, mark }: { id: string; mark: DeviceMark | undefined }) => (
  <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
    <rect width="6" height="6" style={{ fill: mark ? `var(${mark.colorName})` : 'var(--line)' }} />
    {mark && mark.pattern !== 'solid' && (
      <path d={strokes[mark.pattern]} style={{ stroke: 'var(--well)', strokeWidth: '1.4', fill: 'none' }} />
    )}
  </pattern>
);
