// The scores of a simulated year and their summary: how often there is one, how they are
// distributed and how confident they are.

import { type ScoreId, scoreIds } from '../../../shared/catalog/score-ids.ts';
import { confidences } from '../../../shared/catalog/score-states.ts';
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { createScorer, type DayScores } from '../../../shared/scores/day-scores.ts';
import { dateOf, daysOfTheYear, type SimulatedPerson, simulatedDays } from './simulated-days.ts';

/** The scores of each day of the year. */
export type ScoredYear = readonly DayScores[];

export function scoredYear(person: SimulatedPerson, seed: number): ScoredYear {
  const { scoreDay: on } = createScorer(simulatedDays(person, seed), person.profile);
  return Array.from({ length: daysOfTheYear }, (_none, day) => on(dateOf(day)));
}

export const valuesIn = (year: ScoredYear, id: ScoreId): number[] =>
  year.flatMap(({ scores }) => scores.get(id)?.value ?? []);
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
export const shareOf = <Item>(items: readonly Item[], holds: (item: Item) => boolean): number =>
  items.filter(holds).length / items.length;

export const isHighStress = (value: number): boolean => value > 60;

const bars = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** The number of days in each ten points; the fullest bar is the largest number. */
function histogram(values: readonly number[]): string {
  const counts = Array.from(
    { length: 10 },
    (_none, tenth) => values.filter((value) => Math.min(9, Math.floor(value / 10)) === tenth).length,
  );
  const maxCount = Math.max(1, ...counts);
  return counts.map((count) => bars[count === 0 ? 0 : Math.ceil((8 * count) / maxCount)]).join('');
}

const percent = (share: number): string => `${Math.round(100 * share)}`.padStart(4);

function line(year: ScoredYear, id: ScoreId): string {
  const values = valuesIn(year, id);
  const sure = confidences
    .toReversed()
    .map((level) => percent(shareOf(year, ({ scores }) => scores.get(id)?.confidence === level)));
  const reasons = Map.groupBy(
    year.flatMap(({ without }) => without.get(id) ?? []),
    (none) => ('reason' in none ? none.reason : none.status),
  );
  const why = [...reasons]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, days]) => `${reason} ${days.length}`);
  return [
    `  ${scoreRow(id).displayName.padEnd(21)}`,
    percent(values.length / year.length),
    values.length === 0 ? '   –' : String(Math.round(meanOf(values))).padStart(4),
    percent(shareOf(values, (value) => value <= 20)),
    percent(shareOf(values, (value) => (id === 'stress_score' ? isHighStress(value) : value >= 80))),
    ` ${histogram(values)} `,
    sure.join(''),
    `  ${why.join(', ')}`,
  ]
    .join(' ')
    .trimEnd();
}

/** A text chart with one block per person and one line per score. */
export function chartOf(people: readonly SimulatedPerson[], seed: number, yearOf = scoredYear): string {
  const head =
    'Days with a value, mean, ≤20 and ≥80 (stress: >60) in %; days in each ten points from 0 to 100; confidence high, medium, low in % of all days; days without a value by reason.\n';
  const columns = `${''.padEnd(23)} days mean  ≤20  ≥80  0─────100   high med  low  without`;
  const blocks = people.map((person) => {
    const year = yearOf(person, seed);
    return [person.name, ...scoreIds.map((id) => line(year, id))].join('\n');
  });
  return [head + columns, ...blocks].join('\n');
}
