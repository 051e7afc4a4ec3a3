// What outgrows an item of the table is cut into parts. They stand behind it under a name of their own, which only the item knows: so it changes
// as a whole, and whoever reads it while it changes finds the old whole or the new one.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { conditionalWrite } from './conditional-write.ts';
import type { Item, Key, Put, Table, WriteCondition } from './ports.ts';

/** DynamoDB takes 400 KB with names and keys. */
const mostBytes = 350_000;
/** As often as an item may change while it is read. */
const mostReads = 20;
/** No sort key has it, and it sorts behind all they have. */
const mark = '~';

export const isPart = (sk: unknown): boolean => String(sk).includes(mark);

const Parts = z.object({ pk: z.string(), sk: z.string(), parts: z.number().default(0), named: z.string().default('') });
const Part = z.object({ sk: z.string(), v: z.instanceof(Uint8Array) });

const partKey = ({ pk, sk }: Key, name: string, part: number): Key => ({
  pk,
  sk: `${sk}${mark}${name}${mark}${String(part).padStart(3, '0')}`,
});

/** Those that the item names. */
export function partKeys(item: Item): Key[] {
  const { pk, sk, parts, named } = Parts.parse(item);
  return Array.from({ length: parts }, (_none, part) => partKey({ pk, sk }, named, part));
}

export interface Cut {
  /** To be written first; nobody reads them before the item names them. */
  parts: Put[];
  item: Key & Item;
}

/**
 * Its bytes are in `v`, and what it has beside them takes of their room. Most items are small and
 * stay as they are.
 */
export function cut(item: Key & Item, name = randomBytes(6).toString('base64url')): Cut {
  const { v, z, pk, sk } = item;
  const room = mostBytes - (z instanceof Uint8Array ? z.length : 0);
  if (!(v instanceof Uint8Array) || v.length <= room) return { item, parts: [] };
  const parts: Put[] = [];
  for (let at = room; at < v.length; at += mostBytes)
    parts.push({
      kind: 'put',
      item: { ...partKey({ pk, sk }, name, parts.length), v: v.subarray(at, at + mostBytes) },
    });
  return { item: { ...item, v: v.subarray(0, room), parts: parts.length, named: name }, parts };
}

/** False when the condition did not hold: then everything is as it was. */
export async function replaceLarge(table: Table, given: Key & Item, guard: WriteCondition): Promise<boolean> {
  const { item, parts } = cut(given);
  if (parts.length > 0) await table.batchWrite(parts);
  const { held, item: stood } = await conditionalWrite(table, { kind: 'put', item, ...guard });
  if (held) {
    if (stood) await removeKeys(table, partKeys(stood));
    return true;
  }
  // The answer to the first try was lost: it was written then, and its parts are needed.
  if (parts.length > 0 && stood?.['named'] === item['named']) return true;
  await removeKeys(
    table,
    parts.map((part) => part.item),
  );
  return false;
}

export async function removeKeys(table: Table, keys: readonly Key[]): Promise<void> {
  if (keys.length > 0) await table.batchWrite(keys.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk } })));
}

/** The item with all its bytes; undefined when it is gone by now. */
export async function whole(table: Table, found: Item): Promise<Item | undefined> {
  let item: Item | undefined = found;
  for (let left = mostReads; item; left--) {
    const keys = partKeys(item);
    if (keys.length === 0) return item;
    const parts = (await table.batchGet(keys, { consistent: true })).map((part) => Part.parse(part));
    const first = Part.parse(item);
    if (parts.length === keys.length)
      return { ...item, v: Buffer.concat([first.v, ...inOrder(parts).map(({ v }) => v)]) };
    const { pk, sk } = Parts.parse(item);
    if (left === 0) throw new Error(`item ${sk} is missing parts`);
    item = await table.get({ pk, sk }, { consistent: true });
  }
  return undefined;
}

const inOrder = (parts: z.infer<typeof Part>[]) => parts.sort((a, b) => (a.sk < b.sk ? -1 : 1));

export async function allWhole(table: Table, items: readonly Item[]): Promise<Item[]> {
  const found = await Promise.all(items.map((item) => whole(table, item)));
  return found.filter((item) => item !== undefined);
}

/** Only what is whole, without the parts that a query comes across. */
export async function* eachWhole(table: Table, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    const found = isPart(item['sk']) ? undefined : await whole(table, item);
    if (found) yield found;
  }
}
