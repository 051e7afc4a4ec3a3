// Corrupts and repairs stored uploads: they cannot be processed until they are repaired.
import type { Item, Table } from '../../shared/platform/ports.ts';
import { keys } from '../../shared/system/keys.ts';

export interface Upload {
  user: string;
  batch: string;
}

/** Returns the original item, for the repair. */
export async function poison(table: Table, upload: Upload, content = Buffer.from('no gzip')): Promise<Item> {
  const raw = await rawOf(table, upload);
  await table.write({ kind: 'put', item: { ...raw, ...keyOf(upload), v: content } });
  return raw;
}

/** Restores the raw data and leaves its retention unchanged. */
export async function repair(table: Table, upload: Upload, raw: Item): Promise<void> {
  const now = await rawOf(table, upload);
  await table.write({ kind: 'put', item: { ...now, ...keyOf(upload), v: raw['v'] ?? null } });
}

export async function rawOf(table: Table, upload: Upload): Promise<Item> {
  const raw = await table.get(keyOf(upload));
  if (!raw) throw new Error(`there is no raw data for ${upload.batch}`);
  return raw;
}

const keyOf = ({ user, batch }: Upload) => keys.rawChunk(user, batch, 0);
