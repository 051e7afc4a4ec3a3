// How many workers catch up for one endpoint at the same time: one after the endpoint responds
// again, one more with every round that succeeds, and half as many after a failure.

/** A share of the runs of `deliver`, so that the other endpoints keep theirs. */
export const maxLanes = 16;
/**
 * The partition of an endpoint's deliveries accepts a thousand writes per second, and new events
 * are delivered at the same time.
 */
export const maxEventsPerSecond = 320;
/** A claim fails if a larger share of its attempts fails. */
const maxFailureShare = 0.1;
/** A message that waited longer has found the workers busy with other endpoints. */
const maxStartDelayMs = 2_000;

export interface ClaimResult {
  attempted: number;
  failed: number;
  durationMs: number;
  /** The endpoint is disabled, down or stuck, or no event of a chunk arrived. */
  isStopped: boolean;
}

export const isFailedClaim = ({ attempted, failed, isStopped }: Omit<ClaimResult, 'durationMs'>): boolean =>
  isStopped || failed > attempted * maxFailureShare;

/** Claims that fail together halve the number at their start only once. */
export const slowDown = (lanes: number, lanesAtStart: number): number => Math.max(1, Math.min(lanes, lanesAtStart / 2));

export const isLate = (startDelayMs: number): boolean => startDelayMs > maxStartDelayMs;

export function adjustLanes(lanes: number, lanesAtStart: number, result: ClaimResult): number {
  if (isFailedClaim(result)) return slowDown(lanes, lanesAtStart);
  // The share of a lane in `maxEventsPerSecond`, as fast as this claim was.
  const enough = result.attempted === 0 ? lanes : (maxEventsPerSecond * result.durationMs) / (result.attempted * 1000);
  return Math.max(1, Math.min(maxLanes, lanes + 1 / lanes, enough));
}
