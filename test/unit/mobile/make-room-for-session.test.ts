import { expect, test } from 'vitest';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { maxSdkSessions } from '../../../shared/mobile/make-room-for-session.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { sdkSessionRows } from '../../../shared/mobile/sdk-session-rows.ts';
import { sdkSessionRateLimit } from '../../../shared/platform/rate-limit.ts';
import { uploadLimits } from '../../../shared/providers/kit/upload-limits.ts';
import { createUser } from '../../../shared/users/users.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { oneTo } from '../../harness/outbox.ts';
import { installation } from '../../harness/sdk.ts';
import { openSdkSession } from '../../harness/sdk-session.ts';

const caller = { kind: 'api_key', account: 'acc_a', env: 'live', form: 2 } as const;

test('an eleventh session ends the one that was unused the longest, and its installation can return', async () => {
  const { deps, clock } = memoryDeps();
  const { id: userId } = await createUser(deps, caller, {});
  const open = async (body = installation()): Promise<string> => {
    clock.advance(1_000);
    const request = { userId, idempotencyKey: `key ${clock.now()}`, body, origin: 'http://localhost' };
    return (await openSession(deps, caller, request)).bootstrap.session_id;
  };
  const used = await openSdkSession(deps, { id: userId, account: 'acc_a', env: 'live' }, 'samsung_health');
  const unused = installation();
  const oldest = await open(unused);
  for (const _session of oneTo(maxSdkSessions - 2)) await open();
  const list = async () => (await sdkSessionRows(deps.store).listByUser(userId)).map(({ id }) => id);
  expect(await list()).toHaveLength(maxSdkSessions);
  clock.advance(1_000);
  expect(await sdkSessionRows(deps.store).admit(userId, used, 0)).toMatchObject({ outcome: 'admitted' });
  const newest = await open();
  const sessions = await list();
  expect(sessions).toHaveLength(maxSdkSessions);
  expect(sessions).toContain(newest);
  expect(sessions).toContain(used);
  expect(sessions).not.toContain(oldest);
  await open(unused);
  expect(await list()).toHaveLength(maxSdkSessions);
});

test('sessions that no phone has used make room before one that was used long ago', async () => {
  const { deps, clock } = memoryDeps();
  const { id: userId } = await createUser(deps, caller, {});
  const used = await openSdkSession(deps, { id: userId, account: 'acc_a', env: 'live' }, 'samsung_health');
  expect(await sdkSessionRows(deps.store).admit(userId, used, 0)).toMatchObject({ outcome: 'admitted' });
  for (const _start of oneTo(2 * maxSdkSessions)) {
    clock.advance(3_600_000);
    const request = { userId, idempotencyKey: `key ${clock.now()}`, body: installation(), origin: 'http://localhost' };
    await openSession(deps, caller, request);
  }
  const sessions = (await sdkSessionRows(deps.store).listByUser(userId)).map(({ id }) => id);
  expect(sessions).toHaveLength(maxSdkSessions);
  expect(sessions).toContain(used);
});

test('mobile tokens that are exchanged at the same time all open a session', async () => {
  const { deps } = memoryDeps();
  const { id: userId } = await createUser(deps, caller, {});
  const tokens = await Promise.all(oneTo(16).map(() => issueMobileToken(deps, caller, { userId, scopes: ['sleep'] })));
  await Promise.all(tokens.map(({ token }) => exchangeToken(deps, { client_token: token })));
  expect(await sdkSessionRows(deps.store).listByUser(userId)).toHaveLength(maxSdkSessions);
});

test('sessions that are opened at the same time are never more than the maximum', async () => {
  const { deps, clock, interruptedBy } = memoryDeps();
  const { id: userId } = await createUser(deps, caller, {});
  const open = (own: typeof deps, key: string) =>
    openSession(own, caller, { userId, idempotencyKey: key, body: installation(), origin: 'http://localhost' });
  for (const index of oneTo(maxSdkSessions - 1)) {
    clock.advance(1_000);
    await open(deps, `early ${index}`);
  }
  const exchange = async (own: typeof deps) => {
    const { token } = await issueMobileToken(deps, caller, { userId, scopes: ['sleep'] });
    await exchangeToken(own, { client_token: token });
  };
  const count = async () => (await sdkSessionRows(deps.store).listByUser(userId)).length;
  await open(
    interruptedBy(() => open(deps, 'a twin')),
    'another',
  );
  expect(await count()).toBe(maxSdkSessions);
  const [removed] = await sdkSessionRows(deps.store).listByUser(userId);
  if (removed) await deps.store.commit(sdkSessionRows(deps.store).buildRemove(removed));
  await exchange(interruptedBy(() => exchange(deps)));
  expect(await count()).toBe(maxSdkSessions);
  await Promise.all(oneTo(16).map((index) => open(deps, `late ${index}`)));
  expect(await count()).toBe(maxSdkSessions);
});

