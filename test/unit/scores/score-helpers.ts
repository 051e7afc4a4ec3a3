// The scores of days, in the short form that tests compare.

import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { createScorer } from '../../../shared/scores/day-scores.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { type Days, today, type Values } from './days.ts';

export const scoresOf = (days: Days, profile: Profile = {}) => createScorer(days, profile).scoreDay(today);
/** The value and the contribution of each factor, or the reason why there is none. */
export function scored(id: ScoreId, days: Days, profile: Profile = {}) {
  const { scores, without } = scoresOf(days, profile);
  const score = scores.get(id);
  if (!score) return without.get(id);
  return [score.value, Object.fromEntries(score.factors.map((each) => [each.name, each.contribution]))];
}
export const valueAs = (id: ScoreId, days: Days, profile: Profile = {}) =>
  scoresOf(days, profile).scores.get(id)?.value;
export const pointsOf = (id: ScoreId, days: Days, profile: Profile = {}) =>
  Object.fromEntries(
    (scoresOf(days, profile).scores.get(id)?.factors ?? []).map(({ name, points }) => [name, Math.round(points)]),
  );
export const directionsOf = (id: ScoreId, days: Days, profile: Profile = {}) =>
  Object.fromEntries(
    (scoresOf(days, profile).scores.get(id)?.factors ?? []).map(({ name, direction }) => [name, direction]),
  );
export const confidenceOf = (id: ScoreId, days: Days, profile: Profile = {}) =>
  scoresOf(days, profile).scores.get(id)?.confidence;

export const always = (values: Values) => () => values;
export const last = (count: number, values: Values) => (back: number) => (back <= count ? values : {});
export const missing = (reason: string) => ({ status: 'missing', reason });
export const calibrating = (days: number, needed = 5) => ({ status: 'calibrating', days, needed });
export const under18 = { status: 'not_applicable', reason: 'under_18' };
export const fullNight = { asleep: 480, sleep_efficiency: 96, restorative_sleep: 200, sleep_latency: 10 };
