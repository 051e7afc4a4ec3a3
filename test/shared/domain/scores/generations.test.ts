import { beforeEach, describe, expect, test } from 'vitest';
import { deleteUser } from '../../../../shared/domain/erasure/delete-user.ts';
import { recomputeScores } from '../../../../shared/domain/scores/recompute.ts';
import type { Table } from '../../../../shared/engine/ports.ts';
import { scoringGeneration } from '../../../../shared/model/score-table.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { ask, formerUser, scoreAsBefore, setSteps, shown, stepsOn } from './moved-user.ts';
import {
  beginAnew,
  caller,
  current,
  day,
  deps,
  generationOf,
  isDue,
  leaseMs,
  look,
  minute,
  runOn,
  scoredOnce,
  scoreItems,
  told,
  world,
} from './scoring-world.ts';

beforeEach(beginAnew);

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
