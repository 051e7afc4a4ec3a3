// A phone's batch, read: the good records in the common vocabulary, the others by their place and reason.

import { MobileScope } from '../../catalog/mobile-scopes.ts';
import type { Records } from '../../measurements/records.ts';
import type { Rejection } from '../kit/upload-answer.ts';
import { mostRejectionsTold } from '../kit/upload-limits.ts';
import { Unfit } from './read-fields.ts';
import { type Judging, readDailyTotal, readSample } from './read-measurement.ts';
import { readSleepRecord, readWorkoutRecord } from './read-session.ts';
import { UploadBody, type UploadDevice } from './upload.ts';

export interface ReadUpload {
  records: Records;
  /** How many records are good. */
  accepted: number;
  rejected: Rejections;
  device: UploadDevice;
  /** The body with the good records only: reading it again gives the same records. */
  kept: UploadBody;
  /** Which of its list each good record was. */
  places: Record<Kind, number[]>;
}

const kinds = ['samples', 'daily', 'sleep', 'workouts'] as const;
type Kind = (typeof kinds)[number];

/** All are counted, and the first of them told: a body may be wrong in half a million places. */
export class Rejections {
  count = 0;
  readonly first: Rejection[] = [];
  add(path: string, { code, message }: Pick<Rejection, 'code' | 'message'>): void {
    this.count++;
    if (this.first.length < mostRejectionsTold) this.first.push({ path, code, message });
  }
}

/** Pure, so that a batch is read the same way when it arrives and when it is worked in. Throws where the envelope itself is wrong. */
export function readUpload(given: unknown, asked: { scopes: readonly string[]; nowMs: number }): ReadUpload {
  const body = UploadBody.parse(given);
  const judging: Judging = {
    scopes: new Set(MobileScope.options.filter((scope) => asked.scopes.includes(scope))),
    nowMs: asked.nowMs,
  };
  const rejected = new Rejections();
  const samples = readAll('samples', body.samples, readSample, judging, rejected);
  const daily = readAll('daily', body.daily, readDailyTotal, judging, rejected);
  const sleep = readAll('sleep', body.sleep, readSleepRecord, judging, rejected);
  const workouts = readAll('workouts', body.workouts, readWorkoutRecord, judging, rejected);
  return {
    records: { samples: samples.good, daily: daily.good, sleep: sleep.good, workouts: workouts.good },
    accepted: [samples, daily, sleep, workouts].reduce((sum, { good }) => sum + good.length, 0),
    rejected,
    device: body.device,
    kept: { ...body, samples: samples.kept, daily: daily.kept, sleep: sleep.kept, workouts: workouts.kept },
    places: { samples: samples.places, daily: daily.places, sleep: sleep.places, workouts: workouts.places },
  };
}

function readAll<T extends object>(
  kind: Kind,
  records: readonly unknown[],
  read: (record: unknown, judging: Judging, reject: (unfit: Unfit) => void) => T | Unfit,
  judging: Judging,
  rejected: Rejections,
): { good: T[]; kept: unknown[]; places: number[] } {
  const good: T[] = [];
  const kept: unknown[] = [];
  const places: number[] = [];
  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    const reject = (unfit: Unfit): void =>
      rejected.add(unfit.field === '' ? `${kind}.${index}` : `${kind}.${index}.${unfit.field}`, unfit);
    const outcome = read(record, judging, reject);
    if (outcome instanceof Unfit) reject(outcome);
    else {
      good.push(outcome);
      kept.push(record);
      places.push(index);
    }
  }
  return { good, kept, places };
}
