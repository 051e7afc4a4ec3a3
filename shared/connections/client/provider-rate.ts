// Converts a provider's rate limit into a pace: a burst of requests, then one more per interval, so
// that no period of the limit's length ever exceeds the limit.
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { ProviderRate } from '../provider-limit-rows.ts';

/**
 * Drawn requests are void unless they are sent within this time, so a request can go out this much
 * later than it was drawn.
 */
export const drawValidityMs = 30_000;
/** The time between a draw and the moment the provider counts the request. */
const inFlightMs = 1_000;
const burstShare = 0.4;
/**
 * The number of draws per second that one row can take without becoming hot. A faster limit is
 * split across several rows, each with its share.
 */
const maxDrawsPerRow = 200;

export function toProviderRate({ requests, seconds }: ProviderRateLimit): ProviderRate & { rows: number } {
  const rows = Math.max(1, Math.ceil(requests / seconds / maxDrawsPerRow));
  const perRow = Math.floor(requests / rows);
  // The generic cell rate algorithm admits `burst + window / interval` requests in any window.
  const burst = Math.max(1, Math.min(perRow - 1, Math.floor(perRow * burstShare)));
  const windowMs = seconds * 1000 + drawValidityMs + inFlightMs;
  return { rows, burst, intervalMs: perRow > burst ? Math.ceil(windowMs / (perRow - burst)) : windowMs };
}

/** The name of one row of a limit. `owner` is `all`, or the key of the user that the limit is for. */
export const nameLimit = (provider: string, owner: string, limit: ProviderRateLimit, row: number): string =>
  [provider, owner, `${limit.requests}/${limit.seconds}`, row].join('#');
