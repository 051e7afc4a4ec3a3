// What is owed, of every kind: the index of what is due, read from the oldest on.
import * as z from 'zod';
import { type DueKind, duePartitions, dueShards, formerDuePartition, type Owed } from './due.ts';
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

interface Part {
  partition: string;
  /** The last place that is asked for. */
  last: string;
  /** Since when something is owed that stands there; undefined when its place says so. */
  sinceMs?: number;
}

/** The release before kept each kind in one part, without times: what it left there is owed all the same. */
const partsOf = (kind: DueKind, beforeMs: number): Part[] => [
  ...duePartitions(kind).map((partition) => ({ partition, last: instant(beforeMs) })),
  { partition: formerDuePartition(kind), last: atTheEnd, sinceMs: beforeMs },
];

/** None where places have no times. */
function timeAt(place: string): number[] {
  const ms = Number.parseInt(place, 10);
  return Number.isNaN(ms) ? [] : [ms];
}

export const owedRows = repository(({ table }) => {
  async function inPart({ partition, last, sinceMs }: Part, from: string, most: number) {
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
      if (!owed.has(owner)) owed.set(owner, { owner, key: { pk, sk }, sinceMs: sinceMs ?? Number.parseInt(dueSk, 10) });
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
      const parts = await Promise.all(partsOf(kind, beforeMs).map((part, at) => inPart(part, from[at] ?? start, most)));
      const isWhole = parts.every(({ rest }) => rest === undefined);
      return {
        owed: parts.flatMap(({ owed }) => [...owed.values()]),
        rest: isWhole ? undefined : parts.map(({ rest }) => rest ?? atTheEnd),
        seenMs: Math.min(beforeMs, ...parts.flatMap(({ rest }) => (rest === undefined ? [] : timeAt(rest)))),
      };
    },
    /** Since when the oldest of them has waited. */
    async oldest(kind: DueKind): Promise<number | undefined> {
      const firsts = await Promise.all(
        duePartitions(kind).map((due) =>
          table.query({ index: 'by-due', where: '#duePk = :due', values: { due }, limit: 1 }),
        ),
      );
      const times = firsts.flatMap(({ items }) => items.map((item) => Number.parseInt(Found.parse(item).dueSk, 10)));
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
