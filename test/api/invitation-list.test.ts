// Tests the list of a team's invitations, which finds invitations whose id was lost or whose email
// failed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type Mail, MailRefused } from '../../shared/platform/ports.ts';
import { acceptInvitation } from '../../shared/team/accept-invitation.ts';
import { type System, startSystem } from '../harness/system.ts';
import { createInvitation } from '../harness/team-members.ts';

let system: System;
let account: NewAccount;
const mail: Mail = {
  async send({ to }) {
    if (to.startsWith('nobody')) throw new MailRefused('message_rejected', 'MessageRejected');
  },
};
beforeAll(async () => {
  system = await startSystem({ mail });
});
beforeEach(async () => {
  account = await system.account();
});
afterAll(() => system.stop());

const listPath = '/v1/team/roster/invitations';
const callLive = (method: string, path: string, body?: object) =>
  system.call(method, path, { token: account.live_key, ...(body ? { body } : {}) });
const listIds = async (query: string): Promise<string[]> =>
  (await callLive('GET', `${listPath}${query}`)).body.data.map(({ id }: { id: string }) => id);

test('invitations are listed newest first, in pages, filtered by status and by email status', async () => {
  const joiner = await createInvitation(system.host.deps, account.account_id);
  await acceptInvitation(system.host.deps, joiner.token);
  const revoked = (await callLive('POST', listPath, { email: 'gone@example.com' })).body.id;
  await callLive('DELETE', `${listPath}/${revoked}`);
  const failed = (await callLive('POST', listPath, { email: 'nobody@example.com' })).body.id;
  const waiting = (await callLive('POST', listPath, { email: 'somebody@example.com' })).body.id;
  await system.host.drain();

  const all = [waiting, failed, revoked, joiner.id];
  const seen: string[] = [];
  for (let path: string | undefined = `${listPath}?limit=3`; path !== undefined; ) {
    const { body } = await callLive('GET', path);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    path = body.next_cursor === null ? undefined : `${listPath}?limit=3&cursor=${body.next_cursor}`;
  }
  expect(seen).toEqual(all);
  expect(await listIds('?status=pending')).toEqual([waiting, failed]);
  expect(await listIds('?status=accepted')).toEqual([joiner.id]);
  expect(await listIds('?status=revoked')).toEqual([revoked]);
  expect(await listIds('?status=expired')).toEqual([]);
  expect(await listIds('?email_status=failed&status=pending')).toEqual([failed]);
  expect((await callLive('GET', listPath)).body.data[0]).toEqual(
    (await callLive('GET', `${listPath}/${waiting}`)).body,
  );
});

test('another environment or account sees none of them', async () => {
  await callLive('POST', listPath, { email: 'somebody@example.com' });
  const other = await system.account();
  for (const token of [account.sandbox_key, other.live_key])
    expect((await system.call('GET', listPath, { token })).body).toEqual({ data: [], next_cursor: null });
});

test.each(['/v1/team/roster', listPath])('%s rejects page numbers and names the parameter to use', async (path) => {
  const { live_key: token } = await system.account({ form: 1 });
  for (const [name, instead] of [
    ['page', 'cursor'],
    ['per_page', 'limit'],
  ]) {
    const { status, body } = await system.call('GET', `${path}?${name}=1`, { token });
    expect([status, body.message]).toEqual([400, `Unknown parameter \`${name}\`. Use \`${instead}\`.`]);
  }
});
