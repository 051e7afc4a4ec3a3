// Device ranks, merged metrics and metric groups: the tables behind a day's value.
import { type Category, type Metric, metricOf } from './metric-table.ts';

export type DeviceType = 'phone' | 'wrist' | 'ring' | 'scale' | 'app' | 'cgm';
export type Method = 'merge' | 'priority' | 'max' | 'avg' | 'sum';

const rankedTypes: Record<Category, readonly DeviceType[]> = {
  sleep: ['ring', 'wrist', 'scale', 'phone', 'app'],
  vitals: ['wrist', 'ring', 'phone', 'app'],
  body_composition: ['scale', 'phone', 'app'],
  activity: ['wrist', 'ring', 'phone', 'app'],
  energy: ['wrist', 'ring', 'phone', 'app'],
  nutrition: ['app', 'phone'],
};

/** From 0, the best. Device types that are not listed share the last rank. */
export function rankOf(type: DeviceType, { id, category }: Pick<Metric, 'id' | 'category'>): number {
  const named = rankedTypes[category];
  const types: readonly DeviceType[] = id === 'blood_glucose' ? ['cgm', ...named] : named;
  const rank = types.indexOf(type);
  return rank < 0 ? types.length : rank;
}

const summable = [
  'steps',
  'distance',
  'walking',
  'indoor_walking',
  'running',
  'indoor_running',
  'cycling',
  'indoor_cycling',
  'swimming',
  'active_calories',
  'resting_energy',
  'total_calories',
  'exercise',
];
export const mergedMetrics = [...summable, 'stand_time', 'mindfulness', 'flights_climbed'];
const merged = new Set(mergedMetrics);
export const isMerged = (metric: string): boolean => merged.has(metric);

/** Samples of these metrics count in the night that contains them. */
export const stageMetrics = [
  'asleep',
  'longest_sleep',
  'time_in_bed',
  'time_awake',
  'light_sleep',
  'deep_sleep',
  'rem_sleep',
  'restorative_sleep',
  'sleep_efficiency',
];
const stages = new Set(stageMetrics);
export const isStage = (metric: string): boolean => stages.has(metric);

export interface Group {
  key: string;
  lead: string;
  members: readonly string[];
  /** Whether all members come from one device. */
  isBound: boolean;
}
export const groups: readonly Group[] = [
  { key: 'sleep', lead: 'asleep', members: [...stageMetrics, 'sleep_latency'], isBound: false },
  {
    key: 'blood_pressure',
    lead: 'blood_pressure_systolic',
    members: ['blood_pressure_systolic', 'blood_pressure_diastolic'],
    isBound: true,
  },
];
export const groupOf = (metric: string): Group | undefined => groups.find(({ members }) => members.includes(metric));
/** The key of the consolidation settings that a metric follows. */
export const settingsKey = (metric: string): string => groupOf(metric)?.key ?? metric;

export const defaultMethod = (key: string): Method => (isMerged(key) ? 'merge' : 'priority');

export function allowedMethods(key: string): Method[] {
  const always: Method[] = ['priority', 'max', 'avg'];
  if (isMerged(key)) return ['merge', ...always, ...(summable.includes(key) ? (['sum'] satisfies Method[]) : [])];
  if (groups.some((group) => group.key === key)) return always;
  return metricOf(key).category === 'nutrition' ? [...always, 'sum'] : always;
}
