// What is to be asked of vendors for each connection, and who is at it: the rows of connections as the sync workers see them.
import * as z from 'zod';
import type { Item, Key, Update, Write } from '../engine/ports.ts';
import { conditionalWrite } from './conditional-write.ts';
import { ConnectionRow, unlinking } from './connections.ts';
import { due } from './due.ts';
import { instant, keys } from './keys.ts';
import { repository } from './store.ts';
import { vendorTurns } from './vendor-limits.ts';

const Days = z.object({ from: z.string(), to: z.string() });

/** The vendor gave no answer to it, so often, and is asked about it again then. */
const putOff = z.object({ times: z.number(), untilMs: z.number() }).exactOptional();

/** What a vendor's pushes said of the person, as far as it still has to be looked into. */
const SyncNote = z.discriminatedUnion('what', [
  z.object({ what: z.literal('days'), from: z.string(), to: z.string(), putOff }),
  z.object({ what: z.literal('object'), resource: z.string(), id: z.string(), putOff }),
  z.object({ what: z.literal('deleted'), kind: z.enum(['sleep', 'workouts']), id: z.string(), putOff }),
  z.object({ what: z.literal('ended'), putOff }),
]);
export type SyncNote = z.infer<typeof SyncNote>;

export const SyncRow = ConnectionRow.extend({
  /** Counts the leases: whoever holds the last one may write. */
  claims: z.number().default(0),
  leasedUntilMs: z.number().default(0),
  notes: z.array(SyncNote).default([]),
  /** Count up with every note, and whenever there were too many and one took their place. */
  noted: z.number().default(0),
  collapses: z.number().default(0),
  /** Days to be read again, before any history. */
  again: z.array(Days).default([]),
  /** What is left of the days before the connection; null when all of it is in, undefined before the first sync. */
  history: Days.nullable().optional(),
  /** The time zone whose days the last window of it was asked for; undefined before the first. */
  historyZone: z.string().nullable().optional(),
  /** Days that the vendor fails on while it answers others, and when some of them are tried again. */
  aside: z.array(Days).default([]),
  asideMs: z.number().default(0),
  /** When it was last asked what is new, whatever pushes said; 0 before that. */
  lookedMs: z.number().default(0),
  /** When it last answered the same days otherwise than before, and what it answered of which days: only where nothing is pushed. */
  newsMs: z.number().default(0),
  polled: Days.extend({ digest: z.string() }).optional(),
  /** When it is asked next without any push, and when its subscription is looked at. */
  pollMs: z.number().default(0),
  subscribeMs: z.number().default(0),
  /** Nothing is tried before then: the vendor was away, or something failed, so often in a row. */
  notBeforeMs: z.number().default(0),
  failures: z.number().default(0),
  /** Its turn in the line for a vendor's limit, when it comes back. */
  turn: z.enum(vendorTurns).default('none'),
  /** How often the vendor has said that the token is dead, and when it last counted. */
  dead: z.object({ times: z.number(), lastMs: z.number() }).nullable().default(null),
  /** So many days are asked for at once, and so many requests that took last time. */
  stride: z.number().optional(),
  requests: z.number().default(0),
  /** Since when nothing is fetched or noted, because the person shares nothing. */
  pausedMs: z.number().optional(),
});
export type SyncRow = z.infer<typeof SyncRow>;

/** What a worker changes of it. */
export type SyncChange = Partial<
  Pick<
    SyncRow,
    | 'again'
    | 'aside'
    | 'asideMs'
    | 'pollMs'
    | 'lookedMs'
    | 'newsMs'
    | 'polled'
    | 'subscribeMs'
    | 'notBeforeMs'
    | 'failures'
    | 'turn'
    | 'dead'
    | 'stride'
    | 'requests'
    | 'notes'
    | 'history'
    | 'historyZone'
    | 'pausedMs'
  >
>;

export interface SealedGrant {
  grant: string;
  grantExpiresMs: number | null;
  scopes: string[] | null;
}

export const mostNotes = 50;

const keyOf = ({ user, device }: Pick<SyncRow, 'user' | 'device'>): Key => keys.connection(user, device);
/** Behind everything that is due by then. */
const dueBy = (nowMs: number): string => `${instant(nowMs)}~`;
const mine = '#claims = :mine AND #status = :status';

const noting =
  'SET #notes = list_append(if_not_exists(#notes, :empty), :notes), #noted = if_not_exists(#noted, :none) + :one, #duePk = :duePk, #dueSk = :dueSk';
const noted = (device: string, notes: readonly SyncNote[], nowMs: number): Item => ({
  empty: [],
  notes: notes.map((note) => ({ ...note })),
  none: 0,
  one: 1,
  active: 'active',
  ...due('sync', device, nowMs),
});

