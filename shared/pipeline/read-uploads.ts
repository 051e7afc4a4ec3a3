// Reads what waits to be worked in. A replay names many uploads in one command: of those, as many are read as fit, in the order in which they first arrived.
import { gunzipSync } from 'node:zlib';
import { EngineUnavailable } from '../platform/ports.ts';
import type { Normalizer, SourceFormat } from '../providers/kit/normalizer.ts';
import { normalizerFor } from '../providers/normalizers.ts';
import type { Deps } from '../system/deps.ts';
import type { ReplayCommand, UploadCommand } from '../users/command-rows.ts';
import { isTooMuch } from './at-once.ts';
import type { UploadRecords } from './claims.ts';
import { type RawUpload, rawUploads } from './raw-uploads.ts';

/** Tests bring a normalizer of their own. */
export interface OwnNormalizers {
  normalizerFor?: (format: SourceFormat) => Normalizer;
}

const namesAtOnce = 25;

/** Undefined while its raw data is not there. */
export async function readRecords(
  deps: Deps & OwnNormalizers,
  userId: string,
  upload: UploadCommand,
): Promise<UploadRecords | undefined> {
  const raw = await rawUploads(deps.store).bytes(userId, upload);
  return raw && normalized(deps, userId, upload, raw, upload.late ?? false);
}

async function normalized(
  deps: Deps & OwnNormalizers,
  userId: string,
  upload: Pick<UploadCommand, keyof RawUpload>,
  raw: Uint8Array,
  isLate: boolean,
): Promise<UploadRecords> {
  const normalize = await (deps.normalizerFor ?? normalizerFor)(upload);
  const { records, rejected, zone } = normalize(gunzipSync(raw), upload);
  if (rejected.count > 0)
    deps.log('warn', 'some records of an upload were rejected', {
      user_id: userId,
      batch: upload.id,
      source: upload.source,
      count: rejected.count,
      codes: [...new Set(rejected.first.map(({ code }) => code))],
    });
  const { receivedMs, timeZone } = upload;
  return { receivedMs, timeZone, isLate, records, zone };
}

export interface ReadReplay {
  uploads: UploadRecords[];
  /** What is left for later. */
  left: string[];
}

export async function readReplay(deps: Deps, userId: string, command: ReplayCommand): Promise<ReadReplay> {
  const names = command.uploads;
  const taken: RawUpload[] = [];
  const uploads: UploadRecords[] = [];
  for (let at = 0; at < names.length; at += namesAtOnce)
    for (const kept of await rawUploads(deps.store).named(userId, names.slice(at, at + namesAtOnce))) {
      const place = names.indexOf(kept.id);
      if (taken.length > 0 && isTooMuch([...taken, kept])) return { uploads, left: names.slice(place) };
      taken.push(kept);
      const read = await readAgain(deps, userId, kept);
      // It is read as it was when it came, and counts as of now.
      if (read) uploads.push({ ...read, receivedMs: command.receivedMs + command.replayed + place });
    }
  return { uploads, left: [] };
}

/** Undefined for what is gone by now, or cannot be read: the others go on. */
async function readAgain(deps: Deps, userId: string, kept: RawUpload): Promise<UploadRecords | undefined> {
  try {
    const raw = await rawUploads(deps.store).bytes(userId, kept);
    return raw && (await normalized(deps, userId, kept, raw, false));
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    deps.log('warn', 'an upload could not be replayed', { user_id: userId, batch: kept.id, source: kept.source });
    return undefined;
  }
}
