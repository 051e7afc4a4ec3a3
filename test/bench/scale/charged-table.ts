// An in-memory table that behaves like DynamoDB: every call takes time, is charged to the
// partitions it touches, is recorded in the stream, and can conflict with transactions in progress.
import {
  EngineUnavailable,
  type Item,
  type Query,
  type QueryPage,
  type Table,
  type Write,
} from '../../../shared/platform/ports.ts';
import type { MemoryTable } from '../../harness/memory-table.ts';
import { type ChargedUnits, chargeItem, chargeQuery, chargeWrite, keyOf } from './units.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Change {
  pk: string;
  sk: string;
  name: 'INSERT' | 'MODIFY' | 'REMOVE';
  after: Item | undefined;
}
export interface ChargedTableOptions {
  time: VirtualTime;
  /** Whether calls are charged now. Costs are only computed while they are. */
  isCharged?(): boolean;
  charge(charged: readonly ChargedUnits[], call: { isRefused: boolean; isConflict: boolean }): void;
  stream(change: Change): void;
  /** The latencies of calls in milliseconds. Zero while nothing is measured. */
  latency(): { read: number; write: number; transaction: number };
}

/** The same values as in the adapter. */
const maxAttempts = 8;
const backoffMs = 25;

export function chargedTable(table: MemoryTable, options: ChargedTableOptions): Table {
  const { time, isCharged = () => true, stream, latency } = options;
  const charge = (units: () => ChargedUnits[], call: { isRefused: boolean; isConflict: boolean }): void => {
    if (isCharged()) options.charge(units(), call);
  };
  /** Items of the transactions in progress. */
  const busy = new Set<string>();
  const nameOf = (write: Write): string => `${keyOf(write).pk} ${keyOf(write).sk}`;
  const stored = async (write: Write): Promise<Item | undefined> => table.get(keyOf(write));

  let turn: Promise<unknown> = Promise.resolve();
  /**
   * Applies one write at a time, so that no other write changes an item between its old and new
   * image.
   */
  function applyInTurn<T>(writes: readonly Write[], isTransaction: boolean, apply: () => Promise<T>): Promise<T> {
    const ownTurn = turn.then(() => applyNow(writes, isTransaction, apply));
    turn = ownTurn.catch(() => {
      // The writer receives the error. The next write only waits for this one to end.
    });
    return ownTurn;
  }

  async function applyNow<T>(writes: readonly Write[], isTransaction: boolean, apply: () => Promise<T>): Promise<T> {
    const before = await Promise.all(writes.map(stored));
    let result: T;
    try {
      result = await apply();
    } catch (error) {
      charge(() => writes.flatMap((write, at) => chargeWrite(write, before[at], before[at], isTransaction)), {
        ...{ isRefused: true, isConflict: false },
      });
      throw error;
    }
    const after = await Promise.all(writes.map(stored));
    charge(() => writes.flatMap((write, at) => chargeWrite(write, before[at], after[at], isTransaction)), {
      isRefused: false,
      isConflict: false,
    });
    for (const [at, write] of writes.entries()) {
      const { pk, sk } = keyOf(write);
      if (write.kind === 'check' || (!before[at] && !after[at])) continue;
      const name = after[at] ? (before[at] ? 'MODIFY' : 'INSERT') : 'REMOVE';
      stream({ pk, sk, name, after: after[at] });
    }
    return result;
  }

  async function transact(writes: Write[]): Promise<void> {
    const names = writes.map(nameOf);
    for (let failures = 1; ; failures++) {
      const isConflict = names.some((name) => busy.has(name));
      if (!isConflict) {
        for (const name of names) busy.add(name);
        try {
          await time.sleep(latency().transaction);
          return await applyInTurn(writes, true, () => table.transact(writes));
        } finally {
          for (const name of names) busy.delete(name);
        }
      }
      await time.sleep(latency().transaction);
      const storedItems = await Promise.all(writes.map(stored));
      charge(() => writes.flatMap((write, at) => chargeWrite(write, storedItems[at], storedItems[at], true)), {
        isRefused: false,
        isConflict: true,
      });
      if (failures === maxAttempts)
        throw new EngineUnavailable(`a transaction conflicted with others ${maxAttempts} times`);
      await time.sleep(Math.random() * backoffMs * 2 ** (failures - 1));
    }
  }

  const read = { isRefused: false, isConflict: false };
  async function query(request: Query): Promise<QueryPage> {
    await time.sleep(latency().read);
    const { only, ...unprojected } = request;
    const page = await table.query(unprojected);
    charge(() => [chargeQuery(request, page.items)], read);
    if (!only) return page;
    const items = page.items.map((item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => only.includes(name))),
    );
    return { ...page, items };
  }

  return {
    async get(key, options) {
      await time.sleep(latency().read);
      const item = await table.get(key, options);
      charge(() => [chargeItem(key, item, options?.consistent)], read);
      return item;
    },
    async batchGet(keys, options) {
      await time.sleep(latency().read);
      const items = await Promise.all(keys.map((key) => table.get(key, options)));
      charge(() => keys.map((key, at) => chargeItem(key, items[at], options?.consistent)), read);
      return items.filter((item) => item !== undefined);
    },
    query,
    async *queryAll(request) {
      for (let page: QueryPage | undefined = await query(request); page; ) {
        yield* page.items;
        page = page.next && (await query({ ...request, after: page.next }));
      }
    },
    async write(write) {
      await time.sleep(latency().write);
      return applyInTurn([write], false, () => table.write(write));
    },
    transact,
    async batchWrite(writes) {
      await time.sleep(latency().write);
      for (const write of writes) await applyInTurn([write], false, () => table.batchWrite([write]));
    },
  };
}