export const syncRows = repository(({ table }) => {
  const changing = (row: SyncRow, sets: Item, removes: readonly string[] = []): Update => ({
    kind: 'update',
    key: keyOf(row),
    update: assignments(sets) + (removes.length > 0 ? ` REMOVE ${removes.map((name) => `#${name}`).join(', ')}` : ''),
    condition: mine,
    values: { ...sets, mine: row.claims, status: row.status },
  });
  /** Those who note something meanwhile must not be forgotten. */
  const unlessNoted = (row: SyncRow, write: Update): Update => ({
    ...write,
    condition: `${write.condition} AND ${row.noted === 0 ? '(attribute_not_exists(#noted) OR #noted = :noted)' : '#noted = :noted'}`,
    values: { ...write.values, noted: row.noted },
  });

  return {
    /** Whoever comes first has it; undefined when it is not due, in other hands, or gone. Its place in the index stays: after a crash it is found there. */
    async claim(user: string, device: string, nowMs: number, untilMs: number): Promise<SyncRow | undefined> {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.connection(user, device),
        update: 'SET #leasedUntilMs = :until, #claims = if_not_exists(#claims, :none) + :one',
        condition: '#dueSk <= :due AND (attribute_not_exists(#leasedUntilMs) OR #leasedUntilMs <= :now)',
        values: { until: untilMs, none: 0, one: 1, due: dueBy(nowMs), now: nowMs },
      });
      return held ? SyncRow.parse(item) : undefined;
    },
    async read(user: string, device: string): Promise<SyncRow | undefined> {
      const item = await table.get(keys.connection(user, device), { consistent: true });
      return item && SyncRow.parse(item);
    },
    /** Refused when the lease was lost, or something was noted since the row was read. */
    keeping: (row: SyncRow, change: SyncChange): Update => unlessNoted(row, changing(row, defined(change))),
    /** Tokens are stored before they are used. False when the lease was lost. */
    async renew(row: SyncRow, sealed: SealedGrant): Promise<boolean> {
      // Whatever its status: the ones before may be worthless.
      const write = { ...changing(row, { ...sealed, dead: null }), condition: '#claims = :mine' };
      return (await conditionalWrite(table, write)).held;
    },
    /** By whoever cannot go on, whatever became of the connection. False when another has it, or it is gone. */
    async letGo({ user, device, claims }: SyncRow): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.connection(user, device),
        update: 'SET #leasedUntilMs = :none',
        condition: '#claims = :mine',
        values: { none: 0, mine: claims },
      });
      return held;
    },
    /** Given back, and due then; never, when that is undefined. Refused when the lease was lost, or something was noted since the row was read. */
    releasing(row: SyncRow, change: SyncChange, nextMs: number | undefined): Update {
      const sets = {
        ...defined(change),
        leasedUntilMs: 0,
        ...(nextMs === undefined ? {} : due('sync', row.device, nextMs)),
      };
      return unlessNoted(row, changing(row, sets, nextMs === undefined ? ['duePk', 'dueSk'] : []));
    },
    /** Its person shares again: due at once, for what is noted. Refused when it is not held any more. */
    resuming: (
      { user, device }: { user: string; device: string },
      notes: readonly SyncNote[],
      nowMs: number,
    ): Write => ({
      kind: 'update',
      key: keys.connection(user, device),
      update: `${noting} REMOVE #pausedMs`,
      condition: '#status = :active',
      values: noted(device, notes, nowMs),
    }),
    /** Nothing is left of it. Refused when the lease was lost. */
    ending: (row: SyncRow): Write[] => [
      { kind: 'delete', key: keyOf(row), condition: mine, values: { mine: row.claims, status: row.status } },
      ...(row.status === 'active' ? unlinking(row) : []),
    ],
    /**
     * To be looked into at once. False when it is not held any more, or paused; `full`: there are
     * too many to be kept one by one.
     */
    async note(
      { user, device }: { user: string; device: string },
      notes: readonly SyncNote[],
      nowMs: number,
    ): Promise<boolean | 'full'> {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.connection(user, device),
        update: noting,
        condition:
          '#status = :active AND attribute_not_exists(#pausedMs) AND (attribute_not_exists(#notes) OR size(#notes) <= :room)',
        values: { ...noted(device, notes, nowMs), room: mostNotes - notes.length },
      });
      if (held) return true;
      return item?.['status'] === 'active' && item['pausedMs'] === undefined ? 'full' : false;
    },
    /** In place of all that was noted. False when it is not held any more. */
    async collapse(
      { user, device }: { user: string; device: string },
      notes: readonly SyncNote[],
      nowMs: number,
    ): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.connection(user, device),
        update:
          'SET #notes = :notes, #noted = if_not_exists(#noted, :none) + :one, #collapses = if_not_exists(#collapses, :none) + :one, #duePk = :duePk, #dueSk = :dueSk',
        condition: '#status = :active',
        values: {
          notes: notes.map((note) => ({ ...note })),
          none: 0,
          one: 1,
          active: 'active',
          ...due('sync', device, nowMs),
        },
      });
      return held;
    },
    /** Whoever had it is gone. */
    async endLease(key: Key): Promise<void> {
      await conditionalWrite(table, {
        kind: 'update',
        key,
        update: 'SET #leasedUntilMs = :none',
        condition: '#leasedUntilMs > :none',
        values: { none: 0 },
      });
    },
  };
});

const assignments = (sets: Item): string =>
  `SET ${Object.keys(sets)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}`;

const defined = (change: SyncChange): Item =>
  Object.fromEntries(Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
