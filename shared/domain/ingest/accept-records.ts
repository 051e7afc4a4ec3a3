// Takes records in, whoever brings them: they are stored before anybody is told so, and working them into the days comes after.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { UploadBody } from '../../model/upload.ts';
import type { Deps } from '../deps.ts';
import { wake } from '../wake.ts';

/** Raw data is kept for a while and rarely read: speed matters more than the last per cent. */
const packing = { level: 4 };

export interface Parcel {
  deviceId: string;
  records: UploadBody;
  scopes: readonly string[];
}

/** Returns the name of each parcel; one that is already here, waiting or worked in, is not taken in again. */
export async function acceptRecords(
  deps: Deps,
  userId: string,
  receivedMs: number,
  parcels: readonly Parcel[],
): Promise<string[]> {
  const names: string[] = [];
  for (const { deviceId, records, scopes } of parcels) {
    const content = JSON.stringify(records);
    const batch = batchIdOf(deviceId, content);
    names.push(batch);
    if (await deps.store.batches.seen(userId, batch)) continue;
    const raw = gzipSync(content, packing);
    const timeZone = records.time_zone;
    await deps.store.batches.accept({ user: userId, batch, device: deviceId, receivedMs, timeZone, scopes, raw });
  }
  if (parcels.length > 0) await wake(deps, 'ingest', { user_id: userId });
  return names;
}

/** The same records for the same device have the same name, however often they are sent. */
export const batchIdOf = (device: string, content: string): string =>
  `bat_${createHash('sha256').update(`${device}\n${content}`).digest('base64url').slice(0, 22)}`;
