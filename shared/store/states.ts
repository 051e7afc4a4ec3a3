// A user's consolidation: its settings, which generation of them the canonical days were built with, and what is owed.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { ConsolidationSettings } from '../model/consolidation-settings.ts';
import { Announced } from './announced.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

export const StateRow = z.object({
  settings: ConsolidationSettings,
  /** Counts every change that asks for a rebuild. */
  generation: z.number(),
  /** The generation that every canonical day was last built with. */
  built: z.number(),
  nextOrdinal: z.number(),
  /** Until when a worker has the rebuild to itself. */
  claimedUntilMs: z.number(),
  /** The generation being built, the last day that is done, and what changed. */
  progress: z.object({ generation: z.number(), through: z.string().nullable(), announced: Announced }).nullable(),
});
export type StateRow = z.infer<typeof StateRow>;

export const newState: StateRow = {
  settings: { methods: {}, off: [], offFor: {} },
  generation: 0,
  built: 0,
  nextOrdinal: 0,
  claimedUntilMs: 0,
  progress: null,
};

export const stateRows = repository(({ table }) => {
  return {
    fromHead(user: string, items: Item[]): StateRow {
      const item = items.find((each) => each.sk === keys.state(user).sk);
      return item ? StateRow.parse(item) : newState;
    },
    async of(user: string): Promise<StateRow> {
      const item = await table.get(keys.state(user), { consistent: true });
      return item ? StateRow.parse(item) : newState;
    },
    /** Refused when a device has come since. */
    withoutNewDevices: (user: string, state: StateRow): Write =>
      state === newState
        ? { kind: 'check', key: keys.state(user), condition: 'attribute_not_exists(#pk)' }
        : {
            kind: 'check',
            key: keys.state(user),
            condition: '#nextOrdinal = :read',
            values: { read: state.nextOrdinal },
          },
    /** Refused when another device took the number meanwhile. */
    takingOrdinal: (user: string, state: StateRow): Write =>
      state.nextOrdinal === 0 && state.generation === 0
        ? {
            kind: 'put',
            item: { ...keys.state(user), ...newState, nextOrdinal: 1 },
            condition: 'attribute_not_exists(#pk)',
          }
        : {
            kind: 'update',
            key: keys.state(user),
            update: 'SET #nextOrdinal = :next',
            condition: '#nextOrdinal = :taken',
            values: { taken: state.nextOrdinal, next: state.nextOrdinal + 1 },
          },
    /** Stores the settings with the next generation; refused when anybody changed either meanwhile. */
    asking(user: string, state: StateRow, settings: StateRow['settings'], atMs: number): Write {
      const place = due('consolidate', user, atMs);
      return state === newState
        ? {
            kind: 'put',
            item: { ...keys.state(user), ...newState, settings, generation: 1, ...place },
            condition: 'attribute_not_exists(#pk)',
          }
        : {
            kind: 'update',
            key: keys.state(user),
            update: 'SET #settings = :settings, #generation = :next, #duePk = :duePk, #dueSk = :dueSk',
            condition: '#generation = :read',
            values: { settings, read: state.generation, next: state.generation + 1, ...place },
          };
    },
    /** True for the one worker that may build now. */
    async lease(user: string, nowMs: number, untilMs: number): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.state(user),
        update: 'SET #claimedUntilMs = :until',
        condition: '#claimedUntilMs <= :now',
        values: { now: nowMs, until: untilMs },
      });
      return held;
    },
    /** Keeps what is done; the day items were written after it, so what it announces is never too little. */
    async advance(user: string, progress: NonNullable<StateRow['progress']>, claimedUntilMs: number): Promise<void> {
      await table.write({
        kind: 'update',
        key: keys.state(user),
        update: 'SET #progress = :progress, #claimedUntilMs = :until',
        condition: 'attribute_exists(#pk)',
        values: { progress, until: claimedUntilMs },
      });
    },
    async release(user: string): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.state(user),
        update: 'SET #claimedUntilMs = :never',
        condition: 'attribute_exists(#pk)',
        values: { never: 0 },
      });
      return held;
    },
    /** Refused when the settings moved on or a device came while they were being built, or another worker leased it meanwhile. */
    finishing: (user: string, { generation, nextOrdinal, claimedUntilMs }: StateRow, restsUntilMs: number): Write => ({
      kind: 'update',
      key: keys.state(user),
      update: 'SET #built = :generation, #progress = :none, #claimedUntilMs = :until REMOVE #duePk, #dueSk',
      condition:
        '#generation = :generation AND #built < :generation AND #nextOrdinal = :nextOrdinal AND #claimedUntilMs = :claimed',
      values: { generation, nextOrdinal, claimed: claimedUntilMs, none: null, until: restsUntilMs },
    }),
  };
});
