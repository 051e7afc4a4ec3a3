// A table in memory that holds millions of deliveries and thousands of feed pages: of a delivery
// that has arrived only the key is stored, and pages are found without looking at the others.
import type { Item, Table, Write } from '../../shared/platform/ports.ts';
import { memoryTable } from '../harness/memory-table.ts';

export interface OutageTable {
  table: Table;
  /** How many events were delivered to the endpoint, each counted once. */
  deliveries(webhook: string): number;
  /** How often the endpoint's row was written. */
  rowWrites(webhook: string): number;
}

const isArrived = (write: Write): boolean =>
  write.kind === 'put' && write.item.pk.startsWith('H#') && write.item['status'] === 'delivered';

export function outageTable(
  wait: (milliseconds: number) => Promise<void>,
  latencies: { read: number; write: number; transaction: number },
): OutageTable {
  const inner = memoryTable();
  const arrived = new Map<string, Set<string>>();
  const pages = new Map<string, { sk: string; item: Item }[]>();
  const rowWrites = new Map<string, number>();
  let template: Item = {};

  function note(write: Write): void {
    const { sk } = write.kind === 'put' ? write.item : write.key;
    if (sk.startsWith('HOOK#')) rowWrites.set(sk.slice(5), (rowWrites.get(sk.slice(5)) ?? 0) + 1);
    if (write.kind === 'put' && write.item.pk.startsWith('F#')) {
      const own = pages.get(write.item.pk) ?? [];
      pages.set(write.item.pk, own);
      if (own.length === 0 || (own.at(-1)?.sk ?? '') < sk) own.push({ sk, item: write.item });
    }
    if (write.kind === 'update' && sk.startsWith('DELIVERY#') && write.values?.['status'] === 'delivered')
      arrive(write.key.pk, sk);
  }
  function arrive(pk: string, sk: string): void {
    const own = arrived.get(pk) ?? new Set();
    arrived.set(pk, own);
    own.add(sk);
  }
  const firstAtOrAfter = (own: readonly { sk: string }[], sk: string): number => {
    let [low, high] = [0, own.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((own[middle]?.sk ?? '') < sk) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const table: Table = {
    ...inner,
    async get(key, options) {
      await wait(latencies.read);
      return inner.get(key, options);
    },
    async query(query) {
      await wait(latencies.read);
      const own = pages.get(String(query.values['pk']));
      const first = query.values['first'];
      if (!own || first === undefined) return inner.query(query);
      const limit = query.limit ?? 1_000;
      const from = firstAtOrAfter(own, String(first));
      const keys = own.slice(from, from + limit);
      const items = keys.map(({ item }) => item);
      if (keys.length === limit) return { items, next: { pk: '', sk: '' } };
      const end = await inner.get({ pk: String(query.values['pk']), sk: '@NEXT' });
      return { items: end ? [...items, end] : items };
    },
    async batchGet(keys, options) {
      await wait(latencies.read);
      const known = keys.filter(({ pk, sk }) => arrived.get(pk)?.has(sk));
      const others = keys.filter(({ pk, sk }) => !arrived.get(pk)?.has(sk));
      return [...known.map((key) => ({ ...template, ...key })), ...(await inner.batchGet(others, options))];
    },
    async write(write) {
      await wait(latencies.write);
      if (write.kind === 'put' && isArrived(write)) {
        const { pk, sk } = write.item;
        if (arrived.get(pk)?.has(sk)) return inner.write({ ...write, condition: 'attribute_exists(#never)' });
        template = write.item;
        arrive(pk, sk);
        return undefined;
      }
      const result = await inner.write(write);
      note(write);
      return result;
    },
    async transact(writes) {
      await wait(latencies.transaction);
      await inner.transact(writes);
      for (const write of writes) note(write);
    },
  };
  return {
    table,
    deliveries: (webhook) => arrived.get(`H#${webhook}`)?.size ?? 0,
    rowWrites: (webhook) => rowWrites.get(webhook) ?? 0,
  };
}
