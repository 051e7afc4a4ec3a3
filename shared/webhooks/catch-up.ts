// An endpoint whose circuit was open is behind its feed: no deliveries were written for it, only the
// gaps are stored (`feed-gaps.ts`). Once one missed event has arrived, new pages are sent as they
// are published, and the gaps are closed one by one, the oldest first, by several workers.

import { type EventPage, type FeedName, feedRows } from '../events/feed-rows.ts';
import { chunkArray } from '../platform/chunk-array.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { adjustLanes, type ClaimResult, isLate, slowDown } from './catch-up-lanes.ts';
import { isOnProbation, wakeCatchUp } from './circuit-breaker.ts';
import { createEndpointBulkhead } from './endpoint-bulkhead.ts';
import {
  claimGap,
  closeOpenGap,
  countClaims,
  expireClaims,
  type FeedGap,
  findClaimed,
  findFreeGap,
  finishClaim,
  type GapClaim,
  isOpen,
  oldestMs,
} from './feed-gaps.ts';
import { sendMissing } from './first-attempts.ts';
import { probeEndpoint } from './probe-endpoint.ts';
import { eventsPerChunk, findSubscribed, readGapPages } from './read-gap.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** No further claim is begun after this time; a group of messages has 40 seconds of a run. */
const maxRunMs = 5_000;
/** No further chunk of a claim is sent after this time. */
const maxClaimMs = 10_000;
/** Longer than a claim with its last chunk, so that no other worker sends the same events. */
const leaseMs = 60_000;
/** How long to wait for a page that is numbered but not yet visible. */
const invisibleMs = 1_000;
/** How long to wait for a newer release, which can read the next page. */
const newerReleaseMs = 5 * 60_000;
const reportedLagMs = 15 * 60_000;
const maxConflicts = 20;

type CatchUpJob = Extract<Job<'deliver'>, { catch_up: true }>;
type Endpoint = FeedName & { id: string };

export async function catchUp(deps: Deps, job: CatchUpJob): Promise<void> {
  const endpoint = { account: job.account_id, env: job.env, id: job.webhook_id };
  const startMs = deps.clock.now();
  const hook = await findBehind(deps, endpoint);
  if (!hook || hook.openUntilMs > startMs) return;
  let probedUntilMs: number | undefined;
  if (isOnProbation(hook)) {
    probedUntilMs = startMs + leaseMs;
    if (!(await probeEndpoint(deps, hook, probedUntilMs, startMs + maxRunMs))) return;
  }
  if (!(await closeCircuit(deps, endpoint, probedUntilMs))) return;
  const isStartLate = job.due_ms !== undefined && isLate(startMs - job.due_ms);
  let work = await claimNext(deps, endpoint, { isStartLate, isLast: false });
  while (work) {
    const sent = await sendClaim(deps, work);
    const isLast = deps.clock.now() >= startMs + maxRunMs;
    work = await claimNext(deps, endpoint, { finished: { claim: work.claim, ...sent }, isLast });
  }
}

async function findBehind({ store }: Deps, { account, env, id }: Endpoint): Promise<WebhookRow | undefined> {
  const hook = await webhookRows(store).findById(account, env, id);
  return hook?.status === 'active' && hook.gaps ? hook : undefined;
}

/**
 * From now on, pages are sent as they are published. A run that numbers the next page either already
 * knows that, or fails because of the count, so no page is missed in between. Returns false if the
 * circuit has opened again.
 */
async function closeCircuit(deps: Deps, endpoint: Endpoint, probedUntilMs: number | undefined): Promise<boolean> {
  const { store, clock } = deps;
  return optimisticRetry({ what: `the gaps of ${endpoint.id}`, retries: maxConflicts }, async () => {
    const row = await findBehind(deps, endpoint);
    if (!row?.gaps) return false;
    const isProbed = row.openUntilMs === probedUntilMs;
    if (row.openUntilMs > clock.now() && !isProbed) return false;
    if (!isOpen(row.gaps) && !isProbed) return true;
    const { next } = await feedRows(store).readEnd(row);
    const gaps = closeOpenGap(row.gaps, next);
    const sweepMs = clock.now() + leaseMs + messageGraceMs;
    await store.commit([
      webhookRows(store).buildChangeGaps(row, { gaps, lanes: 1, openUntilMs: 0, sweepMs }),
      feedRows(store).buildCountCatchUp(row, next),
    ]);
    return true;
  });
}

interface ClaimedWork {
  hook: WebhookRow;
  claim: GapClaim;
  pages: readonly EventPage[];
  startMs: number;
}

interface FinishedClaim extends ClaimResult {
  claim: GapClaim;
  /** The first page of which an event may not have been sent. */
  next: number;
}

/**
 * Stores how far the last claim went and, in the same write, makes the next one. Wakes another
 * worker if fewer are active than allowed. Undefined if this worker has nothing more to do.
 */
