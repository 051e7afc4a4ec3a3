import { expect, test } from 'vitest';
import { shortenToNetwork } from '../../../shared/http/shorten-to-network.ts';

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:85a3:1:2:8a2e:370:7334', '2001:db8:85a3::/48'],
  ['2001:0DB8:0001::7334', '2001:db8:1::/48'],
  ['2001:db8::7334', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['::1', '0:0:0::/48'],
  ['not an address', null],
  ['', null],
])('%s is stored as %s', (address, network) => {
  expect(shortenToNetwork(address)).toBe(network);
});
