// Sleep: duration, efficiency, latency and restorative sleep. Hirshkowitz et al. 2015 (hours by
// age), Ohayon et al. 2017 (efficiency, latency).
import type { MetricId } from '../catalog/metrics.ts';
import { noData } from '../catalog/score-states.ts';
import { minOlderAdultAge } from './age-limits.ts';
import { type Anchors, interpolate } from './curves.ts';
import {
  computeWeightedScore,
  type Evidence,
  type History,
  type ScoreOutcome,
  type ScoringProfile,
} from './scoring.ts';

/** A day with less is scored only if it has a main sleep: otherwise it may be a nap. */
export const maxNapMinutes = 180;

interface SleepNeed {
  fromAge: number;
  /** In hours: the range that may be appropriate, and the recommended range. */
  acceptable: readonly [from: number, to: number];
  recommended: readonly [from: number, to: number];
}

const adult: SleepNeed = { fromAge: 26, acceptable: [6, 10], recommended: [7, 9] };
export const sleepNeeds: readonly SleepNeed[] = [
  { fromAge: minOlderAdultAge, acceptable: [5, 9], recommended: [7, 8] },
  adult,
  { fromAge: 18, acceptable: [6, 11], recommended: [7, 9] },
  { fromAge: 14, acceptable: [7, 11], recommended: [8, 10] },
  { fromAge: 6, acceptable: [7, 12], recommended: [9, 11] },
  { fromAge: 3, acceptable: [8, 14], recommended: [10, 13] },
  { fromAge: 1, acceptable: [9, 16], recommended: [11, 14] },
];

/** A user of unknown age is scored as an adult. */
export const findSleepNeed = (ageYears: number | null): SleepNeed =>
  ageYears === null ? adult : (sleepNeeds.find(({ fromAge }) => ageYears >= fromAge) ?? adult);

export function sleepScore(history: History, { ageYears }: ScoringProfile): ScoreOutcome {
  const asleep = history.value('asleep', 0);
  if (asleep === null) return noData;
  if (asleep < maxNapMinutes && !history.hasMainSleep) return { status: 'missing', reason: 'no_main_sleep' };
  const need = findSleepNeed(ageYears);
  const isOlder = ageYears !== null && ageYears >= minOlderAdultAge;
  const toEvidence = (input: MetricId, value: number | null, points: (value: number) => number): Evidence | null =>
    value === null ? null : { input, value, source: history.source(input, 0), points: points(value) };
  const score = computeWeightedScore('sleep_score', {
    duration: toEvidence('asleep', asleep, (minutes) => interpolate(buildDurationAnchors(need), minutes / 60)),
    efficiency: computeEfficiencyEvidence(history, asleep),
    restorative: toEvidence('restorative_sleep', history.value('restorative_sleep', 0), (minutes) =>
      interpolate(isOlder ? olderRestorativeAnchors : restorativeAnchors, minutes / (60 * need.recommended[0])),
    ),
    latency: toEvidence('sleep_latency', history.value('sleep_latency', 0), (minutes) =>
      interpolate(isOlder ? olderLatencyAnchors : latencyAnchors, minutes),
    ),
  });
  if (score === null) return noData;
  return hasTwoNights(history, asleep) ? { ...score, confidence: 'low' } : score;
}

/** Two nights on one date, after a flight or a shift, are not one long night. */
function hasTwoNights(history: History, asleep: number): boolean {
  const longest = history.value('longest_sleep', 0);
  return longest !== null && asleep - longest >= maxNapMinutes;
}

/** Very long nights lose only a few points, because the significance of long sleep is disputed. */
export const buildDurationAnchors = ({
  acceptable: [minHours, maxHours],
  recommended: [from, to],
}: SleepNeed): Anchors => [
  [minHours - 3, 0],
  [minHours, 50],
  [from, 85],
  [(from + to) / 2, 100],
  [maxHours, 100],
  [maxHours + 2, 85],
];

/** In percent: 85 and above is good, below 75 is poor. */
export const efficiencyAnchors: Anchors = [
  [60, 0],
  [75, 50],
  [85, 85],
  [95, 100],
];

/**
 * Deep and REM sleep as a fraction of the minimum recommended sleep, so that a longer night never
 * lowers it.
 */
export const restorativeAnchors: Anchors = [
  [0.1, 0],
  [0.25, 50],
  [0.37, 85],
  [0.45, 100],
];
/** Both decrease with age. */
export const olderRestorativeAnchors: Anchors = restorativeAnchors.map(([share, points]) => [0.8 * share, points]);

/** In minutes: up to 30 is good, 45 and above is poor. */
export const latencyAnchors: Anchors = [
  [15, 100],
  [30, 85],
  [45, 50],
  [60, 0],
];
export const olderLatencyAnchors: Anchors = [
  [15, 100],
  [30, 85],
  [60, 50],
  [75, 0],
];

function computeEfficiencyEvidence(history: History, asleep: number): Evidence | null {
  const metric = 'sleep_efficiency';
  const toEvidence = (value: number, source: number | null): Evidence => ({
    input: metric,
    value,
    source,
    points: interpolate(efficiencyAnchors, value),
  });
  const stated = history.value(metric, 0);
  if (stated !== null) return toEvidence(stated, history.source(metric, 0));
  // If `longest_sleep` is known without an efficiency, the night reported no time in bed, and the
  // day's time in bed comes from naps.
  if (history.value('longest_sleep', 0) !== null) return null;
  const inBed = history.value('time_in_bed', 0);
  const source = history.source('asleep', 0);
  if (inBed === null || inBed <= 0 || history.source('time_in_bed', 0) !== source) return null;
  return toEvidence(Math.min(100, (100 * asleep) / inBed), source);
}
