// Which addresses a request that somebody else chose may go to: public unicast ones, and nothing that could be our own inside.

export type AddressKind = 'public' | 'loopback' | 'other';

type Range = readonly [prefix: string, bits: number];

/** Everything in IPv4 that is not a public unicast address. */
const special4: readonly Range[] = [
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
  // Public by its number, but one cloud answers its machines' metadata there.
  ['168.63.129.16', 32],
];

/** IPv6 gives out public addresses from this block only, which leaves out every mapped, compatible and translated IPv4 address. */
const global6: Range = ['2000::', 3];
/** What is special inside it: protocol assignments with Teredo, documentation, and 6to4, which embeds any IPv4 address. */
const special6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Undefined when the text is no IP address; a zone id makes an address local to a link, so it is never public. */
export function addressKind(text: string): AddressKind | undefined {
  const [address = '', zone] = text.split('%', 2);
  const bytes = bytesOf(address);
  if (!bytes) return undefined;
  if (zone !== undefined) return 'other';
  if (bytes.length === 4) {
    if (bytes[0] === 127) return 'loopback';
    return special4.some((range) => isWithin(bytes, range)) ? 'other' : 'public';
  }
  if (bytes.every((byte, index) => byte === (index === 15 ? 1 : 0))) return 'loopback';
  return isWithin(bytes, global6) && !special6.some((range) => isWithin(bytes, range)) ? 'public' : 'other';
}

function isWithin(bytes: readonly number[], [prefix, bits]: Range): boolean {
  const wanted = bytesOf(prefix) ?? [];
  return wanted.every((byte, index) => {
    const significant = Math.min(8, Math.max(0, bits - index * 8));
    return ((byte ^ (bytes[index] ?? 0)) & (0xff << (8 - significant)) & 0xff) === 0;
  });
}

const bytesOf = (text: string): number[] | undefined => (text.includes(':') ? bytesOf6(text) : bytesOf4(text));

function bytesOf4(text: string): number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined;
  return parts.map(Number);
}

function bytesOf6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const before = groupsOf(head, tail === undefined);
  const after = tail === undefined ? [] : groupsOf(tail, true);
  if (!before || !after) return undefined;
  const missing = 16 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...before, ...Array<number>(missing).fill(0), ...after];
}

/** Only the last group of an address may be written as IPv4. */
function groupsOf(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const embedded = isEnd && index === groups.length - 1 ? bytesOf4(group) : undefined;
    if (!embedded) return undefined;
    bytes.push(...embedded);
  }
  return bytes;
}
