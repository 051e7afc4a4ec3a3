// How the axis of a metric is divided and labelled. The unit stands with the value above the chart.
import type { components } from '../api/generated/v1.d.ts';
import { formatNumber, formatPercent } from '../state/format.ts';
import type { ScaleLimits } from './value-scale.ts';

export interface ValueAxis extends ScaleLimits {
  /** A tick in as many decimals as the distance of two ticks needs. */
  format: (value: number, decimals: number) => string;
}

const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1_440];

export const axisOf = ({ unit, precision }: Pick<components['schemas']['Metric'], 'unit' | 'precision'>): ValueAxis =>
  unit === 'min'
    ? { steps: minuteSteps, format: formatAxisMinutes }
    : { minStep: 10 ** -precision, format: formatNumber };

/** Whole things: no line lies between two of them. */
export const countAxis: ValueAxis = { minStep: 1, format: formatNumber };

/** Shares from 0 to 1, of which less than a percent is too little to be told apart. */
export const shareAxis: ValueAxis = {
  minStep: 0.01,
  format: (share, decimals) => formatPercent(share, Math.max(0, decimals - 2)),
};

const formatAxisMinutes = (minutes: number): string =>
  minutes >= 60 && minutes % 30 === 0 ? `${formatNumber(minutes / 60, 1)} h` : `${formatNumber(minutes, 0)} min`;
