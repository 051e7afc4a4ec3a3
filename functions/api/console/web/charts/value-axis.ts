// How the axis of a metric is divided and labelled. The unit stands with the value above the chart.
import type { Schemas } from '../api/client.ts';
import { formatNumber } from '../state/format.ts';

export interface ValueAxis {
  /** The steps between two labels, smallest first; all that the chart would choose if undefined. */
  steps?: readonly number[];
  format: (value: number) => string;
}

const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440];

export const axisOf = ({ unit, precision }: Pick<Schemas['Metric'], 'unit' | 'precision'>): ValueAxis =>
  unit === 'min'
    ? { steps: minuteSteps, format: formatAxisMinutes }
    : { format: (value) => formatNumber(value, Math.max(precision, 1)) };

const formatAxisMinutes = (minutes: number): string =>
  minutes >= 60 ? `${formatNumber(minutes / 60, 1)} h` : `${formatNumber(minutes, 0)} min`;
