// A table in this process, for tests that make more calls than an engine answers in the time there is. It has no indexes.
import {
  ConditionFailed,
  type Item,
  type Key,
  type Page,
  type Table,
  TransactionRefused,
  type Write,
} from '../../shared/engine/ports.ts';
import { holds, updated } from './table-expression.ts';

export interface MemoryTable extends Table {
  /** Another one with the same items; what is written to either is not seen by the other. */
  copy(): MemoryTable;
}

type Partitions = Map<string, Map<string, Item>>;

export const memoryTable = (): MemoryTable => tableOver(new Map());

function tableOver(partitions: Partitions): MemoryTable {
  const find = ({ pk, sk }: Key): Item | undefined => partitions.get(pk)?.get(sk);

  function refusal(write: Write): ConditionFailed | undefined {
    const stored = find(keyOf(write));
    const { condition, values = {} } = write;
    return condition === undefined || holds(condition, stored ?? {}, values) ? undefined : new ConditionFailed(stored);
  }

  function apply(write: Write): Item | undefined {
    const { pk, sk } = keyOf(write);
    const rows = partitions.get(pk) ?? new Map<string, Item>();
    partitions.set(pk, rows);
    const before = rows.get(sk);
    if (write.kind === 'put') rows.set(sk, structuredClone(write.item));
    if (write.kind === 'delete') rows.delete(sk);
    if (write.kind !== 'update') return before;
    const after = structuredClone(updated(write.update, before ?? { pk, sk }, write.values ?? {}));
    rows.set(sk, after);
    return after;
  }

  async function query(asked: Parameters<Table['query']>[0]): Promise<Page> {
    const { pk } = asked.values;
    if (asked.index !== undefined || typeof pk !== 'string' || asked.only)
      throw new Error('the table in memory answers queries of one partition, with whole items');
    const found = [...(partitions.get(pk)?.values() ?? [])]
      .filter((item) => holds(asked.where, item, asked.values))
      .sort((a, b) => Buffer.compare(Buffer.from(String(a['sk'])), Buffer.from(String(b['sk']))));
    if (asked.newestFirst) found.reverse();
    const from = asked.after ? found.findIndex(({ sk }) => sk === asked.after?.['sk']) + 1 : 0;
    const items = found.slice(from, from + (asked.limit ?? found.length));
    const last = items.at(-1);
    return last && from + items.length < found.length ? { items, next: last } : { items };
  }

  return {
    copy: () => tableOver(new Map(Array.from(partitions, ([pk, rows]) => [pk, new Map(rows)]))),
    query,
    async *queryAll(asked) {
      for (let page: Page | undefined = await query(asked); page; ) {
        yield* page.items;
        page = page.next && (await query({ ...asked, after: page.next }));
      }
    },
    get: async (key) => find(key),
    batchGet: async (keys) => keys.map(find).filter((item) => item !== undefined),
    async write(write) {
      const refused = refusal(write);
      if (refused) throw refused;
      return apply(write);
    },
    async transact(writes) {
      const failed = writes.map(refusal);
      if (failed.some((each) => each !== undefined)) throw new TransactionRefused(failed);
      for (const write of writes) if (write.kind !== 'check') apply(write);
    },
    async batchWrite(writes) {
      for (const write of writes) apply(write);
    },
  };
}

const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);
