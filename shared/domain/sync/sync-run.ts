// One worker's hold on a connection: what it has done so far is written down between steps, with what callers are shown of it, and given back in the end.
import type { Write } from '../../engine/ports.ts';
import { addDays, daysBetween, todayIn } from '../../model/local-day.ts';
import type { CloudAdapter } from '../../providers/adapter.ts';
import type { DayWindow } from '../../providers/pages.ts';
import { conditionalCommit, conditionalWrite } from '../../store/conditional-write.ts';
import { type DeviceRow, deviceRows, type ShownSync } from '../../store/devices.ts';
import { type SyncChange, type SyncNote, type SyncRow, syncRows } from '../../store/syncs.ts';
import type { UserRow } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import type { ConfiguredProvider } from '../providers/configured.ts';
import { wake } from '../work/wake.ts';
import { LeaseLost } from './breaks.ts';
import { eachDay } from './days-to-read.ts';
import type { PersonsTokens } from './held-tokens.ts';
import { isPollOnly, pollGapMs } from './poll-pace.ts';
import { pollAfterMs, spread, spreadBefore } from './sync-backoff.ts';
import type { VendorLine } from './vendor-line.ts';

export interface SyncRun {
  deps: Deps;
  adapter: CloudAdapter;
  configured: ConfiguredProvider;
  line: VendorLine;
  tokens: PersonsTokens;
  user: UserRow;
  /** As last read; `justRead` until the vendor was asked for days since. */
  device: DeviceRow;
  justRead: boolean;
  /** As it stands in the table. */
  row: SyncRow;
  /** What is to be written of it with the next step. */
  change: SyncChange;
  /** So many of its notes have been looked into. */
  looked: number;
  /** Of those, what waits for later: it goes to the back. */
  putOff: SyncNote[];
  /** Windows that came in whole, and how many requests had gone out before the one that is under way. */
  windows: number;
  spentBefore: number;
  /** The days that are being asked for. */
  asking?: DayWindow | undefined;
  /** A push said that the consent has ended. */
  saidEnded: boolean;
  startedMs: number;
}

/** As it will stand once the changes are written. */
export const planned = ({ row, change }: SyncRun): SyncRow => ({ ...row, ...change });

export const today = ({ deps, user }: Pick<SyncRun, 'deps' | 'user'>): string =>
  todayIn(user.timezone, deps.clock.now());

/** When the vendor is asked again if nothing is heard of it before. */
export function nextPollMs(
  run: SyncRun,
  nowMs: number,
  { newsMs = planned(run).newsMs, isHeldUp = run.row.notBeforeMs > 0 }: { newsMs?: number; isHeldUp?: boolean } = {},
): number {
  const { deps, adapter, configured, user } = run;
  const { descriptor } = adapter;
  const random = deps.random.bytes(2);
  if (!isPollOnly(descriptor, configured.credentials)) return nowMs + spread(pollAfterMs(descriptor), random);
  const { pollMinutes } = descriptor.sync;
  // The history takes the provider's limit first.
  const isBusy = isHeldUp || planned(run).history !== null;
  const facts = { pollMinutes, zone: user.timezone, nowMs, newsMs, isHeldUp: isBusy };
  return nowMs + spreadBefore(pollGapMs(facts), random);
}

/** The days that every look takes in again: what arrives late, or is edited. Where the last look was longer ago, all since then, and as many before. */
export function daysReadAgain(run: SyncRun): DayWindow {
  const to = today(run);
  const { rereadDays } = run.adapter.descriptor.sync;
  const { lookedMs, connectedMs } = planned(run);
  const looked = todayIn(run.user.timezone, lookedMs || connectedMs || run.startedMs);
  const since = looked < addDays(to, -rereadDays) ? looked : to;
  return { from: addDays(since, -rereadDays), to };
}

/** Everything done so far is kept; notes that came meanwhile are seen from then on. */
export async function keepProgress(run: SyncRun): Promise<void> {
  const { store } = run.deps;
  for (;;) {
    const change = withoutLooked(run);
    const device = showing(run, progressOf(run), undefined);
    if (await written(run, [syncRows(store).keeping(run.row, change), ...device.writes])) {
      settled(run, change, device.sync);
      return;
    }
    await readAgain(run);
  }
}

