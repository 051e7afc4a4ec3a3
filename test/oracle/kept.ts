// What each sample keeps beside better devices' samples of the same metric, and how far coarseness may move that.
import { type Cover, coverOf, pieceOf } from './coarseness.ts';
import type { Device } from './person.ts';
import { isZero, multiply, type Rational, ratio, zero } from './rational.ts';
import { isMoment, type Sample } from './records.ts';
import { holds, lengthOf, union, within, without } from './spans.ts';
import type { View } from './view.ts';
import type { Span } from './zone-clock.ts';

/** Of an interval the time it keeps; of a moment all or nothing. */
export interface Kept {
  device: Device;
  sample: Sample;
  spans: Span[];
  moment: boolean;
  /** The time whose keeping or losing depends on coarseness. */
  looseSpans: Span[];
  looseMoment: boolean;
}

const known = new WeakMap<View, Map<string, Map<Sample, Kept>>>();

/** Every sample of the devices, which come the most believed first. */
export function keptSamples(view: View, metric: string, devices: readonly Device[]): Map<Sample, Kept> {
  const ofView = known.get(view) ?? new Map<string, Map<Sample, Kept>>();
  const key = [metric, ...devices.map(({ id }) => id)].join(' ');
  const found = ofView.get(key) ?? new Map(compete(view, metric, devices).map((kept) => [kept.sample, kept]));
  known.set(view, ofView.set(key, found));
  return found;
}

function compete(view: View, metric: string, devices: readonly Device[]): Kept[] {
  const better: Cover[] = [];
  const all: Kept[] = [];
  for (const device of devices) {
    const samples = view.samplesOf(device, metric);
    if (samples.length === 0) continue;
    const own = coverOf(samples, view.partsOf);
    const exact = union(better.flatMap((cover) => cover.exact));
    const coarse = union(better.flatMap((cover) => cover.coarse));
    for (const sample of samples)
      all.push({
        device,
        sample,
        ...(isMoment(sample)
          ? keptMoment(sample.start, better, exact, coarse)
          : keptInterval(sample, view.partsOf(sample), own, exact, coarse)),
      });
    better.push(own);
  }
  return all;
}

function keptInterval(sample: Sample, parts: readonly Span[], own: Cover, exact: Span[], coarse: Span[]) {
  const unsure = without(coarse, exact);
  return {
    spans: without([{ from: sample.start, to: sample.end }], exact),
    moment: false,
    looseSpans: parts.flatMap((part) => {
      const piece = pieceOf(part, own);
      if (!piece) return within(unsure, part);
      return isDecided(piece, exact, coarse) ? [] : [part];
    }),
    looseMoment: false,
  };
}

/** A piece that is wholly free or wholly covered stays so, however its samples lie in it. */
const isDecided = (piece: Span, exact: Span[], coarse: Span[]): boolean =>
  within(coarse, piece).length === 0 || lengthOf(within(exact, piece)) === piece.to - piece.from;

/**
 * Two devices at one instant count once; a moment within a better device's interval does not count
 * either.
 */
function keptMoment(at: number, better: readonly Cover[], exact: Span[], coarse: Span[]) {
  const isCovered = holds(exact, at) || better.some(({ moments }) => moments.has(at));
  return { spans: [], moment: !isCovered, looseSpans: [], looseMoment: !isCovered && holds(coarse, at) };
}

/** The value that falls into a window, and how far off it may be. */
export interface Amount {
  value: Rational;
  tolerance: Rational;
  /** The same value in the unit it came in. */
  original: Rational;
  originalTolerance: Rational;
  /** Whether anything that was kept lies in the window at all. */
  touches: boolean;
}

export function amountIn(kept: Kept, window: Span): Amount {
  const { sample, spans, looseSpans } = kept;
  if (isMoment(sample)) {
    const inside = window.from <= sample.start && sample.start < window.to;
    return amount(sample, ratio(inside && kept.moment ? 1 : 0), ratio(inside && kept.looseMoment ? 1 : 0));
  }
  const length = sample.end - sample.start;
  return amount(
    sample,
    ratio(lengthOf(within(spans, window)), length),
    ratio(lengthOf(within(looseSpans, window)), length),
  );
}

const amount = ({ value, sent }: Sample, share: Rational, loose: Rational): Amount => ({
  value: isZero(share) ? zero : multiply(value, share),
  tolerance: isZero(loose) ? zero : multiply(value, loose),
  original: isZero(share) ? zero : multiply(sent, share),
  originalTolerance: isZero(loose) ? zero : multiply(sent, loose),
  touches: !isZero(share),
});
