import { beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../../infra/cli/commands.ts';
import { readPendingData } from '../../../infra/cli/pending-data.ts';
import { createAccount, replaceKey } from '../../../shared/accounts/accounts.ts';
import { connectionRows } from '../../../shared/connections/connection-rows.ts';
import { syncRows } from '../../../shared/connections/sync-rows.ts';
import { feedSandbox } from '../../../shared/sandbox/feed-sandbox.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../harness/memory-deps.ts';
import { acceptStepsUpload, createMemoryUser } from '../../harness/memory-user.ts';
import { runWriter, runWriterUntilIdle } from '../../harness/run-writer.ts';
import { sharedSystem } from '../../harness/shared-system.ts';
import type { System } from '../../harness/system.ts';

const wait = (deps: Deps, args: { positional: string; timeout?: string; key?: string }, isServed = true) => {
  const command = commands['users wait'];
  if (!command) throw new Error('there is no command "users wait"');
  return command.prepare(args)(deps, { isServed });
};
const hourMs = 3_600_000;
const waitingFor = async (deps: Deps, user: string) => (await readPendingData(deps, user))?.waitingFor;

/** Moves on when the command pauses, so that no time passes. */
const withPauses = ({ deps, clock }: MemoryDeps, onPause: () => Promise<void> = async () => {}): Deps => ({
  ...deps,
  clock: {
    now: () => clock.now(),
    async pause(milliseconds) {
      clock.advance(milliseconds);
      await onPause();
    },
  },
});

async function createSandboxUser(world: MemoryDeps): Promise<string> {
  const caller: Caller = { kind: 'api_key', account: 'acc_of_a_person', env: 'sandbox', form: 2 };
  return (await createUser(world.deps, caller, { timezone: 'Europe/London' })).id;
}

describe('a new sandbox user', () => {
  test('is waited for from its creation until its days are scored', async () => {
    const world = memoryDeps();
    const user = await createSandboxUser(world);
    expect(await waitingFor(world.deps, user)).toEqual(['the data of the sandbox']);
    await feedSandbox(world.deps, user);
    const [fetched] = (await waitingFor(world.deps, user)) ?? [];
    expect(fetched).toMatch(/^\d+ uploads that are being processed$/);
    const deps = withPauses(world, () => runWriter(world.deps, user));
    const { json, text } = await wait(deps, { positional: user });
    expect(json).toMatchObject({
      user_id: user,
      score_status: 'ready',
      last_sync_at: expect.any(String),
      days: { last: '2026-03-10' },
      scored_days: { last: '2026-03-10' },
    });
    expect(text).toMatch(
      new RegExp(`^${user} has data for \\d+ days \\(2026-03-0\\d to 2026-03-10\\) and scores for \\d+ days`),
    );
    // The data of the next hours is not waited for.
    world.clock.advance(2 * hourMs);
    expect(await waitingFor(world.deps, user)).toEqual([]);
  });

  test('is waited for while a connection has notifications to process', async () => {
    const world = memoryDeps();
    const user = await createSandboxUser(world);
    await feedSandbox(world.deps, user);
    await runWriterUntilIdle(world.deps, user);
    expect(await waitingFor(world.deps, user)).toEqual([]);
    const [connection] = await connectionRows(world.deps.store).listByUser(user);
    const device = connection?.device ?? '';
    const days = [{ what: 'days', from: '2026-03-09', to: '2026-03-10' } as const];
    expect(await syncRows(world.deps.store).record({ user, device }, days, world.clock.now())).toBe(true);
    expect(await waitingFor(world.deps, user)).toEqual(['new data of oura']);
    const read = await syncRows(world.deps.store).read(user, device);
    if (!read) throw new Error('the connection is gone');
    await syncRows(world.deps.store).deferInbox(read.connection, world.clock.now() + hourMs);
    expect(await waitingFor(world.deps, user)).toEqual([]);
  });
});

describe('an upload of a phone', () => {
  test('is waited for until its day is stored', async () => {
    const user = await createMemoryUser();
    const { deps } = user.world;
    expect(await waitingFor(deps, user.id)).toEqual(['the first data']);
    await acceptStepsUpload(user, '2026-03-09', 4_000);
    expect(await waitingFor(deps, user.id)).toEqual(['1 upload that is being processed']);
    await runWriterUntilIdle(deps, user.id);
    const { text } = await wait(deps, { positional: user.id });
    expect(text).toContain('has data for 1 day (2026-03-09 to 2026-03-09) and ');
    await acceptStepsUpload(user, '2026-03-10', 5_000);
    expect(await waitingFor(deps, user.id)).toEqual(['1 upload that is being processed']);
  });
});

describe('an empty sandbox user', () => {
  test('is waited for only while an upload is being processed, and the result says that there is no data', async () => {
    const world = memoryDeps();
    const caller: Caller = { kind: 'api_key', account: 'acc_of_a_person', env: 'sandbox', form: 2 };
    const { id } = await createUser(world.deps, caller, { profile: { sandbox_persona: 'empty' } });
    const { text } = await wait(world.deps, { positional: id });
    expect(text).toBe(`${id} has no data and no scores.`);
  });
});

describe('without result', () => {
  test('a user that does not exist is reported', async () => {
    const { deps } = memoryDeps();
    await expect(wait(deps, { positional: 'usr_nobody' })).rejects.toThrow('User usr_nobody not found.');
  });

  test("another account's or environment's user does not exist for a key", async () => {
    const world = memoryDeps();
    const [own, other] = [
      await createAccount(world.deps, { name: 'a' }),
      await createAccount(world.deps, { name: 'b' }),
    ];
    const caller: Caller = { kind: 'api_key', account: own.account_id, env: 'sandbox', form: 2 };
    const { id } = await createUser(world.deps, caller, {});
    for (const key of [other.sandbox_key, own.live_key])
      await expect(wait(world.deps, { positional: id, key })).rejects.toThrow(`User ${id} not found.`);
    await expect(wait(world.deps, { positional: id, key: 'sk_live_x' })).rejects.toThrow('The key is not one of this');
    await feedSandbox(world.deps, id);
    await runWriterUntilIdle(world.deps, id);
    expect((await wait(world.deps, { positional: id, key: own.sandbox_key })).json).toMatchObject({ user_id: id });
  });

  test('a key that has expired or was revoked can read no user, and one that is being replaced still can', async () => {
    const world = memoryDeps();
    const { account_id: account, sandbox_key: key } = await createAccount(world.deps, { name: 'a' });
    const caller: Caller = { kind: 'api_key', account, env: 'sandbox', form: 2 };
    const { id } = await createUser(world.deps, caller, {});
    await feedSandbox(world.deps, id);
    await runWriterUntilIdle(world.deps, id);
    const replacement = await replaceKey(world.deps, account, 'sandbox', hourMs);
    expect((await wait(world.deps, { positional: id, key })).json).toMatchObject({ user_id: id });
    world.clock.advance(hourMs);
    const unusable = 'The key is not one of this deployment, was revoked, or has expired.';
    await expect(wait(world.deps, { positional: id, key })).rejects.toThrow(unusable);
    expect((await wait(world.deps, { positional: id, key: replacement.key })).json).toMatchObject({ user_id: id });
    world.clock.advance(Date.parse(replacement.expires_at) + 1_000 - world.clock.now());
    await expect(wait(world.deps, { positional: id, key: replacement.key })).rejects.toThrow(unusable);
  });

  test('the timeout is reported with what is missing and what to do', async () => {
    const world = memoryDeps();
    const user = await createSandboxUser(world);
    await expect(wait(withPauses(world), { positional: user, timeout: '5' })).rejects.toThrow(
      `After 5 seconds, user ${user} still waits for the data of the sandbox. Wait longer with --timeout 25.`,
    );
    const hourly = withPauses(world, async () => world.clock.advance(hourMs));
    await expect(wait(hourly, { positional: user, timeout: '20000' })).rejects.toThrow(
      'Wait longer with --timeout 86400. If nothing changes, see ',
    );
    await expect(wait(hourly, { positional: user, timeout: '86400' })).rejects.toThrow(
      `After 86400 seconds, user ${user} still waits for the data of the sandbox. If nothing changes, see `,
    );
    const { id, world: live } = await createMemoryUser();
    await expect(wait(withPauses(live), { positional: id })).rejects.toThrow(
      `After 300 seconds, user ${id} still waits for the first data. A live user has no data until a device is connected`,
    );
  });

  test('without a running service, nothing is waited for', async () => {
    const world = memoryDeps();
    const user = await createSandboxUser(world);
    await expect(wait(world.deps, { positional: user }, false)).rejects.toThrow(
      `User ${user} waits for the data of the sandbox, but no service is running. Start it with npm start`,
    );
  });

  test.each(['0', '1.5', '-1', 'x', '86401'])('a timeout of %s is rejected', (timeout) => {
    expect(() => commands['users wait']?.prepare({ positional: 'usr_x', timeout })).toThrow(
      '--timeout must be a whole number of seconds from 1 to 86400.',
    );
  });
});

describe('on a running system', () => {
  let system: System;
  beforeAll(async () => {
    system = await sharedSystem();
  });

  test('the finished days of a new user have values and scores when the command returns', async () => {
    const { sandbox_key: token } = await system.account();
    // This one has a ring, a phone and a watch.
    const profile = { sandbox_persona: 'device_swap' };
    const user = await system.user(token, { timezone: 'Europe/London', profile });
    const { json } = await wait(system.host.deps, { positional: user });
    const { first, last } = Object(json).days;
    const read = async (name: string) => {
      const path = `/v1/users/${user}/${name}from_date=${first}&to_date=${last}`;
      return (await system.call('GET', path, { token })).body.series;
    };
    const { steps, resting_heart_rate } = await read('daily?types=steps,resting_heart_rate&');
    expect(steps.slice(0, -1)).not.toContain(null);
    expect(resting_heart_rate.slice(0, -1)).not.toContain(null);
    expect((await read('scores?types=sleep_score&')).sleep_score.at(-2)).toEqual(expect.any(Number));
  });
});
