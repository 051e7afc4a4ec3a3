import { expect, test } from 'vitest';
import * as z from 'zod';
import { NewInvitation, toMailProblem } from '../../../shared/team/team.ts';

test('a trouble that only a newer release knows is told as one of ours', () => {
  expect([null, 'address_invalid', 'of_tomorrow'].map(toMailProblem)).toEqual([
    null,
    'address_invalid',
    'mail_unavailable',
  ]);
});

test('an empty name is told to be left out', () => {
  const told = NewInvitation.safeParse({ email: 'alex@example.com', name: ' ' });
  expect(told.error?.issues.map(({ message }) => message)).toEqual(['must not be empty; leave it out, or send null']);
});

test('what may be refused of an invitation is written where it is described', () => {
  const { email, name, user_id } = NewInvitation.shape;
  const described = (schema: z.ZodType) => JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
  expect(described(email)).toContain('in its `xn--` form');
  expect(NewInvitation.safeParse({ email: 'x@bücher.example' }).success).toBe(false);
  expect(NewInvitation.safeParse({ email: 'x@xn--bcher-kva.example' }).success).toBe(true);
  expect(described(name)).toContain('What looks like a web address is refused, `St.John` too');
  expect(described(user_id)).toContain('is refused with 409');
});

const isTaken = (name: string): boolean => NewInvitation.safeParse({ email: 'alex@example.com', name }).success;

test.each(['J.R.R. Tolkien', 'Ian St. John', "O'Neil-Smith Jr.", 'Nguyễn Thị Mai', '李小龍', 'مریم‌السادات', 'ก้ำกึ่ง'])(
  '%s is a name',
  (name) => {
    expect(isTaken(name)).toBe(true);
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
])('%j is none: it leads somewhere, or nobody can read it', (name) => {
  expect(isTaken(name)).toBe(false);
});
