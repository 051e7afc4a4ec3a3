// Samples and daily totals: a metric, a value in some unit, and when.
import { acceptedUnits, isMetricId, isPlausible, isSampleId, sampleRow, toCanonical } from '../../catalog/metrics.ts';
import type { MobileScope } from '../../catalog/mobile-scopes.ts';
import type { DailyTotal, Sample } from '../../measurements/records.ts';
import {
  type Fields,
  fieldsOf,
  instantIn,
  numberIn,
  offsetIn,
  offTime,
  optionalInstantIn,
  Unfit,
} from './read-fields.ts';
import { readDate } from './read-time.ts';

/** The longest calendar day: what accrues is split at midnight, so its days are found near its start. */
const longestSampleMs = 25 * 3_600_000;

export interface Judging {
  scopes: ReadonlySet<MobileScope>;
  nowMs: number;
}

export function readSample(record: unknown, judging: Judging): Sample | Unfit {
  const fields = fieldsOf(record);
  if (fields instanceof Unfit) return fields;
  const measured = measuredIn(fields, judging.scopes);
  if (measured instanceof Unfit) return measured;
  const start = instantIn(fields, 'start', judging.nowMs);
  if (start instanceof Unfit) return start;
  const end = optionalInstantIn(fields, 'end', judging.nowMs) ?? start;
  if (end instanceof Unfit) return end;
  if (end.ms < start.ms) return new Unfit('end', 'invalid_time', 'end must not be before start.');
  if (end.ms - start.ms > longestSampleMs && sampleRow(measured.metric).accrues)
    return new Unfit('end', 'implausible_value', `A ${measured.metric} sample must not span more than 25 hours.`);
  const offsetMinutes = offsetIn(fields, start);
  if (offsetMinutes instanceof Unfit) return offsetMinutes;
  return { ...measured, startMs: start.ms, endMs: end.ms, offsetMinutes };
}

export function readDailyTotal(record: unknown, judging: Judging): DailyTotal | Unfit {
  const fields = fieldsOf(record);
  if (fields instanceof Unfit) return fields;
  const measured = measuredIn(fields, judging.scopes);
  if (measured instanceof Unfit) return measured;
  const { metric } = measured;
  if (!isMetricId(metric))
    return new Unfit('metric', 'unknown_metric', `${metric} has no daily totals. Upload it in samples.`);
  const { date } = fields;
  const dayMs = typeof date === 'string' ? readDate(date) : undefined;
  if (typeof date !== 'string' || dayMs === undefined)
    return new Unfit('date', 'invalid_time', 'date must be a calendar date (YYYY-MM-DD).');
  return offTime('date', dayMs, judging.nowMs) ?? { ...measured, metric, date };
}

function measuredIn(
  fields: Fields,
  scopes: ReadonlySet<MobileScope>,
): Pick<Sample, 'metric' | 'value' | 'original'> | Unfit {
  const { metric, unit } = fields;
  if (typeof metric !== 'string') return new Unfit('metric', 'invalid_record', 'metric must be a metric id.');
  if (!isSampleId(metric))
    return new Unfit('metric', 'unknown_metric', 'Unknown metric. GET /v1/metrics lists all of them.');
  const row = sampleRow(metric);
  if (!scopes.has(row.category)) return outOfScope('metric', row.category);
  const given = numberIn(fields, 'value');
  if (given instanceof Unfit) return given;
  const canonical = typeof unit === 'string' ? toCanonical(metric, given, unit) : undefined;
  if (typeof unit !== 'string' || canonical === undefined)
    return new Unfit(
      'unit',
      'invalid_unit',
      `The unit of ${metric} must be one of: ${acceptedUnits(metric).join(', ')}.`,
    );
  if (!isPlausible(metric, canonical)) {
    const [min, max] = row.range;
    return new Unfit('value', 'implausible_value', `${metric} must be between ${min} and ${max} ${row.unit}.`);
  }
  return unit === row.unit
    ? { metric, value: canonical }
    : { metric, value: canonical, original: { value: given, unit } };
}

export const outOfScope = (field: string, category: MobileScope): Unfit =>
  new Unfit(field, 'insufficient_scope', `This session is not allowed to upload ${category} data.`);
