import { beforeEach, describe, expect, test } from 'vitest';
import { scoringGeneration } from '../../../shared/catalog/score-table.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { runWriter, runWriterUntilIdle } from '../../harness/run-writer.ts';
import {
  addPendingScores,
  countShownScores,
  createScoredUser,
  setSteps,
  stepsOn,
  storePreviousScore,
} from '../measurements/rescored-user.ts';
import {
  caller,
  current,
  day,
  deps,
  findScoreEvents,
  generationOf,
  isDue,
  minute,
  onePass,
  passes,
  rescore,
  resetWorld,
  scoredOnce,
  scoreItems,
  world,
} from './scoring-world.ts';

beforeEach(resetWorld);

const countPreviousScores = (user: string) => scoreItems(user).filter(({ o }) => o !== undefined).length;

describe('a user with scores of previous formulas', () => {
  test('is rescored in passes; readers see the previous formulas until the last pass and the new ones after it, with one event', async () => {
    const user = await createScoredUser(deps, caller, 900);
    await rescore(user);
    const before = { days: 895, previous: 895 };
    for (const pass of [1, 2]) {
      await onePass(user);
      expect(await countShownScores(deps, user)).toEqual(before);
      expect(await isDue(user)).toBe(true);
      expect(findScoreEvents(user)).toEqual([]);
      // Each pass wakes the next one immediately, and processes no more than it should.
      expect(world.sentTo('user')).toEqual(Array.from({ length: pass }, () => ({ user_id: user })));
      expect(scoreItems(user).filter(({ g }) => g === scoringGeneration)).toHaveLength(400 * pass);
    }
    await onePass(user);
    expect(await countShownScores(deps, user)).toEqual({ days: 895, previous: 0 });
    expect(findScoreEvents(user)).toMatchObject([
      { more: { scores: ['strain_score'], from_date: day(5), to_date: day(899) } },
    ]);
    expect(await generationOf(user)).toBe(scoringGeneration);
    expect(await current(user)).toEqual(await scoredOnce(900));
  });

  test('is rescored completely by one message, and readers never see a mix of both formulas', async () => {
    const user = await createScoredUser(deps, caller, 500);
    await rescore(user);
    const { table } = world;
    const seen = new Set<string>();
    const watched: Table = {
      ...table,
      async transact(all) {
        await table.transact(all);
        seen.add(JSON.stringify(await countShownScores(deps, user)));
      },
    };
    await runWriter(world.withTable(watched), user);
    expect([...seen]).toEqual(['{"days":495,"previous":495}', '{"days":495,"previous":0}']);
    expect(world.sentTo('user')).toEqual([]);
  });

  test('who has no scores costs no more than the due days', async () => {
    const user = await createScoredUser(deps, caller, 5);
    await addPendingScores(deps, user, day(4), day(4));
    expect(await passes(user)).toBe(1);
    expect(await isDue(user)).toBe(false);
    expect(await generationOf(user)).toBe(scoringGeneration);
    expect(findScoreEvents(user)).toEqual([]);
  });

  test('is rescored completely after a crash at any write of any pass, with one event, and keeps nothing of the previous formulas', async () => {
    const expected = await scoredOnce(460);
    let crashes = 0;
    for (let writes = 0, hasCrashed = true; hasCrashed; writes++) {
      hasCrashed = false;
      const user = await createScoredUser(deps, caller, 460);
      await rescore(user);
      let remainingWrites = writes;
      const crashAfterWrites = async <T>(go: () => Promise<T>): Promise<T> => {
        if (hasCrashed || remainingWrites-- <= 0) {
          hasCrashed = true;
          throw new Error('killed');
        }
        return go();
      };
      const { table } = world;
      const crashing: Table = {
        ...table,
        write: (each) => crashAfterWrites(() => table.write(each)),
        transact: (all) => crashAfterWrites(() => table.transact(all)),
      };
      await runWriter(world.withTable(crashing), user).catch((error) => expect(String(error)).toContain('killed'));
      if (hasCrashed) {
        crashes++;
        expect(await countShownScores(deps, user)).toEqual({ days: 455, previous: 455 });
        expect(await isDue(user)).toBe(true);
      }
      await runWriterUntilIdle(deps, user);
      expect(await current(user)).toEqual(expected);
      expect(findScoreEvents(user)).toMatchObject([{ more: { from_date: day(5), to_date: day(459) } }]);
      expect(await countShownScores(deps, user)).toEqual({ days: 455, previous: 0 });
      world.clock.advance(minute);
      await runWriterUntilIdle(deps, user);
      expect([countPreviousScores(user), await isDue(user)]).toEqual([0, false]);
    }
    // Both passes have several writes and a final commit.
    expect(crashes).toBeGreaterThan(5);
  });

  test('whose earlier days change between two passes has them rescored before the event', async () => {
    const change = (user: string) => setSteps(deps, user, day(20), 60_000);
    const expected = await scoredOnce(900, change);
    const user = await createScoredUser(deps, caller, 900);
    await rescore(user);
    await onePass(user);
    await change(user);
    await addPendingScores(deps, user, day(20), day(20));
    await runWriterUntilIdle(deps, user);
    expect(await current(user)).toEqual(expected);
    expect(findScoreEvents(user)).toHaveLength(1);
    expect(await countShownScores(deps, user)).toEqual({ days: 895, previous: 0 });
  });

  test('whose data is removed between two passes keeps no score of it', async () => {
    const user = await createScoredUser(deps, caller, 450);
    await rescore(user);
    await onePass(user);
    await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(100)) });
    await addPendingScores(deps, user, day(100), day(100));
    await runWriterUntilIdle(deps, user);
    expect((await countShownScores(deps, user)).days).toBe(444);
    world.clock.advance(minute);
    await runWriterUntilIdle(deps, user);
    expect(scoreItems(user).map(({ sk }) => sk)).not.toContain(`S#${day(100)}`);
  });

  test('is rescored once even with three concurrent writers', async () => {
    const user = await createScoredUser(deps, caller, 900);
    await rescore(user);
    await Promise.allSettled(Array.from({ length: 3 }, () => runWriter(world.withTable(world.table), user)));
    await runWriterUntilIdle(deps, user);
    expect(await countShownScores(deps, user)).toEqual({ days: 895, previous: 0 });
    expect(findScoreEvents(user)).toHaveLength(1);
    expect(await current(user)).toEqual(await scoredOnce(900));
  });

  test('who is deleted between two passes is erased, and no event is published', async () => {
    const user = await createScoredUser(deps, caller, 900);
    await rescore(user);
    await onePass(user);
    await deleteUser(deps, caller, user);
    await runWriter(deps, user);
    expect(scoreItems(user)).toEqual([]);
    expect(findScoreEvents(user)).toEqual([]);
  });

  test('who is deleted while a pass ends is erased by the same run', async () => {
    const user = await createScoredUser(deps, caller, 30);
    await rescore(user);
    const { table } = world;
    let ends = 0;
    const slow: Table = {
      ...table,
      async transact(all) {
        const isEnd = all.some((each) => each.kind === 'update' && each.key.sk === keys.user(user).sk);
        if (isEnd && ++ends === 1) await deleteUser(deps, caller, user);
        return table.transact(all);
      },
    };
    await runWriter(world.withTable(slow), user);
    expect(ends).toBe(1);
    expect(scoreItems(user)).toEqual([]);
    expect(findScoreEvents(user)).toEqual([]);
  });

  test('also gets one event when a long history changes', async () => {
    const user = await createScoredUser(deps, caller, 900);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    world.clock.advance(minute);
    await runWriterUntilIdle(deps, user);
    for (let n = 0; n < 900; n++) await setSteps(deps, user, day(n), stepsOn(3 * n + 1));
    await addPendingScores(deps, user, day(0), day(899));
    expect(await passes(user)).toBe(3);
    expect(findScoreEvents(user)).toHaveLength(2);
    expect(await isDue(user)).toBe(false);
  });
});

