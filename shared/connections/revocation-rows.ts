// Consents to be revoked at their provider. They are stored outside their users' partitions and
// outlive a deleted user by a day at most, while everything else of the user is erased.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Key, Put, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { Environment } from '../system/caller.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { type ConnectionRow, connectionRows } from './connection-rows.ts';
import { providerTurns } from './provider-limit-rows.ts';

/** How long to try, from when the consent ended here. */
export const maxRevocationMs = 24 * 3_600_000;
/** A revocation is given up before its row expires, unless no worker runs. */
const spareSeconds = 3_600;

const Revocation = z.object({
  /** The tokens can be opened only for this user and device. */
  user: z.string(),
  device: z.string(),
  env: Environment,
  provider: z.enum(cloudProviderIds),
  providerAccount: z.string(),
  grant: z.string(),
  endedMs: z.number(),
  /** When the next attempt is due. */
  nextMs: z.number(),
  failures: z.number(),
  /** Its turn in the line for the provider's limit. */
  turn: z.enum(providerTurns),
});
export type Revocation = z.infer<typeof Revocation>;
export type ConsentToRevoke = Omit<Revocation, 'endedMs' | 'nextMs' | 'failures' | 'turn'>;

type RevocationId = Pick<Revocation, 'user' | 'device'>;

const revocationKey = ({ user, device }: RevocationId): Key => keys.revocation(user, device);

/**
 * Has its own name in the index, because the device may still have a connection that awaits
 * consent.
 */
const revocationIndexKeys = ({ device }: RevocationId, ms: number) => pendingIndexKeys('sync', `revoke#${device}`, ms);

const buildStart = (consent: ConsentToRevoke, nowMs: number): Put => ({
  kind: 'put',
  item: {
    ...revocationKey(consent),
    ...consent,
    ...{ endedMs: nowMs, nextMs: nowMs, failures: 0, turn: 'late' },
    ttl: Math.ceil((nowMs + maxRevocationMs) / 1000) + spareSeconds,
    ...revocationIndexKeys(consent, nowMs),
  },
});

export const revocationRows = repository((store) => {
  const { table } = store;
  return {
    /**
     * Ends the connection and detaches it from the provider account. The connection's writer then
     * revokes the consent, after the work that it is doing now. Fails when the connection has ended
     * or received other tokens since it was read.
     */
    buildReplaceConnection(row: ConnectionRow, nowMs: number): Write[] {
      const { user, device, env, provider, providerAccount, grant } = row;
      const endWrites = connectionRows(store).buildEnd(row);
      if (providerAccount === null || grant === null) return endWrites;
      return [...endWrites, buildStart({ user, device, env, provider, providerAccount, grant }, nowMs)];
    },
    /** For a consent that arrived when no connection was left to hold it. */
    async start(consent: ConsentToRevoke, nowMs: number): Promise<void> {
      await table.write(buildStart(consent, nowMs));
    },
    async find(user: string, device: string): Promise<Revocation | undefined> {
      const item = await table.get(keys.revocation(user, device), { consistent: true });
      return item && Revocation.parse(item);
    },
    /**
     * Replaces the tokens that the new ones were issued for, which may be worthless now. Returns
     * false when those are not stored here.
     */
    async renewGrant(id: RevocationId, before: string, { grant }: { grant: string }): Promise<boolean> {
      const write = { kind: 'update', key: revocationKey(id), update: 'SET #grant = :grant' } as const;
      return (await writeConditionally(table, { ...write, condition: '#grant = :before', values: { grant, before } }))
        .applied;
    },
    async reschedule(
      id: RevocationId,
      { failures, turn }: Pick<Revocation, 'failures' | 'turn'>,
      nextMs: number,
    ): Promise<void> {
      const changes = { failures, turn, nextMs, ...revocationIndexKeys(id, nextMs) };
      await writeConditionally(table, {
        kind: 'update',
        key: revocationKey(id),
        update: buildSetClause(changes),
        condition: 'attribute_exists(#pk)',
        values: changes,
      });
    },
    async remove(id: RevocationId): Promise<void> {
      await table.write({ kind: 'delete', key: revocationKey(id) });
    },
  };
});
