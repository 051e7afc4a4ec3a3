// A vendor's limit as the pace we keep: so many requests at once, and one more every so often, such that no stretch of its length ever sees more.
import type { RateFacts } from '../../providers/kit/descriptor.ts';
import type { VendorPace } from '../vendor-limit-rows.ts';

/** What was drawn is used within it, or is void: requests may go out so much later than they were drawn. */
export const drawnHoldsMs = 30_000;
/** Between a draw and the vendor's own count of it. */
const underWayMs = 1_000;
const burstShare = 0.4;
/** One row takes so many draws a second without becoming hot; a faster limit is cut into several rows, each with its part. */
const fastestRow = 200;

export function paceOf({ requests, seconds }: RateFacts): VendorPace & { rows: number } {
  const rows = Math.max(1, Math.ceil(requests / seconds / fastestRow));
  const each = Math.floor(requests / rows);
  // The generic cell rate algorithm lets `burst + stretch / interval` pass in any stretch.
  const burst = Math.max(1, Math.min(each - 1, Math.floor(each * burstShare)));
  const stretchMs = seconds * 1000 + drawnHoldsMs + underWayMs;
  return { rows, burst, intervalMs: each > burst ? Math.ceil(stretchMs / (each - burst)) : stretchMs };
}
