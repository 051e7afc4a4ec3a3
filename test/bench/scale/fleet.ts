// What a measured minute says about a fleet: how many people the same load is on an ordinary morning,
// and how many there may be until a key that they share takes no more.
import { type HotKey, partitionLimits } from './hot-keys.ts';

/** A phone that syncs whenever it may: 44 times a day, three times as often in the busiest hour. */
export const syncHabits = { syncsADay: 44, peakFactor: 3 } as const;
export const fleetSizes = [10_000, 100_000, 1_000_000, 10_000_000] as const;

const daySeconds = 86_400;
export const syncsPerSecond = (people: number): number =>
  (people * syncHabits.syncsADay * syncHabits.peakFactor) / daySeconds;
const usersForRate = (syncsInASecond: number): number =>
  (syncsInASecond * daySeconds) / (syncHabits.syncsADay * syncHabits.peakFactor);

export interface FleetLoad {
  people: number;
  syncsASecond: number;
  writeUnits: number;
  readUnits: number;
  /** Of the table, at least: so many take the writes and the reads of a second. */
  partitions: number;
}

/** In the busiest second of a day, by what a sync costs. */
export function fleetLoad(people: number, aSync: { write: number; read: number }): FleetLoad {
  const syncs = syncsPerSecond(people);
  const [writeUnits, readUnits] = [syncs * aSync.write, syncs * aSync.read];
  return {
    people,
    syncsASecond: Math.round(syncs),
    writeUnits: Math.round(writeUnits),
    readUnits: Math.round(readUnits),
    partitions: Math.ceil(writeUnits / partitionLimits.write + readUnits / partitionLimits.read),
  };
}

/** Keys of a kind that has more of them with more people are nobody's bottleneck. */
const isShared = ({ places }: HotKey, people: number): boolean => places < Math.max(2, people / 10);

/**
 * How many people fill the busiest key of a kind, by what a sync costs there; undefined for keys of one
 * person. Its busiest second says less: work that waits for a slower key comes later.
 */
export function usersUntilFull(key: HotKey, people: number): number | undefined {
  if (!isShared(key, people)) return undefined;
  return Math.round(usersForRate((partitionLimits[key.kind] * people) / key.total));
}
