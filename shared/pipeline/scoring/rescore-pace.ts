// How many users a sweep requests new scores or days for: fewer while earlier requests wait, and
// more again step by step.

/**
 * Per sweep, which is once a minute. A year of days takes about 1,100 write units, so the maximum
 * takes 18,300 units per second, 46% of a table's default quota, and the minimum 18%. A million users
 * are done within a day even if eight hours of it are spent at the minimum.
 */
export const paceBounds = { min: 400, max: 1_000, step: 50 } as const;
/** How many users a sweep looks at, most of whom need nothing in the last round. */
export const maxVisitsPerSweep = 10_000;
/**
 * While requests of this many users have waited for `forMs`, the pace is halved. Users who cannot be
 * scored at all are too few to slow it down.
 */
export const busyBacklog = { users: 100, forMs: 2 * 60_000 } as const;
/** While commands of any kind have waited that long for this many users, none are added. */
export const maxBacklogUsers = 5_000;

/** A table that scales on demand would throttle a sudden start at the maximum. */
export const firstPace: number = paceBounds.min;

export const adjustPace = (pace: number, isBusy: boolean): number =>
  isBusy ? Math.max(paceBounds.min, Math.floor(pace / 2)) : Math.min(paceBounds.max, pace + paceBounds.step);

/**
 * How long the rest takes at this pace: what is left of the round, of whose users the same share
 * needs a request, and a last round in which none does. A round that follows requests is expected
 * to be the last.
 */
export function estimateMinutesLeft(
  progress: { pace: number; requested: number; visitedInRound: number; requestedInRound: number },
  users: number,
): number {
  const { pace, requested, visitedInRound, requestedInRound } = progress;
  const share = visitedInRound === 0 ? Number(requested === 0) : requestedInRound / visitedInRound;
  const unvisited = Math.max(0, users - visitedInRound);
  const lastRound = share === 0 ? 0 : users / maxVisitsPerSweep;
  return Math.ceil(unvisited * Math.max(share / pace, 1 / maxVisitsPerSweep) + lastRound);
}
