// What a push said becomes days to be read again.
import { addDays, daysBetween, isCalendarDate, utcDay } from '../../model/local-day.ts';
import { type DayWindow, rawPages, type VendorPage } from '../../providers/pages.ts';
import { type Talk, Unexpected } from '../../providers/vendor.ts';
import type { SyncNote } from '../../store/syncs.ts';
import { acceptRecords } from '../ingest/accept-records.ts';
import { findSession } from '../ingest/find-session.ts';
import { VendorAway } from '../providers/send.ts';
import { daysReadAgain, type SyncRun, today } from './sync-run.ts';

/** Nobody announces more at once, or anything older. */
const mostDays = 92;
const oldestDays = 3_650;

/** Some vendors speak of days that are none, or that nobody has lived yet. */
export function saneDays({ from, to }: DayWindow, today: string): DayWindow | undefined {
  if (!isCalendarDate(from) || !isCalendarDate(to)) return undefined;
  const last = to > addDays(today, 1) ? addDays(today, 1) : to;
  const first = daysBetween(from, last) >= mostDays ? addDays(last, 1 - mostDays) : from;
  return first > last || last < addDays(today, -oldestDays) ? undefined : { from: first, to: last };
}

/** None when there is nothing to read. */
export async function lookInto(run: SyncRun, note: SyncNote): Promise<DayWindow[]> {
  const now = today(run);
  if (note.what === 'days') return [saneDays(note, now)].flatMap((days) => days ?? []);
  if (note.what === 'deleted') {
    const days = await standing(run, note.kind, note.id);
    // It may wait to be worked in, and is then among the latest.
    return days.length > 0 ? days : [daysReadAgain(run)];
  }
  if (note.what === 'object' && run.adapter.fetch.collect) {
    await collect(run, run.adapter.fetch.collect(note), note.resource);
    return [];
  }
  if (note.what === 'object') {
    const before = await stood(run, note.id);
    return [...before, (await located(run, note, now)) ?? daysReadAgain(run)];
  }
  return [await triedToken(run)].flatMap((days) => days ?? []);
}

/** The most likely days, where the vendor never says which it meant. */
export async function guessedDays(run: SyncRun, note: SyncNote): Promise<DayWindow[]> {
  return [...(note.what === 'object' ? await stood(run, note.id) : []), daysReadAgain(run)];
}

/** Where something stands: it may have moved, and what it added to that day goes with it. */
const stood = async (run: SyncRun, id: string): Promise<DayWindow[]> => [
  ...(await standing(run, 'workouts', id)),
  ...(await standing(run, 'sleep', id)),
];

async function standing({ deps, user, device }: SyncRun, kind: 'sleep' | 'workouts', id: string): Promise<DayWindow[]> {
  const found = await findSession(deps.store, user.id, device.ordinal, kind, id);
  return found ? [{ from: found.date, to: found.date }] : [];
}

async function located(
  run: SyncRun,
  { resource, id }: { resource: string; id: string },
  now: string,
): Promise<DayWindow | undefined> {
  const { adapter, configured, row, user, deps, line, tokens } = run;
  if (!adapter.fetch.locate) return undefined;
  const asked = {
    zone: user.timezone,
    account: row.vendorAccount ?? '',
    scopes: row.scopes,
    nowMs: deps.clock.now(),
    credentials: configured.credentials,
  };
  try {
    const found = await line.asPerson(adapter.fetch.locate({ resource, id }, asked), tokens);
    return found && saneDays(found, now);
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    deps.log('warn', 'a vendor cannot say when something was that it announced', {
      provider: row.provider,
      device_id: row.device,
      message: error.message,
    });
    return undefined;
  }
}

/**
 * What the provider no longer gives out, or is more than can be read at once, is left: asking again
 * would not change it.
 */
async function collect(run: SyncRun, talk: Talk<VendorPage[]>, resource: string): Promise<void> {
  const { adapter, deps, device, line, row, tokens, user } = run;
  const pages = await line.asPerson(talk, tokens).catch((error: unknown) => {
    const isTooLarge = error instanceof VendorAway && error.isTooLarge;
    if (!isTooLarge && !(error instanceof Unexpected)) throw error;
    const code = isTooLarge ? 'announced_data_too_large' : 'announced_data_refused';
    deps.log('warn', code, { provider: row.provider, device_id: row.device, resource });
    return [];
  });
  const now = deps.clock.now();
  const about = { source: row.provider, format: adapter.descriptor.format, timeZone: user.timezone };
  const parcels = pages.map((page) => ({
    device,
    raw: rawPages(about, { asked: null, pages: [page] }, utcDay(now)),
    scopes: [],
  }));
  await acceptRecords(deps, row.user, now, parcels);
  run.justRead = false;
}

/** The person has ended the consent, a push says. Whether the vendor still gives tokens tells; where there are none to be had, whether it still gives data. */
async function triedToken(run: SyncRun): Promise<DayWindow | undefined> {
  run.saidEnded = true;
  const { grant } = await run.tokens.holding();
  if (!run.adapter.grant.refresh || grant.refreshToken === null) return daysReadAgain(run);
  await run.tokens.renew();
  run.saidEnded = false;
  return undefined;
}
