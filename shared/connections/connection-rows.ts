// A device's connection to its provider, either awaiting consent or active. It is stored in its
// user's partition and erased with it.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import type { Item, Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys, providerAccountPartition } from '../system/keys.ts';
import { Maker } from '../system/maker.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

/** A consent that was requested and has not been given yet. */
const PendingConsent = z.object({
  /** The hash of the nonce in the issued link, which works once. */
  nonceHash: z.string(),
  /** The PKCE verifier, sealed. */
  verifier: z.string(),
  redirectUrl: z.string().nullable(),
  /** The page that the user came from, if it was a page of this service. */
  returnTo: z.string().nullable(),
  expiresMs: z.number(),
  /**
   * The API key or the colleague that requested the connection, and the connect link that it
   * started from. The pending consent ends when any of them ends.
   */
  keyHash: z.string().nullable(),
  maker: Maker.nullable(),
  link: z.string().nullable(),
  /**
   * The user's sharing epoch when consent was requested: the pending consent ends when the user
   * stops sharing.
   */
  sharingEpoch: z.number(),
});
export type PendingConsent = z.infer<typeof PendingConsent>;

export const ConnectionRow = z.object({
  user: z.string(),
  device: z.string(),
  account: z.string(),
  env: Environment,
  provider: z.enum(cloudProviderIds),
  /**
   * The origin at which this deployment was reached when consent was requested. Pushes go there.
   */
  origin: z.string(),
  /**
   * `exchanging`: the code is being exchanged, which is attempted only once (`buildStartExchange`).
   */
  status: z.enum(['pending', 'exchanging', 'active']),
  pendingConsent: PendingConsent.nullable(),
  /** The provider's id of the account; null until consent is given. */
  providerAccount: z.string().nullable(),
  /** The tokens, sealed by the vault for this device. */
  grant: z.string().nullable(),
  grantExpiresMs: z.number().nullable(),
  scopes: z.array(z.string()).nullable(),
  connectedMs: z.number().nullable(),
  /** How far back the history goes; null if as far as usual with the provider. */
  historyDays: z.number().nullable(),
});
export type ConnectionRow = z.infer<typeof ConnectionRow>;

/** The sealing context of the tokens: they can be opened for this device only. */
export const grantContext = ({ user, device }: Pick<ConnectionRow, 'user' | 'device'>): string => `${user} ${device}`;

/** What every log line about a connection has. */
export const connectionLogFields = ({
  provider,
  env,
  user,
  device,
}: Pick<ConnectionRow, 'provider' | 'env' | 'user' | 'device'>) => ({
  provider,
  env,
  user_id: user,
  device_id: device,
});

export const connectionRows = repository(({ table }) => {
  const parseRow = (item: Item): ConnectionRow => ConnectionRow.parse(item);
  return {
    async find(user: string, device: string): Promise<ConnectionRow | undefined> {
      const item = await table.get(keys.connection(user, device), { consistent: true });
      return item && parseRow(item);
    },
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
    /** The connection is given up when the link expires unused. */
    buildAwaitConsent: (row: ConnectionRow & { pendingConsent: PendingConsent }): Write => ({
      kind: 'put',
      item: {
        ...keys.connection(row.user, row.device),
        ...row,
        ...pendingIndexKeys('sync', row.device, row.pendingConsent.expiresMs),
      },
      condition: 'attribute_not_exists(#pk)',
    }),
    /**
     * Uses up the link. Fails when the link was already used or has expired. The connection is
     * given up if the exchange has not finished by `untilMs`.
     */
    buildStartExchange: (row: ConnectionRow, nonceHash: string, nowMs: number, untilMs: number): Write => ({
      kind: 'update',
      key: keys.connection(row.user, row.device),
      update: 'SET #status = :exchanging, #duePk = :duePk, #dueSk = :dueSk',
      condition: '#status = :pending AND #pendingConsent.#nonceHash = :nonceHash AND #pendingConsent.#expiresMs > :now',
      values: {
        ...{ pending: 'pending', exchanging: 'exchanging', nonceHash, now: nowMs },
        ...pendingIndexKeys('sync', row.device, untilMs),
      },
    }),
    /**
     * Consent was given: the connection is active from now on. Its sync schedule is on the device's
     * row.
     */
    buildActivate: (row: ConnectionRow & { providerAccount: string }): Write[] => [
      {
        kind: 'put',
        item: { ...keys.connection(row.user, row.device), ...row, status: 'active', pendingConsent: null },
        condition: '#status = :exchanging',
        values: { exchanging: 'exchanging' },
      },
      { kind: 'put', item: { ...providerAccountKey(row), user: row.user, device: row.device } },
      { kind: 'put', item: { ...providerAccountPointerKey(row) } },
    ],
    /**
     * Removes the connection completely. Fails when its status or its tokens have changed since it
     * was read.
     */
    buildEnd: (row: ConnectionRow): Write[] => [
      {
        kind: 'delete',
        key: keys.connection(row.user, row.device),
        condition: '#status = :status AND #grant = :grant',
        values: { status: row.status, grant: row.grant },
      },
      ...(row.status === 'active' ? buildUnlink(row) : []),
    ],
    /** Lists the devices that a provider account feeds. */
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

/**
 * Detaches the device from the provider account, so that the provider's pushes no longer reach it.
 */
export const buildUnlink = (row: ConnectionRow): Write[] =>
  row.providerAccount === null
    ? []
    : [
        { kind: 'delete', key: providerAccountKey(row) },
        { kind: 'delete', key: providerAccountPointerKey(row) },
      ];
