// Stores a user's consolidation settings, and the generation of them with which the canonical days
// were built.
import * as z from 'zod';
import { ConsolidationSettings } from '../catalog/consolidation-catalog.ts';
import type { Item, Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

export const StateRow = z.object({
  settings: ConsolidationSettings,
  /** Incremented by every change that requires a rebuild. */
  generation: z.number(),
  /** The generation with which every canonical day was last built. */
  builtGeneration: z.number(),
  nextOrdinal: z.number(),
});
export type StateRow = z.infer<typeof StateRow>;

export const initialUserState: StateRow = {
  settings: { methods: {}, disabled: [], disabledFor: {} },
  generation: 0,
  builtGeneration: 0,
  nextOrdinal: 0,
};

export const stateRows = repository(({ table }) => {
  return {
    parseHead(user: string, items: Item[]): StateRow {
      const item = items.find((each) => each.sk === keys.state(user).sk);
      return item ? StateRow.parse(item) : initialUserState;
    },
    async get(user: string): Promise<StateRow> {
      const item = await table.get(keys.state(user), { consistent: true });
      return item ? StateRow.parse(item) : initialUserState;
    },
    /** Fails if a device was added since the state was read. */
    buildNoNewDeviceCheck: (user: string, state: StateRow): Write =>
      state === initialUserState
        ? { kind: 'check', key: keys.state(user), condition: 'attribute_not_exists(#pk)' }
        : {
            kind: 'check',
            key: keys.state(user),
            condition: '#nextOrdinal = :read',
            values: { read: state.nextOrdinal },
          },
    /** Fails if another device took the ordinal in the meantime. */
    buildTakeOrdinal: (user: string, state: StateRow): Write =>
      state.nextOrdinal === 0 && state.generation === 0
        ? {
            kind: 'put',
            item: { ...keys.state(user), ...initialUserState, nextOrdinal: 1 },
            condition: 'attribute_not_exists(#pk)',
          }
        : {
            kind: 'update',
            key: keys.state(user),
            update: 'SET #nextOrdinal = :next',
            condition: '#nextOrdinal = :taken',
            values: { taken: state.nextOrdinal, next: state.nextOrdinal + 1 },
          },
    /**
     * Stores the settings with the next generation, which a rebuild must follow. Fails if either
     * has changed since it was read.
     */
    buildUpdate(user: string, state: StateRow, settings: StateRow['settings']): Write {
      return state === initialUserState
        ? {
            kind: 'put',
            item: { ...keys.state(user), ...initialUserState, settings, generation: 1 },
            condition: 'attribute_not_exists(#pk)',
          }
        : {
            kind: 'update',
            key: keys.state(user),
            update: 'SET #settings = :settings, #generation = :next',
            condition: '#generation = :read',
            values: { settings, read: state.generation, next: state.generation + 1 },
          };
    },
    /** Marks every canonical day as built with this generation. */
    buildMarkBuilt: (user: string, { generation }: StateRow): Write => ({
      kind: 'update',
      key: keys.state(user),
      update: 'SET #builtGeneration = :generation',
      condition: 'attribute_exists(#pk)',
      values: { generation },
    }),
  };
});
