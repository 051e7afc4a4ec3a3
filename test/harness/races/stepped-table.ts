// A table in which each call waits for its turn.
import type { Query, QueryPage, Table } from '../../../shared/platform/ports.ts';
import { queryCall, readCall, type TableCall, writeCall } from './table-footprint.ts';

/** Runs the call when it is its turn. */
export type AwaitTurn = <T>(call: TableCall, run: () => Promise<T>) => Promise<T>;

export function steppedTable(table: Table, turn: AwaitTurn): Table {
  const queryInTurn = (request: Query) => turn(queryCall(request), () => table.query(request));
  /** A query is not a snapshot: the head may change before the commands after it are read. */
  const query = async (request: Query): Promise<QueryPage> => {
    const { from, to } = request.values;
    if (from !== '@' || to === undefined || request.newestFirst) return queryInTurn(request);
    const head = await queryInTurn({ ...request, values: { ...request.values, to: '@~' } });
    if (head.next) return head;
    const rest = await queryInTurn({ ...request, values: { ...request.values, from: '@~' } });
    return { ...rest, items: [...head.items, ...rest.items] };
  };
  return {
    query,
    async *queryAll(request) {
      let page = await query(request);
      yield* page.items;
      while (page.next) {
        page = await query({ ...request, after: page.next });
        yield* page.items;
      }
    },
    get: (key, options) => turn(readCall('get', [key]), () => table.get(key, options)),
    batchGet: async (keys, options) =>
      keys.length === 0 ? [] : turn(readCall('batchGet', keys), () => table.batchGet(keys, options)),
    write: (write) => turn(writeCall('write', [write]), () => table.write(write)),
    transact: (writes) => turn(writeCall('transact', writes), () => table.transact(writes)),
    batchWrite: async (writes) =>
      writes.length === 0 ? undefined : turn(writeCall('batchWrite', writes), () => table.batchWrite(writes)),
  };
}
