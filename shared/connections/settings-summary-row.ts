// What each provider lacks in this deployment, by the names of its settings, and the limits that its
// settings state instead of the provider's default ones. The row has no credentials, so functions
// without access to them can read it.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const Limits = z.array(z.object({ requests: z.number(), seconds: z.number(), per: z.enum(['deployment', 'person']) }));
/** Both by provider. */
const SettingsSummary = z.object({
  missing: z.record(z.string(), z.array(z.string())),
  limits: z.record(z.string(), Limits).default({}),
});
export type SettingsSummary = z.infer<typeof SettingsSummary>;

export const settingsSummaryRow = repository(({ table }) => {
  const find = async (): Promise<SettingsSummary | undefined> => {
    const item = await table.get(keys.providerSettingsSummary);
    return item && SettingsSummary.parse(item);
  };
  return {
    find,
    /** Writes only what differs. */
    async save(summary: SettingsSummary): Promise<void> {
      if (isDeepStrictEqual(await find(), summary)) return;
      await table.write({ kind: 'put', item: { ...keys.providerSettingsSummary, ...summary } });
    },
  };
});
