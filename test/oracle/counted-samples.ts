// What remains of each sample next to samples of higher-ranked devices for the same metric, and how
// far coarse merging may change that.
import { type CellCoverage, computeCoverage, findCellSpan } from './cell-coverage.ts';
import type { Device } from './model-user.ts';
import { isZero, multiply, type Rational, ratio, zero } from './rational.ts';
import { isMoment, type Sample } from './records.ts';
import { excludeSpans, includesInstant, intersectSpans, totalLength, unionSpans } from './spans.ts';
import type { View } from './view.ts';
import type { Span } from './zone-clock.ts';

/** For an interval, the time that counts. For an instant sample, whether it counts. */
export interface CountedSample {
  device: Device;
  sample: Sample;
  spans: Span[];
  moment: boolean;
  /** The time for which coarse merging decides whether it counts. */
  looseSpans: Span[];
  looseMoment: boolean;
}

const cache = new WeakMap<View, Map<string, Map<Sample, CountedSample>>>();

/** Every sample of the devices, which are ordered from the highest-ranked. */
export function countedSamples(view: View, metric: string, devices: readonly Device[]): Map<Sample, CountedSample> {
  const cachedForView = cache.get(view) ?? new Map<string, Map<Sample, CountedSample>>();
  const key = [metric, ...devices.map(({ id }) => id)].join(' ');
  const found =
    cachedForView.get(key) ??
    new Map(resolveOverlaps(view, metric, devices).map((counted) => [counted.sample, counted]));
  cache.set(view, cachedForView.set(key, found));
  return found;
}

function resolveOverlaps(view: View, metric: string, devices: readonly Device[]): CountedSample[] {
  const higherRanked: CellCoverage[] = [];
  const all: CountedSample[] = [];
  for (const device of devices) {
    const samples = view.samplesOf(device, metric);
    if (samples.length === 0) continue;
    const own = computeCoverage(samples, view.partsOf);
    const exact = unionSpans(higherRanked.flatMap((cover) => cover.exact));
    const coarse = unionSpans(higherRanked.flatMap((cover) => cover.coarse));
    for (const sample of samples)
      all.push({
        device,
        sample,
        ...(isMoment(sample)
          ? countMoment(sample.start, higherRanked, exact, coarse)
          : countInterval(sample, view.partsOf(sample), own, exact, coarse)),
      });
    higherRanked.push(own);
  }
  return all;
}

function countInterval(sample: Sample, parts: readonly Span[], own: CellCoverage, exact: Span[], coarse: Span[]) {
  const uncertain = excludeSpans(coarse, exact);
  return {
    spans: excludeSpans([{ from: sample.start, to: sample.end }], exact),
    moment: false,
    looseSpans: parts.flatMap((part) => {
      const cellSpan = findCellSpan(part, own);
      if (!cellSpan) return intersectSpans(uncertain, part);
      return isDecided(cellSpan, exact, coarse) ? [] : [part];
    }),
    looseMoment: false,
  };
}

/**
 * A span that is entirely free or entirely covered stays so, wherever its samples are within it.
 */
const isDecided = (cellSpan: Span, exact: Span[], coarse: Span[]): boolean =>
  intersectSpans(coarse, cellSpan).length === 0 ||
  totalLength(intersectSpans(exact, cellSpan)) === cellSpan.to - cellSpan.from;

/**
 * Two devices at one instant count once. An instant within a higher-ranked device's interval does
 * not count either.
 */
function countMoment(at: number, higherRanked: readonly CellCoverage[], exact: Span[], coarse: Span[]) {
  const isCovered = includesInstant(exact, at) || higherRanked.some(({ moments }) => moments.has(at));
  return { spans: [], moment: !isCovered, looseSpans: [], looseMoment: !isCovered && includesInstant(coarse, at) };
}

/** The value that falls into a window, and its tolerance. */
export interface Amount {
  value: Rational;
  tolerance: Rational;
  /** The same value in the unit in which it was reported. */
  original: Rational;
  originalTolerance: Rational;
  /** Whether any counted part is in the window at all. */
  touches: boolean;
}

export function amountIn(counted: CountedSample, window: Span): Amount {
  const { sample, spans, looseSpans } = counted;
  if (isMoment(sample)) {
    const inside = window.from <= sample.start && sample.start < window.to;
    return amount(sample, ratio(inside && counted.moment ? 1 : 0), ratio(inside && counted.looseMoment ? 1 : 0));
  }
  const length = sample.end - sample.start;
  return amount(
    sample,
    ratio(totalLength(intersectSpans(spans, window)), length),
    ratio(totalLength(intersectSpans(looseSpans, window)), length),
  );
}

const amount = ({ value, originalValue: sent }: Sample, share: Rational, toleranceShare: Rational): Amount => ({
  value: isZero(share) ? zero : multiply(value, share),
  tolerance: isZero(toleranceShare) ? zero : multiply(value, toleranceShare),
  original: isZero(share) ? zero : multiply(sent, share),
  originalTolerance: isZero(toleranceShare) ? zero : multiply(sent, toleranceShare),
  touches: !isZero(share),
});
