import { beforeEach, describe, expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { deleteUser } from '../../../../shared/domain/erasure/delete-user.ts';
import { recomputeScores } from '../../../../shared/domain/scores/recompute.ts';
import { addDays } from '../../../../shared/domain/time/local-day.ts';
import type { Item, Table } from '../../../../shared/engine/ports.ts';
import type { Caller } from '../../../../shared/model/account.ts';
import { scoringGeneration } from '../../../../shared/model/score-table.ts';
import { keys, userPartition } from '../../../../shared/store/keys.ts';
import { scoreRunRows } from '../../../../shared/store/score-runs.ts';
import { asOf, scoreRows } from '../../../../shared/store/scores.ts';
import { userRows } from '../../../../shared/store/users.ts';
import { type MemoryDeps, memoryDeps } from '../../../harness/memory-deps.ts';
import { ask, firstDay, formerUser, scoreAsBefore, setSteps, shown, stepsOn } from './moved-user.ts';

const minute = 60_000;
const leaseMs = 91_000;
const caller: Caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 };
let world: MemoryDeps;
let deps: Deps;
beforeEach(() => {
  world = memoryDeps();
  ({ deps } = world);
});

const day = (number: number) => addDays(firstDay, number);
/** As the sweep asks. */
const look = (user: string) => ask(deps, user, '0000-01-01', '0000-01-01');
const told = (user: string) =>
  world.table.rows().filter((row) => row['type'] === 'score.updated' && row['user'] === user);
const scoreItems = (user: string): Item[] =>
  world.table.rows().filter(({ pk, sk }) => pk === userPartition(user) && String(sk).startsWith('S#'));
const isDue = async (user: string) => (await scoreRunRows(deps.store).asked(user, 1)).length > 0;
const generationOf = async (user: string) => (await userRows(deps.store).byId(user))?.scoreGeneration;

/** What is stored under the formulas of today. */
async function current(user: string): Promise<string[]> {
  const found: string[] = [];
  for await (const row of scoreRows(deps.store).between(user, '0000', '9999')) {
    const { date, scores, without } = asOf(row, scoringGeneration) ?? {};
    if (date) found.push(JSON.stringify([date, [...(scores ?? [])], [...(without ?? [])]]));
  }
  return found;
}

/** What the same history comes to for somebody who never had other formulas. */
async function scoredOnce(days: number, change: (user: string) => Promise<void> = async () => {}): Promise<string[]> {
  const user = await formerUser(deps, caller, days);
  for (const { sk } of scoreItems(user))
    await world.table.write({ kind: 'delete', key: { pk: userPartition(user), sk: String(sk) } });
  await change(user);
  await look(user);
  await runOn(user);
  return current(user);
}

/** Steps until nothing is left of the run: at once, as messages come. */
async function runOn(user: string, over: Deps = deps): Promise<number> {
  for (let steps = 1; ; steps++) {
    const sent = world.sentTo('score').length;
    await recomputeScores(over, user);
    if ((await scoreRunRows(deps.store).run(user))?.lastRunMs === world.clock.now()) return steps;
    if (world.sentTo('score').length === sent) return steps;
    expect(steps).toBeLessThan(100);
  }
}

