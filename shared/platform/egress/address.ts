// Which addresses a request may go to if someone else chose them: public unicast addresses, and
// nothing that could be internal.
import { BlockList, isIP } from 'node:net';

export type AddressKind = 'public' | 'loopback' | 'other';

type Range = readonly [network: string, bits: number];

/** Everything in IPv4 that is not a public unicast address. */
const reservedIpv4Ranges: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Public by its number, but one cloud serves its machines' metadata there.
  ['168.63.129.16', 32],
];

/**
 * IPv6 assigns public addresses from this block only. It excludes every mapped, compatible and
 * translated IPv4 address.
 */
const globalIpv6Range: Range = ['2000::', 3];
/**
 * Special ranges inside that block: protocol assignments with Teredo, documentation, and 6to4,
 * which embeds any IPv4 address.
 */
const reservedIpv6Ranges: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const createBlockList = (ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family);
  return list;
};

const reservedIpv4 = createBlockList(reservedIpv4Ranges, 'ipv4');
const loopbackIpv4 = createBlockList([['127.0.0.0', 8]], 'ipv4');
const globalIpv6 = createBlockList([globalIpv6Range], 'ipv6');
const reservedIpv6 = createBlockList(reservedIpv6Ranges, 'ipv6');
const loopbackIpv6 = createBlockList([['::1', 128]], 'ipv6');

/**
 * Undefined if the text is not an IP address. A zone id makes an address link-local, so it is never
 * public.
 */
export function classifyAddress(text: string): AddressKind | undefined {
  const [address = '', zone] = text.split('%', 2);
  const family = isIP(address);
  if (family === 0) return undefined;
  if (zone !== undefined) return 'other';
  if (family === 4) {
    if (loopbackIpv4.check(address)) return 'loopback';
    return reservedIpv4.check(address) ? 'other' : 'public';
  }
  // An IPv4 block list would also match mapped addresses. None is checked here, because mapped
  // addresses are never public.
  if (loopbackIpv6.check(address, 'ipv6')) return 'loopback';
  return globalIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6') ? 'public' : 'other';
}
