// Reads one page of a team's rows with one prefix, newest first. A call reads a bounded number of
// rows, however few of them match.
import * as z from 'zod';
import type { Item, Table } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { teamPartition } from '../system/keys.ts';

const maxRowsPerRead = 200;
const maxReads = 5;

export interface TeamPageQuery<Row> {
  account: string;
  env: Environment;
  prefix: string;
  limit: number;
  /** The page starts after this id, whose row may be gone by now. */
  afterId?: string | undefined;
  read(item: Item): Row;
  /** Undefined to include every row. */
  shows?: ((row: Row) => boolean) | undefined;
}

/** A page can be short, or even empty, and still have more after it: `nextAfterId` is then set. */
export async function readTeamPage<Row extends { id: string }>(
  table: Table,
  { account, env, prefix, limit, afterId, read, shows }: TeamPageQuery<Row>,
): Promise<{ rows: Row[]; nextAfterId: string | undefined }> {
  const matchingRows: Row[] = [];
  let lastId = afterId;
  for (let reads = 0; reads < maxReads; reads++) {
    const { items, next } = await table.query({
      where: '#pk = :pk AND #sk BETWEEN :first AND :before',
      values: { pk: teamPartition(account, env), first: prefix, before: `${prefix}${lastId ?? '~'}` },
      newestFirst: true,
      // Two more: one for the row that the page starts after, and one to see whether more follow.
      limit: shows === undefined ? limit + 2 : maxRowsPerRead,
      consistent: true,
    });
    const borderId = lastId;
    const rows = items.map(read).filter(({ id }) => id !== borderId);
    matchingRows.push(...rows.filter((row) => shows === undefined || shows(row)));
    const lastRow = matchingRows[limit - 1];
    if (lastRow && matchingRows.length > limit) return { rows: matchingRows.slice(0, limit), nextAfterId: lastRow.id };
    if (!next) return { rows: matchingRows, nextAfterId: undefined };
    lastId = z.object({ sk: z.string() }).parse(next).sk.slice(prefix.length);
  }
  return { rows: matchingRows, nextAfterId: lastId };
}
