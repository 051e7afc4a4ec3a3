// Consents that are to be given back to their provider. They stand outside their users' partitions, and outlive the users by a day at most: whatever else there was of the person is erased meanwhile.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import { conditionalWrite } from '../platform/conditional-write.ts';
import type { Key, Put, Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { due } from '../system/due.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import { type ConnectionRow, connectionRows } from './connection-rows.ts';
import { vendorTurns } from './vendor-limit-rows.ts';

/** From when the consent was ended here. */
export const maxRevokingMs = 24 * 3_600_000;
/** It is given up before that, unless no worker comes. */
const spareSeconds = 3_600;

const Revocation = z.object({
  /** The tokens open for these only. */
  user: z.string(),
  device: z.string(),
  env: Environment,
  provider: z.enum(cloudProviderIds),
  vendorAccount: z.string(),
  grant: z.string(),
  endedMs: z.number(),
  /** When it is tried next. */
  nextMs: z.number(),
  failures: z.number(),
  /** Its turn in the line for the provider's limit. */
  turn: z.enum(vendorTurns),
});
export type Revocation = z.infer<typeof Revocation>;
export type UnheldConsent = Omit<Revocation, 'endedMs' | 'nextMs' | 'failures' | 'turn'>;

type Named = Pick<Revocation, 'user' | 'device'>;

const keyOf = ({ user, device }: Named): Key => keys.revocation(user, device);

/** By a name of its own: the device may still have a connection that was awaited. */
const dueOf = ({ device }: Named, ms: number) => due('sync', `revoke#${device}`, ms);

const starting = (consent: UnheldConsent, nowMs: number): Put => ({
  kind: 'put',
  item: {
    ...keyOf(consent),
    ...consent,
    ...{ endedMs: nowMs, nextMs: nowMs, failures: 0, turn: 'late' },
    ttl: Math.ceil((nowMs + maxRevokingMs) / 1000) + spareSeconds,
    ...dueOf(consent, nowMs),
  },
});

export const revocationRows = repository((store) => {
  const { table } = store;
  return {
    /**
     * The connection is over, its provider feeds it no longer, and the consent is given back by its writer, after what that one is doing
     * now. Refused when the connection was ended or given other tokens since it was read.
     */
    replacing(row: ConnectionRow, nowMs: number): Write[] {
      const { user, device, env, provider, vendorAccount, grant } = row;
      const ending = connectionRows(store).ending(row);
      if (vendorAccount === null || grant === null) return ending;
      return [...ending, starting({ user, device, env, provider, vendorAccount, grant }, nowMs)];
    },
    /** Of a consent that came when there was no connection any more to hold it. */
    async start(consent: UnheldConsent, nowMs: number): Promise<void> {
      await table.write(starting(consent, nowMs));
    },
    async of(user: string, device: string): Promise<Revocation | undefined> {
      const item = await table.get(keys.revocation(user, device), { consistent: true });
      return item && Revocation.parse(item);
    },
    /** In place of those that they were made from, which may be worthless. False when these are not here. */
    async renew(named: Named, before: string, { grant }: { grant: string }): Promise<boolean> {
      const write = { kind: 'update', key: keyOf(named), update: 'SET #grant = :grant' } as const;
      return (await conditionalWrite(table, { ...write, condition: '#grant = :before', values: { grant, before } }))
        .held;
    },
    async later(named: Named, change: Pick<Revocation, 'failures' | 'turn'>, nextMs: number): Promise<void> {
      await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(named),
        update: 'SET #failures = :failures, #turn = :turn, #nextMs = :next, #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#pk)',
        values: { ...change, next: nextMs, ...dueOf(named, nextMs) },
      });
    },
    /** Nothing is left of it. */
    async end(named: Named): Promise<void> {
      await table.write({ kind: 'delete', key: keyOf(named) });
    },
  };
});