async function claimNext(
  deps: Deps,
  endpoint: Endpoint,
  { finished, isStartLate = false, isLast }: { finished?: FinishedClaim; isStartLate?: boolean; isLast: boolean },
): Promise<ClaimedWork | undefined> {
  const { store, clock } = deps;
  return optimisticRetry({ what: `the gaps of ${endpoint.id}`, retries: maxConflicts }, async () => {
    const hook = await findBehind(deps, endpoint);
    if (!hook?.gaps) return undefined;
    const now = clock.now();
    const rest = settleClaims(hook, now, finished);
    const lanes = isStartLate ? slowDown(rest.lanes, rest.lanes) : rest.lanes;
    const free = findFreeGap(rest.gaps);
    const isClosed = hook.openUntilMs <= now;
    const isAllowed = isClosed && !isLast && countClaims(rest.gaps) < Math.floor(lanes);
    const found = free && isAllowed ? await readGapPages(deps, hook, free) : undefined;
    const isBlocked = found !== undefined && found.to === free?.from;
    const claim = free && found && !isBlocked && { from: free.from, to: found.to, claimedUntilMs: now + leaseMs };
    if (!finished && !claim && !isBlocked) {
      if (free && isAllowed) await wakeCatchUp(deps, hook, invisibleMs);
      return undefined;
    }
    const gaps = claim
      ? claimGap(rest.gaps, claim, { lanes, restSinceMs: found.pages.at(-1)?.publishedMs ?? 0 })
      : rest.gaps;
    const waitMs = isBlocked ? newerReleaseMs : leaseMs;
    const sweepMs = Math.max(now + waitMs, hook.openUntilMs) + messageGraceMs;
    await store.commit([webhookRows(store).buildChangeGaps(hook, { gaps, lanes, sweepMs })]);
    if (finished) reportLag(deps, hook, finished, gaps);
    const isMoreAllowed = isClosed && countClaims(gaps) < Math.floor(lanes);
    if (findFreeGap(gaps) && isMoreAllowed && !isBlocked)
      await wakeCatchUp(deps, hook, free && isAllowed && !found ? invisibleMs : 0);
    return claim ? { hook, claim, pages: found.pages, startMs: now } : undefined;
  });
}

/** Removes what is finished, and what crashed workers left behind. */
function settleClaims(
  { gaps: stored = [], lanes: storedLanes = 1 }: WebhookRow,
  nowMs: number,
  finished: FinishedClaim | undefined,
): { gaps: FeedGap[]; lanes: number } {
  const own = finished && findClaimed(stored, finished.claim);
  const finishedGaps = finished && own ? finishClaim(stored, finished.claim, finished.next) : stored;
  const adjusted = finished && own ? adjustLanes(storedLanes, own.lanes ?? storedLanes, finished) : storedLanes;
  const { gaps, expired } = expireClaims(finishedGaps, nowMs);
  return { gaps, lanes: expired.reduce((lanes, gap) => slowDown(lanes, gap.lanes ?? lanes), adjusted) };
}

/** Sends the claimed pages, several events at a time. The time is checked before each chunk. */
async function sendClaim(deps: Deps, { hook, claim, pages, startMs }: ClaimedWork) {
  // Its own bulkhead: how many workers send to the endpoint is limited by its lanes.
  const bulkhead = createEndpointBulkhead();
  let healthy = hook;
  const counts = { attempted: 0, failed: 0 };
  const end = (next: number, isStopped: boolean) => ({
    ...counts,
    next,
    isStopped,
    durationMs: deps.clock.now() - startMs,
  });
  for (const events of chunkArray(findSubscribed(hook, pages), eventsPerChunk)) {
    const [first] = events;
    const page = pages.findLast((each) => first !== undefined && each.first <= first.seq)?.first ?? claim.from;
    if (deps.clock.now() >= startMs + maxClaimMs) return end(page, false);
    const { outcome, attempted, failed } = await sendMissing(deps, bulkhead, healthy, events);
    counts.attempted += attempted;
    counts.failed += failed;
    if (outcome === 'done') healthy = { ...healthy, failures: 0, lastDeliveryMs: deps.clock.now() };
    else if (outcome !== 'known') return end(page, true);
  }
  return end(claim.to, false);
}

/** One of the workers, the one with the oldest events, reports how old they are. */
function reportLag({ log, clock }: Deps, hook: WebhookRow, { claim }: FinishedClaim, gaps: readonly FeedGap[]): void {
  const sinceMs = oldestMs(gaps);
  if (sinceMs === undefined || hook.gaps?.[0]?.from !== claim.from) return;
  const lagMs = clock.now() - sinceMs;
  if (lagMs < reportedLagMs) return;
  const { id: webhook_id, account: account_id, env } = hook;
  log('warn', 'webhook_behind', { webhook_id, account_id, env, oldest_seconds: Math.round(lagMs / 1000) });
}