describe('a user of former formulas', () => {
  test('is moved in steps; readers are shown the former ones until the last and the new ones from there on, and are told once', async () => {
    const user = await formerUser(deps, caller, 900);
    await look(user);
    const before = { days: 895, former: 895 };
    for (const step of [1, 2]) {
      await recomputeScores(deps, user);
      expect(await shown(deps, user)).toEqual(before);
      expect(await isDue(user)).toBe(true);
      expect(told(user)).toEqual([]);
      // Each is woken at once, and looks at no more than it should.
      expect(world.sentTo('score')).toHaveLength(step);
      expect(scoreItems(user).filter(({ g }) => g === scoringGeneration)).toHaveLength(400 * step);
    }
    await recomputeScores(deps, user);
    expect(await shown(deps, user)).toEqual({ days: 895, former: 0 });
    expect(told(user)).toMatchObject([{ more: { scores: ['strain_score'], from_date: day(5), to_date: day(899) } }]);
    expect(await generationOf(user)).toBe(scoringGeneration);
    expect(await current(user)).toEqual(await scoredOnce(900));
  });

  test('without any score costs no more than the days that are due', async () => {
    const user = await formerUser(deps, caller, 5);
    await ask(deps, user, day(4), day(4));
    expect(await runOn(user)).toBe(1);
    expect(await isDue(user)).toBe(false);
    expect(await generationOf(user)).toBe(scoringGeneration);
    expect(told(user)).toEqual([]);
  });

  test('is made good after a worker is killed at any write of any step, and told once', async () => {
    const right = await scoredOnce(460);
    let deaths = 0;
    for (let writes = 0, died = true; died; writes++) {
      died = false;
      const user = await formerUser(deps, caller, 460);
      await look(user);
      let left = writes;
      const guarded = async <T>(go: () => Promise<T>): Promise<T> => {
        if (died || left-- <= 0) {
          died = true;
          throw new Error('killed');
        }
        return go();
      };
      const { table } = world;
      const dying: Table = {
        ...table,
        write: (write) => guarded(() => table.write(write)),
        transact: (all) => guarded(() => table.transact(all)),
      };
      await runOn(user, world.over(dying)).catch((error) => expect(String(error)).toContain('killed'));
      if (died) {
        deaths++;
        expect(await shown(deps, user)).toEqual({ days: 455, former: 455 });
        expect(await isDue(user)).toBe(true);
      }
      world.clock.advance(leaseMs);
      await runOn(user);
      expect(await current(user)).toEqual(right);
      expect(told(user)).toMatchObject([{ more: { from_date: day(5), to_date: day(459) } }]);
      expect(await shown(deps, user)).toEqual({ days: 455, former: 0 });
    }
    // Two leases, the early days of the first step, the ends of both.
    expect(deaths).toBeGreaterThan(5);
  });

  test('whose earlier days change between two steps has them scored anew before all is told', async () => {
    const change = (user: string) => setSteps(deps, user, day(20), 60_000);
    const right = await scoredOnce(900, change);
    const user = await formerUser(deps, caller, 900);
    await look(user);
    await recomputeScores(deps, user);
    await change(user);
    await ask(deps, user, day(20), day(20));
    await runOn(user);
    expect(await current(user)).toEqual(right);
    expect(told(user)).toHaveLength(1);
    expect(await shown(deps, user)).toEqual({ days: 895, former: 0 });
  });

  test('whose data goes between two steps keeps no score of it', async () => {
    const user = await formerUser(deps, caller, 450);
    await look(user);
    await recomputeScores(deps, user);
    await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(100)) });
    await ask(deps, user, day(100), day(100));
    await runOn(user);
    expect((await shown(deps, user)).days).toBe(444);
    world.clock.advance(minute);
    await runOn(user);
    expect(scoreItems(user).map(({ sk }) => sk)).not.toContain(`S#${day(100)}`);
  });

  test('is moved once by eight workers at a time', async () => {
    const user = await formerUser(deps, caller, 900);
    await look(user);
    for (let round = 0; round < 6; round++)
      await Promise.all(Array.from({ length: 8 }, () => recomputeScores(world.over(world.table), user)));
    expect(await shown(deps, user)).toEqual({ days: 895, former: 0 });
    expect(told(user)).toHaveLength(1);
    expect(await current(user)).toEqual(await scoredOnce(900));
  });

  test('who is deleted between two steps is written to no more', async () => {
    const user = await formerUser(deps, caller, 900);
    await look(user);
    await recomputeScores(deps, user);
    await deleteUser(deps, caller, user);
    const before = scoreItems(user);
    await recomputeScores(deps, user);
    expect(scoreItems(user)).toEqual(before);
    expect(told(user)).toEqual([]);
  });

  test('who is deleted while a step ends is given up at once', async () => {
    const user = await formerUser(deps, caller, 30);
    await look(user);
    const { table } = world;
    let ends = 0;
    const slow: Table = {
      ...table,
      async transact(all) {
        const isEnd = all.some((write) => write.kind === 'update' && write.key.sk === keys.user(user).sk);
        if (isEnd && ++ends === 1) await deleteUser(deps, caller, user);
        if (ends > 1) throw new Error('it is tried again');
        return table.transact(all);
      },
    };
    const before = scoreItems(user);
    await recomputeScores(world.over(slow), user);
    expect(ends).toBe(1);
    expect(scoreItems(user)).toEqual(before);
    expect(told(user)).toEqual([]);
  });

  test('has a long run told and counted as one, whatever has asked for it', async () => {
    const user = await formerUser(deps, caller, 900);
    await look(user);
    await runOn(user);
    world.clock.advance(minute);
    await runOn(user);
    for (let n = 0; n < 900; n++) await setSteps(deps, user, day(n), stepsOn(3 * n + 1));
    world.clock.advance(10 * minute);
    await ask(deps, user, day(0), day(899));
    expect(await runOn(user)).toBe(3);
    expect(told(user)).toHaveLength(2);
    expect(await isDue(user)).toBe(false);
    // The next run waits for its minute, as the steps of one did not.
    await ask(deps, user, day(0), day(0));
    const sent = world.sentTo('score').length;
    await recomputeScores(deps, user);
    expect([world.sentTo('score').length, await isDue(user)]).toEqual([sent + 1, true]);
  });
});

