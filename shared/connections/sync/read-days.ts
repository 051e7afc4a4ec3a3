// Reads some days of a person from the provider and takes them in, as they came.

import { acceptRecords, Overtaken } from '../../pipeline/accept-records.ts';
import { type DayWindow, rawPages, type VendorPage } from '../../providers/kit/pages.ts';
import { Superseded } from '../client/sync-errors.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { answerDigest, isPollOnly, nextPollMs } from './poll-pace.ts';
import { refreshed, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** Of a window that nobody has read yet: with fewer it would break off in the midst. */
const requestsAtFirst = 10;
const maxTries = 3;

/** The plan then says how many requests it took. What breaks off has changed nothing. */
export async function readDays(context: SyncContext, state: SyncState, days: DayWindow): Promise<SyncState> {
  for (let tries = 1; ; tries++) {
    // As the device is before the provider is asked: what comes in later is newer than the answer may be.
    const before = state.isFresh && tries === 1 ? state : await refreshed(context, state);
    try {
      return await readOnce(context, before, days);
    } catch (error) {
      if (!(error instanceof Overtaken) || tries === maxTries) throw error;
    }
  }
}

async function readOnce(context: SyncContext, state: SyncState, days: DayWindow): Promise<SyncState> {
  const { deps, adapter, configured, line, tokens } = context;
  const { user, device, connection, plan } = state;
  const { allowance } = line;
  await allowance.reserve(plan.requests > 0 ? plan.requests : requestsAtFirst);
  const spentBefore = allowance.spent();
  const scopes = connection.scopes;
  const asked = {
    ...days,
    zone: user.timezone,
    account: connection.vendorAccount ?? '',
    scopes,
    nowMs: deps.clock.now(),
    credentials: configured.credentials,
  };
  const pages = await line.asPerson(adapter.fetch.window(asked), tokens);
  if (pages.length > 0) {
    const about = { source: connection.provider, format: adapter.descriptor.format, timeZone: user.timezone };
    const raw = rawPages(about, { asked: days, pages }, days.to);
    const parcel = { device, raw, scopes: scopes ?? [], unlessOvertaken: true } as const;
    const [batch] = await acceptRecords(deps, user.id, deps.clock.now(), [parcel]);
    if (batch === undefined) throw new Superseded();
  }
  const requests = allowance.spent() - spentBefore;
  return { ...withPlan(state, { requests, ...news(context, state, days, pages) }), isFresh: false };
}

/** What decides how often a connection is polled that sends nothing by itself. Only the same days can be answered otherwise than before. */
function news(
  context: SyncContext,
  { user, plan }: SyncState,
  days: DayWindow,
  pages: readonly VendorPage[],
): Partial<SyncPlan> {
  const { deps, adapter, configured } = context;
  if (!isPollOnly(adapter.descriptor, configured.credentials)) return {};
  const digest = answerDigest(days, pages);
  const polled = { ...days, digest };
  const isNew = plan.polled?.from === days.from && plan.polled.to === days.to && plan.polled.digest !== digest;
  const newsMs = deps.clock.now();
  return isNew ? { polled, newsMs, pollMs: nextPollMs(context, user, { ...plan, newsMs }) } : { polled };
}
