// What each provider lacks in this deployment, by the names of its settings. The row has no values,
// so functions without access to the credentials can read it.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

/** By provider. */
export type MissingSettings = Record<string, string[]>;

const MissingSettingsRow = z.object({ missing: z.record(z.string(), z.array(z.string())) });

export const missingSettingsRow = repository(({ table }) => {
  const find = async (): Promise<MissingSettings | undefined> => {
    const item = await table.get(keys.missingProviderSettings);
    return item && MissingSettingsRow.parse(item).missing;
  };
  return {
    find,
    /** Writes only what differs. */
    async save(missing: MissingSettings): Promise<void> {
      if (isDeepStrictEqual(await find(), missing)) return;
      await table.write({ kind: 'put', item: { ...keys.missingProviderSettings, missing } });
    },
  };
});
