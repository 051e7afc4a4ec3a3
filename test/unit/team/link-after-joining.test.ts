// Someone who has just joined gets a link to the page where they choose their wearables.
import { beforeEach, describe, expect, test } from 'vitest';
import { joinApi } from '../../../functions/api/join/app.ts';
import { createAccount, createKey, revokeKey, setAccountStatus } from '../../../shared/accounts/accounts.ts';
import { openConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { languages } from '../../../shared/platform/language.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { listMembers, removeMember } from '../../../shared/team/members.ts';
import { teamTextByLanguage } from '../../../shared/team/team-text-by-language.ts';
import { createUser } from '../../../shared/users/users.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { addDevice } from '../../harness/stored-data.ts';
import { createInvitation } from '../../harness/team-members.ts';

const origin = 'https://day.example';
let memory: MemoryDeps;
let deps: Deps;
let caller: Caller;
beforeEach(async () => {
  memory = memoryDeps();
  deps = memory.deps;
  const { account_id } = await createAccount(deps, { name: 'The Lab' });
  caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
});

const submit = (token: string, own = deps) =>
  requestInProcess(joinApi(own), `/join/${token}`, { method: 'POST', origin });
const invite = async (input = {}): Promise<string> => (await createInvitation(deps, caller.account, input)).token;
const linkIn = (html: string): string | undefined =>
  /href="https:\/\/day\.example\/connect\/links\/([\w-]+)"/.exec(html)?.[1];
async function join(input = {}): Promise<{ html: string; link: string }> {
  const html = await (await submit(await invite(input))).text();
  return { html, link: linkIn(html) ?? '' };
}
const readMember = async () => (await listMembers(deps, caller, { limit: 10 })).members[0];

test.each(languages)('in %s the page after joining leads on to choosing wearables', async (language) => {
  const { html, link } = await join({ language });
  const { joined, wearables } = teamTextByLanguage[language].page;
  for (const text of [joined('The Lab').heading, wearables.text, `${wearables.action}</a>`, wearables.deadline])
    expect(html).toContain(text);
  expect(wearables.deadline).toContain('24');
  expect(html).not.toContain(joined('The Lab').text);
  expect(await openConnectLink(deps, link)).toMatchObject({ user: { id: (await readMember())?.user_id }, devices: [] });
});

test('the page with the link is not cached, and sends no referrer', async () => {
  const { headers, status } = await submit(await invite());
  expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
    200,
    'no-store',
    'no-referrer',
  ]);
});

describe('the link', () => {
  test('is valid for 24 hours', async () => {
    const { link } = await join();
    memory.clock.advance(24 * 3_600_000);
    expect(await openConnectLink(deps, link)).toBe('link_expired');
  });

  test('ends when the member is removed', async () => {
    const { link } = await join();
    await removeMember(deps, caller, (await readMember())?.id ?? '');
    expect(await openConnectLink(deps, link)).toBe('link_revoked');
  });

  test.each([
    ['revoked', revokeKey],
    ['replaced', createKey],
  ])('ends when the current API key is %s', async (_what, end) => {
    const { link } = await join();
    await end(deps, caller.account, 'live');
    expect(await openConnectLink(deps, link)).toBe('link_revoked');
  });

  test('is paused while the account is suspended', async () => {
    const { link } = await join();
    await setAccountStatus(deps, caller.account, 'suspended');
    expect(await openConnectLink(deps, link)).toBe('account_suspended');
  });
});

describe('someone who has joined gets no link', () => {
  test('a second time, from the same invitation', async () => {
    const token = await invite();
    const pages = await Promise.all([submit(token), submit(token)]);
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(texts.filter((text) => linkIn(text) !== undefined)).toHaveLength(1);
    expect(linkIn(await (await submit(token)).text())).toBeUndefined();
  });

  test('to a user who already has devices', async () => {
    const { id } = await createUser(deps, caller, {});
    await addDevice(deps, id);
    const { html } = await join({ user_id: id });
    expect(html).toContain('You have joined The Lab');
    expect(html).toContain('There is nothing more to do here.');
    expect(html).not.toContain('/connect/');
  });

  test('while the environment has no API key', async () => {
    const token = await invite();
    await revokeKey(deps, caller.account, 'live');
    const text = await (await submit(token)).text();
    expect([text.includes('You have joined The Lab'), linkIn(text)]).toEqual([true, undefined]);
  });

  test('after the API key has expired', async () => {
    memory.clock.advance(90 * 24 * 3_600_000);
    const text = await (await submit(await invite())).text();
    expect([text.includes('You have joined The Lab'), linkIn(text)]).toEqual([true, undefined]);
  });

  test('when it cannot be stored, which is logged and does not undo the joining', async () => {
    const token = await invite();
    const refusing = memory.withTable({
      ...memory.table,
      transact: (writes) => {
        if (JSON.stringify(writes).includes('"link"')) throw new EngineUnavailable('the table is unavailable');
        return memory.table.transact(writes);
      },
    });
    const response = await submit(token, refusing);
    const text = await response.text();
    expect([response.status, text.includes('You have joined'), linkIn(text)]).toEqual([200, true, undefined]);
    expect(await readMember()).toMatchObject({ status: 'active' });
    expect(memory.log).toContainEqual(expect.objectContaining({ message: 'connect_link_not_created' }));
  });
});
