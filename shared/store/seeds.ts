// What keeps a sandbox user alive: whose life it lives, the devices that report it, and when the next data are due.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { SandboxDevice, SandboxPersona } from '../model/sandbox.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

export const SeedRow = z.object({
  /** Home, as it was when the user was created; null is UTC. */
  zone: z.string().nullable(),
  persona: SandboxPersona,
  /** Null until they are made; one that was disconnected since is not made again. */
  devices: z.partialRecord(SandboxDevice, z.string()).nullable(),
  fedMs: z.number().nullable(),
  /** Null when there is nobody left to feed. */
  nextMs: z.number().nullable(),
});
export type SeedRow = z.infer<typeof SeedRow>;

export const seedRows = repository(({ table }) => {
  return {
    async of(user: string): Promise<SeedRow | undefined> {
      const item = await table.get(keys.seed(user), { consistent: true });
      return item && SeedRow.parse(item);
    },
    inserting: (user: string, row: SeedRow & { nextMs: number }): Write => ({
      kind: 'put',
      item: { ...keys.seed(user), ...row, ...due('seed', user, row.nextMs) },
    }),
    /** False when the user was erased meanwhile. */
    async fed(user: string, row: SeedRow & { nextMs: number }): Promise<boolean> {
      return replace({ ...keys.seed(user), ...row, ...due('sandbox', user, row.nextMs) });
    },
    /** From here on nothing is due. */
    end: (user: string, row: SeedRow): Promise<boolean> => replace({ ...keys.seed(user), ...row, nextMs: null }),
  };

  async function replace(item: { pk: string; sk: string } & Item): Promise<boolean> {
    return (await conditionalWrite(table, { kind: 'put', item, condition: 'attribute_exists(#pk)' })).held;
  }
});
