// Reads a phone's batch: the valid records in the common vocabulary, and the rejected ones with
// path and reason.

import * as z from 'zod';
import { isSampleId } from '../../catalog/metrics.ts';
import { MobileScope } from '../../catalog/mobile-scopes.ts';
import type { Records } from '../../measurements/records.ts';
import { type RejectedSubject, type RejectionCount, RejectionTally } from '../kit/rejection-tally.ts';
import { maxReportedFieldLength, maxReportedFields, maxReportedRejections } from '../kit/upload-limits.ts';
import type { Rejection } from '../kit/upload-response.ts';
import { FieldError } from './read-fields.ts';
import { type ReadContext, readDailyTotal, readSample } from './read-measurement.ts';
import { readSleepRecord, readWorkoutRecord } from './read-session.ts';
import { ReceivedUpload, UploadBody, type UploadDevice } from './upload.ts';

export interface ReadUpload {
  records: Records;
  /** The number of valid records. */
  accepted: number;
  rejected: Rejections;
  device: UploadDevice;
  /** The body with only the valid records. Reading it again yields the same records. */
  acceptedBody: UploadBody;
  /** The index of each valid record in its list. */
  acceptedIndexes: Record<Kind, number[]>;
}

const kinds = ['samples', 'daily', 'sleep', 'workouts'] as const;
type Kind = (typeof kinds)[number];

/**
 * Counts all rejections and reports the first ones, because a body may be wrong in half a million
 * places.
 */
export class Rejections {
  count = 0;
  readonly first: Rejection[] = [];
  readonly #tally = new RejectionTally();
  add(path: string, { code, message }: Pick<Rejection, 'code' | 'message'>, subject: RejectedSubject): void {
    this.addUnlisted({ code, message }, subject);
    if (this.first.length < maxReportedRejections) this.first.push({ path, code, message });
  }
  /** Counts a rejection without its path. */
  addUnlisted({ code, message }: Pick<Rejection, 'code' | 'message'>, subject: RejectedSubject): void {
    this.count++;
    this.#tally.add({ code, message }, subject);
  }
  listCounts(): RejectionCount[] {
    return this.#tally.list();
  }
}

/**
 * A pure function, so that a batch is read the same way when it arrives and when it is normalized.
 * Throws if the envelope itself is invalid.
 */
export function readUpload(rawBody: unknown, session: { scopes: readonly string[]; nowMs: number }): ReadUpload {
  const body = ReceivedUpload.parse(rawBody);
  const context: ReadContext = {
    scopes: new Set(MobileScope.options.filter((scope) => session.scopes.includes(scope))),
    nowMs: session.nowMs,
  };
  const rejected = new Rejections();
  rejectUnknownFields(body, rejected);
  const samples = readRecords('samples', body.samples, readSample, context, rejected);
  const daily = readRecords('daily', body.daily, readDailyTotal, context, rejected);
  const sleep = readRecords('sleep', body.sleep, readSleepRecord, context, rejected);
  const workouts = readRecords('workouts', body.workouts, readWorkoutRecord, context, rejected);
  return {
    records: { samples: samples.good, daily: daily.good, sleep: sleep.good, workouts: workouts.good },
    accepted: [samples, daily, sleep, workouts].reduce((sum, { good }) => sum + good.length, 0),
    rejected,
    device: body.device,
    acceptedBody: {
      time_zone: body.time_zone,
      device: body.device,
      samples: samples.raw,
      daily: daily.raw,
      sleep: sleep.raw,
      workouts: workouts.raw,
    },
    acceptedIndexes: {
      samples: samples.indexes,
      daily: daily.indexes,
      sleep: sleep.indexes,
      workouts: workouts.indexes,
    },
  };
}

/** First of all, so that a misspelled list is reported whatever its neighbours contain. */
function rejectUnknownFields(body: ReceivedUpload, rejected: Rejections): void {
  const unknownFields = Object.keys(body).filter((field) => !Object.hasOwn(UploadBody.shape, field));
  for (const [index, field] of unknownFields.entries())
    if (index < maxReportedFields) rejected.add(truncateFieldName(field), unknownField, null);
    else rejected.addUnlisted(unknownField, null);
}
const unknownField = {
  code: 'invalid_record',
  message: 'Unknown field. See the reference for the fields of an upload.',
} as const;

/** The names are the sender's text, so only a few are repeated, and only their beginning. */
const truncateFieldName = (field: string): string =>
  Array.from(field.toWellFormed()).slice(0, maxReportedFieldLength).join('');

function readRecords<T extends object>(
  kind: Kind,
  records: readonly unknown[],
  read: (record: unknown, context: ReadContext, reject: (fieldError: FieldError) => void) => T | FieldError,
  context: ReadContext,
  rejected: Rejections,
): { good: T[]; raw: unknown[]; indexes: number[] } {
  const good: T[] = [];
  const raw: unknown[] = [];
  const indexes: number[] = [];
  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    const reject = (fieldError: FieldError): void =>
      rejected.add(
        fieldError.field === '' ? `${kind}.${index}` : `${kind}.${index}.${fieldError.field}`,
        fieldError,
        kind === 'sleep' || kind === 'workouts' ? kind : readMetric(record),
      );
    const outcome = read(record, context, reject);
    if (outcome instanceof FieldError) reject(outcome);
    else {
      good.push(outcome);
      raw.push(record);
      indexes.push(index);
    }
  }
  return { good, raw, indexes };
}

/** A name that is not in the catalog may be anything, so it is not repeated. */
function readMetric(record: unknown): RejectedSubject {
  const { metric } = RecordWithMetric.safeParse(record).data ?? {};
  return metric !== undefined && isSampleId(metric) ? metric : null;
}
const RecordWithMetric = z.object({ metric: z.string() });
