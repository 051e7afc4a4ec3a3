// Scores that cannot be computed do not delay data: the data of a device is shown and published,
// and scoring is retried.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Item } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { runWriter, runWriterUntilIdle } from '../../harness/run-writer.ts';
import { addPendingScores, countShownScores, createScoredUser } from '../measurements/rescored-user.ts';
import {
  caller,
  current,
  day,
  deps,
  findScoreEvents,
  minute,
  onePass,
  rescore,
  resetWorld,
  scoredOnce,
  scoreItems,
  userRow,
  world,
} from './scoring-world.ts';

beforeEach(resetWorld);

const failures = () => world.log.filter(({ level }) => level === 'error');

async function stored(key: { pk: string; sk: string }): Promise<Item & { pk: string; sk: string }> {
  const item = await world.table.get(key);
  if (!item) throw new Error(`there is no ${key.sk}`);
  return { ...item, ...key };
}
/** Damages the row and returns a function that repairs it. */
async function damaged(key: { pk: string; sk: string }): Promise<() => Promise<unknown>> {
  const item = await stored(key);
  await world.table.write({ kind: 'put', item: { ...item, v: Uint8Array.of(0xff, 1, 2) } });
  return () => world.table.write({ kind: 'put', item });
}

describe('days that cannot be scored', () => {
  test('end their command, wait for a quarter of an hour, and are scored when they can be', async () => {
    const right = await scoredOnce(30);
    const user = await createScoredUser(deps, caller, 30);
    const repair = await damaged(keys.canonicalDay(user, day(10)));
    await rescore(user);
    const unfreeze = world.clock.freeze();
    const dueMs = world.clock.now() + 15 * minute;
    await runWriter(deps, user);
    unfreeze();
    expect(failures()).toMatchObject([{ fields: { user_id: user } }]);
    const { scores } = await userRow(user);
    expect(scores).toMatchObject({ days: [{ from: '0000-01-01', dueMs, atOnce: true }], unannounced: null });
    expect(await countShownScores(deps, user)).toEqual({ days: 25, previous: 25 });
    await repair();
    await runWriter(deps, user);
    expect(await countShownScores(deps, user)).toEqual({ days: 25, previous: 25 });
    world.clock.advance(15 * minute);
    await runWriter(deps, user);
    expect(await current(user)).toEqual(right);
    expect(findScoreEvents(user)).toHaveLength(1);
    expect(failures()).toHaveLength(1);
  });

  test('are still announced as a whole after a pass that could only score the first of them', async () => {
    const user = await createScoredUser(deps, caller, 450);
    const repair = await damaged(keys.canonicalDay(user, day(440)));
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    expect(failures()).toHaveLength(1);
    expect(await countShownScores(deps, user)).toEqual({ days: 445, previous: 445 });
    expect(findScoreEvents(user)).toEqual([]);
    await repair();
    world.clock.advance(15 * minute);
    await runWriterUntilIdle(deps, user);
    expect(await countShownScores(deps, user)).toEqual({ days: 445, previous: 0 });
    expect(findScoreEvents(user)).toMatchObject([{ more: { from_date: day(5), to_date: day(449) } }]);
  });

  test('do not keep other days from being scored, once these are out of reach', async () => {
    const user = await createScoredUser(deps, caller, 100);
    await rescore(user);
    await runWriterUntilIdle(deps, user);
    await damaged(keys.canonicalDay(user, day(10)));
    await addPendingScores(deps, user, day(20), day(20));
    await runWriter(deps, user);
    expect(failures()).toHaveLength(1);
    await world.table.write({ kind: 'delete', key: keys.canonicalDay(user, day(90)) });
    await addPendingScores(deps, user, day(90), day(90));
    await runWriter(deps, user);
    expect(failures()).toHaveLength(1);
    expect((await userRow(user)).scores.days).toMatchObject([{ from: day(20), to: day(20) }]);
    expect((await countShownScores(deps, user)).days).toBe(94);
  });
});

test('previous scores that cannot be dropped from the rows are retried later, not again and again', async () => {
  const user = await createScoredUser(deps, caller, 30);
  await rescore(user);
  await runWriterUntilIdle(deps, user);
  const row = await stored(keys.scoreDay(user, day(10)));
  await world.table.write({ kind: 'put', item: { ...row, c: 'no number' } });
  world.clock.advance(minute);
  await onePass(user);
  expect(failures()).toHaveLength(1);
  const { previousFormulas } = (await userRow(user)).scores;
  expect(previousFormulas?.dueMs).toBeGreaterThan(world.clock.now() + 14 * minute);
  await world.table.write({ kind: 'put', item: row });
  world.clock.advance(15 * minute);
  await runWriterUntilIdle(deps, user);
  expect(scoreItems(user).filter(({ o }) => o !== undefined)).toEqual([]);
  expect((await userRow(user)).scores.previousFormulas).toBeNull();
});
