// Consents that are to be given back to their provider. They stand outside their users' partitions, and outlive the users by a day at most: whatever else there was of the person is erased meanwhile.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Key, Put, Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { type ConnectionRow, connectionRows } from './connection-rows.ts';
import { providerTurns } from './provider-limit-rows.ts';

/** From when the consent was ended here. */
export const maxRevocationMs = 24 * 3_600_000;
/** It is given up before that, unless no worker comes. */
const spareSeconds = 3_600;

const Revocation = z.object({
  /** The tokens open for these only. */
  user: z.string(),
  device: z.string(),
  env: Environment,
  provider: z.enum(cloudProviderIds),
  providerAccount: z.string(),
  grant: z.string(),
  endedMs: z.number(),
  /** When it is tried next. */
  nextMs: z.number(),
  failures: z.number(),
  /** Its turn in the line for the provider's limit. */
  turn: z.enum(providerTurns),
});
export type Revocation = z.infer<typeof Revocation>;
export type ConsentToRevoke = Omit<Revocation, 'endedMs' | 'nextMs' | 'failures' | 'turn'>;

type RevocationId = Pick<Revocation, 'user' | 'device'>;

const revocationKey = ({ user, device }: RevocationId): Key => keys.revocation(user, device);

/** By a name of its own: the device may still have a connection that was awaited. */
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
     * The connection is over, its provider feeds it no longer, and the consent is given back by its writer, after what that one is doing
     * now. Refused when the connection was ended or given other tokens since it was read.
     */
    buildReplaceConnection(row: ConnectionRow, nowMs: number): Write[] {
      const { user, device, env, provider, providerAccount, grant } = row;
      const endWrites = connectionRows(store).buildEnd(row);
      if (providerAccount === null || grant === null) return endWrites;
      return [...endWrites, buildStart({ user, device, env, provider, providerAccount, grant }, nowMs)];
    },
    /** Of a consent that came when there was no connection any more to hold it. */
    async start(consent: ConsentToRevoke, nowMs: number): Promise<void> {
      await table.write(buildStart(consent, nowMs));
    },
    async find(user: string, device: string): Promise<Revocation | undefined> {
      const item = await table.get(keys.revocation(user, device), { consistent: true });
      return item && Revocation.parse(item);
    },
    /** In place of those that they were made from, which may be worthless. False when these are not here. */
    async renewGrant(id: RevocationId, before: string, { grant }: { grant: string }): Promise<boolean> {
      const write = { kind: 'update', key: revocationKey(id), update: 'SET #grant = :grant' } as const;
      return (await writeConditionally(table, { ...write, condition: '#grant = :before', values: { grant, before } }))
        .applied;
    },
    async reschedule(id: RevocationId, change: Pick<Revocation, 'failures' | 'turn'>, nextMs: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: revocationKey(id),
        update: 'SET #failures = :failures, #turn = :turn, #nextMs = :next, #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#pk)',
        values: { ...change, next: nextMs, ...revocationIndexKeys(id, nextMs) },
      });
    },
    /** Nothing is left of it. */
    async remove(id: RevocationId): Promise<void> {
      await table.write({ kind: 'delete', key: revocationKey(id) });
    },
  };
});
