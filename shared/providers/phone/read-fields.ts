// The fields that records share, each read or found unfit. Nothing is thrown: a batch may hold a hundred thousand bad records.

import type { RejectionCode } from '../kit/upload-answer.ts';
import { uploadLimits } from '../kit/upload-limits.ts';
import { type Instant, readInstant, readOffset } from './read-time.ts';

/** Why a record is left out, and where in it. */
export class Unfit {
  readonly field: string;
  readonly code: RejectionCode;
  readonly message: string;
  constructor(field: string, code: RejectionCode, message: string) {
    this.field = field;
    this.code = code;
    this.message = message;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

const dayMs = 24 * 3600 * 1000;

export function fieldsOf(record: unknown): Fields | Unfit {
  return isFields(record) ? record : new Unfit('', 'invalid_record', 'Each record must be an object.');
}
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

export function instantIn(fields: Fields, name: string, nowMs: number): Instant | Unfit {
  const text = fields[name];
  const read = typeof text === 'string' ? readInstant(text) : undefined;
  if (!read)
    return new Unfit(
      name,
      'invalid_time',
      `${name} must be an ISO 8601 timestamp with Z or an offset, such as 2026-03-14T06:58:00Z.`,
    );
  return offTime(name, read.ms, nowMs) ?? read;
}

const firstMs = Date.UTC(uploadLimits.firstYear, 0);

/** Why a time is nobody's measurement. */
export function offTime(name: string, ms: number, nowMs: number): Unfit | undefined {
  if (ms < firstMs) return new Unfit(name, 'invalid_time', `${name} must not be before ${uploadLimits.firstYear}.`);
  if (ms <= nowMs + dayMs) return undefined;
  return new Unfit(name, 'invalid_time', `${name} is more than a day in the future. Check the clock of the phone.`);
}

export function optionalInstantIn(fields: Fields, name: string, nowMs: number): Instant | undefined | Unfit {
  return isAbsent(fields[name]) ? undefined : instantIn(fields, name, nowMs);
}

/** What `utc_offset` says; else what the instant was written with, if that says anything. */
export function offsetIn(fields: Fields, instant: Instant): number | null | Unfit {
  const text = fields['utc_offset'];
  if (isAbsent(text)) return instant.offsetMinutes;
  const read = typeof text === 'string' ? readOffset(text) : undefined;
  return read ?? new Unfit('utc_offset', 'invalid_time', 'utc_offset must have the form +HH:MM, such as +01:00.');
}

export function textIn(fields: Fields, name: string, mostCharacters: number): string | Unfit {
  const text = fields[name];
  return typeof text === 'string' && text.length >= 1 && text.length <= mostCharacters && text.isWellFormed()
    ? text
    : new Unfit(name, 'invalid_record', `${name} must be a string of 1 to ${mostCharacters} characters.`);
}

export function optionalTextIn(fields: Fields, name: string, mostCharacters: number): string | null | Unfit {
  return isAbsent(fields[name]) || fields[name] === '' ? null : textIn(fields, name, mostCharacters);
}

export function numberIn(fields: Fields, name: string): number | Unfit {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value)
    ? value
    : new Unfit(name, 'invalid_record', `${name} must be a number.`);
}

export function optionalNumberIn(
  fields: Fields,
  name: string,
  [min, max]: readonly [number, number],
): number | null | Unfit {
  if (isAbsent(fields[name])) return null;
  const value = numberIn(fields, name);
  if (value instanceof Unfit || (value >= min && value <= max)) return value;
  return new Unfit(name, 'implausible_value', `${name} must be between ${min} and ${max}.`);
}

/** The problem of a record within another, by its place in the outer one. */
export const within = (outer: string, { field, code, message }: Unfit): Unfit =>
  new Unfit(field === '' ? outer : `${outer}.${field}`, code, message);
