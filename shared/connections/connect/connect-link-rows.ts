// Issued connect links, so that they can be revoked, and the status of the API keys and colleagues
// that made them.
import * as z from 'zod';
import { AccountStatus, ApiKeyStatus } from '../../accounts/account.ts';
import { writeConditionally } from '../../platform/conditional-write.ts';
import type { Item, Key, Write } from '../../platform/ports.ts';
import { ColleagueRole } from '../../system/caller.ts';
import { consoleKeys } from '../../system/console-keys.ts';
import { keys } from '../../system/keys.ts';
import { madeCredentialRows } from '../../system/made-credential-rows.ts';
import { Maker } from '../../system/maker.ts';
import { mayChange } from '../../system/role-rights.ts';
import { repository } from '../../system/store.ts';

/** How long after its expiry a link can still be revoked with the same response as before. */
const retentionSeconds = 30 * 86_400;

const LinkRow = z.object({ revoked: z.boolean(), maker: Maker.nullable() });
/**
 * The parts of the rows of an API key, an account and a colleague that are needed here. Their
 * repositories belong to caller authentication.
 */
const KeyRow = z.object({
  id: z.string(),
  status: ApiKeyStatus,
  suspended: z.boolean(),
  endsMs: z.number(),
});
const AccountRow = z.object({ status: AccountStatus });
const ColleagueRow = z.object({ role: ColleagueRole, makerEpoch: z.number() });

/** The user and connect link that a link comes from, and the API key or colleague that made it. */
export interface LinkOrigin {
  user: string;
  /** Null when no connect link was involved. */
  link: string | null;
  /** Null when no API key was involved. */
  keyHash: string | null;
  /** Null when no colleague was involved. */
  maker: Maker | null;
}

export interface LinkStatus {
  isRevoked: boolean;
  isMakerEnded: boolean;
  isSuspended: boolean;
  /** The id of the API key or colleague; null when there was neither. */
  makerId: string | null;
}

const isSameKey = (item: Item, { pk, sk }: Key): boolean => item['pk'] === pk && item['sk'] === sk;

export const connectLinkRows = repository((store) => {
  const { table } = store;
  return {
    buildInsert: (user: string, link: string, expiresMs: number, maker: Maker | null): Write => ({
      kind: 'put',
      item: {
        ...keys.connectLink(user, link),
        link,
        maker,
        revoked: false,
        ttl: Math.ceil(expiresMs / 1000) + retentionSeconds,
      },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Returns false when the link does not exist. */
    async revoke(user: string, link: string): Promise<boolean> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: keys.connectLink(user, link),
        update: 'SET #revoked = :revoked',
        condition: 'attribute_exists(#pk)',
        values: { revoked: true },
      });
      const maker = item ? LinkRow.parse(item).maker : null;
      if (maker)
        await store.commit(madeCredentialRows(store).buildRemove(maker, { kind: 'connect_link', id: link, user }));
      return applied;
    },
    /** Reads the rows of the link and of its API key, or of its colleague and account, in one call. */
    async readStatus({ user, link, keyHash, maker }: LinkOrigin, nowMs: number): Promise<LinkStatus> {
      const linkKey = link === null ? undefined : keys.connectLink(user, link);
      const apiKeyKey = keyHash === null ? undefined : keys.apiKey(keyHash);
      const colleagueKey = maker === null ? undefined : consoleKeys.colleague(maker.account, maker.colleague);
      const accountKey = maker === null ? undefined : keys.account(maker.account);
      const itemKeys = [linkKey, apiKeyKey, colleagueKey, accountKey].filter((key) => key !== undefined);
      const foundItems = itemKeys.length === 0 ? [] : await table.batchGet(itemKeys, { consistent: true });
      const find = <T>(key: Key | undefined, row: z.ZodType<T>): T | undefined => {
        const item = key && foundItems.find((each) => isSameKey(each, key));
        return item && row.parse(item);
      };
      const key = find(apiKeyKey, KeyRow);
      const colleague = find(colleagueKey, ColleagueRow);
      const hasKeyEnded = keyHash !== null && !(key && key.status !== 'revoked' && key.endsMs > nowMs);
      const hasColleagueEnded =
        maker !== null && !(colleague?.makerEpoch === maker.epoch && mayChange(colleague.role, 'credentials'));
      return {
        isRevoked: link !== null && find(linkKey, LinkRow)?.revoked !== false,
        isMakerEnded: hasKeyEnded || hasColleagueEnded,
        isSuspended: key?.suspended ?? find(accountKey, AccountRow)?.status === 'suspended',
        makerId: key?.id ?? maker?.colleague ?? null,
      };
    },
  };
});
