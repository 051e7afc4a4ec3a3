import { expect, test } from 'vitest';
import { knownMailTrouble, NewInvitation } from '../../../shared/model/team.ts';

test('a trouble that only a newer release knows is told as one of ours', () => {
  expect([null, 'address_invalid', 'of_tomorrow'].map(knownMailTrouble)).toEqual([
    null,
    'address_invalid',
    'mail_unavailable',
  ]);
});

test('an empty name is told to be left out', () => {
  const told = NewInvitation.safeParse({ email: 'alex@example.com', name: ' ' });
  expect(told.error?.issues.map(({ message }) => message)).toEqual(['must not be empty; leave it out, or send null']);
});
