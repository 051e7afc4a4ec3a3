// Reads what waits to be worked in. A replay names many uploads in one row: of those, as many are read as fit, in the order in which they first arrived.
import { gunzipSync } from 'node:zlib';
import { EngineUnavailable } from '../../engine/ports.ts';
import { normalizerFor } from '../../providers/normalizers.ts';
import { type BatchRow, batchRows } from '../../store/batches.ts';
import { type KeptUpload, keptUploads } from '../../store/kept-uploads.ts';
import type { Deps } from '../deps.ts';
import { isTooMuch } from './at-once.ts';
import type { ReadBatch } from './claims.ts';

export interface ReadBatches {
  uploads: ReadBatch[];
  /** What a replay has left for later. */
  left: string[];
}

const namesAtOnce = 25;

export async function readBatches(deps: Deps, userId: string, batches: readonly BatchRow[]): Promise<ReadBatches> {
  const [only] = batches;
  if (only?.replays) return readReplay(deps, userId, only, only.replays);
  return { uploads: await Promise.all(batches.map((batch) => readBatch(deps, userId, batch))), left: [] };
}

async function readBatch(deps: Deps, userId: string, batch: BatchRow): Promise<ReadBatch> {
  const normalize = (deps.normalizerFor ?? normalizerFor)(batch);
  const { records, rejected, zone } = normalize(gunzipSync(await batchRows(deps.store).raw(userId, batch)), batch);
  if (rejected.count > 0)
    deps.log('warn', 'some records of an upload were rejected', {
      user_id: userId,
      batch: batch.batch,
      source: batch.source,
      count: rejected.count,
      codes: [...new Set(rejected.first.map(({ code }) => code))],
    });
  return { batch, records, zone };
}

async function readReplay(deps: Deps, userId: string, row: BatchRow, names: readonly string[]): Promise<ReadBatches> {
  const taken: KeptUpload[] = [];
  const uploads: ReadBatch[] = [];
  for (let at = 0; at < names.length; at += namesAtOnce)
    for (const kept of await keptUploads(deps.store).named(userId, names.slice(at, at + namesAtOnce))) {
      const place = names.indexOf(kept.batch);
      if (taken.length > 0 && isTooMuch([...taken, kept])) return { uploads, left: names.slice(place) };
      taken.push(kept);
      const read = await readAgain(deps, userId, { ...row, ...kept });
      // It is read as it was when it came, and counts as of now.
      const receivedMs = row.receivedMs + (row.replayed ?? 0) + place;
      if (read) uploads.push({ ...read, batch: { ...read.batch, receivedMs } });
    }
  return { uploads, left: [] };
}

/** Undefined for what is gone by now, or cannot be read: the others go on. */
async function readAgain(deps: Deps, userId: string, batch: BatchRow): Promise<ReadBatch | undefined> {
  try {
    return await readBatch(deps, userId, batch);
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error;
    deps.log('warn', 'an upload could not be replayed', { user_id: userId, batch: batch.batch, source: batch.source });
    return undefined;
  }
}
