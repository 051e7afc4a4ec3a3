// Reads samples and daily totals: a metric, a value with a unit, and a time.
import { acceptedUnits, isMetricId, isPlausible, isSampleId, sampleRow, toCanonical } from '../../catalog/metrics.ts';
import type { MobileScope } from '../../catalog/mobile-scopes.ts';
import type { DailyTotal, Sample } from '../../measurements/records.ts';
import {
  checkTimeRange,
  FieldError,
  type Fields,
  readFields,
  readInstantField,
  readNumberField,
  readOffsetField,
  readOptionalInstantField,
} from './read-fields.ts';
import { readDate } from './read-time.ts';

/**
 * The longest calendar day. Cumulative values are split at midnight, so their days are close to
 * their start.
 */
const maxSampleMs = 25 * 3_600_000;

export interface ReadContext {
  scopes: ReadonlySet<MobileScope>;
  nowMs: number;
}

export function readSample(record: unknown, context: ReadContext): Sample | FieldError {
  const fields = readFields(record);
  if (fields instanceof FieldError) return fields;
  const measured = readMeasurement(fields, context.scopes);
  if (measured instanceof FieldError) return measured;
  const start = readInstantField(fields, 'start', context.nowMs);
  if (start instanceof FieldError) return start;
  const end = readOptionalInstantField(fields, 'end', context.nowMs) ?? start;
  if (end instanceof FieldError) return end;
  if (end.ms < start.ms) return new FieldError('end', 'invalid_time', 'end must not be before start.');
  if (end.ms - start.ms > maxSampleMs && sampleRow(measured.metric).accrues)
    return new FieldError('end', 'implausible_value', `A ${measured.metric} sample must not span more than 25 hours.`);
  const offsetMinutes = readOffsetField(fields, start);
  if (offsetMinutes instanceof FieldError) return offsetMinutes;
  return { ...measured, startMs: start.ms, endMs: end.ms, offsetMinutes };
}

export function readDailyTotal(record: unknown, context: ReadContext): DailyTotal | FieldError {
  const fields = readFields(record);
  if (fields instanceof FieldError) return fields;
  const measured = readMeasurement(fields, context.scopes);
  if (measured instanceof FieldError) return measured;
  const { metric } = measured;
  if (!isMetricId(metric))
    return new FieldError('metric', 'unknown_metric', `${metric} has no daily totals. Upload it in samples.`);
  const { date } = fields;
  const dayMs = typeof date === 'string' ? readDate(date) : undefined;
  if (typeof date !== 'string' || dayMs === undefined)
    return new FieldError('date', 'invalid_time', 'date must be a calendar date (YYYY-MM-DD).');
  return checkTimeRange('date', dayMs, context.nowMs) ?? { ...measured, metric, date };
}

function readMeasurement(
  fields: Fields,
  scopes: ReadonlySet<MobileScope>,
): Pick<Sample, 'metric' | 'value' | 'original'> | FieldError {
  const { metric, unit } = fields;
  if (typeof metric !== 'string') return new FieldError('metric', 'invalid_record', 'metric must be a metric id.');
  if (!isSampleId(metric))
    return new FieldError('metric', 'unknown_metric', 'Unknown metric. GET /v1/metrics lists all of them.');
  const row = sampleRow(metric);
  if (!scopes.has(row.category)) return outOfScopeError('metric', row.category);
  const rawValue = readNumberField(fields, 'value');
  if (rawValue instanceof FieldError) return rawValue;
  const canonical = typeof unit === 'string' ? toCanonical(metric, rawValue, unit) : undefined;
  if (typeof unit !== 'string' || canonical === undefined)
    return new FieldError(
      'unit',
      'invalid_unit',
      `The unit of ${metric} must be one of: ${acceptedUnits(metric).join(', ')}.`,
    );
  if (!isPlausible(metric, canonical)) {
    const [min, max] = row.range;
    return new FieldError('value', 'implausible_value', `${metric} must be between ${min} and ${max} ${row.unit}.`);
  }
  return unit === row.unit
    ? { metric, value: canonical }
    : { metric, value: canonical, original: { value: rawValue, unit } };
}

export const outOfScopeError = (field: string, category: MobileScope): FieldError =>
  new FieldError(field, 'insufficient_scope', `This session is not allowed to upload ${category} data.`);
