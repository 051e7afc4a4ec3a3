// A command that keeps failing, or that workers crash on, does not block the user. Uploads are
// covered by `dead-letters.test.ts`.
import { beforeEach, describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../../functions/workers/sweep.ts';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { listQuarantinedUploads } from '../../../../shared/pipeline/writer/command-attempts.ts';
import { EngineUnavailable, type Table } from '../../../../shared/platform/ports.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { updateUser } from '../../../../shared/users/users.ts';
import { acceptStepsUpload, createMemoryUser, type MemoryUser } from '../../../harness/memory-user.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { throwOriginal } from '../../../harness/run-writer.ts';

const minuteMs = 60_000;
const visibilityMs = 2 * minuteMs;
let user: MemoryUser;
beforeEach(async () => {
  user = await createMemoryUser();
  await acceptStepsUpload(user, '2026-03-10', 7);
  await run(user.table);
});

const waiting = () => pendingCommands(user.table, user.id);
const run = (table: Table, receives = 1): Promise<void> => runWith(user.world.withTable(table), receives);
const runWith = (deps: Deps, receives: number) =>
  userWorker(deps)({ user_id: user.id }, { receives }).catch(throwOriginal);

/** Only a time-zone change reads the nights of all days. */
const failing = (): Table => ({
  ...user.table,
  queryAll(query) {
    if (query.values['prefix'] === 'Z#') throw new Error('unreadable');
    return user.table.queryAll(query);
  },
});

describe('a long command that fails', () => {
  const move = (timezone = 'Asia/Tokyo') => updateUser(user.world.deps, user.caller, user.id, { timezone });

  test("is tried three times, then after growing pauses of at most an hour, while the user's other work continues", async () => {
    await move();
    const { clock } = user.world;
    for (const failures of [1, 2]) {
      await expect(run(failing())).rejects.toThrow('unreadable');
      expect(await waiting()).toMatchObject([{ kind: 'recount', failures }]);
    }
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries++) {
      // From here on, the message is not retried before the command's time.
      await run(failing());
      const [command] = await waiting();
      pauses.push(Math.round(((command?.notBeforeMs ?? 0) - clock.now()) / minuteMs));
      clock.advance(1_000);
      await acceptStepsUpload(user, '2026-03-11', 100 + tries);
      await run(failing());
      expect(await waiting()).toMatchObject([{ failures: 3 + tries }]);
      expect(await user.stepsOn('2026-03-11')).toBe(100 + tries);
      clock.advance((command?.notBeforeMs ?? 0) - clock.now());
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(user.world.log.filter(({ level }) => level === 'error')).toHaveLength(9);
    await run(user.table);
    expect(await waiting()).toEqual([]);
    expect(await listQuarantinedUploads(user.world.deps)).toEqual([]);
  });

  test('is found by the sweep when its time has come, and not before', async () => {
    await move();
    for (let tries = 0; tries < 2; tries++) await expect(run(failing())).rejects.toThrow('unreadable');
    await run(failing());
    const woken = async () => {
      user.world.calls.length = 0;
      await sweepWorker(user.world.deps)();
      return user.world.sentTo('user');
    };
    expect(await woken()).toEqual([]);
    user.world.clock.advance(2 * minuteMs + 1_000);
    expect(await woken()).toEqual([{ user_id: user.id }]);
  });

  test('starts with a clean record when it is requested again', async () => {
    await move();
    for (let tries = 0; tries < 2; tries++) await expect(run(failing())).rejects.toThrow('unreadable');
    await run(failing());
    await move('America/Lima');
    const [command] = await waiting();
    expect(command).toMatchObject({ failures: 0, crashes: 0 });
    expect(command?.notBeforeMs).toBeUndefined();
    await run(user.table);
    expect(await waiting()).toEqual([]);
  });
});

test('the stored reason why an upload was quarantined has at most 500 characters', async () => {
  await acceptStepsUpload(user, '2026-03-11', 9);
  const [upload] = await waiting();
  const unreadable: Table = {
    ...user.table,
    batchGet(wanted, options) {
      if (wanted.some(({ sk }) => sk.startsWith(`R#${upload?.id}`))) throw new Error('x'.repeat(501));
      return user.table.batchGet(wanted, options);
    },
  };
  for (let tries = 0; tries < 2; tries++) await expect(run(unreadable)).rejects.toThrow('xxx');
  await run(unreadable);
  const reasons = (await listQuarantinedUploads(user.world.deps)).map(({ reason }) => reason);
  expect(reasons).toEqual(['x'.repeat(500)]);
});

describe('workers that crash', () => {
  /** From the call that kills the worker on, none of its calls reaches the table. */
  function killedBy(kills: (sk: string) => boolean): Table {
    let isDead = false;
    const { table } = user;
    const unlessCrashed = <T>(call: () => Promise<T>): Promise<T> =>
      isDead ? Promise.reject(new Error('dead')) : call();
    return {
      get: (...args) => unlessCrashed(() => table.get(...args)),
      batchGet(wanted, options) {
        if (wanted.some(({ sk }) => kills(sk))) isDead = true;
        return unlessCrashed(() => table.batchGet(wanted, options));
      },
      query: (...args) => unlessCrashed(() => table.query(...args)),
      queryAll(query) {
        if (kills(String(query.values['prefix']))) isDead = true;
        if (isDead) throw new Error('dead');
        return table.queryAll(query);
      },
      write: (...args) => unlessCrashed(() => table.write(...args)),
      transact: (...args) => unlessCrashed(() => table.transact(...args)),
      batchWrite: (...args) => unlessCrashed(() => table.batchWrite(...args)),
    };
  }
  async function crash(receives: number, kills: (sk: string) => boolean): Promise<void> {
    await expect(run(killedBy(kills), receives)).rejects.toThrow('dead');
    user.world.clock.advance(visibilityMs);
  }

  test('on an upload are counted against it, though a long command waits before it', async () => {
    await updateUser(user.world.deps, user.caller, user.id, { timezone: 'Asia/Tokyo' });
    await acceptStepsUpload(user, '2026-03-11', 9);
    const crashing = (await waiting()).find(({ kind }) => kind === 'upload')?.id ?? '';
    for (let receives = 1; receives <= 6; receives++) await crash(receives, (sk) => sk.startsWith(`R#${crashing}`));
    await run(user.table, 7);
    expect(await listQuarantinedUploads(user.world.deps)).toMatchObject([
      { id: crashing, reason: '5 workers crashed while processing it' },
    ]);
    expect(await waiting()).toEqual([]);
  });

  test('are not counted while the table is unavailable and the queue is behind, however long that lasts', async () => {
    await acceptStepsUpload(user, '2026-03-11', 9);
    const away: Table = {
      ...user.table,
      transact: async () => {
        throw new EngineUnavailable('throttled');
      },
    };
    for (let receives = 1; receives <= 10; receives++) {
      await expect(run(away, receives)).rejects.toThrow(EngineUnavailable);
      expect(await waiting()).toMatchObject([{ failures: 0, crashes: 0 }]);
      user.world.clock.advance(visibilityMs);
    }
    await run(user.table, 11);
    expect([await waiting(), await listQuarantinedUploads(user.world.deps)]).toEqual([[], []]);
    expect(await user.stepsOn('2026-03-11')).toBe(9);
  });

  test.each([
    ['is logged while the table is unavailable', new EngineUnavailable('away'), 'throttled', ['attempt_not_cleared']],
    ['is thrown if it has any other reason', new TypeError('broken'), 'broken', []],
  ])('an attempt that cannot be cleared %s', async (_what, reason, thrown, codes) => {
    await acceptStepsUpload(user, '2026-03-11', 9);
    const throttled: Table = {
      ...user.table,
      transact: () => Promise.reject(new EngineUnavailable('throttled')),
      write: (write) =>
        write.kind === 'update' && write.update === 'REMOVE #attemptMs'
          ? Promise.reject(reason)
          : user.table.write(write),
    };
    await expect(run(throttled, 2)).rejects.toThrow(thrown);
    expect(user.world.log.map(({ message }) => message)).toEqual(codes);
  });

  test('on a long command make it wait for one minute, then two; uploads continue, and it completes when it can', async () => {
    await updateUser(user.world.deps, user.caller, user.id, { timezone: 'Asia/Tokyo' });
    for (let receives = 1; receives <= 6; receives++) await crash(receives, (sk) => sk === 'Z#');
    const pause = async () => ((await waiting())[0]?.notBeforeMs ?? 0) - user.world.clock.now();
    await run(user.table, 7);
    expect(Math.round((await pause()) / minuteMs)).toBe(1);
    await acceptStepsUpload(user, '2026-03-11', 9);
    await run(user.table);
    expect(await user.stepsOn('2026-03-11')).toBe(9);
    user.world.clock.advance(visibilityMs);
    // The next message crashes on it again.
    await crash(1, (sk) => sk === 'Z#');
    await run(user.table, 2);
    expect(Math.round((await pause()) / minuteMs)).toBe(2);
    user.world.clock.advance(visibilityMs);
    await run(user.table);
    expect(await waiting()).toEqual([]);
  });

  test('are not counted when a run failed and reported it, however slow it was', async () => {
    await acceptStepsUpload(user, '2026-03-11', 9);
    const [upload] = await waiting();
    for (let receives = 1; receives <= 9; receives++) {
      await expect(
        run(
          killedBy((sk) => sk.startsWith(`R#${upload?.id}`)),
          receives,
        ),
      ).rejects.toThrow('dead');
      // A minute of work, and three quarters of the longest backoff.
      user.world.clock.advance(60_000 + 45_000);
    }
    expect(await waiting()).toMatchObject([{ crashes: 0 }]);
  });
});
