// Shares a provider's limit fairly among the connections that are polled. Polls have a part of the
// limit of their own, so that pushes, histories and new connections never wait behind them. When it
// is used up, each connection waits in one line, so all are polled equally often.
import { randomShare } from '../../platform/backoff.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { findPollLimit } from '../client/poll-share.ts';
import { type ProviderDraw, providerLimitRows } from '../provider-limit-rows.ts';
import type { SyncPlan } from '../sync-plan.ts';
import type { SyncContext } from './sync-state.ts';

/** Before the first window has been read. */
const initialRequests = 10;

/** The simulated provider has no limits, so every connection has its turn at once. */
export async function takePollTurn(
  { deps, configured }: Pick<SyncContext, 'deps' | 'configured'>,
  { requests, pollTurn }: Pick<SyncPlan, 'requests' | 'pollTurn'>,
): Promise<ProviderDraw> {
  const limit = findPollLimit(configured.provider, configured.limits);
  if (!limit) return { drawn: true };
  const nowMs = deps.clock.now();
  const expected = Math.min(requests || initialRequests, limit.burst);
  const draw = await providerLimitRows(deps.store).draw([limit], expected, nowMs, pollTurn);
  if (draw.drawn) return draw;
  deps.log('info', 'poll_postponed', {
    provider: configured.provider,
    env: configured.env,
    retry_at: formatTimestamp(draw.retryMs),
  });
  if (draw.turn !== 'none') return draw;
  // The line is full: come back at a random time within its length.
  const waitMs = (draw.retryMs - nowMs) * (1 + randomShare(deps.random.bytes(2)));
  return { ...draw, retryMs: Math.ceil(nowMs + waitMs / 2) };
}
