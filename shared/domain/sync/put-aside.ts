// A day that the vendor fails on while it answers others is put aside, so that the rest of the history comes in; some of them are tried again every day.
import { addDays } from '../../model/local-day.ts';
import type { DayWindow } from '../../providers/pages.ts';
import { Unexpected } from '../../providers/vendor.ts';
import type { SyncChange } from '../../store/syncs.ts';
import { VendorAway } from '../providers/send.ts';
import { OutOfTime } from './breaks.ts';
import { eachDay, mergedWindows, withoutDays } from './days-to-read.ts';
import { readDays } from './read-days.ts';
import { spread } from './sync-backoff.ts';
import { planned, type SyncRun, today } from './sync-run.ts';

/** So often anything may fail before a single day is suspected. */
const suspectedAfter = 3;
/** Vendors are asked for some days around those that are wanted. */
const apartDays = 7;
const againAfterMs = 24 * 3_600_000;
const mostTries = 3;

/** What changes once those days are in, or put aside. */
export async function readOrPutAside(run: SyncRun, days: DayWindow): Promise<SyncChange> {
  try {
    const requests = await readDays(run, days);
    return { requests, aside: withoutDays(planned(run).aside, days) };
  } catch (error) {
    if (!isSuspect(run, days) || !mayBeOfTheDays(error)) throw error;
    // It fails as well when the vendor is away.
    await readDays(run, otherDay(run, days.from));
    return putAside(run, days, error);
  }
}

const mayBeOfTheDays = (error: unknown): error is VendorAway | Unexpected =>
  error instanceof Unexpected || (error instanceof VendorAway && error.status !== 429);

/** The next one is suspected at once: what is broken seldom is so for a single day. */
function isSuspect(run: SyncRun, { from, to }: DayWindow): boolean {
  const { failures, aside } = planned(run);
  return from === to && (failures >= suspectedAfter || aside.some((days) => days.from === addDays(to, 1)));
}

function otherDay(run: SyncRun, day: string): DayWindow {
  const now = today(run);
  const other = day < addDays(now, -apartDays) ? now : addDays(day, -2 * apartDays);
  return { from: other, to: other };
}

function putAside(run: SyncRun, days: DayWindow, error: Error): SyncChange {
  const { deps, row } = run;
  const { aside, asideMs } = planned(run);
  deps.log('warn', 'a vendor fails on one day and answers others; that day is tried again every day', {
    provider: row.provider,
    device_id: row.device,
    day: days.from,
    message: error.message,
  });
  const nextMs = deps.clock.now() + spread(againAfterMs, deps.random.bytes(2));
  return { aside: mergedWindows([...aside, days]), asideMs: aside.length > 0 ? asideMs : nextMs };
}

/** A few of them, by chance. Where one comes in, those beside it are read again. True when there is more to read now. */
export async function tryAside(run: SyncRun): Promise<boolean> {
  const { deps } = run;
  const { aside, asideMs } = planned(run);
  if (aside.length === 0 || asideMs > deps.clock.now()) return false;
  const days = eachDay(aside);
  const [high = 0, low = 0] = deps.random.bytes(2);
  const first = (high * 256 + low) % days.length;
  const tried = [...days.slice(first), ...days.slice(0, first)].slice(0, mostTries);
  let hasCome = false;
  for (const day of tried) {
    const outcome = await comesIn(run, { from: day, to: day });
    hasCome ||= outcome === 'in';
    if (outcome === 'unanswered') break;
  }
  const nextMs = deps.clock.now() + spread(againAfterMs, deps.random.bytes(2));
  run.change = { ...run.change, asideMs: nextMs };
  return hasCome;
}

async function comesIn(run: SyncRun, day: DayWindow): Promise<'in' | 'failed' | 'unanswered'> {
  try {
    await readDays(run, day);
  } catch (error) {
    if (error instanceof OutOfTime) return 'unanswered';
    if (!mayBeOfTheDays(error)) throw error;
    run.asking = undefined;
    return error instanceof VendorAway && error.status === undefined ? 'unanswered' : 'failed';
  }
  run.windows += 1;
  const { aside, again } = planned(run);
  const beside = aside.filter(({ from, to }) => from <= day.to && to >= day.from);
  run.change = {
    ...run.change,
    aside: aside.filter((each) => !beside.includes(each)),
    again: [...again, ...withoutDays(beside, day)],
  };
  return 'in';
}
