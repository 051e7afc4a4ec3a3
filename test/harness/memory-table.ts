// An in-memory table, for tests that make more calls than an engine could answer in a reasonable
// time.
import {
  ConditionFailed,
  type Item,
  type Key,
  type QueryPage,
  type Table,
  TransactionCanceled,
  type Value,
  type Write,
} from '../../shared/platform/ports.ts';
import { compareBy, type MemoryIndexes, memoryIndexes } from './memory-index.ts';
import { applyUpdate, evaluateCondition } from './table-expression.ts';

export interface MemoryTable extends Table {
  /** An independent copy with the same items. */
  copy(): MemoryTable;
  /** All items, grouped by partition, with partitions in the order of their first write. */
  rows(): Item[];
  has(key: Key): boolean;
}

type Partitions = Map<string, Map<string, Item>>;

export const memoryTable = (): MemoryTable => createTable(new Map());

function createTable(partitions: Partitions): MemoryTable {
  /** Built on the first index query, because most tests never make one. */
  let indexes: MemoryIndexes | undefined;
  const find = ({ pk, sk }: Key): Item | undefined => partitions.get(pk)?.get(sk);

  function refusal(write: Write): ConditionFailed | undefined {
    const stored = find(keyOf(write));
    const { condition, values = {} } = write;
    return condition === undefined || evaluateCondition(condition, stored ?? {}, values)
      ? undefined
      : new ConditionFailed(stored);
  }

  function apply(write: Write): Item | undefined {
    const { pk, sk } = keyOf(write);
    const rows = partitions.get(pk) ?? new Map<string, Item>();
    partitions.set(pk, rows);
    const before = rows.get(sk);
    const after = applyWrite(write, before);
    if (after) rows.set(sk, after);
    else rows.delete(sk);
    indexes?.update(before, after);
    return write.kind === 'update' ? after : before;
  }

  function inIndex(name: string, { where, values }: Parameters<Table['query']>[0]): Item[] {
    indexes ??= memoryIndexes([...partitions.values()].flatMap((rows) => [...rows.values()]));
    const key = /^#\w+ = :(\w+)/.exec(where)?.[1] ?? '';
    return indexes.find(name, String(values[key])).filter((item) => evaluateCondition(where, item, values));
  }

  function inPartition({ where, values }: Parameters<Table['query']>[0]): Item[] {
    const { pk } = values;
    if (typeof pk !== 'string') throw new Error('the in-memory table requires :pk to select a partition');
    const found = [...(partitions.get(pk)?.values() ?? [])].filter((item) => evaluateCondition(where, item, values));
    return found.sort(compareBy('sk'));
  }

  async function query(request: Parameters<Table['query']>[0]): Promise<QueryPage> {
    refuseEmptyRange(request);
    const found = request.index === undefined ? inPartition(request) : inIndex(request.index, request);
    if (request.newestFirst) found.reverse();
    const { after, only } = request;
    const from = after ? found.findIndex(({ pk, sk }) => pk === after['pk'] && sk === after['sk']) + 1 : 0;
    const items = found.slice(from, from + (request.limit ?? found.length));
    const last = items.at(-1);
    const projected = only ? items.map((item) => pick(item, only)) : items;
    return last && from + items.length < found.length ? { items: projected, next: last } : { items: projected };
  }

  return {
    copy: () => createTable(new Map(Array.from(partitions, ([pk, rows]) => [pk, new Map(rows)]))),
    rows: () => [...partitions.values()].flatMap((rows) => [...rows.values()]),
    has: (key) => find(key) !== undefined,
    query,
    async *queryAll(request) {
      for (let page: QueryPage | undefined = await query(request); page; ) {
        yield* page.items;
        page = page.next && (await query({ ...request, after: page.next }));
      }
    },
    get: async (key) => find(key),
    batchGet: async (keys) => keys.map(find).filter((item) => item !== undefined),
    async write(write) {
      const failure = refusal(write);
      if (failure) throw failure;
      return apply(write);
    },
    async transact(writes) {
      if (writes.length > maxTransactionWrites) throw new RangeError(`a transaction of ${writes.length} writes`);
      const keys = writes.map(keyOf).map(({ pk, sk }) => `${pk} ${sk}`);
      if (new Set(keys).size < keys.length) throw new RangeError('a transaction must not write the same item twice');
      const failed = writes.map(refusal);
      if (failed.some((each) => each !== undefined)) throw new TransactionCanceled(failed);
      for (const write of writes) if (write.kind !== 'check') apply(write);
    },
    async batchWrite(writes) {
      for (const write of writes) apply(write);
    },
  };
}

/** The same limit as in the engines. */
const maxTransactionWrites = 100;

const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

function applyWrite(write: Write, before: Item | undefined): Item | undefined {
  if (write.kind === 'put') return copyItem(write.item);
  if (write.kind === 'delete') return undefined;
  if (write.kind === 'check') return before;
  return copyItem(applyUpdate(write.update, before ?? { ...write.key }, write.values ?? {}));
}

/** Protects stored items from later changes by the writer. `structuredClone` is much slower. */
const copyItem = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, copyValue(value)]));

function copyValue(value: Value): Value {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(copyValue);
  return typeof value === 'object' && value !== null ? copyItem(value) : value;
}

/** Rejects empty ranges, as the engines do. */
function refuseEmptyRange({ where, values }: Parameters<Table['query']>[0]): void {
  const [, low = '', high = ''] = /BETWEEN :(\w+) AND :(\w+)/.exec(where) ?? [];
  if (low !== '' && String(values[low]) > String(values[high]))
    throw new Error('the BETWEEN operator requires an upper bound that is no less than the lower bound');
}

const pick = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
