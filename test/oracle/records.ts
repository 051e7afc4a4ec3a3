// Records as the rules see them: absolute times, exact values in the metric's unit, and the offset that they carry.
import {
  type MinuteField,
  minuteFields,
  type WireNight,
  type WireSample,
  type WireTotal,
  type WireWorkout,
  type WorkoutField,
  workoutFields,
} from './life.ts';
import { metricOf } from './metric-table.ts';
import { fromNumber, type Rational } from './rational.ts';
import { convert, spelled } from './units.ts';

export interface Timed {
  start: number;
  end: number;
  /** From `utc_offset`, else from the timestamp that decides: a night's end, else the start; minutes. */
  ownOffset: number | null;
}
interface Valued {
  metric: string;
  value: Rational;
  sent: Rational;
  unit: string;
  /** As it was sent. */
  spelling: string;
}
export interface Sample extends Timed, Valued {}
export interface Total extends Valued {
  date: string;
}
export interface Night extends Timed {
  /** The number of the upload that brought this version. */
  received: number;
  minutes: Partial<Record<MinuteField, Rational>>;
}
export interface Workout extends Timed {
  received: number;
  type: string;
  name: string | null;
  numbers: Partial<Record<WorkoutField, Rational>>;
  trace: { at: number; bpm: Rational }[];
}

export const isMoment = ({ start, end }: Pick<Timed, 'start' | 'end'>): boolean => start === end;

export const sampleKey = ({ metric, start, end }: Sample): string => `${metric} ${start} ${end}`;
export const totalKey = (metric: string, date: string): string => `${metric} ${date}`;

export function readSample(wire: WireSample): Sample {
  const start = readTime(wire.start);
  return {
    ...valued(wire),
    start: start.ms,
    end: wire.end === undefined ? start.ms : readTime(wire.end).ms,
    ownOffset: readOffset(wire.utc_offset) ?? start.offset,
  };
}

export const readTotal = (wire: WireTotal): Total => ({ ...valued(wire), date: wire.date });

export function readNight(wire: WireNight, received: number): Night {
  const end = readTime(wire.end);
  return {
    start: readTime(wire.start).ms,
    end: end.ms,
    ownOffset: readOffset(wire.utc_offset) ?? end.offset,
    received,
    minutes: numbersIn(wire, minuteFields),
  };
}

export function readWorkout(wire: WireWorkout, received: number): Workout {
  const start = readTime(wire.start);
  return {
    start: start.ms,
    end: readTime(wire.end).ms,
    ownOffset: readOffset(wire.utc_offset) ?? start.offset,
    received,
    type: wire.type,
    name: wire.name ?? null,
    numbers: numbersIn(wire, workoutFields),
    trace: (wire.heart_rate ?? []).map(({ timestamp, bpm }) => ({ at: readTime(timestamp).ms, bpm: fromNumber(bpm) })),
  };
}

function valued({ metric, value, unit }: WireSample | WireTotal): Valued {
  const sent = fromNumber(value);
  return { metric, sent, unit: spelled(unit), spelling: unit, value: convert(sent, unit, metricOf(metric).unit) };
}

function numbersIn<Field extends string>(
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

/** `Z` says nothing about where somebody was. */
function readTime(text: string): { ms: number; offset: number | null } {
  return { ms: Date.parse(text), offset: text.endsWith('Z') ? null : readOffset(text.slice(-6)) };
}

function readOffset(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  return (text.startsWith('-') ? -1 : 1) * (60 * hours + minutes);
}