describe('a long run', () => {
  /** Moved, and rid of what was before. */
  async function movedUser(days: number): Promise<string> {
    const user = await formerUser(deps, caller, days);
    await look(user);
    for (let runs = 0; runs < 5; runs++) {
      await runOn(user);
      world.clock.advance(minute);
    }
    expect(await isDue(user)).toBe(false);
    return user;
  }
  const changing = (from: number, to: number) => async (user: string) => {
    for (let n = from; n <= to; n++) await setSteps(deps, user, day(n), stepsOn(3 * n + 1));
  };

  test('keeps due what begins after the days of a step', async () => {
    const change = async (user: string) => {
      await changing(0, 399)(user);
      await changing(850, 850)(user);
    };
    const user = await movedUser(900);
    await change(user);
    await ask(deps, user, day(0), day(399));
    await ask(deps, user, day(850), day(850));
    await runOn(user);
    expect(await current(user)).toEqual(await scoredOnce(900, change));
  });

  test('has no step of more days than one takes, in however many spans they are', async () => {
    const user = await movedUser(900);
    await ask(deps, user, day(0), day(260));
    await ask(deps, user, day(500), day(760));
    expect(await runOn(user)).toBe(2);
    expect(await isDue(user)).toBe(false);
  });

  test('takes away the scores of days whose data is gone, where there are more of them than of days with data', async () => {
    const gone = async (user: string) => {
      for (let n = 1; n < 900; n += 2)
        await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(n)) });
    };
    const user = await movedUser(900);
    await gone(user);
    await ask(deps, user, day(0), day(899));
    await runOn(user);
    expect(await current(user)).toEqual(await scoredOnce(900, gone));
  });

  test('that was begun under other new formulas begins anew', async () => {
    const user = await formerUser(deps, caller, 450);
    await look(user);
    await recomputeScores(deps, user);
    const other = scoringGeneration - 1;
    for (const item of scoreItems(user))
      if (item['g'] === scoringGeneration)
        await world.table.write({ kind: 'put', item: { ...item, g: other } as never });
    const run = await world.table.get(keys.scoreRun(user));
    const rescored = { ...(run?.['rescored'] as object), generation: other };
    await world.table.write({ kind: 'put', item: { ...keys.scoreRun(user), ...run, rescored } });
    await runOn(user);
    expect(await current(user)).toEqual(await scoredOnce(450));
  });

  test('writes no row twice in one transaction', async () => {
    const user = await formerUser(deps, caller, 450);
    await look(user);
    const { table } = world;
    const strict: Table = {
      ...table,
      transact(all) {
        const names = all.map((write) => {
          const { pk, sk } = write.kind === 'put' ? write.item : write.key;
          return `${pk} ${sk}`;
        });
        expect(new Set(names).size).toBe(names.length);
        expect(names.length).toBeLessThanOrEqual(100);
        return table.transact(all);
      },
    };
    for (let runs = 0; runs < 4; runs++) {
      await ask(deps, user, day(runs), day(runs));
      await runOn(user, world.over(strict));
      world.clock.advance(minute);
    }
    expect(await isDue(user)).toBe(false);
  });
});

describe('a day of somebody who was moved', () => {
  /** Of the days that are written to when these are due. */
  async function writtenFor(user: string, from: number, to: number): Promise<string[]> {
    const { table } = world;
    const written: string[] = [];
    const watched: Table = {
      ...table,
      transact(all) {
        for (const write of all) {
          const { sk } = write.kind === 'put' ? write.item : write.key;
          if (sk.startsWith('S#')) written.push(sk.slice(2));
        }
        return table.transact(all);
      },
    };
    world.clock.advance(minute);
    await ask(deps, user, day(from), day(to));
    await runOn(user, world.over(watched));
    return written;
  }

  test('is written only where something about it differs, be it a note alone, and is kept once', async () => {
    const user = await formerUser(deps, caller, 30);
    await look(user);
    await runOn(user);
    world.clock.advance(minute);
    await runOn(user);
    expect(await writtenFor(user, 0, 29)).toEqual([]);
    const tellings = told(user).length;
    await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(0)) });
    // One day less to calibrate with, and so one day more without a score.
    expect(await writtenFor(user, 0, 0)).toContain(day(2));
    expect(await current(user)).toEqual(
      await scoredOnce(30, (other) =>
        world.table.write({ kind: 'delete', key: keys.canonicalDay(other, day(0)) }).then(() => {}),
      ),
    );
    expect(told(user).length).toBe(tellings + 1);
    expect(scoreItems(user).filter(({ o }) => o !== undefined)).toEqual([]);
  });
});

