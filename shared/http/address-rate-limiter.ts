// Whoever comes without a valid credential is limited by address: in the memory of each process, so that refusing costs nothing. In the cloud that
// bounds an instance; all of them together are bounded by the gateway's throttling only.
import { isIPv6 } from 'node:net';
import { BoundedCache } from '../platform/bounded-cache.ts';
import type { Clock } from '../platform/ports.ts';
import { computeCeilingMs, addressRateLimit as policy } from '../platform/rate-limit.ts';
import { type Bucket, RateLimited } from '../system/admission.ts';

const maxCachedAddresses = 10_000;

/** Takes one request from the address's bucket; throws when it is empty. */
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

/** Whoever has an address of version 6 has a network of them: its first half names them. */
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
