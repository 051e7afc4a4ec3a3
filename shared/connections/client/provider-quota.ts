// What is left of the providers' limits, by the rows of the limits: for callers how often a
// connection is polled, and for operators also what is left and when a provider last answered.
import type { CloudProviderId } from '../../catalog/provider.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { ProviderRateLimit } from '../../providers/kit/descriptor.ts';
import type { Deps } from '../../system/deps.ts';
import { type BucketState, nameAnswers, type ProviderRate, providerLimitRows } from '../provider-limit-rows.ts';
import { computePollInterval, findNarrowestLimit, findPollLimit } from './poll-share.ts';
import { nameLimit, toProviderRate } from './provider-rate.ts';
import { canBePolled } from './sync-backoff.ts';

type ReadDeps = Pick<Deps, 'store' | 'clock'>;

/** A provider with the limits that apply in this deployment. */
export interface LimitedProvider {
  provider: CloudProviderId;
  limits: readonly ProviderRateLimit[];
}

/** The seconds between two polls of a connection, by provider. At most one table call. */
export async function readPollIntervals(
  { store, clock }: ReadDeps,
  limited: readonly LimitedProvider[],
): Promise<ReadonlyMap<string, number | null>> {
  const lines = limited.map(({ provider, limits }) => ({
    provider,
    name: canBePolled(providerDescriptors[provider]) ? findPollLimit(provider, limits)?.name : undefined,
  }));
  const states = await providerLimitRows(store).readStates(lines.flatMap(({ name }) => name ?? []));
  const nowMs = clock.now();
  return new Map(
    lines.map(({ provider, name = '' }) => [
      provider,
      computePollInterval(providerDescriptors[provider], states.get(name), nowMs),
    ]),
  );
}

export interface ProviderQuota {
  /** Undefined if no answer is known. */
  lastAnswerMs: number | undefined;
  /**
   * How many requests can be sent now, of the limit that is reached first. Null if the limits are
   * per user only.
   */
  requestsLeft: number | null;
}

/** One table call. */
export async function readProviderQuotas(
  { store, clock }: ReadDeps,
  limited: readonly LimitedProvider[],
): Promise<ReadonlyMap<CloudProviderId, ProviderQuota>> {
  const quotas = limited.map(({ provider, limits }) => ({ provider, ...listRows(provider, limits) }));
  const names = quotas.flatMap(({ rows, provider }) => [...rows, nameAnswers(provider)]);
  const states = await providerLimitRows(store).readStates(names);
  const nowMs = clock.now();
  return new Map(
    quotas.map(({ provider, rate, rows }) => {
      const buckets = rows.flatMap((name) => states.get(name) ?? []);
      const answers = [...buckets, states.get(nameAnswers(provider))];
      const lastAnswerMs = Math.max(0, ...answers.map((state) => state?.answeredMs ?? 0)) || undefined;
      const left = rate && buckets.map((bucket) => countLeft(rate, bucket, nowMs)).reduce((a, b) => a + b, 0);
      return [provider, { lastAnswerMs, requestsLeft: left ?? null }];
    }),
  );
}

function listRows(
  provider: CloudProviderId,
  limits: readonly ProviderRateLimit[],
): { rate: ProviderRate | undefined; rows: string[] } {
  const narrowest = findNarrowestLimit(limits);
  if (!narrowest) return { rate: undefined, rows: [] };
  const { rows, ...rate } = toProviderRate(narrowest);
  return { rate, rows: Array.from({ length: rows }, (_none, row) => nameLimit(provider, 'all', narrowest, row)) };
}

const countLeft = ({ burst, intervalMs }: ProviderRate, { fullAtMs }: BucketState, nowMs: number): number =>
  Math.max(0, burst - Math.ceil(Math.max(0, fullAtMs - nowMs) / intervalMs));
