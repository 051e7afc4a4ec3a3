// What outgrows an item of the table is cut into parts. They stand behind it under a name of their own, which only the item knows: so it changes
// as a whole, and whoever reads it while it changes finds the old whole or the new one.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { writeConditionally } from './conditional-write.ts';
import type { Item, Key, Put, Table, WriteCondition } from './ports.ts';

/** DynamoDB takes 400 KB with names and keys. */
const maxItemBytes = 350_000;
/** As often as an item may change while it is read. */
const maxReads = 20;
/** No sort key has it, and it sorts behind all they have. */
const separator = '~';

export const isChunk = (sk: unknown): boolean => String(sk).includes(separator);

const ChunkedItem = z.object({
  pk: z.string(),
  sk: z.string(),
  parts: z.number().default(0),
  named: z.string().default(''),
});
const Chunk = z.object({ sk: z.string(), v: z.instanceof(Uint8Array) });

const chunkKey = ({ pk, sk }: Key, name: string, chunk: number): Key => ({
  pk,
  sk: `${sk}${separator}${name}${separator}${String(chunk).padStart(3, '0')}`,
});

/** Those that the item names. */
export function listChunkKeys(item: Item): Key[] {
  const { pk, sk, parts: chunks, named } = ChunkedItem.parse(item);
  return Array.from({ length: chunks }, (_none, chunk) => chunkKey({ pk, sk }, named, chunk));
}

export interface SplitItem {
  /** To be written first; nobody reads them before the item names them. */
  chunks: Put[];
  item: Key & Item;
}

/**
 * Its bytes are in `v`, and what it has beside them takes of their room. Most items are small and
 * stay as they are.
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
  return { item: { ...item, v: v.subarray(0, maxFirstBytes), parts: chunks.length, named: name }, chunks };
}

/** False when the condition did not hold: then everything is as it was. */
export async function replaceLargeItem(table: Table, newItem: Key & Item, guard: WriteCondition): Promise<boolean> {
  const { item, chunks } = splitItem(newItem);
  if (chunks.length > 0) await table.batchWrite(chunks);
  const { applied, item: returnedItem } = await writeConditionally(table, { kind: 'put', item, ...guard });
  if (applied) {
    if (returnedItem) await deleteKeys(table, listChunkKeys(returnedItem));
    return true;
  }
  // The answer to the first try was lost: it was written then, and its parts are needed.
  if (chunks.length > 0 && returnedItem?.['named'] === item['named']) return true;
  await deleteKeys(
    table,
    chunks.map((chunk) => chunk.item),
  );
  return false;
}

export async function deleteKeys(table: Table, keys: readonly Key[]): Promise<void> {
  if (keys.length > 0) await table.batchWrite(keys.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk } })));
}

/** The item with all its bytes; undefined when it is gone by now. */
export async function readChunked(table: Table, foundItem: Item): Promise<Item | undefined> {
  let item: Item | undefined = foundItem;
  for (let remainingReads = maxReads; item; remainingReads--) {
    const keys = listChunkKeys(item);
    if (keys.length === 0) return item;
    const chunks = (await table.batchGet(keys, { consistent: true })).map((chunk) => Chunk.parse(chunk));
    const head = Chunk.parse(item);
    if (chunks.length === keys.length)
      return { ...item, v: Buffer.concat([head.v, ...sortChunks(chunks).map(({ v }) => v)]) };
    const { pk, sk } = ChunkedItem.parse(item);
    if (remainingReads === 0) throw new Error(`item ${sk} is missing parts`);
    item = await table.get({ pk, sk }, { consistent: true });
  }
  return undefined;
}

const sortChunks = (chunks: z.infer<typeof Chunk>[]) => chunks.sort((a, b) => (a.sk < b.sk ? -1 : 1));

export async function readAllChunked(table: Table, items: readonly Item[]): Promise<Item[]> {
  const foundItem = await Promise.all(items.map((item) => readChunked(table, item)));
  return foundItem.filter((item) => item !== undefined);
}

/** Only what is whole, without the parts that a query comes across. */
export async function* iterateChunked(table: Table, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    const foundItem = isChunk(item['sk']) ? undefined : await readChunked(table, item);
    if (foundItem) yield foundItem;
  }
}
