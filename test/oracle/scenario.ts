// A scenario: what happens to one user, in order, in the API's terms.
import type { DayRule } from './days.ts';
import type { DeviceType, Method } from './rules.ts';

export type Provider = 'apple_health' | 'health_connect' | 'samsung_health';

export interface WireSample {
  metric: string;
  start: string;
  end?: string;
  value: number;
  unit: string;
  utc_offset?: string;
}
export interface WireTotal {
  date: string;
  metric: string;
  value: number;
  unit: string;
}
export const minuteFields = [
  'asleep_minutes',
  'deep_minutes',
  'light_minutes',
  'rem_minutes',
  'awake_minutes',
  'in_bed_minutes',
] as const;
export type MinuteField = (typeof minuteFields)[number];
export interface WireNight extends Partial<Record<MinuteField, number>> {
  start: string;
  end: string;
  utc_offset?: string;
  stages?: WireStage[];
}
export const stageNames = ['awake', 'light', 'deep', 'rem', 'asleep', 'out_of_bed', 'unknown'] as const;
export interface WireStage {
  stage: (typeof stageNames)[number];
  start: string;
  end: string;
}
export const workoutFields = [
  'calories',
  'distance_km',
  'avg_heart_rate',
  'max_heart_rate',
  'elevation_meters',
  'steps',
] as const;
export type WorkoutField = (typeof workoutFields)[number];
export interface WireWorkout extends Partial<Record<WorkoutField, number>> {
  type: string;
  name?: string;
  start: string;
  end: string;
  utc_offset?: string;
  heart_rate?: { timestamp: string; bpm: number }[];
}
export interface WireUpload {
  time_zone: string;
  device: { name: string; model: string; type: DeviceType };
  samples?: WireSample[];
  daily?: WireTotal[];
  sleep?: WireNight[];
  workouts?: WireWorkout[];
}
/** What a caller may set about days. */
export interface WireProfile {
  timezone?: string | null;
  day_rule?: DayRule;
}
export interface WirePatch {
  metrics?: Record<string, { method?: Method | null; providers?: Partial<Record<Provider, boolean>> }>;
  providers?: Partial<Record<Provider, boolean>>;
}

/**
 * The service is idle before and after a quiet event, so that the events it causes can be
 * identified.
 */
interface QuietOption {
  quiet?: boolean;
}
export type ScenarioEvent =
  | ({ kind: 'upload'; provider: Provider; body: WireUpload } & QuietOption)
  | ({ kind: 'profile'; patch: WireProfile } & QuietOption)
  | { kind: 'settings'; patch: WirePatch }
  | { kind: 'reset' }
  | { kind: 'disconnect'; provider: Provider; model: string }
  | { kind: 'drain' }
  | { kind: 'look' };

export interface ColumnRead {
  metric: string;
  date: string;
  resolution: '1m' | '5m' | '15m' | '1h';
  imperial: boolean;
}
export interface Scenario {
  seed: number;
  /** The profile at creation. The default rule is `profile`. */
  profile: WireProfile;
  events: ScenarioEvent[];
  /** Wide enough for every record in any time zone. */
  from: string;
  to: string;
  columnReads: ColumnRead[];
  /** The names of its edge cases. */
  edgeCases: string[];
}

export const isQuiet = (event: ScenarioEvent): boolean => 'quiet' in event && event.quiet === true;

export const countRecords = ({ samples = [], daily = [], sleep = [], workouts = [] }: WireUpload): number =>
  samples.length + daily.length + sleep.length + workouts.length;
