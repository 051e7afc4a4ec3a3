// How many emails one mailbox gets, however its address is written.
import { beforeEach, expect, test } from 'vitest';
import { inviteMember } from '../../../shared/team/invite-member.ts';
import { maxMessagesPerAddress } from '../../../shared/team/team.ts';
import { caller, deps, newMailWorld, origin } from '../../harness/mail-world.ts';

beforeEach(newMailWorld);

const invite = (email: string) => inviteMember(deps, caller, { email }, origin);
const spellings = ['ada@x.example', 'ada+1@x.example', 'ada+2@X.example', 'Ada+a+b@x.example', 'ADA+@x.example'];

test('tagged addresses of one mailbox share its daily email limit', async () => {
  expect(spellings).toHaveLength(maxMessagesPerAddress);
  for (const email of spellings) await invite(email);
  await expect(invite('ada+6@x.example')).rejects.toMatchObject({ code: 'limit_reached' });
});

test('each tagged address is a separate invitee with a separate invitation', async () => {
  const [first, second] = [await invite('ada+1@x.example'), await invite('ada+2@x.example')];
  expect([first.email, second.email]).toEqual(['ada+1@x.example', 'ada+2@x.example']);
  expect(first.id).not.toBe(second.id);
});

test('an address that begins with its tag is a separate mailbox', async () => {
  for (const email of ['+1@x.example', '+2@x.example', '+3@x.example', '+4@x.example', '+5@x.example'])
    await invite(email);
  expect((await invite('+6@x.example')).email).toBe('+6@x.example');
});

test.each(['a.da@x.example', 'ada@y.example', '+ada@x.example'])('%s is another mailbox', async (other) => {
  for (const email of spellings) await invite(email);
  expect((await invite(other)).email).toBe(other);
});