export interface Release {
  /** When it is due again, without a push; undefined: never. */
  nextMs: number | undefined;
  state: ShownSync['state'] | undefined;
  change?: SyncChange;
}

/** Whatever was noted meanwhile is due at once, unless nothing may be tried before later. */
export async function release(run: SyncRun, { nextMs, state, change: more = {} }: Release): Promise<void> {
  const { store, clock } = run.deps;
  // Whoever waits in line says so.
  run.change = { ...run.change, turn: 'none', ...more };
  for (;;) {
    const nowMs = clock.now();
    const change = withoutLooked(run);
    const { notBeforeMs, aside, asideMs } = planned(run);
    const owedMs = [...change.notes.map(({ putOff }) => putOff?.untilMs ?? 0), ...(aside.length > 0 ? [asideMs] : [])];
    const soonMs = owedMs.length > 0 ? Math.max(nowMs, notBeforeMs, Math.min(...owedMs)) : undefined;
    const dueMs = soonMs === undefined ? nextMs : Math.min(nextMs ?? soonMs, soonMs);
    const lookedMs = run.windows > 0 && state === undefined ? nowMs : undefined;
    const device = showing(run, state ?? progressOf(run), lookedMs);
    if (device.looked) await conditionalWrite(store.table, device.looked);
    if (await written(run, [syncRows(store).releasing(run.row, change, dueMs), ...device.writes])) {
      if (dueMs !== undefined && dueMs <= nowMs)
        await wake(run.deps, 'sync', { user_id: run.row.user, device_id: run.row.device });
      return;
    }
    await readAgain(run);
  }
}

const withoutLooked = ({ row, change, looked, putOff }: SyncRun) => ({
  ...change,
  notes: [...row.notes.slice(looked), ...putOff],
});

function settled(run: SyncRun, change: SyncChange, sync: ShownSync): void {
  run.row = { ...run.row, ...change };
  run.device = { ...run.device, sync };
  run.change = {};
  run.looked = 0;
  run.putOff = [];
}

/** One write is half the price of a transaction of one. */
async function written({ deps }: SyncRun, writes: Write[]): Promise<boolean> {
  const [first, ...more] = writes;
  if (first && first.kind !== 'check' && more.length === 0)
    return (await conditionalWrite(deps.store.table, first)).held;
  return conditionalCommit(deps.store, writes);
}

/** A push came between. Whatever else was refused is the end of this worker's hold. */
async function readAgain(run: SyncRun): Promise<void> {
  const { row, deps } = run;
  const now = await syncRows(deps.store).read(row.user, row.device);
  if (!now || now.claims !== row.claims || now.status !== row.status || now.noted === row.noted) throw new LeaseLost();
  if (now.collapses !== row.collapses) {
    run.looked = 0;
    run.putOff = [];
  }
  run.row = { ...row, notes: now.notes, noted: now.noted, collapses: now.collapses };
}

function progressOf(run: SyncRun): ShownSync['state'] {
  const { history, aside } = planned(run);
  if (history) return 'backfilling';
  return aside.length > 0 ? 'waiting' : 'current';
}

/** What callers are shown, and the writes of it where that differs from before, or data was looked for. */
function showing(run: SyncRun, state: ShownSync['state'], lookedMs: number | undefined) {
  const { device, row, deps } = run;
  const { history, aside } = planned(run);
  const known = device.sync;
  const to = known?.to ?? history?.to ?? today(run);
  const from = known?.from ?? history?.from ?? to;
  const doneFrom = history ? addDays(history.to, 1) : from;
  const missing = eachDay(aside).filter((day) => day >= doneFrom && day <= to).length;
  const doneDays = daysBetween(doneFrom, to) + 1 - missing;
  const sync: ShownSync = { state, from, to, doneDays };
  const isSame = known?.state === state && known.doneDays === doneDays;
  const { looked, syncing } = deviceRows(deps.store);
  return {
    sync,
    writes: isSame ? [] : [syncing(row.user, device, { sync, lookedMs })],
    // Nothing else tells of it, so it need not go together with anything: two writes are half the price of a transaction.
    looked: isSame && lookedMs !== undefined ? looked(row.user, device, lookedMs) : undefined,
  };
}
