// Who is owed work of a kind: the front of the index of what is due.
import * as z from 'zod';
import type { Table } from '../engine/ports.ts';
import { dues } from './keys.ts';

export function owedRows(table: Table) {
  return {
    /** Each user once, however much is owed to it. */
    async *users(kind: 'erase' | 'ingest' | 'consolidate' | 'score' | 'seed'): AsyncGenerator<string> {
      let last: string | undefined;
      const found = table.queryAll({ index: 'by-due', where: '#duePk = :due', values: { due: dues[kind] } });
      for await (const item of found) {
        const { dueSk } = z.object({ dueSk: z.string() }).parse(item);
        if (dueSk !== last) yield dueSk;
        last = dueSk;
      }
    },
    /** Events that have waited to be published since before this id was made, oldest first. */
    async *events(beforeId: string): AsyncGenerator<string> {
      const found = table.queryAll({
        index: 'by-due',
        where: '#duePk = :due AND #dueSk < :before',
        values: { due: dues.publish, before: beforeId },
      });
      for await (const item of found) yield z.object({ dueSk: z.string() }).parse(item).dueSk;
    },
  };
}
