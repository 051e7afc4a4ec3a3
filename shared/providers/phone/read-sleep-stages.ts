// Reads the stages of a night that a phone reports.
import { type SleepStage, sleepStages } from '../../catalog/sleep-stages.ts';
import type { StagePeriod } from '../../measurements/records.ts';
import { separateOverlapping } from '../../measurements/sleep-stages.ts';
import type { Span } from '../../measurements/timeline.ts';
import { uploadLimits } from '../kit/upload-limits.ts';
import { FieldError, type Fields, nestFieldError, readFields, readInstantField } from './read-fields.ts';

/** Returns the valid stages in order; an empty list if the record has none. */
export function readSleepStages(
  fields: Fields,
  night: Span,
  nowMs: number,
  reject: (stage: FieldError) => void,
): StagePeriod[] | FieldError {
  const raw = fields['stages'];
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) return new FieldError('stages', 'invalid_record', 'stages must be an array of stages.');
  if (raw.length > uploadLimits.sleepStages)
    return new FieldError(
      'stages',
      'limit_exceeded',
      `stages must not have more than ${uploadLimits.sleepStages} entries.`,
    );
  const valid: (StagePeriod & { index: number })[] = [];
  for (const [index, each] of raw.entries()) {
    const period = readStagePeriod(each, night, nowMs);
    if (period instanceof FieldError) reject(nestFieldError(`stages.${index}`, period));
    else valid.push({ ...period, index });
  }
  const { accepted, overlapping } = separateOverlapping(valid);
  for (const { index } of overlapping)
    reject(
      new FieldError(`stages.${index}`, 'invalid_time', 'The stage overlaps another one. Send one stage at a time.'),
    );
  return accepted.map(({ index: _index, ...period }) => period);
}

function readStagePeriod(raw: unknown, night: Span, nowMs: number): StagePeriod | FieldError {
  const fields = readFields(raw);
  if (fields instanceof FieldError) return fields;
  const { stage } = fields;
  if (!isSleepStage(stage))
    return new FieldError('stage', 'invalid_record', `stage must be one of ${sleepStages.join(', ')}.`);
  const start = readInstantField(fields, 'start', nowMs);
  if (start instanceof FieldError) return start;
  const end = readInstantField(fields, 'end', nowMs);
  if (end instanceof FieldError) return end;
  if (end.ms <= start.ms) return new FieldError('end', 'invalid_time', 'end must be after start.');
  if (start.ms < night.startMs) return new FieldError('start', 'invalid_time', 'start must be within the session.');
  if (end.ms > night.endMs) return new FieldError('end', 'invalid_time', 'end must be within the session.');
  return { stage, startMs: start.ms, endMs: end.ms };
}

const isSleepStage = (value: unknown): value is SleepStage => sleepStages.some((stage) => stage === value);
