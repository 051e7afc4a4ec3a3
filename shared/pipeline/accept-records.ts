// Accepts records from any source. The command is written before the raw data, so that the user's
// writer knows of the data even if the caller stops in between or the user is deleted. The caller
// gets its response once both are stored; the days are computed afterwards.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { RawBatch } from '../providers/kit/normalizer.ts';
import type { Deps } from '../system/deps.ts';
import { type Command, commandRows } from '../users/command-rows.ts';
import { type DeviceRow, deviceRows } from '../users/device-rows.ts';
import { findActiveDevice, readUserContextWithCommands } from '../users/user-context.ts';
import { wakeUser } from '../users/wake-user.ts';
import { findDeviceCommands, nextArrivalMs } from './arrivals.ts';
import { countRawChunks, type RawUpload, rawUploadRows } from './raw-uploads.ts';
import { type UploadSummaryRow, uploadSummaryRows } from './upload-summary-rows.ts';

/**
 * Raw data is stored for a limited time and rarely read, so speed matters more than the last
 * percent of compression.
 */
const gzipOptions = { level: 4 };
/** Of concurrent uploads for one device, one succeeds in each round. */
const maxRetries = 60;

export interface DeviceBatch {
  device: DeviceRow;
  raw: RawBatch;
  scopes: readonly string[];
  /**
   * The batch was requested after the device was read. Data that arrived in between may be newer,
   * and this batch must not withdraw it.
   */
  rejectIfStale?: true;
}

/** The device has received other data since it was read. */
export class StaleRead extends Error {
  constructor() {
    super('the device has received other data since it was read');
  }
}

/**
 * Returns the id of each batch; undefined where the user or the device no longer exists, in which
 * case nothing is stored.
 */
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
  if (isAppended) await wakeUser(deps, userId);
  return batchIds;
}

/**
 * A batch that a device sends twice in a row is accepted once. Any other batch counts as later than
 * everything before it, even if it equals an earlier one: the last version wins.
 */
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
      ...uploads.map((upload) => commandRows(store).buildAppend(userId, { kind: 'upload', ...upload, via: raw.via })),
    ]);
    for (const [at, upload] of uploads.entries())
      await rawUploadRows(store).put(userId, upload, chunks[at]?.packed ?? emptyBytes);
    return 'taken';
  });
}

/** By then an incomplete upload has been dropped, and its device no longer refers to it. */
const settledAfterMs = 10 * 60_000;
const isSettled = ({ receivedMs }: DeviceRow, nowMs: number): boolean => nowMs - receivedMs > settledAfterMs;

export interface PhoneUpload {
  userId: string;
  device: DeviceRow;
  /** The pending commands at the time the device was read. */
  commands: readonly Command[];
  raw: RawBatch;
  scopes: readonly string[];
  /** What was rejected of the upload. */
  rejected: Pick<UploadSummaryRow, 'rejected' | 'rejections'>;
}

/**
 * A phone's upload does not write its device row: the last upload is either among the pending
 * commands or stored on the user's row. An upload that arrives while the device or the sharing is
 * ending counts as having arrived before the end.
 */
export async function acceptPhoneUpload(
  deps: Deps,
  { userId, device, commands, raw, scopes, rejected }: PhoneUpload,
  receivedMs: number,
): Promise<string> {
  const { store } = deps;
  // Other rejections make another upload, which is listed, even if the same records were accepted.
  const batchId = computeBatchId(device.id, raw.content, rejected.rejections);
  const chunks = splitBatch(device.id, raw, batchId);
  const last = findDeviceCommands(device, commands).at(-1);
  const isRepeat = last
    ? last.id === batchId && (await isComplete(deps, userId, [last]))
    : device.lastBatch === batchId;
  if (isRepeat) return batchId;
  const arrivedMs = nextArrivalMs(device, commands, receivedMs);
  for (const [at, chunk] of chunks.entries()) {
    const upload = toStoredUpload(device, raw, scopes, chunk, arrivedMs);
    await store.table.write(commandRows(store).buildAppend(userId, { kind: 'upload', ...upload }));
    // Before the raw data, without which the writer keeps the command: an erasure finds this row.
    if (at === 0) await uploadSummaryRows(store).put(userId, summarize(device, batchId, chunks, arrivedMs, rejected));
    await rawUploadRows(store).put(userId, upload, chunk.packed);
  }
  await wakeUser(deps, userId);
  return batchId;
}

/** An upload that is stored in several chunks is one upload to its sender. */
const summarize = (
  device: DeviceRow,
  batchId: string,
  chunks: readonly PackedChunk[],
  receivedMs: number,
  rejected: PhoneUpload['rejected'],
): UploadSummaryRow => ({
  batch: batchId,
  device: device.id,
  receivedMs,
  kind: 'upload',
  failure: null,
  accepted: chunks.reduce((sum, { records }) => sum + records, 0),
  ...rejected,
});

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
  chunks: countRawChunks(packed),
});

/**
 * The same batch was sent before, and the sender may have stopped before it was complete. It must
 * then be sent again, since the writer may be about to drop it.
 */
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

/** The same records for the same device always have the same id. */
export const computeBatchId = (
  device: string,
  content: RawBatch['content'],
  rejections: UploadSummaryRow['rejections'] = [],
): string => {
  const hash = createHash('sha256').update(`${device}\n`).update(content);
  if (rejections.length > 0) hash.update(JSON.stringify(rejections));
  return `bat_${hash.digest('base64url').slice(0, 22)}`;
};
