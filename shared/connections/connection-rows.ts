// A device's link to its vendor: awaited, or held. It stands in its user's partition and is erased with it.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import type { Item, Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys, providerAccountPartition } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

/** Consent that was asked for and has not come yet. */
const PendingConsent = z.object({
  /** Of the link that was handed out; it is good once. */
  nonceHash: z.string(),
  /** PKCE's, sealed. */
  verifier: z.string(),
  redirectUrl: z.string().nullable(),
  /** The page the person came from, when it was one of ours. */
  returnTo: z.string().nullable(),
  expiresMs: z.number(),
  /** The API key that asked for it, and the connect link that it began on: it ends with either. */
  keyHash: z.string().nullable(),
  link: z.string().nullable(),
  /** The user's when it was asked for: it ends when the person stops sharing. */
  sharingEpoch: z.number(),
});
export type PendingConsent = z.infer<typeof PendingConsent>;

export const ConnectionRow = z.object({
  user: z.string(),
  device: z.string(),
  account: z.string(),
  env: Environment,
  provider: z.enum(cloudProviderIds),
  /** Where this deployment was reached when it was asked for: where pushes are to go. */
  origin: z.string(),
  /** `buildStartExchange`: the code is being swapped, which is tried once. */
  status: z.enum(['awaited', 'exchanging', 'active']),
  awaited: PendingConsent.nullable(),
  /** The vendor's name for whose it is; null until consent came. */
  providerAccount: z.string().nullable(),
  /** Tokens, sealed by the vault for this device. */
  grant: z.string().nullable(),
  grantExpiresMs: z.number().nullable(),
  scopes: z.array(z.string()).nullable(),
  connectedMs: z.number().nullable(),
});
export type ConnectionRow = z.infer<typeof ConnectionRow>;

/** Whose tokens they are: they open for this device only. */
export const grantContext = ({ user, device }: Pick<ConnectionRow, 'user' | 'device'>): string => `${user} ${device}`;

export const connectionRows = repository(({ table }) => {
  const parseRow = (item: Item): ConnectionRow => ConnectionRow.parse(item);
  return {
    async find(user: string, device: string): Promise<ConnectionRow | undefined> {
      const item = await table.get(keys.connection(user, device), { consistent: true });
      return item && parseRow(item);
    },
    /** Every one of a user. */
    async listByUser(user: string): Promise<ConnectionRow[]> {
      const rows: ConnectionRow[] = [];
      const { pk, sk } = keys.connection(user, '');
      const foundItems = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix: sk },
        consistent: true,
      });
      for await (const item of foundItems) rows.push(parseRow(item));
      return rows;
    },
    /** Given up when its time is over, if nobody came. */
    buildAwaitConsent: (row: ConnectionRow & { awaited: PendingConsent }): Write => ({
      kind: 'put',
      item: {
        ...keys.connection(row.user, row.device),
        ...row,
        ...pendingIndexKeys('sync', row.device, row.awaited.expiresMs),
      },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** The link is used up. Refused when it was before, or its time is over. Given up when whoever swaps the code is not done by then. */
    buildStartExchange: (row: ConnectionRow, nonceHash: string, nowMs: number, untilMs: number): Write => ({
      kind: 'update',
      key: keys.connection(row.user, row.device),
      update: 'SET #status = :exchanging, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :awaited AND #awaited.#nonceHash = :nonceHash AND #awaited.#expiresMs > :now',
      values: {
        ...{ awaited: 'awaited', exchanging: 'exchanging', nonceHash, now: nowMs },
        ...pendingIndexKeys('sync', row.device, untilMs),
      },
    }),
    /** Consent came: held from here on. When it is synced stands on its device's row. */
    buildActivate: (row: ConnectionRow & { providerAccount: string }): Write[] => [
      {
        kind: 'put',
        item: { ...keys.connection(row.user, row.device), ...row, status: 'active', awaited: null },
        condition: '#status = :exchanging',
        values: { exchanging: 'exchanging' },
      },
      { kind: 'put', item: { ...providerAccountKey(row), user: row.user, device: row.device } },
      { kind: 'put', item: { ...providerAccountPointerKey(row) } },
    ],
    /** Nothing is left of it. Refused when its state or its tokens changed since it was read. */
    buildEnd: (row: ConnectionRow): Write[] => [
      {
        kind: 'delete',
        key: keys.connection(row.user, row.device),
        condition: '#status = :status AND #grant = :grant',
        values: { status: row.status, grant: row.grant },
      },
      ...(row.status === 'active' ? buildUnlink(row) : []),
    ],
    /** Whose devices a vendor's account feeds. */
    async listLinkedDevices(
      provider: ConnectionRow['provider'],
      env: Environment,
      account: string,
    ): Promise<{ user: string; device: string }[]> {
      const links: { user: string; device: string }[] = [];
      const foundItems = table.queryAll({
        where: '#pk = :pk',
        values: { pk: providerAccountPartition(provider, env, account) },
        consistent: true,
      });
      for await (const item of foundItems) links.push(z.object({ user: z.string(), device: z.string() }).parse(item));
      return links;
    },
  };
});

const providerAccountKey = ({ provider, env, providerAccount, user, device }: ConnectionRow) =>
  keys.providerAccount(provider, env, providerAccount ?? '', user, device);
const providerAccountPointerKey = ({ provider, env, providerAccount, user, device }: ConnectionRow) =>
  keys.providerAccountPointer(user, provider, env, device, providerAccount ?? '');

/** What the vendor tells of its account leads here no longer. */
export const buildUnlink = (row: ConnectionRow): Write[] =>
  row.providerAccount === null
    ? []
    : [
        { kind: 'delete', key: providerAccountKey(row) },
        { kind: 'delete', key: providerAccountPointerKey(row) },
      ];
