import { beforeEach, describe, expect, test } from 'vitest';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { runWriterUntilIdle } from '../../harness/run-writer.ts';
import { addPendingScores, createScoredUser, setSteps, stepsOn } from '../measurements/rescored-user.ts';
import {
  caller,
  current,
  day,
  deps,
  findScoreEvents,
  isDue,
  minute,
  onePass,
  passes,
  rescore,
  resetWorld,
  scoredOnce,
  scoreItems,
  userRow,
  world,
} from './scoring-world.ts';

beforeEach(resetWorld);

describe('a long run', () => {
  /** Creates a user who was rescored with the new formulas, without the previous scores. */
  async function createRescoredUser(days: number): Promise<string> {
    const user = await createScoredUser(deps, caller, days);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    world.clock.advance(minute);
    await runWriterUntilIdle(deps, user);
    expect(await isDue(user)).toBe(false);
    return user;
  }
  const changeSteps = (from: number, to: number) => async (user: string) => {
    for (let n = from; n <= to; n++) await setSteps(deps, user, day(n), stepsOn(3 * n + 1));
  };

  test('keeps the days due that start after the days of a step', async () => {
    const change = async (user: string) => {
      await changeSteps(0, 399)(user);
      await changeSteps(850, 850)(user);
    };
    const user = await createRescoredUser(900);
    await change(user);
    await addPendingScores(deps, user, day(0), day(399));
    await addPendingScores(deps, user, day(850), day(850));
    await runWriterUntilIdle(deps, user);
    expect(await current(user)).toEqual(await scoredOnce(900, change));
  });

  test('has no step with more days than the limit, in any number of spans', async () => {
    const user = await createRescoredUser(900);
    await addPendingScores(deps, user, day(0), day(260));
    await addPendingScores(deps, user, day(500), day(760));
    expect(await passes(user)).toBe(2);
    expect(await isDue(user)).toBe(false);
  });

  test('removes the scores of days whose data is gone, even where they outnumber the days with data', async () => {
    const deleteDays = async (user: string) => {
      for (let n = 1; n < 900; n += 2)
        await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(n)) });
    };
    const user = await createRescoredUser(900);
    await deleteDays(user);
    await addPendingScores(deps, user, day(0), day(899));
    await runWriterUntilIdle(deps, user);
    expect(await current(user)).toEqual(await scoredOnce(900, deleteDays));
  });

  test('that started under other new formulas starts over', async () => {
    const user = await createScoredUser(deps, caller, 450);
    await rescore(user);
    await onePass(user);
    const other = scoringGeneration - 1;
    for (const item of scoreItems(user))
      if (item['g'] === scoringGeneration)
        await world.table.write({ kind: 'put', item: { ...item, g: other } as never });
    const { scores } = await userRow(user);
    expect(scores.migration).toEqual({ generation: scoringGeneration, before: day(400) });
    const migration = { generation: other, before: day(400) };
    // Only the last days are pending: the others have to be found by the generation alone.
    const item = { ...(await world.table.get(keys.user(user))), ...keys.user(user), scores: { ...scores, migration } };
    await world.table.write({ kind: 'put', item });
    await runWriterUntilIdle(deps, user);
    expect(await current(user)).toEqual(await scoredOnce(450));
  });

  test('writes no row twice in one transaction', async () => {
    const user = await createScoredUser(deps, caller, 450);
    await rescore(user);
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
      await addPendingScores(deps, user, day(runs), day(runs));
      await runWriterUntilIdle(world.withTable(strict), user);
      world.clock.advance(minute);
    }
    expect(await isDue(user)).toBe(false);
  });
});

describe('a day of a rescored user', () => {
  /** Returns the days that are written when these days are due. */
  async function listWrittenDays(user: string, from: number, to: number): Promise<string[]> {
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
    await addPendingScores(deps, user, day(from), day(to));
    await runWriterUntilIdle(world.withTable(watched), user);
    return written;
  }

  test('is written only if something about it differs, even just a note, and is stored once', async () => {
    const user = await createScoredUser(deps, caller, 30);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    world.clock.advance(minute);
    await runWriterUntilIdle(deps, user);
    expect(await listWrittenDays(user, 0, 29)).toEqual([]);
    const eventCount = findScoreEvents(user).length;
    await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(0)) });
    // There is one day less to calibrate with, and therefore one more day without a score.
    expect(await listWrittenDays(user, 0, 0)).toContain(day(2));
    expect(await current(user)).toEqual(
      await scoredOnce(30, (other) =>
        world.table.write({ kind: 'delete', key: keys.canonicalDay(other, day(0)) }).then(() => {}),
      ),
    );
    expect(findScoreEvents(user).length).toBe(eventCount + 1);
    expect(scoreItems(user).filter(({ o }) => o !== undefined)).toEqual([]);
  });
});

describe('the time of the last score', () => {
  const readLastScoreMs = async (user: string) => (await userRow(user)).lastScoreMs;

  test('does not change with a pass that finds nothing to score', async () => {
    const user = await createScoredUser(deps, caller, 30);
    const unfreeze = world.clock.freeze();
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    const before = await readLastScoreMs(user);
    expect(before).toBe(world.clock.now());
    unfreeze();
    world.clock.advance(minute);
    // This pass drops the previous scores.
    expect(await passes(user)).toBe(1);
    await addPendingScores(deps, user, day(400), day(400));
    expect(await passes(user)).toBe(1);
    expect(await readLastScoreMs(user)).toBe(before);
  });

  test('is null once the last value is gone', async () => {
    const user = await createScoredUser(deps, caller, 30);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    world.clock.advance(minute);
    await runWriterUntilIdle(deps, user);
    for (let n = 0; n < 30; n++) await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(n)) });
    world.clock.advance(minute);
    await addPendingScores(deps, user, day(0), day(29));
    await runWriterUntilIdle(deps, user);
    expect(scoreItems(user)).toEqual([]);
    expect(await readLastScoreMs(user)).toBeNull();
  });

  test('is now if an earlier one of several spans has a value, or a day outside the spans has one', async () => {
    const user = await createScoredUser(deps, caller, 200);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    for (let n = 100; n < 200; n++) await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(n)) });
    for (const dayNumbers of [[10, 150], [186]]) {
      world.clock.advance(minute);
      const unfreeze = world.clock.freeze();
      for (const n of dayNumbers) await addPendingScores(deps, user, day(n), day(n));
      await runWriterUntilIdle(deps, user);
      expect(await readLastScoreMs(user)).toBe(world.clock.now());
      unfreeze();
    }
  });
});
