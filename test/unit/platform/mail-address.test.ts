import { expect, test } from 'vitest';
import { isMailAddress, maskEmail, parseMailSender } from '../../../shared/platform/mail-address.ts';

test.each([
  'ada@example.com',
  "o'neil.b+team@mail.example.co.uk",
  'x@xn--bcher-kva.example',
  `${'a'.repeat(64)}@example.com`,
])('%s is an address', (text) => {
  expect(isMailAddress(text)).toBe(true);
});

test.each([
  '',
  'ada',
  'ada@localhost',
  'ada@example.com\r\nBcc: all@example.com',
  'ada@example.com,eve@example.com',
  'Ada <ada@example.com>',
  'a b@example.com',
  '.ada@example.com',
  'ada@-example.com',
  'ada@exa mple.com',
  'ädä@example.com',
  `${'a'.repeat(250)}@example.com`,
  `${'a'.repeat(65)}@example.com`,
])('%j is not an address', (text) => {
  expect(isMailAddress(text)).toBe(false);
});

test('a sender is an address, with or without a name', () => {
  const address = { address: 'no-reply@mail.example.com', domain: 'mail.example.com' };
  expect(parseMailSender('no-reply@mail.example.com')).toEqual({ name: undefined, ...address });
  expect(parseMailSender(' Team Nord <no-reply@mail.example.com> ')).toEqual({ name: 'Team Nord', ...address });
  expect(parseMailSender('Team Nord <no-reply@Mail.Example.COM>')).toEqual({ name: 'Team Nord', ...address });
  expect(parseMailSender('"Müller, Team" <no-reply@mail.example.com>')).toEqual({ name: 'Müller, Team', ...address });
});

test.each([
  'Team',
  'Team <>',
  'Team <no-reply>',
  'Team <a@example.com> <b@example.com>',
  'Team\nBcc: x <a@example.com>',
  `${'x'.repeat(65)} <a@example.com>`,
])('%j is not a sender', (text) => {
  expect(parseMailSender(text)).toBeUndefined();
});

test('a masked address keeps its domain and at most the first character of its name', () => {
  expect(['alex@example.com', 'al@mail.example.com', 'a@example.com'].map(maskEmail)).toEqual([
    'a***@example.com',
    'a***@mail.example.com',
    '***@example.com',
  ]);
});
