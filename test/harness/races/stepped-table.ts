// A table each of whose calls asks for its turn first.
import type { Query, QueryPage, Table } from '../../../shared/platform/ports.ts';
import { queryingCall, readingCall, type TableCall, writingCall } from './table-footprint.ts';

/** Runs the call when its turn has come. */
export type AskTurn = <T>(call: TableCall, run: () => Promise<T>) => Promise<T>;

export function steppedTable(table: Table, turn: AskTurn): Table {
  const ask = (asked: Query) => turn(queryingCall(asked), () => table.query(asked));
  /** A query is no snapshot: what stands in the head may change before the commands behind it are read. */
  const query = async (asked: Query): Promise<QueryPage> => {
    const { from, to } = asked.values;
    if (from !== '@' || to === undefined || asked.newestFirst) return ask(asked);
    const head = await ask({ ...asked, values: { ...asked.values, to: '@~' } });
    if (head.next) return head;
    const rest = await ask({ ...asked, values: { ...asked.values, from: '@~' } });
    return { ...rest, items: [...head.items, ...rest.items] };
  };
  return {
    query,
    async *queryAll(asked) {
      let page = await query(asked);
      yield* page.items;
      while (page.next) {
        page = await query({ ...asked, after: page.next });
        yield* page.items;
      }
    },
    get: (key, options) => turn(readingCall('get', [key]), () => table.get(key, options)),
    batchGet: async (keys, options) =>
      keys.length === 0 ? [] : turn(readingCall('batchGet', keys), () => table.batchGet(keys, options)),
    write: (write) => turn(writingCall('write', [write]), () => table.write(write)),
    transact: (writes) => turn(writingCall('transact', writes), () => table.transact(writes)),
    batchWrite: async (writes) =>
      writes.length === 0 ? undefined : turn(writingCall('batchWrite', writes), () => table.batchWrite(writes)),
  };
}
