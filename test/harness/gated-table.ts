// A table whose calls wait while its gate is closed. The calls that start in the meantime did not
// wait for a response.
import type { LocalTable } from '../../infra/local/local-table.ts';
import { awsTable } from '../../shared/platform/aws/table.ts';
import type { Meter, Table } from '../../shared/platform/ports.ts';
import { localDynamoDb, wrapCalls } from './engine-clients.ts';

export interface GatedTable {
  table: Table;
  calls: Parameters<Meter>[0][];
  /** The operations that started since the gate closed. */
  started: string[];
  close(): void;
  open(): void;
}

export function gatedTable({ endpoint, tableName }: LocalTable): GatedTable {
  const calls: GatedTable['calls'] = [];
  const started: string[] = [];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const client = wrapCalls(localDynamoDb(endpoint), async (operation, send) => {
    started.push(operation);
    await gate.promise;
    return send();
  });
  const table = awsTable({ client, tableName, meter: (call) => calls.push(call) });
  return {
    table,
    calls,
    started,
    close() {
      gate = Promise.withResolvers<void>();
      started.length = 0;
    },
    open: () => gate.resolve(),
  };
}
