import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyAddress } from '../../../../shared/platform/egress/address.ts';
import { findTargetProblem } from '../../../../shared/platform/egress/target.ts';

const notPublic = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.1.2.3 127.255.255.255
  168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1
  192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:8.8.8.8 ::ffff:0:8.8.8.8
  64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1::1 2001:2::1 2001:10::1
  2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe:: 2002:808:808:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1
  fe80::1 fe80::1%eth0 fe80::1%25lo fec0::1 ff02::1 ff0e::1 2606:4700:4700::1111%eth0 4000::1 1::1
`
  .trim()
  .split(/\s+/);

const isPublic = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.1
  172.15.255.255 172.32.0.1 192.0.1.1 192.0.3.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 203.0.112.1 223.255.255.255
  2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001::1 2400:cb00::1 3ffe::1 2003::1
`
  .trim()
  .split(/\s+/);

describe('an address', () => {
  test.each(notPublic)('%s is not public', (address) => expect(classifyAddress(address)).not.toBe('public'));
  test.each(isPublic)('%s is public', (address) => expect(classifyAddress(address)).toBe('public'));
  test.each(['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1'])('%s is loopback', (address) =>
    expect(classifyAddress(address)).toBe('loopback'),
  );
  test.each([
    'example.com',
    'localhost',
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    ':::',
    '1::2::3',
    'g::1',
    '[::1]',
  ])('%j is not an address', (text) => expect(classifyAddress(text)).toBeUndefined());

  test('is parsed exactly as Node parses it, in any notation', () => {
    const written = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom('0', '1', 'f', ':', '.', 'ff') }));
    fc.assert(
      fc.property(written, (text) => {
        expect(classifyAddress(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      {
        numRuns: 3000,
      },
    );
  });

  /** First and last address of every network that is not public, as numbers. */
  const ranges4 = [
    [0x00000000, 0x00ffffff],
    [0x0a000000, 0x0affffff],
    [0x64400000, 0x647fffff],
    [0x7f000000, 0x7fffffff],
    [0xa83f8110, 0xa83f8110],
    [0xa9fe0000, 0xa9feffff],
    [0xac100000, 0xac1fffff],
    [0xc0000000, 0xc00000ff],
    [0xc0000200, 0xc00002ff],
    [0xc0586300, 0xc05863ff],
    [0xc0a80000, 0xc0a8ffff],
    [0xc6120000, 0xc613ffff],
    [0xc6336400, 0xc63364ff],
    [0xcb007100, 0xcb0071ff],
    [0xe0000000, 0xffffffff],
  ] as const;
  /**
   * The same for IPv6, by the first 32 bits, which decide everything except the loopback address.
   */
  const ranges6 = [
    [0x00000000, 0x1fffffff],
    [0x20010000, 0x200101ff],
    [0x20010db8, 0x20010db8],
    [0x20020000, 0x2002ffff],
    [0x3fff0000, 0x3fff0fff],
    [0x40000000, 0xffffffff],
  ] as const;
  const isOutside = (ranges: readonly (readonly [number, number])[], number: number) =>
    ranges.every(([first, last]) => number < first || number > last);
  const aroundBorders = (ranges: readonly (readonly [number, number])[]) =>
    fc.oneof(
      fc.nat(0xffffffff),
      fc
        .tuple(fc.constantFrom(...ranges.flat()), fc.integer({ min: -2, max: 2 }))
        .map(([border, off]) => Math.min(Math.max(0, border + off), 0xffffffff)),
    );

  test('of version 4 is public outside every special network, up to its exact borders', () => {
    fc.assert(
      fc.property(aroundBorders(ranges4), (number) => {
        const text = [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
        expect(classifyAddress(text) === 'public').toBe(isOutside(ranges4, number));
        expect(classifyAddress(`::ffff:${text}`)).toBe('other');
      }),
      { numRuns: 3000 },
    );
  });

  test('of version 6 is public within the allocated networks and outside the special ones, up to their exact borders', () => {
    const groups = fc.array(fc.nat(0xffff), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(aroundBorders(ranges6), groups, (number, rest) => {
        const text = [number >>> 16, number & 0xffff, ...rest].map((group) => group.toString(16)).join(':');
        expect(classifyAddress(text) === 'public').toBe(isOutside(ranges6, number));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the target of a request', () => {
  const cloud = { loopback: false };
  const refused = `
    http://example.com/ ftp://example.com/ javascript:alert(1) file:///etc/passwd data:text/plain,x gopher://example.com/
    //example.com/ example.com https:// https://user@example.com/ https://user:word@example.com/ https://:word@example.com/
    https://localhost/ https://localhost./ https://LOCALHOST/ https://a.localhost/ https://printer.local/ https://db.internal/
    https://metadata.google.internal/ https://metadata/ https://router.lan/ https://router.home.arpa/ https://intranet/
    https://127.0.0.1/ https://127.1/ https://127.0.1/ https://2130706433/ https://0x7f000001/ https://0x7f.1/ https://0177.0.0.1/
    https://017700000001/ https://0/ https://0.0.0.0/ https://0x0/ https://127.0.0.1./ https://①②⑦.⓪.⓪.①/ https://1６9.254.169.254/
    https://169.254.169.254/latest/meta-data/ https://2852039166/ https://0xa9fea9fe/ https://0251.0376.0251.0376/
    https://10.0.0.1/ https://192.168.1.1/ https://172.16.0.1/ https://100.64.0.1/ https://224.0.0.1/ https://255.255.255.255/
    https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::127.0.0.1]/ https://[fe80::1]/
    https://[fd00:ec2::254]/ https://[64:ff9b::7f00:1]/ https://[2002:7f00:1::]/ https://[2001:0:7f00:1::]/ https://[ff02::1]/
    https://[fe80::1%25eth0]/ https://example.com:0/ https://example.com:22/ https://example.com:25/ https://example.com:587/
    https://example.com:6379/ https://example.com:99999/ https://example.com./ https://example.com/#part
  `
    .trim()
    .split(/\s+/);
  test.each(refused)('%s is rejected', (url) =>
    expect(findTargetProblem(url, cloud)).toEqual(expect.stringMatching(/^must /)),
  );

  test.each([
    'https://example.com',
    'https://example.com:8443/path?a=b',
    'https://hooks.example.co.uk/x',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
  ])('%s is accepted', (url) => expect(findTargetProblem(url, cloud)).toBeUndefined());

  test.each([
    'http://localhost:3000/',
    'https://localhost/',
    'http://127.0.0.1:80/',
    'http://[::1]:9/',
    'http://0x7f.1/',
  ])('%s is accepted only on a laptop', (url) => {
    expect(findTargetProblem(url, { loopback: true })).toBeUndefined();
    expect(findTargetProblem(url, cloud)).toBeDefined();
  });
  test.each(['http://10.0.0.1/', 'https://192.168.0.1/', 'https://169.254.169.254/', 'http://example.com/'])(
    '%s is rejected on a laptop, too',
    (url) => expect(findTargetProblem(url, { loopback: true })).toBeDefined(),
  );
});
