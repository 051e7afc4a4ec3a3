// Curves in words, made from their anchors: what the page says of a factor is what the formula does.
import type { Anchors } from '../../../shared/scores/curves.ts';
import { durationAnchors, sleepNeeds } from '../../../shared/scores/sleep-score.ts';

interface Shown {
  unit?: string;
  /** What one of the anchors' units is in that unit. */
  times?: number;
  /** The values that are published limits; all others are our choice. */
  published?: readonly number[];
}

/** Level before the first anchor and after the last, as the curve is. */
export function pointsInWords(anchors: Anchors, { unit = '', times = 1, published = [] }: Shown = {}): string {
  const stray = published.filter((limit) => !anchors.some(([at]) => at === limit));
  if (stray.length > 0) throw new RangeError(`the curve has no anchor at ${stray.join(', ')}`);
  return anchors
    .map(([at, points], place) => {
      const where = place === 0 ? 'up to' : place === anchors.length - 1 ? 'from' : 'at';
      return `${points} ${where} ${figure(at * times)}${unit}${published.includes(at) ? '†' : ''}`;
    })
    .join(', ');
}

/** As people write it: no more digits than it has. */
export const figure = (value: number): string => {
  const text = String(Number(value.toFixed(6)));
  const [whole = '', rest] = text.split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return rest === undefined ? grouped : `${grouped}.${rest}`;
};

/** A row for each age: the hours at which duration has its points, the youngest first. */
export const durationRows = (): string =>
  sleepNeeds
    .toReversed()
    .map((need, at, all) => {
      const next = all[at + 1]?.fromAge;
      const ages = next === undefined ? `${need.fromAge} and over` : `${need.fromAge}–${next - 1}`;
      const hours = durationAnchors(need).map(([hour]) => figure(hour));
      return `<tr><th scope="row">${ages}</th>${hours.map((hour) => `<td>${hour}</td>`).join('')}</tr>`;
    })
    .join('\n');
