// Reads some days of a user from the provider and stores them as received.

import { acceptRecords, StaleRead } from '../../pipeline/accept-records.ts';
import { type DayWindow, type ProviderPage, toRawPages } from '../../providers/kit/provider-pages.ts';
import { Superseded } from '../client/sync-errors.ts';
import type { SyncPlan } from '../sync-plan.ts';
import { expectsPushes, nextPollMs, responseDigest } from './poll-interval.ts';
import { refreshState, type SyncContext, type SyncState, withPlan } from './sync-state.ts';

/**
 * The number of requests to reserve for a first window. With fewer, the read would stop halfway.
 */
const initialRequests = 10;
const maxTries = 3;

/** The returned plan contains the number of requests used. A read that fails changes nothing. */
export async function readDays(context: SyncContext, state: SyncState, days: DayWindow): Promise<SyncState> {
  for (let tries = 1; ; tries++) {
    // Use the device as it is before the request: data that arrives later may be newer than the
    // response.
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
  const arrivalMs = Math.max(deps.clock.now(), device.receivedMs + 1);
  if (pages.length > 0) {
    const sourceFormat = { source: connection.provider, format: adapter.descriptor.format, timeZone: user.timezone };
    const raw = toRawPages(sourceFormat, { requested: days, pages }, days.to);
    const deviceBatch = { device, raw, scopes: scopes ?? [], rejectIfStale: true } as const;
    const [batch] = await acceptRecords(deps, user.id, arrivalMs, [deviceBatch]);
    if (batch === undefined) throw new Superseded();
  }
  const requests = budget.spent() - spentBefore;
  const news = detectNews(context, state, days, pages);
  return { ...withPlan(state, { requests, readMs: arrivalMs, ...news }), isFresh: false };
}

/**
 * Detects new data, which decides how often a connection that is sent nothing is polled. Only
 * responses for the same days can be compared.
 */
function detectNews(
  context: SyncContext,
  { user, plan }: SyncState,
  days: DayWindow,
  pages: readonly ProviderPage[],
): Partial<SyncPlan> {
  const { deps, adapter, configured } = context;
  if (expectsPushes(adapter, configured, plan, deps.clock.now())) return {};
  const digest = responseDigest(days, pages);
  const polled = { ...days, digest };
  const isNew = plan.polled?.from === days.from && plan.polled.to === days.to && plan.polled.digest !== digest;
  const lastChangeMs = deps.clock.now();
  return isNew
    ? { polled, lastChangeMs, pollMs: Math.min(plan.pollMs, nextPollMs(context, user, { ...plan, lastChangeMs })) }
    : { polled };
}
