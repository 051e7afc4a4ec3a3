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

const minuteMs = 60_000;
const visibilityMs = 2 * minuteMs;
let person: MemoryUser;
beforeEach(async () => {
  person = await createMemoryUser();
  await acceptStepsUpload(person, '2026-03-10', 7);
  await run(person.table);
});

const waiting = () => pendingCommands(person.table, person.id);
const run = (table: Table, receives = 1): Promise<void> => runWith(person.world.withTable(table), receives);
const runWith = (deps: Deps, receives: number) => userWorker(deps)({ user_id: person.id }, { receives });

/** Only a time-zone change reads the nights of all days. */
const failing = (): Table => ({
  ...person.table,
  queryAll(query) {
    if (query.values['prefix'] === 'Z#') throw new Error('unreadable');
    return person.table.queryAll(query);
  },
});

describe('a long command that fails', () => {
  const move = (timezone = 'Asia/Tokyo') => updateUser(person.world.deps, person.caller, person.id, { timezone });

  test("is tried three times, then after growing pauses of at most an hour, while the user's other work continues", async () => {
    await move();
    const { clock } = person.world;
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
      await acceptStepsUpload(person, '2026-03-11', 100 + tries);
      await run(failing());
      expect(await waiting()).toMatchObject([{ failures: 3 + tries }]);
      expect(await person.stepsOn('2026-03-11')).toBe(100 + tries);
      clock.advance((command?.notBeforeMs ?? 0) - clock.now());
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(person.world.log.filter(({ level }) => level === 'error')).toHaveLength(9);
    await run(person.table);
    expect(await waiting()).toEqual([]);
    expect(await listQuarantinedUploads(person.world.deps)).toEqual([]);
  });

  test('is found by the sweep when its time has come, and not before', async () => {
    await move();
    for (let tries = 0; tries < 2; tries++) await expect(run(failing())).rejects.toThrow('unreadable');
    await run(failing());
    const woken = async () => {
      person.world.calls.length = 0;
      await sweepWorker(person.world.deps)();
      return person.world.sentTo('user');
    };
    expect(await woken()).toEqual([]);
    person.world.clock.advance(2 * minuteMs + 1_000);
    expect(await woken()).toEqual([{ user_id: person.id }]);
  });

  test('starts with a clean record when it is requested again', async () => {
    await move();
    for (let tries = 0; tries < 2; tries++) await expect(run(failing())).rejects.toThrow('unreadable');
    await run(failing());
    await move('America/Lima');
    const [command] = await waiting();
    expect(command).toMatchObject({ failures: 0, deaths: 0 });
    expect(command?.notBeforeMs).toBeUndefined();
    await run(person.table);
    expect(await waiting()).toEqual([]);
  });
});

describe('workers that crash', () => {
  /** From the call that kills the worker on, none of its calls reaches the table. */
  function killedBy(kills: (sk: string) => boolean): Table {
    let isDead = false;
    const { table } = person;
    const alive = <T>(call: () => Promise<T>): Promise<T> => (isDead ? Promise.reject(new Error('dead')) : call());
    return {
      get: (...asked) => alive(() => table.get(...asked)),
      batchGet(wanted, options) {
        if (wanted.some(({ sk }) => kills(sk))) isDead = true;
        return alive(() => table.batchGet(wanted, options));
      },
      query: (...asked) => alive(() => table.query(...asked)),
      queryAll(query) {
        if (kills(String(query.values['prefix']))) isDead = true;
        if (isDead) throw new Error('dead');
        return table.queryAll(query);
      },
      write: (...asked) => alive(() => table.write(...asked)),
      transact: (...asked) => alive(() => table.transact(...asked)),
      batchWrite: (...asked) => alive(() => table.batchWrite(...asked)),
    };
  }
  async function dies(receives: number, kills: (sk: string) => boolean): Promise<void> {
    await expect(run(killedBy(kills), receives)).rejects.toThrow('dead');
    person.world.clock.advance(visibilityMs);
  }

  test('on an upload are counted against it, though a long command waits before it', async () => {
    await updateUser(person.world.deps, person.caller, person.id, { timezone: 'Asia/Tokyo' });
    await acceptStepsUpload(person, '2026-03-11', 9);
    const deadly = (await waiting()).find(({ kind }) => kind === 'upload')?.id ?? '';
    for (let receives = 1; receives <= 6; receives++) await dies(receives, (sk) => sk.startsWith(`R#${deadly}`));
    await run(person.table, 7);
    expect(await listQuarantinedUploads(person.world.deps)).toMatchObject([
      { id: deadly, reason: '5 workers died while processing it' },
    ]);
    expect(await waiting()).toEqual([]);
  });

  test('are not counted while the table is unavailable and the queue is behind, however long that lasts', async () => {
    await acceptStepsUpload(person, '2026-03-11', 9);
    const away: Table = {
      ...person.table,
      transact: async () => {
        throw new EngineUnavailable('throttled');
      },
    };
    for (let receives = 1; receives <= 10; receives++) {
      await expect(run(away, receives)).rejects.toThrow(EngineUnavailable);
      expect(await waiting()).toMatchObject([{ failures: 0, deaths: 0 }]);
      person.world.clock.advance(visibilityMs);
    }
    await run(person.table, 11);
    expect([await waiting(), await listQuarantinedUploads(person.world.deps)]).toEqual([[], []]);
    expect(await person.stepsOn('2026-03-11')).toBe(9);
  });

  test('on a long command make it wait for one minute, then two; uploads continue, and it completes when it can', async () => {
    await updateUser(person.world.deps, person.caller, person.id, { timezone: 'Asia/Tokyo' });
    for (let receives = 1; receives <= 6; receives++) await dies(receives, (sk) => sk === 'Z#');
    const pause = async () => ((await waiting())[0]?.notBeforeMs ?? 0) - person.world.clock.now();
    await run(person.table, 7);
    expect(Math.round((await pause()) / minuteMs)).toBe(1);
    await acceptStepsUpload(person, '2026-03-11', 9);
    await run(person.table);
    expect(await person.stepsOn('2026-03-11')).toBe(9);
    person.world.clock.advance(visibilityMs);
    // The next message crashes on it again.
    await dies(1, (sk) => sk === 'Z#');
    await run(person.table, 2);
    expect(Math.round((await pause()) / minuteMs)).toBe(2);
    person.world.clock.advance(visibilityMs);
    await run(person.table);
    expect(await waiting()).toEqual([]);
  });

  test('are not counted when a run failed and reported it, however slow it was', async () => {
    await acceptStepsUpload(person, '2026-03-11', 9);
    const [upload] = await waiting();
    for (let receives = 1; receives <= 9; receives++) {
      await expect(
        run(
          killedBy((sk) => sk.startsWith(`R#${upload?.id}`)),
          receives,
        ),
      ).rejects.toThrow('dead');
      // A minute of work, and three quarters of the longest backoff.
      person.world.clock.advance(60_000 + 45_000);
    }
    expect(await waiting()).toMatchObject([{ deaths: 0 }]);
  });
});
