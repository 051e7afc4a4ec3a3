// Rows of sign-in links that nobody has used yet. Using a link deletes its row.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import { consoleKeys } from '../system/console-keys.ts';
import { repository } from '../system/store.ts';

export const SignInLinkRow = z.object({
  hash: z.string(),
  account: z.string(),
  colleague: z.string(),
  linkEpoch: z.number(),
  expiresMs: z.number(),
});
export type SignInLinkRow = z.infer<typeof SignInLinkRow>;

export const signInLinkRows = repository(({ table }) => {
  return {
    async find(hash: string): Promise<SignInLinkRow | undefined> {
      const item = await table.get(consoleKeys.signInLink(hash), { consistent: true });
      return item && SignInLinkRow.parse(item);
    },
    buildInsert: (row: SignInLinkRow): Write => ({
      kind: 'put',
      item: { ...consoleKeys.signInLink(row.hash), ...row, ttl: Math.ceil(row.expiresMs / 1000) },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Fails if the link was used already. */
    buildUse: (hash: string): Write => ({
      kind: 'delete',
      key: consoleKeys.signInLink(hash),
      condition: 'attribute_exists(#pk)',
    }),
  };
});