describe('the scores of previous formulas in rows', () => {
  test('are dropped in bounded passes, a minute after the last reader needs them', async () => {
    const user = await createScoredUser(deps, caller, 900);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    expect(countPreviousScores(user)).toBe(895);
    expect(await isDue(user)).toBe(true);
    await runWriter(deps, user);
    expect(countPreviousScores(user)).toBe(895);
    world.clock.advance(minute);
    for (const left of [495, 95, 0]) {
      await onePass(user);
      expect(countPreviousScores(user)).toBe(left);
    }
    expect(await isDue(user)).toBe(false);
    expect(findScoreEvents(user)).toHaveLength(1);
    expect(await countShownScores(deps, user)).toEqual({ days: 895, previous: 0 });
    expect(await current(user)).toEqual(await scoredOnce(900));
  });

  test('are dropped together with the day where the new formulas give no score', async () => {
    const user = await createScoredUser(deps, caller, 30);
    await storePreviousScore(deps, user, day(40));
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    expect(await countShownScores(deps, user)).toEqual({ days: 25, previous: 0 });
    expect(findScoreEvents(user)).toMatchObject([{ more: { from_date: day(5), to_date: day(40) } }]);
    world.clock.advance(minute);
    await runWriterUntilIdle(deps, user);
    expect(scoreItems(user).map(({ sk }) => sk)).not.toContain(`S#${day(40)}`);
  });
});
