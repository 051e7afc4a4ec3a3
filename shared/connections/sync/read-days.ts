// Reads some days of a person from the provider and takes them in, as they came.

import { acceptRecords, StaleRead } from '../../pipeline/accept-records.ts';
import { type DayWindow, type ProviderPage, toRawPages } from '../../providers/kit/provider-pages.ts';
import { Superseded } from '../client/sync-errors.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { isPollOnly, nextPollMs, responseDigest } from './poll-interval.ts';
import { refreshState, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/** Of a window that nobody has read yet: with fewer it would break off in the midst. */
const initialRequests = 10;
const maxTries = 3;

/** The plan then says how many requests it took. What breaks off has changed nothing. */
export async function readDays(context: SyncContext, state: SyncState, days: DayWindow): Promise<SyncState> {
  for (let tries = 1; ; tries++) {
    // As the device is before the provider is asked: what comes in later is newer than the answer may be.
    const before = state.isFresh && tries === 1 ? state : await refreshState(context, state);
    try {
      return await readOnce(context, before, days);
    } catch (error) {
      if (!(error instanceof StaleRead) || tries === maxTries) throw error;
    }
  }
}

async function readOnce(context: SyncContext, state: SyncState, days: DayWindow): Promise<SyncState> {
  const { deps, adapter, configured, client, tokens } = context;
  const { user, device, connection, plan } = state;
  const { budget } = client;
  await budget.reserve(plan.requests > 0 ? plan.requests : initialRequests);
  const spentBefore = budget.spent();
  const scopes = connection.scopes;
  const request = {
    ...days,
    zone: user.timezone,
    account: connection.providerAccount ?? '',
    scopes,
    nowMs: deps.clock.now(),
    credentials: configured.credentials,
  };
  const pages = await client.withUserToken(adapter.fetch.fetchWindow(request), tokens);
  if (pages.length > 0) {
    const sourceFormat = { source: connection.provider, format: adapter.descriptor.format, timeZone: user.timezone };
    const raw = toRawPages(sourceFormat, { asked: days, pages }, days.to);
    const deviceBatch = { device, raw, scopes: scopes ?? [], rejectIfStale: true } as const;
    const [batch] = await acceptRecords(deps, user.id, deps.clock.now(), [deviceBatch]);
    if (batch === undefined) throw new Superseded();
  }
  const requests = budget.spent() - spentBefore;
  return { ...withPlan(state, { requests, ...detectNews(context, state, days, pages) }), isFresh: false };
}

/** What decides how often a connection is polled that sends nothing by itself. Only the same days can be answered otherwise than before. */
function detectNews(
  context: SyncContext,
  { user, plan }: SyncState,
  days: DayWindow,
  pages: readonly ProviderPage[],
): Partial<SyncPlan> {
  const { deps, adapter, configured } = context;
  if (!isPollOnly(adapter.descriptor, configured.credentials)) return {};
  const digest = responseDigest(days, pages);
  const polled = { ...days, digest };
  const isNew = plan.polled?.from === days.from && plan.polled.to === days.to && plan.polled.digest !== digest;
  const newsMs = deps.clock.now();
  return isNew ? { polled, newsMs, pollMs: nextPollMs(context, user, { ...plan, newsMs }) } : { polled };
}
