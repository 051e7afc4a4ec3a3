import { expect, test } from 'vitest';
import { grantedMail, NotGranted } from '../../../infra/local/grants.ts';

const message = { to: 'ada@example.com', subject: 's', text: 't', html: '<p>t</p>' };

test('a function mails if the map says so, and else is told which line it lacks', async () => {
  const sent: unknown[] = [];
  const mail = { send: async (one: unknown) => void sent.push(one) };
  await expect(grantedMail(mail, 'sync', {}).send(message)).rejects.toThrow(NotGranted);
  await expect(grantedMail(mail, 'sync', {}).send(message)).rejects.toThrow('sync may not mail: set mails for sync');
  expect(sent).toEqual([]);
  await grantedMail(mail, 'send-invitations', { mails: true }).send(message);
  expect(sent).toEqual([message]);
});
