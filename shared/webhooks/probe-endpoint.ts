// Tests with one missed event whether an endpoint that is behind responds again.

import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { commitConditionally } from '../system/store.ts';
import { wakeCatchUp } from './circuit-breaker.ts';
import { createEndpointBulkhead } from './endpoint-bulkhead.ts';
import { type FeedGap, skipPages } from './feed-gaps.ts';
import { findMissing, sendMissing } from './first-attempts.ts';
import { findSubscribed, readGapPages } from './read-gap.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/**
 * Nothing else is sent to the endpoint before `openUntilMs`. Returns true if the event arrived, the
 * endpoint has missed none, or only a newer release can read what it has missed: then the next new
 * event is the test. A failure opens the circuit again.
 */
export async function probeEndpoint(
  deps: Deps,
  hook: WebhookRow,
  openUntilMs: number,
  untilMs: number,
): Promise<boolean> {
  if (!(await webhookRows(deps.store).probe(hook, openUntilMs))) return false;
  const now = deps.clock.now();
  // A worker that began before the circuit opened may still be sending these.
  const isBeingSent = ({ claimedUntilMs = 0 }: FeedGap): boolean => claimedUntilMs > now;
  const end = () => ((hook.gaps ?? []).some(isBeingSent) ? saveProgress(deps, hook, 0, openUntilMs) : true);
  for (const gap of hook.gaps ?? []) {
    if (isBeingSent(gap)) continue;
    for (let from = gap.from; from < (gap.to ?? Number.POSITIVE_INFINITY); ) {
      const found = await readGapPages(deps, hook, { ...gap, from });
      const [event] = found ? await findMissing(deps, hook, findSubscribed(hook, found.pages)) : [];
      const sent = event && (await sendMissing(deps, createEndpointBulkhead(), hook, [event]));
      if (sent && sent.outcome !== 'known') return sent.outcome === 'done';
      if (sent || !found || deps.clock.now() >= untilMs) return saveProgress(deps, hook, from, openUntilMs);
      if (found.to === from) return end();
      from = found.to;
    }
  }
  return end();
}

/** The next probe begins at page `from`, in a moment. */
async function saveProgress(deps: Deps, hook: WebhookRow, from: number, openUntilMs: number): Promise<false> {
  const gaps = skipPages(hook.gaps ?? [], from);
  const sweepMs = deps.clock.now() + messageGraceMs;
  const change = webhookRows(deps.store).buildChangeGaps(hook, { gaps, lanes: 1, openUntilMs: 0, sweepMs });
  // If the gaps have changed, the circuit stays open until `openUntilMs`.
  const isSaved = await commitConditionally(deps.store, [change]);
  await wakeCatchUp(deps, hook, isSaved ? 1_000 : Math.max(0, openUntilMs - deps.clock.now()));
  return false;
}
