import { expect, test } from 'vitest';
import * as z from 'zod';
import { NewInvitation, toMailProblem } from '../../../shared/team/team.ts';

test('a problem that this release does not know is reported as unavailable mail', () => {
  expect([null, 'address_invalid', 'unknown_problem'].map(toMailProblem)).toEqual([
    null,
    'address_invalid',
    'mail_unavailable',
  ]);
});

test('an empty name is rejected, with the advice to omit it', () => {
  const parsed = NewInvitation.safeParse({ email: 'alex@example.com', name: ' ' });
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual(['must not be empty; leave it out, or send null']);
});

test('the reasons for refusing an invitation are documented in its schema', () => {
  const { email, name, user_id } = NewInvitation.shape;
  const described = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
  expect(described(email)).toContain('in its `xn--` form');
  expect(NewInvitation.safeParse({ email: 'x@bücher.example' }).success).toBe(false);
  expect(NewInvitation.safeParse({ email: 'x@xn--bcher-kva.example' }).success).toBe(true);
  expect(described(name)).toContain('Text that looks like a web address is refused, even `St.John`');
  expect(described(user_id)).toContain('is refused with 409');
});

const isAccepted = (name: string): boolean => NewInvitation.safeParse({ email: 'alex@example.com', name }).success;

test.each(['J.R.R. Tolkien', 'Ian St. John', "O'Neil-Smith Jr.", 'Nguyễn Thị Mai', '李小龍', 'مریم‌السادات', 'ก้ำกึ่ง'])(
  '%s is a valid name',
  (name) => {
    expect(isAccepted(name)).toBe(true);
  },
);

test.each([
  'Win now t.co/abc',
  'www.t.co',
  '8.8.8.8',
  'https:evil.x',
  'evil。com',
  'evil．com',
  'evil｡com',
  'x@y.z',
  'a\\b',
  'Ian St.John',
  '\u200d',
  '\u2800',
  '\u3164',
  'Ada\u202eX',
  'Ada\nX',
  `a${'\u0301'.repeat(9)}`,
])('%j is not a valid name: it contains a link or is unreadable', (name) => {
  expect(isAccepted(name)).toBe(false);
});
