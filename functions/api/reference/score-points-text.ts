// Curves in words, made from their anchors: what the page says of a factor is what the formula does.
import type { Anchors } from '../../../shared/scores/curves.ts';
import { buildDurationAnchors, sleepNeeds } from '../../../shared/scores/sleep-score.ts';

interface PointsFormat {
  unit?: string;
  /** What one of the anchors' units is in that unit. */
  times?: number;
  /** The values that are published limits; all others are our choice. */
  published?: readonly number[];
}

/** Level before the first anchor and after the last, as the curve is. */
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

/** As people write it: no more digits than it has. */
export const formatFigure = (value: number): string => {
  const text = String(Number(value.toFixed(6)));
  const [integerPart = '', rest] = text.split('.');
  const grouped = integerPart.length > 4 ? integerPart.replace(/\B(?=(\d{3})+$)/g, ',') : integerPart;
  return rest === undefined ? grouped : `${grouped}.${rest}`;
};

/** A row for each age: the hours at which duration has its points, the youngest first. */
export const renderDurationRows = (): string =>
  sleepNeeds
    .toReversed()
    .map((need, at, all) => {
      const next = all[at + 1]?.fromAge;
      const ages = next === undefined ? `${need.fromAge} and over` : `${need.fromAge}–${next - 1}`;
      const hours = buildDurationAnchors(need).map(([hour]) => formatFigure(hour));
      return `<tr><th scope="row">${ages}</th>${hours.map((hour) => `<td>${hour}</td>`).join('')}</tr>`;
    })
    .join('\n');
