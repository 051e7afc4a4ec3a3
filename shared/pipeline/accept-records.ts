// Takes records in, whoever brings them. The command stands first, then the raw data: so whatever stops in between, and whatever becomes of the
// user, the person's writer knows of it. Who brought them is answered when both are stored; working them into the days comes after.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { RawBatch } from '../providers/kit/normalizer.ts';
import type { Deps } from '../system/deps.ts';
import { wake } from '../system/wake.ts';
import { type Command, commandRows } from '../users/command-rows.ts';
import { type DeviceRow, deviceRows } from '../users/device-rows.ts';
import { activeDevice, subjectWithCommands } from '../users/subject.ts';
import { broughtBy, nextArrivalMs } from './arrivals.ts';
import { piecesOf, type RawUpload, rawUploads } from './raw-uploads.ts';

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

/** The name of each parcel; undefined where the user or the device is gone, and nothing is to be done then. */
export async function acceptRecords(
  deps: Deps,
  userId: string,
  receivedMs: number,
  parcels: readonly Parcel[],
): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = [];
  let isAppended = false;
  for (const parcel of parcels) {
    const name = batchIdOf(parcel.device.id, parcel.raw.content);
    const outcome = await taken(deps, userId, receivedMs, parcel, name);
    names.push(outcome === 'gone' ? undefined : name);
    isAppended ||= outcome === 'taken';
  }
  if (isAppended) await wake(deps, 'person', { user_id: userId });
  return names;
}

/** What a device brings twice in a row is taken once. Anything else is later than what it brought before, whatever it equals: the last word counts. */
async function taken(
  deps: Deps,
  userId: string,
  receivedMs: number,
  { device: read, raw, scopes, unlessOvertaken }: Parcel,
  name: string,
): Promise<'taken' | 'repeated' | 'gone'> {
  const { store } = deps;
  const parts = partsOf(read.id, raw, name);
  return optimisticRetry({ what: 'a device', retries: mostRetries }, async (conflicts) => {
    const device = conflicts === 0 ? read : await activeDevice(deps, userId, read.id);
    if (!device) return 'gone';
    if (unlessOvertaken && device.receivedMs !== read.receivedMs) throw new Overtaken();
    if (device.lastBatch === name && (isSettled(device, receivedMs) || (await isStored(deps, userId, device, parts))))
      return 'repeated';
    const arrivedMs = Math.max(receivedMs, device.receivedMs + 1);
    const uploads = parts.map((part) => uploadOf(device, raw, scopes, part, arrivedMs));
    await store.commit([
      deviceRows(store).receiving(userId, { ...device, name: read.name }, name, arrivedMs, unlessOvertaken),
      ...uploads.map((upload) => commandRows(store).appending(userId, { kind: 'upload', ...upload })),
    ]);
    for (const [at, upload] of uploads.entries())
      await rawUploads(store).put(userId, upload, parts[at]?.packed ?? nothing);
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
export async function acceptFromPhone(
  deps: Deps,
  { userId, device, commands, raw, scopes }: PhoneUpload,
  receivedMs: number,
): Promise<string> {
  const { store } = deps;
  const name = batchIdOf(device.id, raw.content);
  const parts = partsOf(device.id, raw, name);
  const last = broughtBy(device, commands).at(-1);
  const isRepeat = last ? last.id === name && (await isWhole(deps, userId, [last])) : device.lastBatch === name;
  if (isRepeat) return name;
  const arrivedMs = nextArrivalMs(device, commands, receivedMs);
  for (const part of parts) {
    const upload = uploadOf(device, raw, scopes, part, arrivedMs);
    await store.table.write(commandRows(store).appending(userId, { kind: 'upload', ...upload }));
    await rawUploads(store).put(userId, upload, part.packed);
  }
  await wake(deps, 'person', { user_id: userId });
  return name;
}

interface Part extends Pick<RawUpload, 'id' | 'records' | 'from' | 'to'> {
  packed: Uint8Array;
}
const nothing = new Uint8Array();

const uploadOf = (
  device: DeviceRow,
  { source, format, timeZone }: RawBatch,
  scopes: readonly string[],
  { packed, ...part }: Part,
  receivedMs: number,
): RawUpload => ({
  ...part,
  device: device.id,
  receivedMs,
  source,
  format,
  timeZone,
  scopes: [...scopes],
  pieces: piecesOf(packed),
});

/** Somebody brought the same before, and may have stopped before it was whole: then it has to come again, since the writer may be dropping it. */
async function isStored(deps: Deps, userId: string, device: DeviceRow, parts: readonly Part[]): Promise<boolean> {
  const { commands } = await subjectWithCommands(deps, userId, 'newest too');
  const waiting = broughtBy(device, commands).filter(({ id }) => parts.some((part) => part.id === id));
  return isWhole(deps, userId, waiting);
}

async function isWhole({ store }: Deps, userId: string, commands: readonly Command[]): Promise<boolean> {
  for (const command of commands)
    if (command.kind === 'upload' && !(await rawUploads(store).bytes(userId, command))) return false;
  return true;
}

function partsOf(device: string, whole: RawBatch, name: string): Part[] {
  return whole.parts().map(({ content, records, from, to }) => ({
    id: content === whole.content ? name : batchIdOf(device, content),
    records,
    packed: gzipSync(content, packing),
    from,
    to,
  }));
}

/** The same records for the same device have the same name, however often they are sent. */
export const batchIdOf = (device: string, content: RawBatch['content']): string =>
  `bat_${createHash('sha256').update(`${device}\n`).update(content).digest('base64url').slice(0, 22)}`;
