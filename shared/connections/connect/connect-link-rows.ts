// Issued connect links, so that they can be revoked, and the status of the API keys that created
// them.
import * as z from 'zod';
import { ApiKeyStatus } from '../../accounts/account.ts';
import { writeConditionally } from '../../platform/conditional-write.ts';
import type { Write } from '../../platform/ports.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

/** How long after its expiry a link can still be revoked with the same response as before. */
const retentionSeconds = 30 * 86_400;

const LinkRow = z.object({ link: z.string(), revoked: z.boolean() });
/**
 * The part of an API key's row that is needed here. The row's repository belongs to caller
 * authentication.
 */
const KeyRow = z.object({
  hash: z.string(),
  status: ApiKeyStatus,
  suspended: z.boolean(),
  endsMs: z.number(),
});

/** The user, connect link and API key that a link comes from. */
export interface LinkOrigin {
  user: string;
  /** Null when no connect link was involved. */
  link: string | null;
  /** Null when no API key was involved. */
  keyHash: string | null;
}

export interface LinkStatus {
  isRevoked: boolean;
  isKeyEnded: boolean;
  isSuspended: boolean;
}

export const connectLinkRows = repository(({ table }) => ({
  buildInsert: (user: string, link: string, expiresMs: number): Write => ({
    kind: 'put',
    item: {
      ...keys.connectLink(user, link),
      link,
      revoked: false,
      ttl: Math.ceil(expiresMs / 1000) + retentionSeconds,
    },
    condition: 'attribute_not_exists(#pk)',
  }),
  /** Returns false when the link does not exist. */
  async revoke(user: string, link: string): Promise<boolean> {
    const { applied } = await writeConditionally(table, {
      kind: 'update',
      key: keys.connectLink(user, link),
      update: 'SET #revoked = :revoked',
      condition: 'attribute_exists(#pk)',
      values: { revoked: true },
    });
    return applied;
  },
  /** Reads the rows of the link and of its API key in one call. */
  async readStatus({ user, link, keyHash }: LinkOrigin, nowMs: number): Promise<LinkStatus> {
    const itemKeys = [
      ...(link === null ? [] : [keys.connectLink(user, link)]),
      ...(keyHash === null ? [] : [keys.apiKey(keyHash)]),
    ];
    const foundItems = itemKeys.length === 0 ? [] : await table.batchGet(itemKeys, { consistent: true });
    const [row] = foundItems.flatMap((item) => LinkRow.safeParse(item).data ?? []);
    const [key] = foundItems.flatMap((item) => KeyRow.safeParse(item).data ?? []);
    return {
      isRevoked: link !== null && row?.revoked !== false,
      isKeyEnded: keyHash !== null && !(key && key.status !== 'revoked' && key.endsMs > nowMs),
      isSuspended: key?.suspended ?? false,
    };
  },
}));
