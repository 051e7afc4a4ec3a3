// The samples of one device and metric: how new ones join those already kept, and what a day of them comes to.
import { type MetricId, metricRow, quantize } from '../model/metrics.ts';
import type { KeptSample } from '../store/codec/sample-block.ts';
import { meanOf, sumOf } from './fixed-point.ts';

const inOrder = (a: KeptSample, b: KeptSample): number => a.startMs - b.startMs || a.endMs - b.endMs;

/** By start and end; of several with the same start and end, the one given last. */
function ordered(samples: readonly KeptSample[]): KeptSample[] {
  const sorted = samples.toSorted(inOrder);
  return sorted.filter((sample, at) => {
    const next = sorted[at + 1];
    return next === undefined || inOrder(sample, next) !== 0;
  });
}

const saysTheSame = (a: KeptSample, b: KeptSample): boolean =>
  a.value === b.value &&
  a.offsetMinutes === b.offsetMinutes &&
  a.original?.value === b.original?.value &&
  a.original?.unit === b.original?.unit;

/**
 * A sample that arrives again replaces the kept one, except for where the phone was: its first arrival has fixed its day, and
 * sending it again from another zone must not move it.
 */
export function mergeSamples(
  kept: readonly KeptSample[],
  incoming: readonly KeptSample[],
): { samples: KeptSample[]; changed: boolean } {
  const samples: KeptSample[] = [];
  const old = ordered(kept);
  let changed = false;
  let at = 0;
  for (const sample of ordered(incoming)) {
    let before = old[at];
    while (before !== undefined && inOrder(before, sample) < 0) {
      samples.push(before);
      before = old[++at];
    }
    if (before === undefined || inOrder(before, sample) > 0) {
      samples.push(sample);
      changed = true;
    } else if (saysTheSame(before, sample)) {
      samples.push(before);
      at++;
    } else {
      samples.push({ ...sample, fallbackOffsetMinutes: before.fallbackOffsetMinutes });
      changed = true;
      at++;
    }
  }
  for (; at < old.length; at++) {
    const rest = old[at];
    if (rest !== undefined) samples.push(rest);
  }
  return { samples, changed };
}

/** One value for a day of samples, by the metric's own aggregation; a mean counts every sample alike. */
export function dayValue(
  metric: MetricId,
  samples: readonly Pick<KeptSample, 'startMs' | 'endMs' | 'value'>[],
): number | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  const values = samples.map(({ value }) => value);
  switch (metricRow(metric).aggregation) {
    case 'sum':
      return sumOf(metric, values);
    case 'avg':
      return meanOf(metric, values);
    case 'min':
      return quantize(
        metric,
        values.reduce((a, b) => Math.min(a, b)),
      );
    case 'max':
      return quantize(
        metric,
        values.reduce((a, b) => Math.max(a, b)),
      );
    case 'last':
      return quantize(
        metric,
        samples.reduce((a, b) => ((b.startMs - a.startMs || b.endMs - a.endMs) >= 0 ? b : a)).value,
      );
  }
}
