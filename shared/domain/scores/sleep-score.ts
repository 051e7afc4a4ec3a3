// Sleep: how long, how efficient, how restorative and how soon. Hirshkowitz et al. 2015 (duration by age), Ohayon et al. 2017 (quality).
import type { Score } from '../../model/scores.ts';
import { along, type History, type ScoredPerson, weighted } from './scoring.ts';

interface Need {
  fromAge: number;
  /** Hours that may be appropriate at the least, and the range that is recommended. */
  possible: number;
  recommended: readonly [from: number, to: number];
}

const adult: Need = { fromAge: 18, possible: 6, recommended: [7, 9] };
const needs: readonly Need[] = [
  { fromAge: 65, possible: 5, recommended: [7, 8] },
  adult,
  { fromAge: 14, possible: 7, recommended: [8, 10] },
  { fromAge: 6, possible: 7, recommended: [9, 11] },
  { fromAge: 3, possible: 8, recommended: [10, 13] },
  { fromAge: 0, possible: 9, recommended: [11, 14] },
];

const needAt = (ageYears: number | null): Need =>
  ageYears === null ? adult : (needs.find(({ fromAge }) => ageYears >= fromAge) ?? adult);

/** Null without the minutes asleep. */
export function sleepScore(history: History, { ageYears }: ScoredPerson): Score | null {
  const asleep = history.value('asleep', 0);
  if (asleep === null) return null;
  const need = needAt(ageYears);
  const efficiency = efficiencyOf(history, asleep);
  const restorative = restorativeMinutes(history);
  const latency = history.value('sleep_latency', 0);
  return weighted('sleep_score', {
    duration: durationPoints(need, asleep / 60),
    efficiency: efficiency === null ? null : along(efficiencyAnchors, efficiency),
    restorative: restorative === null ? null : along(restorativeAnchors, restorative / (60 * need.recommended[0])),
    latency: latency === null ? null : along(latencyAnchors, latency),
  });
}

const durationPoints = ({ possible, recommended: [from, to] }: Need, hours: number): number =>
  along(
    [
      [possible - 3, 0],
      [possible, 50],
      [from, 85],
      [(from + to) / 2, 100],
    ],
    hours,
  );

/** In percent: 85 and more is good, below 75 is not. */
const efficiencyAnchors = [
  [60, 0],
  [75, 50],
  [85, 85],
  [95, 100],
] as const;

/** Deep and REM sleep as a share of the least recommended sleep, so that a longer night never makes it worse. */
const restorativeAnchors = [
  [0.1, 0],
  [0.25, 50],
  [0.37, 85],
  [0.45, 100],
] as const;

/** Minutes: up to 15 is good, from 60 it is not. */
const latencyAnchors = [
  [15, 100],
  [30, 75],
  [45, 35],
  [60, 0],
] as const;

function efficiencyOf(history: History, asleep: number): number | null {
  const stated = history.value('sleep_efficiency', 0);
  if (stated !== null) return stated;
  const inBed = history.value('time_in_bed', 0);
  return inBed === null || inBed <= 0 ? null : Math.min(100, (100 * asleep) / inBed);
}

function restorativeMinutes(history: History): number | null {
  const stated = history.value('restorative_sleep', 0);
  if (stated !== null) return stated;
  const deep = history.value('deep_sleep', 0);
  const rem = history.value('rem_sleep', 0);
  return deep === null || rem === null ? null : deep + rem;
}
