// Shortens an address to its network before it is stored.
import { isIPv4, isIPv6 } from 'node:net';
import type { Bindings } from './api-env.ts';

/**
 * The trail is kept for 400 days, and a whole address would follow a colleague home for as long. The
 * network still answers what a review asks: whether it was the office, the data center that the
 * key belongs to, or a place where nobody works. No log has the whole address. Null for text that is
 * no address.
 */
export function shortenToNetwork(address: string): string | null {
  const embedded = /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(embedded)) return `${embedded.split('.').slice(0, 3).join('.')}.0/24`;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return null;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const first = tail === undefined ? groups : [...groups, '0', '0', '0'];
  const prefix = first.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/48`;
}

/** What the audit trail stores of where a request came from. */
export const describeRequest = ({ address, requestId }: Pick<Bindings, 'address' | 'requestId'>) => ({
  network: shortenToNetwork(address),
  id: requestId,
});
