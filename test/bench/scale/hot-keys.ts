// Counts units by partition and second, relative to the limits of a DynamoDB partition.
import type { ChargedUnits } from './units.ts';

/** The limits of one partition, of the table or of an index, per second. */
export const partitionLimits = { write: 1_000, read: 3_000 } as const;

export interface HotKey {
  partition: string;
  kind: 'write' | 'read';
  /** Units in the busiest second. */
  units: number;
  /** The share of the partition's limit. */
  share: number;
  /** Units over the whole measurement. */
  total: number;
  /** How many keys of its kind there are. */
  keyCount: number;
}

export interface KeyMeter {
  charge(charged: readonly ChargedUnits[], atMs: number): void;
  /** The busiest key of each kind, ordered by load. */
  hottest(): HotKey[];
  /** All keys together, in the busiest second. */
  peak(): { write: number; read: number };
  totals(): { write: number; read: number };
  reset(): void;
}

/** Keys that differ only in an id, a hash or a shard are of the same kind. */
const anyId = /[0-9a-z]{26}|[\w-]{40,}|\d+$/g;
export const kindOf = (partition: string): string => partition.replaceAll(anyId, '*');

export function keyMeter(): KeyMeter {
  const seconds = new Map<string, Map<number, { write: number; read: number }>>();
  const everything = 'everything';
  const add = (partition: string, second: number, { write, read }: { write: number; read: number }) => {
    const unitsBySecond = seconds.get(partition) ?? new Map<number, { write: number; read: number }>();
    seconds.set(partition, unitsBySecond);
    const sum = unitsBySecond.get(second);
    if (!sum) {
      unitsBySecond.set(second, { write, read });
      return;
    }
    sum.write += write;
    sum.read += read;
  };
  const maxUnits = (partition: string, kind: HotKey['kind']): number =>
    Math.max(0, ...Array.from(seconds.get(partition)?.values() ?? [], (sum) => sum[kind]));
  const sumOf = (partition: string, kind: HotKey['kind']): number =>
    [...(seconds.get(partition)?.values() ?? [])].reduce((sum, each) => sum + each[kind], 0);
  return {
    charge(charged, atMs) {
      const second = Math.floor(atMs / 1_000);
      for (const each of charged) {
        add(each.partition, second, each);
        add(everything, second, each);
      }
    },
    hottest() {
      const busiest = new Map<string, HotKey>();
      const partitionsByKind = Map.groupBy(seconds.keys(), kindOf);
      for (const partition of seconds.keys()) {
        if (partition === everything) continue;
        for (const kind of ['write', 'read'] as const) {
          const units = maxUnits(partition, kind);
          const name = `${kind} ${kindOf(partition)}`;
          if (units > (busiest.get(name)?.units ?? 0))
            busiest.set(name, {
              ...{ partition, kind, units },
              share: units / partitionLimits[kind],
              total: sumOf(partition, kind),
              keyCount: partitionsByKind.get(kindOf(partition))?.length ?? 0,
            });
        }
      }
      return [...busiest.values()].sort((a, b) => b.share - a.share);
    },
    peak: () => ({ write: maxUnits(everything, 'write'), read: maxUnits(everything, 'read') }),
    totals: () => ({ write: sumOf(everything, 'write'), read: sumOf(everything, 'read') }),
    reset: () => seconds.clear(),
  };
}
