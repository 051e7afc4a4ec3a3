// Extrapolates a measured minute to a fleet: the load of a number of users on an ordinary morning,
// and the number of users at which a shared key is full.
import { type HotKey, partitionLimits } from './hot-keys.ts';

/**
 * A phone that syncs as often as it can: 44 times a day, at three times the average rate in the
 * busiest hour.
 */
export const syncHabits = { syncsADay: 44, peakFactor: 3 } as const;
export const fleetSizes = [10_000, 100_000, 1_000_000, 10_000_000] as const;

const daySeconds = 86_400;
export const syncsPerSecond = (users: number): number =>
  (users * syncHabits.syncsADay * syncHabits.peakFactor) / daySeconds;
const usersForRate = (syncsInASecond: number): number =>
  (syncsInASecond * daySeconds) / (syncHabits.syncsADay * syncHabits.peakFactor);

export interface FleetLoad {
  users: number;
  syncsASecond: number;
  writeUnits: number;
  readUnits: number;
  /** The minimum number of table partitions for the writes and reads of a second. */
  partitions: number;
}

/** The load in the busiest second of a day, given the cost of a sync. */
export function fleetLoad(users: number, syncCost: { write: number; read: number }): FleetLoad {
  const syncs = syncsPerSecond(users);
  const [writeUnits, readUnits] = [syncs * syncCost.write, syncs * syncCost.read];
  return {
    users,
    syncsASecond: Math.round(syncs),
    writeUnits: Math.round(writeUnits),
    readUnits: Math.round(readUnits),
    partitions: Math.ceil(writeUnits / partitionLimits.write + readUnits / partitionLimits.read),
  };
}

/** Keys whose number grows with the number of users are not a bottleneck. */
const isShared = ({ keyCount }: HotKey, users: number): boolean => keyCount < Math.max(2, users / 10);

/**
 * How many users fill the busiest key of a kind, based on the cost of a sync there. Undefined for
 * keys of a single user. The key's busiest second is a worse basis, because work that waits for a
 * slower key arrives later.
 */
export function usersUntilFull(key: HotKey, users: number): number | undefined {
  if (!isShared(key, users)) return undefined;
  return Math.round(usersForRate((partitionLimits[key.kind] * users) / key.total));
}
