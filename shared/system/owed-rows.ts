// What is owed, of every kind: the index of what is due, read from the oldest on.
import * as z from 'zod';
import { type DueKind, duePartitions, dueShards, type Owed } from './due.ts';
import { instant, keys } from './keys.ts';
import { repository } from './store.ts';

export interface Backlog {
  /** Each owner once, the oldest of each part of the index first. */
  owed: Owed[];
  /** Where to go on; undefined when everything was seen. */
  rest: string[] | undefined;
  /** Whatever has been owed since before then was seen. */
  seenMs: number;
}

const Found = z.object({ pk: z.string(), sk: z.string(), dueSk: z.string() });
const Rest = z.object({ rest: z.array(z.string()) });
const Looked = z.object({ seenMs: z.number(), wholeMs: z.number() });
/** How far a schedule has looked, and when it looks at everything again. */
export type Looked = z.infer<typeof Looked>;
const rowsAnOwner = 4;
/** Before and behind every place of the index. */
const [fromTheStart, atTheEnd] = ['0', '~'];

const timeAt = (place: string): number => Number.parseInt(place, 10);

export const owedRows = repository(({ table }) => {
  async function inPartition(partition: string, beforeMs: number, from: string, most: number) {
    const last = instant(beforeMs);
    const owed = new Map<string, Owed>();
    // An earlier look came further already; the table refuses a range that ends before it begins.
    if (from > last) return { owed, rest: undefined };
    const found = table.queryAll({
      index: 'by-due',
      where: '#duePk = :due AND #dueSk BETWEEN :from AND :last',
      values: { due: partition, from, last },
      limit: most + 1,
    });
    let seen = 0;
    for await (const item of found) {
      const { pk, sk, dueSk } = Found.parse(item);
      // One owner may have very many rows: they are passed over a part at a time, too.
      if (owed.size === most || seen++ === rowsAnOwner * most) return { owed, rest: dueSk };
      const owner = dueSk.slice(dueSk.indexOf('#') + 1);
      if (!owed.has(owner)) owed.set(owner, { owner, key: { pk, sk }, sinceMs: timeAt(dueSk) });
    }
    return { owed, rest: undefined };
  }

  return {
    /** What has been owed since before then: so much of it, from the beginning, from a time on, or from where an earlier look ended. */
    async before(
      kind: DueKind,
      beforeMs: number,
      { atMost, sinceMs, from = [] }: { atMost: number; sinceMs?: number; from?: readonly string[] | undefined },
    ): Promise<Backlog> {
      const most = Math.ceil(atMost / dueShards);
      const start = sinceMs === undefined ? fromTheStart : instant(sinceMs);
      const parts = await Promise.all(
        duePartitions(kind).map((partition, at) => inPartition(partition, beforeMs, from[at] ?? start, most)),
      );
      const isWhole = parts.every(({ rest }) => rest === undefined);
      return {
        owed: parts.flatMap(({ owed }) => [...owed.values()]),
        rest: isWhole ? undefined : parts.map(({ rest }) => rest ?? atTheEnd),
        seenMs: Math.min(beforeMs, ...parts.flatMap(({ rest }) => (rest === undefined ? [] : [timeAt(rest)]))),
      };
    },
    /** Since when the oldest of them has waited. */
    async oldest(kind: DueKind): Promise<number | undefined> {
      const firsts = await Promise.all(
        duePartitions(kind).map((due) =>
          table.query({ index: 'by-due', where: '#duePk = :due', values: { due }, limit: 1 }),
        ),
      );
      const times = firsts.flatMap(({ items }) => items.map((item) => timeAt(Found.parse(item).dueSk)));
      return times.length === 0 ? undefined : Math.min(...times);
    },

    async looked(kind: DueKind): Promise<Looked | undefined> {
      const item = await table.get(keys.looked(kind));
      return item && Looked.parse(item);
    },
    async lookedTo(kind: DueKind, looked: Looked): Promise<void> {
      await table.write({ kind: 'put', item: { ...keys.looked(kind), ...looked } });
    },
    /** Where the last sweep of a kind ended that could not see everything. */
    async sweptTo(kind: DueKind): Promise<string[] | undefined> {
      const item = await table.get(keys.sweep(kind));
      return item && Rest.parse(item).rest;
    },
    async sweepOn(kind: DueKind, rest: string[] | undefined): Promise<void> {
      await table.write(
        rest ? { kind: 'put', item: { ...keys.sweep(kind), rest } } : { kind: 'delete', key: keys.sweep(kind) },
      );
    },
  };
});