/** A user who has as many sessions as a user can have, each of them used. */
async function createFullUser() {
  const memory = memoryDeps();
  const { deps, clock, table, withTable } = memory;
  const { id: userId } = await createUser(deps, caller, {});
  for (const _session of oneTo(maxSdkSessions)) {
    clock.advance(1_000);
    const { token } = await issueMobileToken(deps, caller, { userId, scopes: ['sleep'] });
    await exchangeToken(deps, { client_token: token });
  }
  return {
    ...memory,
    userId,
    open: (own: typeof deps, key: string, body: ReturnType<typeof installation>) =>
      openSession(own, caller, { userId, idempotencyKey: key, body, origin: 'http://localhost' }),
    list: () => sdkSessionRows(deps.store).listByUser(userId),
    /** The twin commits after the first has seen no session of the installation, and before it lists all. */
    interruptedBy<T>(start: () => Promise<T>) {
      let twin: Promise<T> | undefined;
      const own = withTable({
        ...table,
        async *queryAll(query) {
          twin ??= start();
          await twin;
          yield* table.queryAll(query);
        },
      });
      return { own, twin: () => twin };
    },
  };
}

test.each([
  ['the same letters', (id: string) => id],
  ['capitals', (id: string) => id.toUpperCase()],
])(
  'an app that starts twice at once, at the maximum, gets one session, also with its id in %s',
  async (_how, write) => {
    const { deps, open, list, interruptedBy } = await createFullUser();
    const body = installation();
    const { own, twin } = interruptedBy(() =>
      open(deps, 'the twin', { ...body, installation_id: write(body.installation_id) }),
    );
    const first = await open(own, 'the first', body);
    expect(twin()).toBeDefined();
    expect(first).toMatchObject({ created: false, bootstrap: { session_id: (await twin())?.bootstrap.session_id } });
    expect(await list()).toHaveLength(maxSdkSessions);
  },
);

test('a token that is exchanged while a backend opens a session of its installation, at the maximum, gets that session', async () => {
  const { deps, userId, open, list, interruptedBy } = await createFullUser();
  const body = installation();
  const { installation_id, platform, provider } = body;
  const { token } = await issueMobileToken(deps, caller, { userId, scopes: ['sleep'] });
  const { own, twin } = interruptedBy(() => open(deps, 'the twin', body));
  await exchangeToken(own, { client_token: token, installation_id, platform, provider });
  expect(twin()).toBeDefined();
  const sessions = await list();
  expect(sessions).toHaveLength(maxSdkSessions);
  expect(sessions.filter(({ installationId }) => installationId === installation_id)).toHaveLength(1);
});

test('a session that the installation has for another provider makes room as any other', async () => {
  const { deps, clock, open, list } = await createFullUser();
  const body = installation();
  await open(deps, 'one', body);
  clock.advance(1_000);
  await open(deps, 'another', { ...body, platform: 'android', provider: 'health_connect' });
  expect(await list()).toHaveLength(maxSdkSessions);
});

/** Ten metrics of a phone and a watch over two years, a sample every three minutes in all. */
const firstSyncSamples = 3_500_000;

test('a first sync of two years waits for the rate limit for less than a minute', async () => {
  const { deps, clock } = memoryDeps();
  const { id: userId } = await createUser(deps, caller, {});
  const session = await openSdkSession(deps, { id: userId, account: 'acc_a', env: 'live' }, 'apple_health');
  const batches = Math.ceil(firstSyncSamples / uploadLimits.records);
  expect(batches).toBe(70);
  let waitedSeconds = 0;
  for (const _batch of oneTo(batches)) {
    // The phone takes no time at all for a batch, and waits as Retry-After says.
    while ((await sdkSessionRows(deps.store).admit(userId, session, 0)).outcome === 'limited') {
      clock.advance(1_000);
      waitedSeconds++;
    }
  }
  expect(waitedSeconds).toBeLessThanOrEqual(batches - sdkSessionRateLimit.burst);
  expect(waitedSeconds).toBeGreaterThan(0);
});
