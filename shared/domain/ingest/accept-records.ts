// Takes records in, whoever brings them: they are stored before anybody is told so, and working them into the days comes after.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { UploadBody } from '../../model/upload.ts';
import { type AcceptedUpload, batchRows } from '../../store/batches.ts';
import { type DeviceRow, deviceRows } from '../../store/devices.ts';
import type { Deps } from '../deps.ts';
import { activeDevices, subjectOf } from '../users/subject.ts';
import { mustTryAgain } from '../work/optimistic-retry.ts';
import { wake } from '../work/wake.ts';
import { inStretches } from './split-upload.ts';

/** Raw data is kept for a while and rarely read: speed matters more than the last per cent. */
const packing = { level: 4 };
/** Of those who upload for one device at once, one gets through each time. */
const mostTries = 60;

export interface Parcel {
  device: DeviceRow;
  records: UploadBody;
  scopes: readonly string[];
}

/** The name of each parcel; undefined where the user or the device is gone, and nothing is owed then. */
export async function acceptRecords(
  deps: Deps,
  userId: string,
  receivedMs: number,
  parcels: readonly Parcel[],
): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  let owed = false;
  for (const parcel of parcels) {
    const content = JSON.stringify(parcel.records);
    const batch = batchIdOf(parcel.device.id, content);
    const outcome = await taken(deps, userId, receivedMs, parcel, batch, content);
    names.push(outcome === 'gone' ? undefined : batch);
    owed ||= outcome === 'taken';
  }
  if (owed) await wake(deps, 'ingest', { user_id: userId });
  return names;
}

/** What a device brings twice in a row is taken once. Anything else is later than what it brought before, whatever it equals: the last word counts. */
async function taken(
  deps: Deps,
  userId: string,
  receivedMs: number,
  { device: read, records, scopes }: Parcel,
  batch: string,
  content: string,
): Promise<'taken' | 'repeated' | 'gone'> {
  const { store } = deps;
  let device: DeviceRow | undefined = read;
  let parts: Part[] | undefined;
  for (let left = mostTries; device; left--) {
    if (device.lastBatch === batch) return 'repeated';
    const arrivedMs = Math.max(receivedMs, device.receivedMs + 1);
    const about = { user: userId, device: device.id, receivedMs: arrivedMs, timeZone: records.time_zone, scopes };
    if (!parts) {
      parts = partsOf(device.id, records, batch, content);
      for (const part of parts) await batchRows(store).keepRaw({ ...about, ...part });
    }
    try {
      await store.commit([
        deviceRows(store).receiving(userId, device, batch, arrivedMs),
        ...parts.map((part) => batchRows(store).owing({ ...about, ...part })),
      ]);
      return 'taken';
    } catch (error) {
      mustTryAgain(error, left, 'a device');
    }
    const subject = await subjectOf(deps, userId);
    device = activeDevices(subject?.devices ?? []).find(({ id }) => id === read.id);
  }
  return 'gone';
}

type Part = Pick<AcceptedUpload, 'batch' | 'records' | 'raw' | 'from' | 'to'>;

function partsOf(device: string, whole: UploadBody, batch: string, content: string): Part[] {
  const stretches = inStretches(whole);
  return stretches.map(({ records, from, to }) => {
    const text = stretches.length === 1 ? content : JSON.stringify(records);
    return {
      batch: stretches.length === 1 ? batch : batchIdOf(device, text),
      records: countOf(records),
      raw: gzipSync(text, packing),
      from,
      to,
    };
  });
}

const countOf = ({ samples, daily, sleep, workouts }: UploadBody): number =>
  samples.length + daily.length + sleep.length + workouts.length;

/** The same records for the same device have the same name, however often they are sent. */
export const batchIdOf = (device: string, content: string): string =>
  `bat_${createHash('sha256').update(`${device}\n${content}`).digest('base64url').slice(0, 22)}`;
