// COROS' modes in our words.
import type { CorosPart } from './items.ts';

const sports: ReadonlyMap<number, string> = new Map([
  [8, 'running'],
  [9, 'cycling'],
  [10, 'swimming'],
  [13, 'multisport'],
  [14, 'mountain_climbing'],
  [15, 'trail_running'],
  [16, 'hiking'],
  [18, 'cardio'],
  [19, 'cross_country_skiing'],
  [20, 'track_running'],
  [21, 'downhill_skiing'],
  [23, 'strength_training'],
  [24, 'rowing'],
  [26, 'flatwater'],
  [29, 'ski_touring'],
  [31, 'walking'],
  [33, 'climbing'],
  [34, 'jump_rope'],
  [41, 'elliptical'],
  [42, 'yoga'],
  [43, 'pilates'],
  [44, 'boxing'],
  [47, 'tennis'],
]);
const indoor: ReadonlyMap<number, string> = new Map([
  [8, 'indoor_running'],
  [9, 'indoor_cycling'],
]);
const indoorSubMode = 2;

export function corosSport({ mode, subMode }: Pick<CorosPart, 'mode' | 'subMode'>): string {
  const number = mode ?? Number.NaN;
  const inside = subMode === indoorSubMode ? indoor.get(number) : undefined;
  return inside ?? sports.get(number) ?? 'other';
}
