// Takes records in, whoever brings them: they are stored before anybody is told so, and working them into the days comes after.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { TransactionRefused } from '../../engine/ports.ts';
import type { UploadBody } from '../../model/upload.ts';
import type { AcceptedUpload } from '../../store/batches.ts';
import type { Deps } from '../deps.ts';
import { wake } from '../wake.ts';

/** Raw data is kept for a while and rarely read: speed matters more than the last per cent. */
const packing = { level: 4 };

export interface Parcel {
  deviceId: string;
  records: UploadBody;
  scopes: readonly string[];
}

/** The name of each parcel; one that was worked in before is not taken in again. Undefined when the user is gone: nothing is left behind then. */
export async function acceptRecords(
  deps: Deps,
  userId: string,
  receivedMs: number,
  parcels: readonly Parcel[],
): Promise<string[] | undefined> {
  const names: string[] = [];
  for (const { deviceId, records, scopes } of parcels) {
    const content = JSON.stringify(records);
    const batch = batchIdOf(deviceId, content);
    names.push(batch);
    if (await deps.store.batches.seen(userId, batch)) continue;
    const raw = gzipSync(content, packing);
    const timeZone = records.time_zone;
    const upload = {
      user: userId,
      batch,
      device: deviceId,
      receivedMs,
      timeZone,
      scopes,
      records: countOf(records),
      raw,
    };
    if (!(await taken(deps, upload))) return undefined;
  }
  if (parcels.length > 0) await wake(deps, 'ingest', { user_id: userId });
  return names;
}

/** Raw first; then, only for a user who is still there, what owes its working in. */
async function taken({ store }: Deps, upload: AcceptedUpload): Promise<boolean> {
  await store.batches.keepRaw(upload);
  try {
    await store.commit([store.users.stillActive(upload.user), store.batches.owing(upload)]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}

const countOf = ({ samples, daily, sleep, workouts }: UploadBody): number =>
  samples.length + daily.length + sleep.length + workouts.length;

/** The same records for the same device have the same name, however often they are sent. */
export const batchIdOf = (device: string, content: string): string =>
  `bat_${createHash('sha256').update(`${device}\n${content}`).digest('base64url').slice(0, 22)}`;