describe('when a user was last scored', () => {
  const lastScore = async (user: string) => (await userRows(deps.store).byId(user))?.lastScoreMs;

  test('is not moved by a look that finds nothing to score', async () => {
    const user = await formerUser(deps, caller, 30);
    await look(user);
    await runOn(user);
    const before = await lastScore(user);
    expect(before).toBe(world.clock.now());
    for (let runs = 0; runs < 3; runs++) {
      world.clock.advance(minute);
      await look(user);
      await runOn(user);
    }
    expect(await lastScore(user)).toBe(before);
  });

  test('is never, once the last value is gone', async () => {
    const user = await formerUser(deps, caller, 30);
    await look(user);
    await runOn(user);
    world.clock.advance(minute);
    await runOn(user);
    for (let n = 0; n < 30; n++) await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(n)) });
    world.clock.advance(minute);
    await ask(deps, user, day(0), day(29));
    await runOn(user);
    expect(scoreItems(user)).toEqual([]);
    expect(await lastScore(user)).toBeNull();
  });

  test('is now where an earlier one of several spans has a value, or a day that was not looked at', async () => {
    const user = await formerUser(deps, caller, 200);
    await look(user);
    await runOn(user);
    for (let n = 100; n < 200; n++) await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(n)) });
    for (const asks of [[10, 150], [186]]) {
      world.clock.advance(minute);
      for (const n of asks) await ask(deps, user, day(n), day(n));
      await runOn(user);
      expect(await lastScore(user)).toBe(world.clock.now());
    }
  });
});

describe('what rows hold of the formulas before', () => {
  test('goes in bounded steps, a minute after the last reader of it', async () => {
    const user = await formerUser(deps, caller, 900);
    await look(user);
    await runOn(user);
    const holding = () => scoreItems(user).filter(({ o }) => o !== undefined).length;
    expect(holding()).toBe(895);
    expect(await isDue(user)).toBe(true);
    await recomputeScores(deps, user);
    expect(holding()).toBe(895);
    for (const left of [495, 95, 0]) {
      world.clock.advance(minute);
      await recomputeScores(deps, user);
      expect(holding()).toBe(left);
    }
    expect(await isDue(user)).toBe(false);
    expect(told(user)).toHaveLength(1);
    expect(await shown(deps, user)).toEqual({ days: 895, former: 0 });
    expect(await current(user)).toEqual(await scoredOnce(900));
  });

  test('takes the day with it where the new ones have nothing to say', async () => {
    const user = await formerUser(deps, caller, 30);
    await scoreAsBefore(deps, user, day(40));
    await look(user);
    await runOn(user);
    expect(await shown(deps, user)).toEqual({ days: 25, former: 0 });
    expect(told(user)).toMatchObject([{ more: { from_date: day(5), to_date: day(40) } }]);
    world.clock.advance(minute);
    await runOn(user);
    expect(scoreItems(user).map(({ sk }) => sk)).not.toContain(`S#${day(40)}`);
  });
});

/** It takes the run for its own, and knows nothing of what else stands there. */
async function runOfTheReleaseBefore(user: string, date: string): Promise<void> {
  await scoreAsBefore(deps, user, date);
  const asks = await scoreRunRows(deps.store).asked(user, 9);
  await deps.store.commit([
    ...asks.map((each) => scoreRunRows(deps.store).answering(user, each)),
    {
      kind: 'update',
      key: keys.scoreRun(user),
      update: 'SET #lastRunMs = :now, #claim = :nobody, #announced = :nothing',
      values: { now: world.clock.now(), nobody: '', nothing: null },
    },
  ]);
}

test('a move that the release before came between begins anew with the next data', async () => {
  const user = await formerUser(deps, caller, 900);
  await look(user);
  await recomputeScores(deps, user);
  await runOfTheReleaseBefore(user, day(50));
  expect(await shown(deps, user)).toEqual({ days: 895, former: 895 });
  world.clock.advance(minute);
  await ask(deps, user, day(899), day(899));
  await runOn(user);
  expect(await shown(deps, user)).toEqual({ days: 895, former: 0 });
  expect(await current(user)).toEqual(await scoredOnce(900));
});

test('scores that the release before made of a user who was moved are not shown, and are made again with the next data', async () => {
  const user = await formerUser(deps, caller, 60);
  await look(user);
  await runOn(user);
  world.clock.advance(minute);
  await runOn(user);
  world.clock.advance(minute);
  await runOfTheReleaseBefore(user, day(50));
  expect(await shown(deps, user)).toEqual({ days: 54, former: 0 });
  world.clock.advance(minute);
  await ask(deps, user, day(59), day(59));
  await runOn(user);
  expect(await shown(deps, user)).toEqual({ days: 55, former: 0 });
  expect(await current(user)).toEqual(await scoredOnce(60));
});
