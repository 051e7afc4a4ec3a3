// Withings' workout categories as our sports, and which of them count as a distance of their own.
import type { MetricId } from '../../model/metrics.ts';

const sports: Readonly<Record<number, string>> = {
  1: 'walking',
  2: 'running',
  3: 'hiking',
  4: 'skating',
  5: 'bmx',
  6: 'cycling',
  7: 'swimming',
  8: 'surfing',
  12: 'tennis',
  13: 'table_tennis',
  14: 'squash',
  15: 'badminton',
  16: 'strength_training',
  17: 'calisthenics',
  18: 'elliptical',
  19: 'pilates',
  20: 'basketball',
  21: 'soccer',
  24: 'volleyball',
  27: 'golf',
  28: 'yoga',
  29: 'dancing',
  30: 'boxing',
  34: 'skiing',
  35: 'snowboarding',
  187: 'rowing',
  195: 'climbing',
  306: 'indoor_walking',
  307: 'indoor_running',
  308: 'indoor_cycling',
};

export const poolCategory = 7;

export const withingsSport = (category: number | null | undefined): string => sports[category ?? 0] ?? 'other';

/** Those that one of these sports may add to. */
export const withingsDistances = [
  'walking',
  'running',
  'cycling',
  'swimming',
  'indoor_walking',
  'indoor_running',
  'indoor_cycling',
] as const satisfies MetricId[];
