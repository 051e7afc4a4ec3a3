// Describes curves in words, built from their anchors, so that the page always matches the formula.
import type { Anchors } from '../../../shared/scores/curves.ts';
import { buildDurationAnchors, sleepNeeds } from '../../../shared/scores/sleep-score.ts';

interface PointsFormat {
  unit?: string;
  /** The factor that converts the anchors' unit to `unit`. */
  times?: number;
  /** The values that are published limits. All others are our choice. */
  published?: readonly number[];
}

/** The curve is constant before the first anchor and after the last. */
export function describePoints(anchors: Anchors, { unit = '', times = 1, published = [] }: PointsFormat = {}): string {
  const unknownLimits = published.filter((limit) => !anchors.some(([at]) => at === limit));
  if (unknownLimits.length > 0) throw new RangeError(`the curve has no anchor at ${unknownLimits.join(', ')}`);
  return anchors
    .map(([at, points], index) => {
      const preposition = index === 0 ? 'up to' : index === anchors.length - 1 ? 'from' : 'at';
      return `${points} ${preposition} ${formatFigure(at * times)}${unit}${published.includes(at) ? '†' : ''}`;
    })
    .join(', ');
}

/** Formats a figure with no more digits than it needs. */
export const formatFigure = (value: number): string => {
  const text = String(Number(value.toFixed(6)));
  const [integerPart = '', rest] = text.split('.');
  const grouped = integerPart.length > 4 ? integerPart.replace(/\B(?=(\d{3})+$)/g, ',') : integerPart;
  return rest === undefined ? grouped : `${grouped}.${rest}`;
};

/** One row per age group, youngest first: the hours at which `duration` gets its points. */
export const renderDurationRows = (): string =>
  sleepNeeds
    .toReversed()
    .map((need, index, all) => {
      const next = all[index + 1]?.fromAge;
      const ages = next === undefined ? `${need.fromAge} and over` : `${need.fromAge}–${next - 1}`;
      const hours = buildDurationAnchors(need).map(([hour]) => formatFigure(hour));
      return `<tr><th scope="row">${ages}</th>${hours.map((hour) => `<td>${hour}</td>`).join('')}</tr>`;
    })
    .join('\n');
