// The part of a provider's limit that polls may use.
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { ProviderLimit } from '../provider-limit-rows.ts';
import { drawValidityMs } from './provider-rate.ts';

/** The rest is for pushes, histories and new connections. */
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

/** How many requests per second polls may make. */
export const pollsPerSecond = ({ requests, seconds }: ProviderRateLimit): number => (requests * pollShare) / seconds;

/** Undefined if the provider has no limit that all users share. */
export function findPollLimit(
  provider: CloudProviderId,
  limits: readonly ProviderRateLimit[],
): ProviderLimit | undefined {
  const narrowest = findNarrowestLimit(limits);
  if (!narrowest) return undefined;
  const rate = pollsPerSecond(narrowest);
  const maxRequests = Math.floor(narrowest.requests * pollShare);
  const burst = Math.max(1, Math.min(maxRequests, Math.max(minBurst, Math.floor(rate * burstSeconds))));
  const windowMs = narrowest.seconds * 1000 + drawValidityMs;
  return {
    name: [provider, 'polls', `${narrowest.requests}/${narrowest.seconds}`].join('#'),
    burst,
    intervalMs: Math.max(1, Math.ceil(windowMs / (narrowest.requests * pollShare))),
  };
}
