// Limits callers without a valid credential by address. The buckets are in each process's memory,
// so a rejection costs nothing. In the cloud this limits a single instance; across all instances,
// only the gateway's throttling applies.
import { isIPv6 } from 'node:net';
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Clock } from '../platform/ports.ts';
import { computeCeilingMs, addressRateLimit as policy } from '../platform/rate-limit.ts';
import { type Bucket, RateLimited } from '../system/admission.ts';

const maxCachedAddresses = 10_000;

/** Draws one request from the address's bucket; throws if it is empty. */
export function createAddressRateLimiter(clock: Clock): (address: string) => Bucket {
  const fullAtMsByNetwork = new BoundedCache<string, number>(maxCachedAddresses);
  return (address) => {
    const nowMs = clock.now();
    const network = networkOf(address);
    const fullAtMs = Math.max(fullAtMsByNetwork.get(network) ?? 0, nowMs);
    if (fullAtMs > computeCeilingMs(nowMs, policy)) throw new RateLimited({ fullAtMs, nowMs, policy });
    fullAtMsByNetwork.set(network, fullAtMs + policy.intervalMs);
    return { fullAtMs: fullAtMs + policy.intervalMs, nowMs, policy };
  };
}

/** An IPv6 caller usually has a whole network, so the first 64 bits identify it. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail ?? '')];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
