// A phone's batch, read: the good records in the common vocabulary, the others by their place and reason.
import type { Records } from '../../model/records.ts';
import { MobileScope } from '../../model/token.ts';
import { type Rejection, UploadBody, type UploadDevice } from '../../model/upload.ts';
import { Unfit } from './read-fields.ts';
import { type Judging, readDailyTotal, readSample } from './read-measurement.ts';
import { readSleep, readWorkout } from './read-session.ts';

export interface ReadUpload {
  records: Records;
  /** How many records are good. */
  accepted: number;
  rejected: Rejection[];
  device: UploadDevice;
  /** The body with the good records only: reading it again gives the same records. */
  kept: UploadBody;
}

const kinds = ['samples', 'daily', 'sleep', 'workouts'] as const;
type Kind = (typeof kinds)[number];

/** Pure, so that a batch is read the same way when it arrives and when it is worked in. Throws where the envelope itself is wrong. */
export function readUpload(given: unknown, asked: { scopes: readonly string[]; nowMs: number }): ReadUpload {
  const body = UploadBody.parse(given);
  const judging: Judging = {
    scopes: new Set(MobileScope.options.filter((scope) => asked.scopes.includes(scope))),
    nowMs: asked.nowMs,
  };
  const samples = readAll('samples', body.samples, readSample, judging);
  const daily = readAll('daily', body.daily, readDailyTotal, judging);
  const sleep = readAll('sleep', body.sleep, readSleep, judging);
  const workouts = readAll('workouts', body.workouts, readWorkout, judging);
  const all = [samples, daily, sleep, workouts];
  return {
    records: { samples: samples.good, daily: daily.good, sleep: sleep.good, workouts: workouts.good },
    accepted: all.reduce((sum, { good }) => sum + good.length, 0),
    rejected: all.flatMap(({ rejected }) => rejected),
    device: body.device,
    kept: { ...body, samples: samples.kept, daily: daily.kept, sleep: sleep.kept, workouts: workouts.kept },
  };
}

function readAll<T extends object>(
  kind: Kind,
  records: readonly unknown[],
  read: (record: unknown, judging: Judging, besides: Unfit[]) => T | Unfit,
  judging: Judging,
): { good: T[]; kept: unknown[]; rejected: Rejection[] } {
  const good: T[] = [];
  const kept: unknown[] = [];
  const rejected: Rejection[] = [];
  for (let index = 0; index < records.length; index++) {
    const record = records[index];
    const besides: Unfit[] = [];
    const outcome = read(record, judging, besides);
    for (const { field, code, message } of outcome instanceof Unfit ? [outcome] : besides)
      rejected.push({ path: field === '' ? `${kind}.${index}` : `${kind}.${index}.${field}`, code, message });
    if (outcome instanceof Unfit) continue;
    good.push(outcome);
    kept.push(record);
  }
  return { good, kept, rejected };
}
