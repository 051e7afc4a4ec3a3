// The part of a provider's limit that polls may use, and how often it lets a connection be polled.
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { CloudDescriptor, ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { BucketState, ProviderLimit } from '../provider-limit-rows.ts';
import { drawValidityMs } from './provider-rate.ts';
import { canBePolled } from './sync-backoff.ts';

/** How often a connection without pushes is polled while it brings data. */
export const quickPollMinutes = 15;
/**
 * The rest is for pushes, histories and new connections. Polls get less of a limit with a short
 * period, because a request may be sent half a minute after it was drawn, and intervals are whole
 * milliseconds.
 */
export const pollShare = 0.6;
/** What may be polled at once, so that a day's requests are not used up in its first hours. */
const burstSeconds = 900;
/** A poll never needs more, and one that needs fewer must fit. */
const minBurst = 30;

/** The limit that all users share and that is reached first when requests are spread evenly. */
export const findNarrowestLimit = (limits: readonly ProviderRateLimit[]): ProviderRateLimit | undefined =>
  limits
    .filter(({ per }) => per === 'deployment')
    .toSorted((a, b) => a.requests / a.seconds - b.requests / b.seconds)[0];

/** Undefined if the provider has no limit that all users share. */
export function findPollLimit(
  provider: CloudProviderId,
  limits: readonly ProviderRateLimit[],
): ProviderLimit | undefined {
  const narrowest = findNarrowestLimit(limits);
  if (!narrowest) return undefined;
  const rate = (narrowest.requests * pollShare) / narrowest.seconds;
  const maxRequests = Math.floor(narrowest.requests * pollShare);
  const burst = Math.max(1, Math.min(maxRequests, Math.max(minBurst, Math.floor(rate * burstSeconds))));
  const windowMs = narrowest.seconds * 1000 + drawValidityMs;
  return {
    name: [provider, 'polls', `${narrowest.requests}/${narrowest.seconds}`].join('#'),
    burst,
    intervalMs: Math.max(1, Math.ceil(windowMs / (narrowest.requests * pollShare))),
  };
}

/**
 * The seconds between two polls of one connection, by day and while it brings data: a poll that is
 * due now waits for the end of the line. Null for a provider that is never polled.
 */
export function computePollInterval(
  descriptor: Pick<CloudDescriptor, 'push' | 'sync'>,
  line: Pick<BucketState, 'promisedMs'> | undefined,
  nowMs: number,
): number | null {
  if (!canBePolled(descriptor)) return null;
  const waitMinutes = line ? Math.max(0, Math.ceil((line.promisedMs - nowMs) / 60_000)) : 0;
  return (Math.min(quickPollMinutes, descriptor.sync.pollIntervalMinutes) + waitMinutes) * 60;
}

/** How many people can be polled this often, under the default limits of the provider. */
export function countPolledPeople({ id, rateLimits, sync }: CloudDescriptor, everyMinutes: number): number {
  const limit = findPollLimit(id, rateLimits);
  return limit
    ? Math.floor((everyMinutes * 60_000) / limit.intervalMs / sync.requestsPerPoll)
    : Number.POSITIVE_INFINITY;
}
