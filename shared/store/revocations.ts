// Consents that are to be given back to their vendor. They stand outside their users' partitions, and outlive the users by a day at most: whatever else there was of the person is erased meanwhile.
import * as z from 'zod';
import type { Key, Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { cloudProviderIds } from '../model/provider.ts';
import { conditionalWrite } from './conditional-write.ts';
import { unlinking } from './connections.ts';
import { due } from './due.ts';
import { instant, keys } from './keys.ts';
import { repository } from './store.ts';
import type { SealedGrant, SyncRow } from './syncs.ts';
import { vendorTurns } from './vendor-limits.ts';

/** From when the consent was ended here. */
export const mostRevokingMs = 24 * 3_600_000;
/** By then it was given up, unless nobody came. */
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
  failures: z.number(),
  /** Its turn in the line for the vendor's limit. */
  turn: z.enum(vendorTurns),
  claims: z.number(),
});
export type Revocation = z.infer<typeof Revocation>;

type Named = Pick<Revocation, 'user' | 'device'>;
type Leased = Named & Pick<Revocation, 'claims'>;

const keyOf = ({ user, device }: Named): Key => keys.revocation(user, device);

/** By a name of its own: the device may still have a connection that was awaited. */
const dueOf = ({ device }: Named, ms: number) => due('sync', `revoke#${device}`, ms);

const owed = (
  kept: Omit<Revocation, 'failures' | 'turn'>,
  { leasedUntilMs, nowMs }: { leasedUntilMs: number; nowMs: number },
): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: {
    ...keyOf(kept),
    ...kept,
    failures: 0,
    turn: 'late',
    leasedUntilMs,
    ttl: Math.ceil((kept.endedMs + mostRevokingMs) / 1000) + spareSeconds,
    ...dueOf(kept, nowMs),
  },
});

export const revocationRows = repository(({ table }) => {
  const mine = ({ claims }: Leased) => ({ condition: '#claims = :mine', values: { mine: claims } });
  return {
    /**
     * The connection is over, its vendor feeds it no longer, and giving the consent back is owed. A worker that is at it keeps its lease: tokens that
     * it is being given just now are stored here. Refused when the connection was ended, taken up or given other tokens since it was read.
     */
    owing(row: SyncRow, nowMs: number): Write[] {
      const { user, device, env, provider, vendorAccount, grant, claims, leasedUntilMs } = row;
      // A connection that nobody has worked on yet has no claims.
      const isAsRead = claims === 0 ? '(attribute_not_exists(#claims) OR #claims = :claims)' : '#claims = :claims';
      const ended: Write = {
        kind: 'delete',
        key: keys.connection(user, device),
        condition: `#status = :active AND #grant = :grant AND ${isAsRead}`,
        values: { active: 'active', grant, claims },
      };
      if (vendorAccount === null || grant === null) return [ended];
      const kept = { user, device, env, provider, vendorAccount, grant, endedMs: nowMs, claims };
      return [ended, owed(kept, { leasedUntilMs, nowMs }), ...unlinking(row)];
    },
    /** Of a consent that came when nobody was left to hold it. */
    async oweUnheld(kept: Omit<Revocation, 'endedMs' | 'failures' | 'turn' | 'claims'>, nowMs: number): Promise<void> {
      await table.write(owed({ ...kept, endedMs: nowMs, claims: 0 }, { leasedUntilMs: 0, nowMs }));
    },
    async of(user: string, device: string): Promise<Revocation | undefined> {
      const item = await table.get(keys.revocation(user, device), { consistent: true });
      return item && Revocation.parse(item);
    },
    /** Undefined when it is not due, in other hands, or done. */
    async claim(named: Named, nowMs: number, untilMs: number): Promise<Revocation | undefined> {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(named),
        update: 'SET #leasedUntilMs = :until, #claims = #claims + :one',
        condition: '#dueSk <= :due AND #leasedUntilMs <= :now',
        values: { until: untilMs, one: 1, due: `${instant(nowMs)}~`, now: nowMs },
      });
      return held ? Revocation.parse(item) : undefined;
    },
    /** The tokens before these may be worthless. False when another has it, or it is done. */
    async renew(row: Leased, { grant }: SealedGrant): Promise<boolean> {
      const { condition, values } = mine(row);
      const write = { kind: 'update', key: keyOf(row), update: 'SET #grant = :grant', condition } as const;
      return (await conditionalWrite(table, { ...write, values: { ...values, grant } })).held;
    },
    /** By a worker that was at the connection when it ended. False when it did not. */
    async letGo(row: Leased): Promise<boolean> {
      const { condition, values } = mine(row);
      const write = { kind: 'update', key: keyOf(row), update: 'SET #leasedUntilMs = :none', condition } as const;
      return (await conditionalWrite(table, { ...write, values: { ...values, none: 0 } })).held;
    },
    async later(row: Leased, change: Pick<Revocation, 'failures' | 'turn'>, nextMs: number): Promise<void> {
      const { condition, values } = mine(row);
      await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(row),
        update: 'SET #leasedUntilMs = :none, #failures = :failures, #turn = :turn, #duePk = :duePk, #dueSk = :dueSk',
        condition,
        values: { ...values, none: 0, ...change, ...dueOf(row, nextMs) },
      });
    },
    /** Nothing is left of it. */
    async end(row: Leased): Promise<void> {
      await conditionalWrite(table, { kind: 'delete', key: keyOf(row), ...mine(row) });
    },
  };
});
