// Writers and readers of one large item that conflict, crash, lose responses and interleave.
import fc from 'fast-check';
import { expect } from 'vitest';
import { isChunk, readChunked, replaceLargeItem } from '../../../shared/platform/large-items.ts';
import type { Item, Table } from '../../../shared/platform/ports.ts';
import { measuredTable } from '../../harness/measured-table.ts';
import { memoryTable } from '../../harness/memory-table.ts';

export const key = { pk: 'U#a', sk: 'N#2026-03-10' };
const maxBytes = 3_000_000;

/** The bytes of a seed differ from those of all others, and from themselves shifted by a chunk. */
export const bytesOf = (size: number, seed: number): Buffer =>
  Buffer.alloc(
    size,
    Uint8Array.from({ length: 251 }, (_none, at) => (at * 7 + seed) % 256),
  );

const isSame = ({ v }: Item, bytes: Buffer): boolean => v instanceof Uint8Array && bytes.equals(v);

export class Killed extends Error {}

/** A table whose writer crashes before its nth write, if it gets that far. */
export function crashingTable(table: Table, nth: number): Table {
  let left = nth;
  const unlessCrashed = <T>(write: () => Promise<T>): Promise<T> => {
    left--;
    return left < 0 ? Promise.reject(new Killed()) : write();
  };
  return {
    ...table,
    write: (write) => unlessCrashed(() => table.write(write)),
    async batchWrite(writes) {
      for (const write of writes) await unlessCrashed(() => table.batchWrite([write]));
    },
  };
}

/** The first response to a write is lost, and the client sends the write again. */
const withLostResponses = (table: Table): Table => ({
  ...table,
  async write(write) {
    await table.write(write);
    return table.write(write);
  },
});

/** Calls `interrupt` after a reader has read the item and before it reads the chunks. */
function interruptedTable(table: Table, interrupt: () => Promise<void>): Table {
  let done = false;
  return {
    ...table,
    async batchGet(wanted, options) {
      if (!done) {
        done = true;
        await interrupt();
      }
      return table.batchGet(wanted, options);
    },
  };
}

interface Step {
  kind: 'replaced' | 'refused' | 'crashed' | 'response lost' | 'replaced while being read';
  size: number;
  /** The write before which a crashing writer crashes. */
  nth: number;
}
const size = fc.oneof(
  fc.integer({ min: 0, max: maxBytes }),
  fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 2 })).map(([n, more]) => n * 350_000 + more),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind'][]>(
      'replaced',
      'refused',
      'crashed',
      'response lost',
      'replaced while being read',
    ),
    size,
    nth: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 1, maxLength: 6 },
);

export async function rows(table: Table): Promise<Item[]> {
  return (await table.query({ where: '#pk = :pk', values: { pk: key.pk } })).items;
}
export const readItem = async (table: Table): Promise<Item | undefined> => {
  const item = await table.get(key);
  return item && readChunked(table, item);
};

export async function checkLargeItem(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const memory = memoryTable();
      // An engine returns items in any order.
      const reversed: Table = { ...memory, batchGet: async (wanted) => (await memory.batchGet(wanted)).reverse() };
      const { table } = measuredTable(reversed);
      let revision = 0;
      let bytes: Buffer | undefined;
      let crashes = 0;
      const replace = (over: Table, v: Buffer, from = revision): Promise<boolean> =>
        replaceLargeItem(
          over,
          { ...key, v, r: from + 1 },
          from === 0
            ? { condition: 'attribute_not_exists(#pk)' }
            : { condition: '#r = :revision', values: { revision: from } },
        );
      const recordReplaced = (v: Buffer): void => {
        revision++;
        bytes = v;
      };
      for (const [at, { kind, size: length, nth }] of all.entries()) {
        const v = bytesOf(length, at);
        if (kind === 'replaced') {
          expect(await replace(table, v)).toBe(true);
          recordReplaced(v);
        } else if (kind === 'refused') expect(await replace(table, v, revision + 7)).toBe(false);
        else if (kind === 'response lost') {
          // A writer that sees its write refused reads the item again.
          await replace(withLostResponses(table), v);
          recordReplaced(v);
          crashes++;
        } else if (kind === 'crashed') {
          crashes++;
          const isReplaced = await replace(crashingTable(table, nth), v).catch((error) => {
            if (!(error instanceof Killed)) throw error;
          });
          const isStored = (await memory.get(key))?.['r'] === revision + 1;
          if (isReplaced) expect(isStored).toBe(true);
          if (isStored) recordReplaced(v);
        } else {
          const item = await table.get(key);
          const reader = interruptedTable(table, async () => {
            expect(await replace(table, v)).toBe(true);
            recordReplaced(v);
          });
          const read = item && (await readChunked(reader, item));
          if (read) expect(bytes && isSame(read, bytes)).toBe(true);
        }
        const read = await readItem(table);
        expect(read === undefined).toBe(bytes === undefined);
        if (read && bytes) expect(isSame(read, bytes)).toBe(true);
        const storedChunks = (await rows(memory)).filter(({ sk }) => isChunk(sk)).length;
        const namedChunks = Number((await memory.get(key))?.['chunks'] ?? 0);
        if (crashes === 0) expect(storedChunks).toBe(namedChunks);
        else expect(storedChunks).toBeGreaterThanOrEqual(namedChunks);
      }
    }),
    { numRuns },
  );
}
