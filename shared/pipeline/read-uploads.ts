// Reads pending uploads. A replay lists many uploads in one command: they are read in the order in
// which they first arrived, up to the batch limits.
import { gunzipSync } from 'node:zlib';
import { EngineUnavailable } from '../platform/ports.ts';
import type { Normalizer, SourceFormat } from '../providers/kit/normalizer.ts';
import { getNormalizer } from '../providers/normalizers.ts';
import type { Deps } from '../system/deps.ts';
import type { ReplayCommand, UploadCommand } from '../users/command-rows.ts';
import type { UploadRecords } from './claims.ts';
import { exceedsBatchLimits } from './ingest-batch-limits.ts';
import { type RawUpload, rawUploadRows } from './raw-uploads.ts';

/** Lets tests supply their own normalizer. */
export interface OwnNormalizers {
  normalizerFor?: (format: SourceFormat) => Normalizer;
}

const uploadsPerRead = 25;

/** Returns undefined while the raw data is not complete. */
export async function readRecords(
  deps: Deps & OwnNormalizers,
  userId: string,
  upload: UploadCommand,
): Promise<UploadRecords | undefined> {
  const raw = await rawUploadRows(deps.store).readBytes(userId, upload);
  return raw && normalizeUpload(deps, userId, upload, raw, upload.late ?? false);
}

async function normalizeUpload(
  deps: Deps & OwnNormalizers,
  userId: string,
  upload: Pick<UploadCommand, keyof RawUpload>,
  raw: Uint8Array,
  isLate: boolean,
): Promise<UploadRecords> {
  const normalize = await (deps.normalizerFor ?? getNormalizer)(upload);
  const { records, rejected, rejectionCounts = [], zone } = normalize(gunzipSync(raw), upload);
  if (rejected.count > 0)
    deps.log('warn', 'records_rejected', {
      user_id: userId,
      batch_id: upload.id,
      source: upload.source,
      count: rejected.count,
      codes: [...new Set(rejected.first.map(({ code }) => code))],
    });
  const { receivedMs, timeZone } = upload;
  return { receivedMs, timeZone, isLate, records, zone, rejected: rejected.count, rejections: rejectionCounts };
}

export interface ReplayRead {
  uploads: UploadRecords[];
  /** The uploads left for a later pass. */
  remaining: string[];
}

export async function readReplay(deps: Deps, userId: string, command: ReplayCommand): Promise<ReplayRead> {
  const uploadIds = command.uploads;
  const selected: RawUpload[] = [];
  const uploads: UploadRecords[] = [];
  for (let at = 0; at < uploadIds.length; at += uploadsPerRead)
    for (const storedUpload of await rawUploadRows(deps.store).findByIds(
      userId,
      uploadIds.slice(at, at + uploadsPerRead),
    )) {
      const position = uploadIds.indexOf(storedUpload.id);
      if (selected.length > 0 && exceedsBatchLimits([...selected, storedUpload]))
        return { uploads, remaining: uploadIds.slice(position) };
      selected.push(storedUpload);
      const read = await rereadUpload(deps, userId, storedUpload);
      // The upload is read as it was when it arrived, but counts as arriving now.
      if (read) uploads.push({ ...read, receivedMs: command.receivedMs + command.replayed + position });
    }
  return { uploads, remaining: [] };
}

/**
 * Returns undefined for an upload that has expired or cannot be read, so that the others proceed.
 */
async function rereadUpload(deps: Deps, userId: string, storedUpload: RawUpload): Promise<UploadRecords | undefined> {
  try {
    const raw = await rawUploadRows(deps.store).readBytes(userId, storedUpload);
    return raw && (await normalizeUpload(deps, userId, storedUpload, raw, false));
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    deps.log('warn', 'upload_replay_failed', {
      user_id: userId,
      batch_id: storedUpload.id,
      source: storedUpload.source,
    });
    return undefined;
  }
}
