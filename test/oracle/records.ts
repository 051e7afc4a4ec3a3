// Records as the rules see them: absolute times, exact values in the metric's unit, and their
// recorded offset.

import { metricOf } from './metric-table.ts';
import { add, compare, fromNumber, type Rational, ratio, sum, zero } from './rational.ts';
import {
  type MinuteField,
  minuteFields,
  type WireNight,
  type WireSample,
  type WireStage,
  type WireTotal,
  type WireWorkout,
  type WorkoutField,
  workoutFields,
} from './scenario.ts';
import { canonicalUnit, convert } from './units.ts';

export interface TimedRecord {
  start: number;
  end: number;
  /**
   * In minutes, from `utc_offset`, else from the decisive timestamp: the end of a night, the start
   * of anything else.
   */
  recordedOffset: number | null;
}
interface ValuedRecord {
  metric: string;
  value: Rational;
  originalValue: Rational;
  unit: string;
  /** The unit as it was sent. */
  spelling: string;
}
export interface Sample extends TimedRecord, ValuedRecord {}
export interface Total extends ValuedRecord {
  date: string;
}
export interface Night extends TimedRecord {
  /** The number of the upload that contained this version. */
  received: number;
  /** As stated, or else as its stages add up, unless the two contradict each other. */
  minutes: Partial<Record<MinuteField, Rational>>;
  stages: { stage: string; start: number; end: number }[];
}
export interface Workout extends TimedRecord {
  received: number;
  type: string;
  name: string | null;
  numbers: Partial<Record<WorkoutField, Rational>>;
  trace: { at: number; bpm: Rational }[];
}

export const isMoment = ({ start, end }: Pick<TimedRecord, 'start' | 'end'>): boolean => start === end;

export const sampleKey = ({ metric, start, end }: Sample): string => `${metric} ${start} ${end}`;
export const totalKey = (metric: string, date: string): string => `${metric} ${date}`;

export function parseSample(wire: WireSample): Sample {
  const start = parseTime(wire.start);
  return {
    ...parseValue(wire),
    start: start.ms,
    end: wire.end === undefined ? start.ms : parseTime(wire.end).ms,
    recordedOffset: parseOffset(wire.utc_offset) ?? start.offset,
  };
}

export const parseTotal = (wire: WireTotal): Total => ({ ...parseValue(wire), date: wire.date });

export function parseNight(wire: WireNight, received: number): Night {
  const end = parseTime(wire.end);
  return {
    start: parseTime(wire.start).ms,
    end: end.ms,
    recordedOffset: parseOffset(wire.utc_offset) ?? end.offset,
    received,
    minutes: parseMinutes(wire, end.ms - parseTime(wire.start).ms),
    stages: (wire.stages ?? [])
      .map(({ stage, ...span }) => ({ stage, start: parseTime(span.start).ms, end: parseTime(span.end).ms }))
      .sort((a, b) => a.start - b.start),
  };
}

/** Stated minutes and stages that together last longer than the night contradict each other. */
function parseMinutes(wire: WireNight, lastedMs: number): Night['minutes'] {
  const stated = parseNumbers(wire, minuteFields);
  const all = { ...minutesInStages(wire.stages ?? []), ...stated };
  const { deep_minutes, light_minutes, rem_minutes, awake_minutes } = all;
  const together = sum([deep_minutes, light_minutes, rem_minutes, awake_minutes].map((each) => each ?? zero));
  const wholeMinutes = Math.ceil(lastedMs / 60_000);
  return compare(together, ratio(wholeMinutes + 5)) > 0 ? stated : all;
}

const stagesOfMinutes: [MinuteField, WireStage['stage'][]][] = [
  ['asleep_minutes', ['light', 'deep', 'rem', 'asleep']],
  ['deep_minutes', ['deep']],
  ['light_minutes', ['light']],
  ['rem_minutes', ['rem']],
  ['awake_minutes', ['awake', 'out_of_bed']],
];

function minutesInStages(stages: readonly WireStage[]): Night['minutes'] {
  const minutes: Night['minutes'] = {};
  for (const [field, counted] of stagesOfMinutes)
    for (const { stage, start, end } of stages) {
      if (!counted.includes(stage)) continue;
      const lasted = ratio(parseTime(end).ms - parseTime(start).ms, 60_000);
      const before = minutes[field];
      minutes[field] = before ? add(before, lasted) : lasted;
    }
  return minutes;
}

export function parseWorkout(wire: WireWorkout, received: number): Workout {
  const start = parseTime(wire.start);
  return {
    start: start.ms,
    end: parseTime(wire.end).ms,
    recordedOffset: parseOffset(wire.utc_offset) ?? start.offset,
    received,
    type: wire.type,
    name: wire.name ?? null,
    numbers: parseNumbers(wire, workoutFields),
    trace: (wire.heart_rate ?? []).map(({ timestamp, bpm }) => ({ at: parseTime(timestamp).ms, bpm: fromNumber(bpm) })),
  };
}

function parseValue({ metric, value, unit }: WireSample | WireTotal): ValuedRecord {
  const originalValue = fromNumber(value);
  return {
    metric,
    originalValue,
    unit: canonicalUnit(unit),
    spelling: unit,
    value: convert(originalValue, unit, metricOf(metric).unit),
  };
}

function parseNumbers<Field extends string>(
  wire: Partial<Record<Field, number>>,
  fields: readonly Field[],
): Partial<Record<Field, Rational>> {
  const found: Partial<Record<Field, Rational>> = {};
  for (const field of fields) {
    const value = wire[field];
    if (value !== undefined) found[field] = fromNumber(value);
  }
  return found;
}

/** `Z` does not indicate where the user was. */
function parseTime(text: string): { ms: number; offset: number | null } {
  return { ms: Date.parse(text), offset: text.endsWith('Z') ? null : parseOffset(text.slice(-6)) };
}

function parseOffset(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  return (text.startsWith('-') ? -1 : 1) * (60 * hours + minutes);
}

/** `+HH:MM`, the offset that a read must show; null if the record did not state one. */
export function recordedOffsetText({ recordedOffset }: TimedRecord): string | null {
  if (recordedOffset === null) return null;
  const clock = new Date(Math.abs(recordedOffset) * 60_000).toISOString().slice(11, 16);
  return recordedOffset < 0 ? `-${clock}` : `+${clock}`;
}
