// Computes every score of a day, or the reason why it has none, from the canonical days up to that
// day.

import type { MetricId } from '../catalog/metrics.ts';
import { metricRow } from '../catalog/metrics.ts';
import { type ScoreId, scoreIds } from '../catalog/score-ids.ts';
import type { NoScore } from '../catalog/score-states.ts';
import type { CanonicalRow } from '../measurements/codec/canonical-day.ts';
import { dayMs, utcDay } from '../platform/time/local-day.ts';
import { checkScoreAge, getAge, type ScoredProfile } from './age-limits.ts';
import { baselineDays } from './baseline.ts';
import { energyReserveScore, fatigueDays } from './energy-reserve-score.ts';
import { nutritionScore } from './nutrition-score.ts';
import { recoveryScore } from './recovery-score.ts';
import { type History, isScored, type JudgedScore, type ScoreOutcome, type ScoringProfile } from './scoring.ts';
import { sleepScore } from './sleep-score.ts';
import { strainScore } from './strain-score.ts';
import { stressScore } from './stress-score.ts';

/**
 * A changed day affects its own scores and those of this number of following days, and no others.
 */
export const reachDays = baselineDays + fatigueDays;

/** Keyed by date: values indexed by metric, NaN for none, with the source device of each. */
export type CanonicalDays = ReadonlyMap<string, Pick<CanonicalRow, 'values' | 'sources'>>;

/** Seeded days are used only for dates without measured days. */
export const withSeededBaseline = (days: CanonicalDays, seeded: CanonicalDays): CanonicalDays =>
  seeded.size === 0 ? days : new Map([...seeded, ...days]);

export interface DayScores {
  scores: ReadonlyMap<ScoreId, JudgedScore>;
  /** The reason why each of the other scores has no value. */
  without: ReadonlyMap<ScoreId, NoScore>;
}

interface Scorer {
  scoreDay(date: string): DayScores;
  /** Computes only one of the scores. */
  scoreOne(id: ScoreId, date: string): ScoreOutcome;
}

/**
 * Days more than `reachDays` before a date are ignored. `hasMainSleep` is asked about the days whose
 * sleep is short: their sessions tell a night from a nap.
 */
export function createScorer(
  days: CanonicalDays,
  profile: ScoredProfile,
  hasMainSleep: (date: string) => boolean = () => false,
): Scorer {
  const byNumber = new Map([...days].map(([date, row]) => [dayNumber(date), row]));
  const strains = new Map<number, ScoreOutcome>();

  const historyOn = (day: number): History => ({
    value: (metric, back) => valueIn(byNumber.get(day - back), metric),
    source: (metric, back) => sourceIn(byNumber.get(day - back), metric),
    get hasMainSleep() {
      return hasMainSleep(dateOf(day));
    },
  });
  /** Cached because the scores of the following week need it, too. */
  const strainOn = (day: number): ScoreOutcome => {
    const strain = strains.get(day) ?? strainScore(historyOn(day));
    strains.set(day, strain);
    return strain;
  };
  const scoringProfileOn = (date: string): ScoringProfile => ({
    ageYears: getAge(profile, date),
    weightKg: profile.weight_kg ?? null,
    heightCm: profile.height_cm ?? null,
  });
  const formulas: Readonly<Record<ScoreId, (day: number, scoringProfile: ScoringProfile) => ScoreOutcome>> = {
    sleep_score: (day, scoringProfile) => sleepScore(historyOn(day), scoringProfile),
    recovery_score: (day, scoringProfile) => recoveryScore(historyOn(day), scoringProfile),
    strain_score: (day) => strainOn(day),
    nutrition_score: (day, scoringProfile) => nutritionScore(historyOn(day), scoringProfile),
    stress_score: (day) => stressScore(historyOn(day)),
    energy_reserve_score: (day, scoringProfile) =>
      energyReserveScore(recoveryScore(historyOn(day), scoringProfile), (back) => strainOn(day - back)),
  };
  const scoreOne = (id: ScoreId, date: string): ScoreOutcome => {
    const scoringProfile = scoringProfileOn(date);
    return checkScoreAge(id, scoringProfile.ageYears) ?? formulas[id](dayNumber(date), scoringProfile);
  };

  return {
    scoreOne,
    scoreDay(date) {
      const scores = new Map<ScoreId, JudgedScore>();
      const without = new Map<ScoreId, NoScore>();
      for (const id of scoreIds) {
        const outcome = scoreOne(id, date);
        if (isScored(outcome)) scores.set(id, outcome);
        else without.set(id, outcome);
      }
      return { scores, without };
    },
  };
}

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;
const dateOf = (day: number): string => utcDay(day * dayMs);

type Row = Pick<CanonicalRow, 'values' | 'sources'> | undefined;

function valueIn(row: Row, metric: MetricId): number | null {
  const value = row?.values[metricRow(metric).index];
  return value === undefined || Number.isNaN(value) ? null : value;
}

function sourceIn(row: Row, metric: MetricId): number | null {
  if (!row) return null;
  const { index } = metricRow(metric);
  return Number.isNaN(row.values[index] ?? Number.NaN) ? null : (row.sources[index] ?? null);
}
