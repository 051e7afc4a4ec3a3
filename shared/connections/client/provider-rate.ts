// A vendor's limit as the pace we keep: so many requests at once, and one more every so often, such that no stretch of its length ever sees more.
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { ProviderRate } from '../provider-limit-rows.ts';

/** What was drawn is used within it, or is void: requests may go out so much later than they were drawn. */
export const drawValidityMs = 30_000;
/** Between a draw and the vendor's own count of it. */
const inFlightMs = 1_000;
const burstShare = 0.4;
/** One row takes so many draws a second without becoming hot; a faster limit is cut into several rows, each with its part. */
const maxDrawsPerRow = 200;

export function toProviderRate({ requests, seconds }: ProviderRateLimit): ProviderRate & { rows: number } {
  const rows = Math.max(1, Math.ceil(requests / seconds / maxDrawsPerRow));
  const perRow = Math.floor(requests / rows);
  // The generic cell rate algorithm lets `burst + stretch / interval` pass in any stretch.
  const burst = Math.max(1, Math.min(perRow - 1, Math.floor(perRow * burstShare)));
  const windowMs = seconds * 1000 + drawValidityMs + inFlightMs;
  return { rows, burst, intervalMs: perRow > burst ? Math.ceil(windowMs / (perRow - burst)) : windowMs };
}
