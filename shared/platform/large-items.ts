// Splits an item that is too large for the table into chunks. The chunks are stored after the item
// under a generated name that only the item contains. The item therefore changes atomically: a
// concurrent reader gets either all of the old version or all of the new one.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { writeConditionally } from './conditional-write.ts';
import type { Item, Key, Put, Table, WriteCondition } from './ports.ts';

/** DynamoDB allows 400 KB per item, including attribute names and keys. */
const maxItemBytes = 350_000;
/** How often an item may change while it is being read. */
const maxReads = 20;
/** No sort key contains it, and it sorts after every character they use. */
const separator = '~';

export const isChunk = (sk: unknown): boolean => String(sk).includes(separator);

const ChunkedItem = z.object({
  pk: z.string(),
  sk: z.string(),
  chunks: z.number().default(0),
  chunkName: z.string().default(''),
});
const Chunk = z.object({ sk: z.string(), v: z.instanceof(Uint8Array) });

const chunkKey = ({ pk, sk }: Key, name: string, chunk: number): Key => ({
  pk,
  sk: `${sk}${separator}${name}${separator}${String(chunk).padStart(3, '0')}`,
});

/** The keys of the chunks that the item names. */
export function listChunkKeys(item: Item): Key[] {
  const { pk, sk, chunks, chunkName } = ChunkedItem.parse(item);
  return Array.from({ length: chunks }, (_none, chunk) => chunkKey({ pk, sk }, chunkName, chunk));
}

export interface SplitItem {
  /** Written first; nobody reads them before the item names them. */
  chunks: Put[];
  item: Key & Item;
}

/**
 * The bytes are in `v`, and the item's other content reduces the space for them. Most items are
 * small and stay unchanged.
 */
export function splitItem(item: Key & Item, name = randomBytes(6).toString('base64url')): SplitItem {
  const { v, z, pk, sk } = item;
  const maxFirstBytes = maxItemBytes - (z instanceof Uint8Array ? z.length : 0);
  if (!(v instanceof Uint8Array) || v.length <= maxFirstBytes) return { item, chunks: [] };
  const chunks: Put[] = [];
  for (let at = maxFirstBytes; at < v.length; at += maxItemBytes)
    chunks.push({
      kind: 'put',
      item: { ...chunkKey({ pk, sk }, name, chunks.length), v: v.subarray(at, at + maxItemBytes) },
    });
  return { item: { ...item, v: v.subarray(0, maxFirstBytes), chunks: chunks.length, chunkName: name }, chunks };
}

/** Returns false if the condition failed; then nothing has changed. */
export async function replaceLargeItem(table: Table, newItem: Key & Item, guard: WriteCondition): Promise<boolean> {
  const { item, chunks } = splitItem(newItem);
  if (chunks.length > 0) await table.batchWrite(chunks);
  const { applied, item: returnedItem } = await writeConditionally(table, { kind: 'put', item, ...guard });
  if (applied) {
    if (returnedItem) await deleteKeys(table, listChunkKeys(returnedItem));
    return true;
  }
  // The response to the first attempt was lost: the item was written then, and its chunks are
  // needed.
  if (chunks.length > 0 && returnedItem?.['chunkName'] === item['chunkName']) return true;
  await deleteKeys(
    table,
    chunks.map((chunk) => chunk.item),
  );
  return false;
}

export async function deleteKeys(table: Table, keys: readonly Key[]): Promise<void> {
  if (keys.length > 0) await table.batchWrite(keys.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk } })));
}

/** The item with all its bytes; undefined if it no longer exists. */
export async function readChunked(table: Table, storedItem: Item): Promise<Item | undefined> {
  let item: Item | undefined = storedItem;
  for (let remainingReads = maxReads; item; remainingReads--) {
    const keys = listChunkKeys(item);
    if (keys.length === 0) return item;
    const chunks = (await table.batchGet(keys, { consistent: true })).map((chunk) => Chunk.parse(chunk));
    const head = Chunk.parse(item);
    if (chunks.length === keys.length)
      return { ...item, v: Buffer.concat([head.v, ...sortChunks(chunks).map(({ v }) => v)]) };
    const { pk, sk } = ChunkedItem.parse(item);
    if (remainingReads === 0) throw new Error(`item ${sk} is missing chunks`);
    item = await table.get({ pk, sk }, { consistent: true });
  }
  return undefined;
}

const sortChunks = (chunks: z.infer<typeof Chunk>[]) => chunks.sort((a, b) => (a.sk < b.sk ? -1 : 1));

export async function readAllChunked(table: Table, items: readonly Item[]): Promise<Item[]> {
  const completeItems = await Promise.all(items.map((item) => readChunked(table, item)));
  return completeItems.filter((item) => item !== undefined);
}

/** Yields whole items only, without the chunks that a query returns. */
export async function* iterateChunked(table: Table, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    const completeItem = isChunk(item['sk']) ? undefined : await readChunked(table, item);
    if (completeItem) yield completeItem;
  }
}
