// Every score of a day, from the canonical days up to it.
import type { MetricId } from '../../model/metrics.ts';
import { metricRow } from '../../model/metrics.ts';
import type { ScoreId } from '../../model/score-ids.ts';
import type { Score } from '../../model/scores.ts';
import type { Profile } from '../../model/user.ts';
import { dayMs } from '../time/local-day.ts';
import { baselineDays } from './baseline.ts';
import { energyReserveScore, fatigueDays } from './energy-reserve-score.ts';
import { nutritionScore } from './nutrition-score.ts';
import { recoveryScore } from './recovery-score.ts';
import type { History, ScoredPerson } from './scoring.ts';
import { sleepScore } from './sleep-score.ts';
import { strainScore } from './strain-score.ts';
import { stressScore } from './stress-score.ts';

/** A changed day changes the scores of itself and of this many days after it, and no others. */
export const reachDays = baselineDays + fatigueDays;

/** Values by metric index, NaN for none, under each date. */
export type CanonicalDays = ReadonlyMap<string, Float64Array>;

export type DayScores = ReadonlyMap<ScoreId, Score>;

const formulas: Readonly<Record<ScoreId, (history: History, person: ScoredPerson) => Score | null>> = {
  sleep_score: sleepScore,
  recovery_score: recoveryScore,
  strain_score: strainScore,
  nutrition_score: nutritionScore,
  stress_score: stressScore,
  energy_reserve_score: energyReserveScore,
};

export interface Scorer {
  /** The scores the day has; one that lacks what it needs is left out. */
  on(date: string): DayScores;
}

/** What lies more than `reachDays` before a date is not looked at. */
export function scorer(days: CanonicalDays, profile: Profile): Scorer {
  const byNumber = new Map([...days].map(([date, values]) => [dayNumber(date), values]));
  return {
    on(date) {
      const today = dayNumber(date);
      const history: History = { value: (metric, daysBack) => valueIn(byNumber.get(today - daysBack), metric) };
      const person = { ageYears: ageOn(date, profile.date_of_birth ?? null), weightKg: profile.weight_kg ?? null };
      const scores = new Map<ScoreId, Score>();
      for (const [id, formula] of entriesOf(formulas)) {
        const score = formula(history, person);
        if (score) scores.set(id, score);
      }
      return scores;
    },
  };
}

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

function valueIn(values: Float64Array | undefined, metric: MetricId): number | null {
  const value = values?.[metricRow(metric).index];
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** Whole years; nobody has an age before being born. */
function ageOn(date: string, dateOfBirth: string | null): number | null {
  if (dateOfBirth === null || date < dateOfBirth) return null;
  const years = Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return date.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** Holds because the record has exactly the keys of its type. */
const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][];
