import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LocalTable } from '../../../../infra/local/local-table.ts';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { scoringGeneration } from '../../../../shared/catalog/score-table.ts';
import { packScores } from '../../../../shared/measurements/codec/score-day.ts';
import {
  packScoreDay,
  type ScoreDay,
  type StoredScoreDay,
  scoreRows,
  unpackScoreDay,
} from '../../../../shared/measurements/rows/score-rows.ts';
import type { Score } from '../../../../shared/measurements/score.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { onEveryEngine } from '../../../harness/every-engine.ts';
import { storeOn } from '../../../harness/store-on.ts';
import { startTable } from '../../system/engines.ts';

const date = '2026-03-01';
const previousGeneration = scoringGeneration - 1;
const strain = (value: number, version: number): ScoreDay['scores'] =>
  new Map<ScoreId, Score>([
    [
      'strain_score',
      { value, factors: [{ name: 'steps', contribution: value, direction: 'neutral' }], version, confidence: 'low' },
    ],
  ]);
const day = (scores: ScoreDay['scores'], computedMs: number): ScoreDay => ({
  date,
  scores,
  without: new Map([['sleep_score', { status: 'calibrating', days: 3, needed: 5 }]]),
  computedMs,
});
const noNotes = new Map<ScoreId, never>();

onEveryEngine('the store', (kind) => {
  let localTable: LocalTable;
  let rows: ReturnType<typeof scoreRows>;
  let user: string;
  let users = 0;
  beforeAll(async () => {
    localTable = await startTable(kind);
    rows = scoreRows(storeOn(localTable.table));
  });
  afterAll(() => localTable.stop());
  beforeEach(() => {
    user = `usr_${++users}`;
  });
  const store = (stored: StoredScoreDay) => localTable.table.transact([rows.buildStore(user, stored)]);
  async function stored(): Promise<StoredScoreDay[]> {
    const found: StoredScoreDay[] = [];
    for await (const row of rows.iterateBetween(user, '0000', '9999', { consistent: true })) found.push(row);
    return found;
  }
  const readOnlyRow = async () => {
    const [row] = await stored();
    if (!row) throw new Error('No row was stored.');
    return row;
  };
  const twoGenerations: StoredScoreDay = {
    date,
    current: packScoreDay(day(strain(68, 2), 2_000), scoringGeneration),
    previous: packScoreDay({ ...day(strain(83, 1), 1_000), without: noNotes }, previousGeneration),
  };

  test('a day is read as it was stored, under each of its generations and no other', async () => {
    await store(twoGenerations);
    const row = await readOnlyRow();
    expect(unpackScoreDay(row, scoringGeneration)).toEqual(day(strain(68, 2), 2_000));
    expect(unpackScoreDay(row, previousGeneration)).toEqual({ ...day(strain(83, 1), 1_000), without: noNotes });
    expect(unpackScoreDay(row, scoringGeneration + 1)).toBeUndefined();
  });

  test('a value without a note is rejected', async () => {
    const item = { ...keys.scoreDay(user, date), v: packScores(strain(83, 9)), g: scoringGeneration, c: 1_000 };
    await localTable.table.write({ kind: 'put', item });
    const row = await readOnlyRow();
    expect(() => unpackScoreDay(row, scoringGeneration)).toThrow('a value of strain_score but no note on it');
  });

  test('a day keeps its change count and the older times of its scores, even if it has no scores left', async () => {
    const pace = {
      scores: new Map([['sleep_score' as const, { changes: 2, lastMs: 1_900 }]]),
      sleepEndMs: 1_200,
      laterSleeps: 1,
    };
    const paced = { ...day(strain(68, 2), 2_000), earlierMs: new Map([['strain_score', 1_500] as const]), pace };
    await store({ date, current: packScoreDay(paced, scoringGeneration), previous: undefined });
    expect(unpackScoreDay(await readOnlyRow(), scoringGeneration)).toEqual(paced);
    const empty = { scores: new Map(), without: noNotes, computedMs: 3_000 };
    await store({ date, current: packScoreDay({ ...empty, pace }, scoringGeneration), previous: undefined });
    expect((await readOnlyRow()).current.pace).toEqual(pace);
    await store({ date, current: packScoreDay(empty, scoringGeneration), previous: undefined });
    expect(await stored()).toEqual([]);
  });

  test('notes are stored without a value and do not count as one', async () => {
    await store({
      ...twoGenerations,
      current: packScoreDay(day(new Map(), 2_000), scoringGeneration),
      previous: undefined,
    });
    expect(unpackScoreDay(await readOnlyRow(), scoringGeneration)).toEqual(day(new Map(), 2_000));
    expect(await rows.hasValueOutside(user, new Set())).toBe(false);
    await store(twoGenerations);
    expect(await rows.hasValueOutside(user, new Set())).toBe(true);
    expect(await rows.hasValueOutside(user, new Set([date]))).toBe(false);
  });

  test('an empty day is removed unless its previous generation is still shown', async () => {
    const current = packScoreDay({ scores: new Map(), without: noNotes, computedMs: 3_000 }, scoringGeneration);
    await store({ ...twoGenerations, current });
    expect(unpackScoreDay(await readOnlyRow(), scoringGeneration)).toBeUndefined();
    expect(unpackScoreDay(await readOnlyRow(), previousGeneration)?.scores.get('strain_score')?.value).toBe(83);
    await store({ date, current, previous: undefined });
    expect(await stored()).toEqual([]);
  });

  test('a generation that is no longer shown is removed, and so is a day that has nothing else', async () => {
    await store(twoGenerations);
    await rows.removePrevious(user, twoGenerations);
    expect(await readOnlyRow()).toEqual({ ...twoGenerations, previous: undefined });
    const current = packScoreDay({ scores: new Map(), without: noNotes, computedMs: 3_000 }, scoringGeneration);
    const empty = { ...twoGenerations, current };
    await store(empty);
    await rows.removePrevious(user, empty);
    expect(await stored()).toEqual([]);
  });

  test('a day that was rewritten since it was read is left unchanged', async () => {
    const later = { ...twoGenerations, current: { ...twoGenerations.current, computedMs: 2_001 } };
    await store(later);
    await rows.removePrevious(user, twoGenerations);
    expect(await readOnlyRow()).toEqual(later);
    const next = { ...twoGenerations, current: { ...twoGenerations.current, generation: scoringGeneration + 1 } };
    await store(next);
    await rows.removePrevious(user, twoGenerations);
    expect(await readOnlyRow()).toEqual(next);
    await rows.removePrevious('usr_nobody', twoGenerations);
  });
});
