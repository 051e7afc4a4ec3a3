// Takes records in, whoever brings them. The command stands first, then the raw data: so whatever stops in between, and whatever becomes of the
// user, the person's writer knows of it. Who brought them is answered when both are stored; working them into the days comes after.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { RawBatch } from '../providers/kit/normalizer.ts';
import type { Deps } from '../system/deps.ts';
import { wakeWorker } from '../system/wake-worker.ts';
import { type Command, commandRows } from '../users/command-rows.ts';
import { type DeviceRow, deviceRows } from '../users/device-rows.ts';
import { findActiveDevice, readUserContextWithCommands } from '../users/user-context.ts';
import { findDeviceCommands, nextArrivalMs } from './arrivals.ts';
import { countRawChunks, type RawUpload, rawUploadRows } from './raw-uploads.ts';

/** Raw data is kept for a while and rarely read: speed matters more than the last per cent. */
const gzipOptions = { level: 4 };
/** Of those who upload for one device at once, one gets through each time. */
const maxRetries = 60;

export interface DeviceBatch {
  device: DeviceRow;
  raw: RawBatch;
  scopes: readonly string[];
  /** It was asked for after the device was read: what came in meanwhile may be newer, and must not be taken back by it. */
  rejectIfStale?: true;
}

/** The device has brought something else since it was read. */
export class StaleRead extends Error {
  constructor() {
    super('the device has brought something else meanwhile');
  }
}

/** The name of each parcel; undefined where the user or the device is gone, and nothing is to be done then. */
export async function acceptRecords(
  deps: Deps,
  userId: string,
  receivedMs: number,
  batches: readonly DeviceBatch[],
): Promise<(string | undefined)[]> {
  const batchIds: (string | undefined)[] = [];
  let isAppended = false;
  for (const batch of batches) {
    const batchId = computeBatchId(batch.device.id, batch.raw.content);
    const outcome = await acceptBatch(deps, userId, receivedMs, batch, batchId);
    batchIds.push(outcome === 'gone' ? undefined : batchId);
    isAppended ||= outcome === 'taken';
  }
  if (isAppended) await wakeWorker(deps, 'user', { user_id: userId });
  return batchIds;
}

/** What a device brings twice in a row is taken once. Anything else is later than what it brought before, whatever it equals: the last word counts. */
async function acceptBatch(
  deps: Deps,
  userId: string,
  receivedMs: number,
  { device: readDevice, raw, scopes, rejectIfStale }: DeviceBatch,
  batchId: string,
): Promise<'taken' | 'repeated' | 'gone'> {
  const { store } = deps;
  const chunks = splitBatch(readDevice.id, raw, batchId);
  return optimisticRetry({ what: 'a device', retries: maxRetries }, async (conflicts) => {
    const device = conflicts === 0 ? readDevice : await findActiveDevice(deps, userId, readDevice.id);
    if (!device) return 'gone';
    if (rejectIfStale && device.receivedMs !== readDevice.receivedMs) throw new StaleRead();
    if (
      device.lastBatch === batchId &&
      (isSettled(device, receivedMs) || (await isStored(deps, userId, device, chunks)))
    )
      return 'repeated';
    const arrivedMs = Math.max(receivedMs, device.receivedMs + 1);
    const uploads = chunks.map((chunk) => toStoredUpload(device, raw, scopes, chunk, arrivedMs));
    await store.commit([
      deviceRows(store).buildReceiveUpload(
        userId,
        { ...device, name: readDevice.name },
        batchId,
        arrivedMs,
        rejectIfStale,
      ),
      ...uploads.map((upload) => commandRows(store).buildAppend(userId, { kind: 'upload', ...upload })),
    ]);
    for (const [at, upload] of uploads.entries())
      await rawUploadRows(store).put(userId, upload, chunks[at]?.packed ?? emptyBytes);
    return 'taken';
  });
}

/** By then an upload that never was whole has been dropped, and its device no longer names it. */
const settledAfterMs = 10 * 60_000;
const isSettled = ({ receivedMs }: DeviceRow, nowMs: number): boolean => nowMs - receivedMs > settledAfterMs;

export interface PhoneUpload {
  userId: string;
  device: DeviceRow;
  /** The commands that waited when the device was read. */
  commands: readonly Command[];
  raw: RawBatch;
  scopes: readonly string[];
}

/**
 * A phone's upload costs no write of its device: what it brought last is among the commands that
 * wait, or stands on the user's row. It may come at the same time as the end of the device or of
 * the sharing, and counts as before it.
 */
export async function acceptPhoneUpload(
  deps: Deps,
  { userId, device, commands, raw, scopes }: PhoneUpload,
  receivedMs: number,
): Promise<string> {
  const { store } = deps;
  const batchId = computeBatchId(device.id, raw.content);
  const chunks = splitBatch(device.id, raw, batchId);
  const last = findDeviceCommands(device, commands).at(-1);
  const isRepeat = last
    ? last.id === batchId && (await isComplete(deps, userId, [last]))
    : device.lastBatch === batchId;
  if (isRepeat) return batchId;
  const arrivedMs = nextArrivalMs(device, commands, receivedMs);
  for (const chunk of chunks) {
    const upload = toStoredUpload(device, raw, scopes, chunk, arrivedMs);
    await store.table.write(commandRows(store).buildAppend(userId, { kind: 'upload', ...upload }));
    await rawUploadRows(store).put(userId, upload, chunk.packed);
  }
  await wakeWorker(deps, 'user', { user_id: userId });
  return batchId;
}

interface PackedChunk extends Pick<RawUpload, 'id' | 'records' | 'from' | 'to'> {
  packed: Uint8Array;
}
const emptyBytes = new Uint8Array();

const toStoredUpload = (
  device: DeviceRow,
  { source, format, timeZone }: RawBatch,
  scopes: readonly string[],
  { packed, ...chunk }: PackedChunk,
  receivedMs: number,
): RawUpload => ({
  ...chunk,
  device: device.id,
  receivedMs,
  source,
  format,
  timeZone,
  scopes: [...scopes],
  pieces: countRawChunks(packed),
});

/** Somebody brought the same before, and may have stopped before it was whole: then it has to come again, since the writer may be dropping it. */
async function isStored(
  deps: Deps,
  userId: string,
  device: DeviceRow,
  chunks: readonly PackedChunk[],
): Promise<boolean> {
  const { commands } = await readUserContextWithCommands(deps, userId, 'newest too');
  const pendingCommands = findDeviceCommands(device, commands).filter(({ id }) =>
    chunks.some((chunk) => chunk.id === id),
  );
  return isComplete(deps, userId, pendingCommands);
}

async function isComplete({ store }: Deps, userId: string, commands: readonly Command[]): Promise<boolean> {
  for (const command of commands)
    if (command.kind === 'upload' && !(await rawUploadRows(store).readBytes(userId, command))) return false;
  return true;
}

function splitBatch(device: string, batch: RawBatch, batchId: string): PackedChunk[] {
  return batch.chunks().map(({ content, records, from, to }) => ({
    id: content === batch.content ? batchId : computeBatchId(device, content),
    records,
    packed: gzipSync(content, gzipOptions),
    from,
    to,
  }));
}

/** The same records for the same device have the same name, however often they are sent. */
export const computeBatchId = (device: string, content: RawBatch['content']): string =>
  `bat_${createHash('sha256').update(`${device}\n`).update(content).digest('base64url').slice(0, 22)}`;
