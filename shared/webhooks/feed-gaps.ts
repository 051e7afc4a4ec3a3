// The ranges of a feed that an endpoint has not been sent. A range contains the pages whose first
// number is in it. Ranges never overlap and are in the order of the feed; a worker claims a part of
// one, sends its events and closes it.
import * as z from 'zod';

export const FeedGap = z.object({
  /** The first number of the range's first page. */
  from: z.number(),
  /** Missing while the circuit is open: every page from `from` on is in the range. */
  to: z.number().optional(),
  /** No event of the range was published earlier. */
  sinceMs: z.number(),
  /** Until then, one worker is sending the range. */
  claimedUntilMs: z.number().optional(),
  /** How many workers could be active when the range was claimed. */
  lanes: z.number().optional(),
});
export type FeedGap = z.infer<typeof FeedGap>;

/** A part of a gap that one worker sends. */
export interface GapClaim {
  from: number;
  to: number;
  claimedUntilMs: number;
}

/** More ranges than this are merged, so that the endpoint's row stays small. */
export const maxFreeGaps = 16;

const endOf = ({ to = Number.POSITIVE_INFINITY }: FeedGap): number => to;
const isClaimed = ({ claimedUntilMs }: FeedGap): boolean => claimedUntilMs !== undefined;

export const isInGap = (gaps: readonly FeedGap[], page: number): boolean =>
  gaps.some((gap) => gap.from <= page && page < endOf(gap));

export const isOpen = (gaps: readonly FeedGap[]): boolean => gaps.at(-1)?.to === undefined && gaps.length > 0;

export const oldestMs = (gaps: readonly FeedGap[]): number | undefined =>
  gaps.length === 0 ? undefined : Math.min(...gaps.map(({ sinceMs }) => sinceMs));

/** From now on the endpoint is sent nothing, beginning with page `from`, the end of the feed. */
export const openGap = (gaps: readonly FeedGap[], from: number, sinceMs: number): FeedGap[] =>
  isOpen(gaps) ? [...gaps] : mergeGaps([...gaps, { from: Math.max(from, gaps.at(-1)?.to ?? 0), sinceMs }]);

/** The endpoint is sent pages as they are published again, beginning with page `to`. */
export const closeOpenGap = (gaps: readonly FeedGap[], to: number): FeedGap[] =>
  gaps.flatMap((gap) => (gap.to === undefined ? (gap.from < to ? [{ ...gap, to }] : []) : [gap]));

/**
 * Adds one page. It extends a free range next to it, so that many pages make one range: what was
 * sent in between has rows, and is not sent again.
 */
export function addPage(gaps: readonly FeedGap[], page: number, sinceMs: number): FeedGap[] {
  if (isInGap(gaps, page)) return [...gaps];
  const before = gaps.filter((gap) => gap.from < page);
  const after = gaps.slice(before.length);
  const [next, previous] = [after[0], before.at(-1)];
  if (next && !isClaimed(next))
    return [...before, { ...next, from: page, sinceMs: Math.min(next.sinceMs, sinceMs) }, ...after.slice(1)];
  if (previous && !isClaimed(previous))
    return [
      ...before.slice(0, -1),
      { ...previous, to: page + 1, sinceMs: Math.min(previous.sinceMs, sinceMs) },
      ...after,
    ];
  return mergeGaps([...before, { from: page, to: page + 1, sinceMs }, ...after]);
}

/** What a worker whose claim has ended left behind may be claimed again. */
export const expireClaims = (gaps: readonly FeedGap[], nowMs: number): { gaps: FeedGap[]; expired: FeedGap[] } => {
  const expired = gaps.filter(({ claimedUntilMs }) => claimedUntilMs !== undefined && claimedUntilMs <= nowMs);
  return { gaps: gaps.map((gap) => (expired.includes(gap) ? releaseGap(gap) : gap)), expired };
};

const releaseGap = ({ claimedUntilMs, lanes, ...free }: FeedGap): FeedGap => free;

export const releaseAll = (gaps: readonly FeedGap[]): FeedGap[] => mergeGaps(gaps.map(releaseGap));

export const countClaims = (gaps: readonly FeedGap[]): number => gaps.filter(isClaimed).length;

/** The oldest range that no worker is sending. An open range is closed before it is sent. */
export const findFreeGap = (gaps: readonly FeedGap[]): FeedGap | undefined =>
  gaps.find((gap) => !isClaimed(gap) && gap.to !== undefined);

/** Claims the pages of a free range up to page `claim.to`. The rest stays free. */
export function claimGap(
  gaps: readonly FeedGap[],
  claim: GapClaim,
  { lanes, restSinceMs }: { lanes: number; restSinceMs: number },
): FeedGap[] {
  return gaps.flatMap((gap) => {
    if (gap.from !== claim.from || isClaimed(gap)) return [gap];
    const rest = claim.to < endOf(gap) ? [{ ...gap, from: claim.to, sinceMs: Math.max(gap.sinceMs, restSinceMs) }] : [];
    return [{ ...gap, to: claim.to, claimedUntilMs: claim.claimedUntilMs, lanes }, ...rest];
  });
}

/** Undefined if the claim has expired, or the endpoint has a new URL or status. */
export const findClaimed = (gaps: readonly FeedGap[], claim: GapClaim): FeedGap | undefined =>
  gaps.find((gap) => gap.from === claim.from && gap.claimedUntilMs === claim.claimedUntilMs);

/** Removes the pages before `next` from a claimed range, and frees the rest of it. */
export const finishClaim = (gaps: readonly FeedGap[], claim: GapClaim, next: number): FeedGap[] =>
  mergeGaps(
    gaps.flatMap((gap) => {
      if (gap !== findClaimed(gaps, claim)) return [gap];
      return next < endOf(gap) ? [{ ...releaseGap(gap), from: Math.max(gap.from, next) }] : [];
    }),
  );

/** Removes the pages before `next` that no worker is sending. */
export const skipPages = (gaps: readonly FeedGap[], next: number): FeedGap[] =>
  gaps.flatMap((gap) => {
    if (isClaimed(gap) || gap.from >= next) return [gap];
    return next < endOf(gap) ? [{ ...gap, from: next }] : [];
  });

/** Joins free ranges that touch and, if there are too many, those with the least between them. */
function mergeGaps(gaps: readonly FeedGap[]): FeedGap[] {
  const merged: FeedGap[] = [];
  for (const gap of gaps) {
    const last = merged.at(-1);
    if (last && canJoin(last, gap) && endOf(last) >= gap.from) merged[merged.length - 1] = joinGaps(last, gap);
    else merged.push(gap);
  }
  while (merged.length - countClaims(merged) > maxFreeGaps) {
    const at = findNearestPair(merged);
    if (at === undefined) break;
    const [left, right] = [merged[at], merged[at + 1]];
    if (left && right) merged.splice(at, 2, joinGaps(left, right));
  }
  return merged;
}

const canJoin = (left: FeedGap, right: FeedGap): boolean => !isClaimed(left) && !isClaimed(right);

const joinGaps = (left: FeedGap, right: FeedGap): FeedGap => ({
  ...right,
  from: left.from,
  sinceMs: Math.min(left.sinceMs, right.sinceMs),
});

function findNearestPair(gaps: readonly FeedGap[]): number | undefined {
  let nearest: { at: number; distance: number } | undefined;
  for (const [at, gap] of gaps.entries()) {
    const next = gaps[at + 1];
    if (!next || !canJoin(gap, next)) continue;
    const distance = next.from - endOf(gap);
    if (!nearest || distance < nearest.distance) nearest = { at, distance };
  }
  return nearest?.at;
}
