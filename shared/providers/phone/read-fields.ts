// Reads the fields that records share. Nothing is thrown, because a batch may contain a hundred
// thousand bad records.

import { uploadLimits } from '../kit/upload-limits.ts';
import type { RejectionCode } from '../kit/upload-response.ts';
import { type Instant, readInstant, readOffset } from './read-time.ts';

/** Why a record is rejected, and where in it the problem is. */
export class FieldError {
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

export function readFields(record: unknown): Fields | FieldError {
  return isFields(record) ? record : new FieldError('', 'invalid_record', 'Each record must be an object.');
}
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

export function readInstantField(fields: Fields, name: string, nowMs: number): Instant | FieldError {
  const text = fields[name];
  const parsed = typeof text === 'string' ? readInstant(text) : undefined;
  if (!parsed)
    return new FieldError(
      name,
      'invalid_time',
      `${name} must be an ISO 8601 timestamp with Z or an offset, such as 2026-03-14T06:58:00Z.`,
    );
  return checkTimeRange(name, parsed.ms, nowMs) ?? parsed;
}

const minTimeMs = Date.UTC(uploadLimits.firstYear, 0);

/** Rejects times that cannot belong to a measurement. */
export function checkTimeRange(name: string, ms: number, nowMs: number): FieldError | undefined {
  if (ms < minTimeMs)
    return new FieldError(name, 'invalid_time', `${name} must not be before ${uploadLimits.firstYear}.`);
  if (ms <= nowMs + dayMs) return undefined;
  return new FieldError(
    name,
    'invalid_time',
    `${name} is more than a day in the future. Check the clock of the phone.`,
  );
}

export function readOptionalInstantField(
  fields: Fields,
  name: string,
  nowMs: number,
): Instant | undefined | FieldError {
  return isAbsent(fields[name]) ? undefined : readInstantField(fields, name, nowMs);
}

/** The offset in `utc_offset`, or else the one that the instant was written with, if any. */
export function readOffsetField(fields: Fields, instant: Instant): number | null | FieldError {
  const text = fields['utc_offset'];
  if (isAbsent(text)) return instant.offsetMinutes;
  const parsed = typeof text === 'string' ? readOffset(text) : undefined;
  return (
    parsed ?? new FieldError('utc_offset', 'invalid_time', 'utc_offset must have the form +HH:MM, such as +01:00.')
  );
}

export function readTextField(fields: Fields, name: string, maxCharacters: number): string | FieldError {
  const text = fields[name];
  return typeof text === 'string' && text.length >= 1 && text.length <= maxCharacters && text.isWellFormed()
    ? text
    : new FieldError(name, 'invalid_record', `${name} must be a string of 1 to ${maxCharacters} characters.`);
}

export function readOptionalTextField(fields: Fields, name: string, maxCharacters: number): string | null | FieldError {
  return isAbsent(fields[name]) || fields[name] === '' ? null : readTextField(fields, name, maxCharacters);
}

export function readNumberField(fields: Fields, name: string): number | FieldError {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value)
    ? value
    : new FieldError(name, 'invalid_record', `${name} must be a number.`);
}

export function readOptionalNumberField(
  fields: Fields,
  name: string,
  [min, max]: readonly [number, number],
): number | null | FieldError {
  if (isAbsent(fields[name])) return null;
  const value = readNumberField(fields, name);
  if (value instanceof FieldError || (value >= min && value <= max)) return value;
  return new FieldError(name, 'implausible_value', `${name} must be between ${min} and ${max}.`);
}

/** Moves an error of a nested record to its path in the outer record. */
export const nestFieldError = (outer: string, { field, code, message }: FieldError): FieldError =>
  new FieldError(field === '' ? outer : `${outer}.${field}`, code, message);
