// Reads some days of a person from a vendor and takes them in, as they came.
import { type DayWindow, rawPages, type VendorPage } from '../../providers/pages.ts';
import { acceptRecords, Overtaken } from '../ingest/accept-records.ts';
import { activeDevices, subjectOf } from '../users/subject.ts';
import { LeaseLost } from './breaks.ts';
import { answerDigest, isPollOnly } from './poll-pace.ts';
import { nextPollMs, planned, type SyncRun } from './sync-run.ts';

/** What nobody knows yet how many requests it takes: too few would break it off in the midst. */
const requestsAtFirst = 10;
const mostTries = 3;

/** The requests it took. Whatever breaks off has changed nothing. */
export async function readDays(run: SyncRun, days: DayWindow): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await readOnce(run, days);
    } catch (error) {
      // The vendor has sent something meanwhile, which may be newer than what was answered.
      if (!(error instanceof Overtaken) || tries === mostTries) throw error;
    }
  }
}

async function readOnce(run: SyncRun, days: DayWindow): Promise<number> {
  const { deps, adapter, configured, line, tokens, row } = run;
  const { allowance } = line;
  await lookAgain(run);
  await allowance.reserve(row.requests > 0 ? row.requests : requestsAtFirst);
  run.spentBefore = allowance.spent();
  run.asking = days;
  const { user, device } = run;
  const zone = user.timezone;
  const asked = {
    ...days,
    zone,
    account: row.vendorAccount ?? '',
    scopes: row.scopes,
    nowMs: deps.clock.now(),
    credentials: configured.credentials,
  };
  const pages = await line.asPerson(adapter.fetch.window(asked), tokens);
  if (pages.length > 0) {
    const about = { source: row.provider, format: adapter.descriptor.format, timeZone: zone };
    const raw = rawPages(about, { asked: days, pages }, days.to);
    const parcel = { device, raw, scopes: row.scopes ?? [], unlessOvertaken: true } as const;
    const [batch] = await acceptRecords(deps, row.user, deps.clock.now(), [parcel]);
    if (batch === undefined) throw new LeaseLost();
  }
  noteNews(run, days, pages);
  run.asking = undefined;
  return allowance.spent() - run.spentBefore;
}

/** What decides how often a connection is asked that sends nothing by itself. Only the same days can be answered otherwise than before. */
function noteNews(run: SyncRun, days: DayWindow, pages: readonly VendorPage[]): void {
  const { deps, adapter, configured } = run;
  if (!isPollOnly(adapter.descriptor, configured.credentials)) return;
  const { polled } = planned(run);
  const digest = answerDigest(days, pages);
  const nowMs = deps.clock.now();
  const isNew = polled?.from === days.from && polled.to === days.to && polled.digest !== digest;
  const news = isNew ? { newsMs: nowMs, pollMs: nextPollMs(run, nowMs, { newsMs: nowMs }) } : {};
  run.change = { ...run.change, polled: { ...days, digest }, ...news };
}

/** The device and the person's zone as they are before the vendor is asked: what comes in after is newer than the answer may be. */
async function lookAgain(run: SyncRun): Promise<void> {
  if (run.justRead) {
    run.justRead = false;
    return;
  }
  const subject = await subjectOf(run.deps, run.row.user);
  const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === run.row.device);
  if (!subject || !device) throw new LeaseLost();
  run.user = subject.user;
  run.device = device;
}
