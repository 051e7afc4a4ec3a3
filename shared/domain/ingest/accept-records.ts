// Takes records in, whoever brings them: they are stored before anybody is told so, and working them into the days comes after.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RawBatch } from '../../providers/normalizer.ts';
import { type AcceptedUpload, batchRows } from '../../store/batches.ts';
import { type DeviceRow, deviceRows } from '../../store/devices.ts';
import { keptUploads } from '../../store/kept-uploads.ts';
import type { Deps } from '../deps.ts';
import { activeDevice } from '../users/subject.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';
import { wake } from '../work/wake.ts';

/** Raw data is kept for a while and rarely read: speed matters more than the last per cent. */
const packing = { level: 4 };
/** Of those who upload for one device at once, one gets through each time. */
const mostRetries = 60;

export interface Parcel {
  device: DeviceRow;
  raw: RawBatch;
  scopes: readonly string[];
  /** It was asked for after the device was read: what came in meanwhile may be newer, and must not be taken back by it. */
  unlessOvertaken?: true;
}

/** The device has brought something else since it was read. */
export class Overtaken extends Error {
  constructor() {
    super('the device has brought something else meanwhile');
  }
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
    const batch = batchIdOf(parcel.device.id, parcel.raw.content);
    const outcome = await taken(deps, userId, receivedMs, parcel, batch);
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
  { device: read, raw, scopes, unlessOvertaken }: Parcel,
  batch: string,
): Promise<'taken' | 'repeated' | 'gone'> {
  const { store } = deps;
  let parts: Part[] | undefined;
  return optimisticRetry({ what: 'a device', retries: mostRetries }, async (conflicts) => {
    const device = conflicts === 0 ? read : await activeDevice(deps, userId, read.id);
    if (!device) return 'gone';
    if (unlessOvertaken && device.receivedMs !== read.receivedMs) throw new Overtaken();
    if (device.lastBatch === batch) return 'repeated';
    const arrivedMs = Math.max(receivedMs, device.receivedMs + 1);
    const { source, format, timeZone } = raw;
    const about = { user: userId, device: device.id, receivedMs: arrivedMs, source, format, timeZone, scopes };
    if (!parts) {
      parts = partsOf(device.id, raw, batch);
      for (const part of parts) await batchRows(store).keepRaw({ ...about, ...part });
    } else for (const part of parts) await keptUploads(store).arrived(userId, part.batch, arrivedMs);
    await store.commit([
      deviceRows(store).receiving(userId, { ...device, name: read.name }, batch, arrivedMs, unlessOvertaken),
      ...parts.map((part) => batchRows(store).owing({ ...about, ...part })),
    ]);
    return 'taken';
  });
}

type Part = Pick<AcceptedUpload, 'batch' | 'records' | 'raw' | 'from' | 'to'>;

function partsOf(device: string, whole: RawBatch, batch: string): Part[] {
  return whole.parts().map(({ content, records, from, to }) => ({
    batch: content === whole.content ? batch : batchIdOf(device, content),
    records,
    raw: gzipSync(content, packing),
    from,
    to,
  }));
}

/** The same records for the same device have the same name, however often they are sent. */
export const batchIdOf = (device: string, content: RawBatch['content']): string =>
  `bat_${createHash('sha256').update(`${device}\n`).update(content).digest('base64url').slice(0, 22)}`;
