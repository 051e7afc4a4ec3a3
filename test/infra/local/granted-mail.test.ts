import { expect, onTestFinished, test } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { NotGranted, withMailGrants } from '../../../infra/local/grants.ts';
import { startSystem } from '../../harness/system.ts';

const message = { to: 'ada@example.com', subject: 's', text: 't', html: '<p>t</p>' };

test('a function can send mail only if the manifest grants it, and the error names the missing setting', async () => {
  const sent: unknown[] = [];
  const mail = { send: async (one: unknown) => void sent.push(one) };
  await expect(withMailGrants(mail, 'sync', {}).send(message)).rejects.toThrow(NotGranted);
  await expect(withMailGrants(mail, 'sync', {}).send(message)).rejects.toThrow(
    'sync may not send mail: set mails for sync',
  );
  expect(sent).toEqual([]);
  await withMailGrants(mail, 'send-invitations', { mails: true }).send(message);
  expect(sent).toEqual([message]);
});

test('the host enforces the grant for each function', async () => {
  const { mails: _granted, ...ungranted } = functions['send-invitations'];
  const system = await startSystem({ functions: { ...functions, 'send-invitations': ungranted } });
  onTestFinished(() => system.stop());
  const { live_key: token } = await system.account();
  await system.call('POST', '/v1/team/roster/invitations', { token, body: { email: 'ada@example.com' } });
  await system.host.drain();
  expect(system.host.mailbox.messages()).toEqual([]);
  // As in the cloud, the function receives no sender, and the invitation shows it.
  const { body } = await system.call('GET', '/v1/team/roster/invitations', { token });
  expect(body.data).toMatchObject([{ email_status: { status: 'not_configured' } }]);
});
