// A device's link to its vendor: awaited, or held. It stands in its user's partition and is erased with it.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import type { Item, Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { due } from '../system/due.ts';
import { keys, vendorAccountPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';

/** Consent that was asked for and has not come yet. */
const Awaited = z.object({
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
export type Awaited = z.infer<typeof Awaited>;

export const ConnectionRow = z.object({
  user: z.string(),
  device: z.string(),
  account: z.string(),
  env: Environment,
  provider: z.enum(cloudProviderIds),
  /** Where this deployment was reached when it was asked for: where pushes are to go. */
  origin: z.string(),
  /** `exchanging`: the code is being swapped, which is tried once. */
  status: z.enum(['awaited', 'exchanging', 'active']),
  awaited: Awaited.nullable(),
  /** The vendor's name for whose it is; null until consent came. */
  vendorAccount: z.string().nullable(),
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
  const rowOf = (item: Item): ConnectionRow => ConnectionRow.parse(item);
  return {
    async of(user: string, device: string): Promise<ConnectionRow | undefined> {
      const item = await table.get(keys.connection(user, device), { consistent: true });
      return item && rowOf(item);
    },
    /** Every one of a user. */
    async ofUser(user: string): Promise<ConnectionRow[]> {
      const rows: ConnectionRow[] = [];
      const { pk, sk } = keys.connection(user, '');
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix: sk },
        consistent: true,
      });
      for await (const item of found) rows.push(rowOf(item));
      return rows;
    },
    /** Given up when its time is over, if nobody came. */
    awaiting: (row: ConnectionRow & { awaited: Awaited }): Write => ({
      kind: 'put',
      item: { ...keys.connection(row.user, row.device), ...row, ...due('sync', row.device, row.awaited.expiresMs) },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** The link is used up. Refused when it was before, or its time is over. Given up when whoever swaps the code is not done by then. */
    exchanging: (row: ConnectionRow, nonceHash: string, nowMs: number, untilMs: number): Write => ({
      kind: 'update',
      key: keys.connection(row.user, row.device),
      update: 'SET #status = :exchanging, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :awaited AND #awaited.#nonceHash = :nonceHash AND #awaited.#expiresMs > :now',
      values: {
        ...{ awaited: 'awaited', exchanging: 'exchanging', nonceHash, now: nowMs },
        ...due('sync', row.device, untilMs),
      },
    }),
    /** Consent came: held from here on. When it is synced stands on its device's row. */
    holding: (row: ConnectionRow & { vendorAccount: string }): Write[] => [
      {
        kind: 'put',
        item: { ...keys.connection(row.user, row.device), ...row, status: 'active', awaited: null },
        condition: '#status = :exchanging',
        values: { exchanging: 'exchanging' },
      },
      { kind: 'put', item: { ...linkOf(row), user: row.user, device: row.device } },
      { kind: 'put', item: { ...pointerOf(row) } },
    ],
    /** Nothing is left of it. Refused when its state or its tokens changed since it was read. */
    ending: (row: ConnectionRow): Write[] => [
      {
        kind: 'delete',
        key: keys.connection(row.user, row.device),
        condition: '#status = :status AND #grant = :grant',
        values: { status: row.status, grant: row.grant },
      },
      ...(row.status === 'active' ? unlinking(row) : []),
    ],
    /** Whose devices a vendor's account feeds. */
    async linkedTo(
      provider: ConnectionRow['provider'],
      env: Environment,
      account: string,
    ): Promise<{ user: string; device: string }[]> {
      const links: { user: string; device: string }[] = [];
      const found = table.queryAll({
        where: '#pk = :pk',
        values: { pk: vendorAccountPartition(provider, env, account) },
        consistent: true,
      });
      for await (const item of found) links.push(z.object({ user: z.string(), device: z.string() }).parse(item));
      return links;
    },
  };
});

const linkOf = ({ provider, env, vendorAccount, user, device }: ConnectionRow) =>
  keys.vendorAccount(provider, env, vendorAccount ?? '', user, device);
const pointerOf = ({ provider, env, vendorAccount, user, device }: ConnectionRow) =>
  keys.vendorAccountOf(user, provider, env, device, vendorAccount ?? '');

/** What the vendor tells of its account leads here no longer. */
export const unlinking = (row: ConnectionRow): Write[] =>
  row.vendorAccount === null
    ? []
    : [
        { kind: 'delete', key: linkOf(row) },
        { kind: 'delete', key: pointerOf(row) },
      ];
