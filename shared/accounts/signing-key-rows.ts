// Rows of the keys that sign user tokens. Key ids sort by time, so the newest key is the last row
// of the partition.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

export const SigningKeyRow = z.object({
  kid: z.string(),
  publicJwk: z.string(),
  sealedPrivateKey: z.string(),
  createdMs: z.number(),
});
export type SigningKeyRow = z.infer<typeof SigningKeyRow>;

const partition = keys.signingKey('').pk;

export const signingKeyRows = repository(({ table }) => {
  return {
    async findByKid(kid: string): Promise<SigningKeyRow | undefined> {
      const item = await table.get(keys.signingKey(kid), { consistent: true });
      return item && SigningKeyRow.parse(item);
    },
    async listNewestFirst(): Promise<SigningKeyRow[]> {
      const page = await table.query({
        where: '#pk = :pk',
        values: { pk: partition },
        newestFirst: true,
        limit: 50,
        consistent: true,
      });
      return page.items.map((item) => SigningKeyRow.parse(item));
    },
    buildInsert: (row: SigningKeyRow): Write => ({
      kind: 'put',
      item: { ...keys.signingKey(row.kid), ...row },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** DynamoDB's TTL removes the row some time after `atSeconds`. */
    buildExpire: (kid: string, atSeconds: number): Write => ({
      kind: 'update',
      key: keys.signingKey(kid),
      update: 'SET #ttl = :ttl',
      condition: 'attribute_exists(#pk) AND attribute_not_exists(#ttl)',
      values: { ttl: atSeconds },
    }),
  };
});
