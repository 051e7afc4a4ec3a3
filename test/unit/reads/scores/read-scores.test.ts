import { beforeEach, describe, expect, test } from 'vitest';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { noData } from '../../../../shared/catalog/score-states.ts';
import { scoringGeneration } from '../../../../shared/catalog/score-table.ts';
import { packScoreDay, scoreRows } from '../../../../shared/measurements/rows/score-rows.ts';
import type { Score } from '../../../../shared/measurements/score.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { isScoreResult, readScores } from '../../../../shared/reads/scores/read-scores.ts';
import { createExplainer } from '../../../../shared/reads/scores/score-explanations.ts';
import { getAge } from '../../../../shared/scores/age-limits.ts';
import { createScorer } from '../../../../shared/scores/day-scores.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import { keys } from '../../../../shared/system/keys.ts';
import type { NewUser } from '../../../../shared/users/user.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { daysWith, today } from '../../scores/days.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 };
/** The date in UTC. */
const date = new Date(memoryStartMs).toISOString().slice(0, 10);
let world: MemoryDeps;
beforeEach(() => {
  world = memoryDeps();
});

const createUserId = async (user: NewUser = {}) => (await createUser(world.deps, caller, user)).id;
const strain = (value: number, version: number): Map<ScoreId, Score> =>
  new Map([
    [
      'strain_score',
      { value, factors: [{ name: 'steps', contribution: value, direction: 'neutral' }], version, confidence: 'high' },
    ],
  ]);
const packed = (value: number, version: number, generation: number) =>
  packScoreDay({ scores: strain(value, version), without: new Map(), computedMs: 1 }, generation);
async function entryOf(user: string, id: ScoreId, on: string) {
  const range = { from: on, to: on, names: { from: 'from_date', to: 'to_date' }, maxDays: 366 };
  const { columns } = await readScores(world.deps, caller, user, { range, scores: [id], explanations: 'none' });
  return columns[0]?.entries[0];
}

describe('a user who is being moved to new formulas', () => {
  test('sees the previous formulas on every day, including days that were already rescored', async () => {
    const user = await createUserId();
    await world.table.write({
      kind: 'update',
      key: keys.user(user),
      update: 'SET #scoreGeneration = :former',
      values: { former: scoringGeneration - 1 },
    });
    const [moved, unmoved] = [addDays(date, -2), addDays(date, -1)];
    const previousDay = packed(83, 1, scoringGeneration - 1);
    const rows = scoreRows(world.deps.store);
    await world.table.transact([
      rows.buildStore(user, { date: moved, current: packed(68, 2, scoringGeneration), previous: previousDay }),
      rows.buildStore(user, { date: unmoved, current: previousDay, previous: undefined }),
    ]);
    for (const day of [moved, unmoved])
      expect(await entryOf(user, 'strain_score', day)).toMatchObject({ value: 83, version: 1 });
  });
});

describe('a day that is not over', () => {
  test("is that of the user's time zone, and lowers the high confidence of a score that grows with the day", async () => {
    for (const [timezone, offset] of [
      [null, 0],
      ['Pacific/Kiritimati', 1],
    ] as const) {
      const user = await createUserId({ timezone });
      const [yesterday, own] = [addDays(date, offset - 1), addDays(date, offset)];
      const rows = scoreRows(world.deps.store);
      await world.table.transact(
        [yesterday, own].map((day) =>
          rows.buildStore(user, { date: day, current: packed(50, 2, scoringGeneration), previous: undefined }),
        ),
      );
      expect(await entryOf(user, 'strain_score', yesterday)).toMatchObject({
        isProvisional: false,
        confidence: 'high',
      });
      expect(await entryOf(user, 'strain_score', own)).toMatchObject({ isProvisional: true, confidence: 'medium' });
    }
  });
});

describe('a day without stored scores', () => {
  test('reports that the score does not apply to the age before it reports that there is no data', async () => {
    const child = await createUserId({ profile: { date_of_birth: addDays(date, -8 * 366) } });
    expect(await entryOf(child, 'strain_score', date)).toEqual({ status: 'not_applicable', reason: 'under_18' });
    expect(await entryOf(child, 'sleep_score', date)).toEqual(noData);
    expect(await entryOf(await createUserId(), 'strain_score', date)).toEqual(noData);
  });

  test('before the birth has a negative age', () => {
    expect(getAge({ date_of_birth: '2026-03-10' }, '2026-03-09')).toBe(-1);
    expect(getAge({ date_of_birth: '2026-03-10' }, '2026-03-10')).toBe(0);
    expect(getAge({}, '2026-03-10')).toBeNull();
  });
});

describe('the explanation of a score', () => {
  const night = { asleep: 420, sleep_efficiency: 90, restorative_sleep: 105, sleep_latency: 15 };
  const stored: Score = {
    value: 86,
    version: 3,
    confidence: 'high',
    factors: [
      { name: 'duration', contribution: 43, direction: 'positive' },
      { name: 'efficiency', contribution: 23, direction: 'positive' },
      { name: 'restorative', contribution: 5, direction: 'neutral' },
      { name: 'latency', contribution: 15, direction: 'positive' },
    ],
  };
  const [duration, efficiency, restorative, latency] = stored.factors;
  if (!duration || !efficiency || !restorative || !latency) throw new Error('four factors were expected');
  async function explained(score: Score) {
    const user = await world.deps.store.table.get(keys.user(await createUserId()));
    const context = { user: { ...user, profile: {} }, devices: [] } as unknown as Parameters<typeof createExplainer>[1];
    return createExplainer({ days: daysWith(night) }, context)('sleep_score', today, score);
  }

  test('is present where the days still give the same score', async () => {
    const factors = await explained(stored);
    expect(factors.map((each) => each.explanation?.input)).toEqual([
      'asleep',
      'sleep_efficiency',
      'restorative_sleep',
      'sleep_latency',
    ]);
    expect(isScoreResult(noData)).toBe(false);
  });

  test('names a device only where one measured the input', async () => {
    const usual = { resting_heart_rate: 60 };
    const days = daysWith({ ...usual, asleep: 480 }, () => usual);
    const score = createScorer(days, {}).scoreDay(today).scores.get('recovery_score');
    if (!score) throw new Error('there is no recovery score');
    const context = { user: { profile: {} }, devices: [{ status: 'active', ordinal: 0, id: 'dev_1' }] };
    const explain = createExplainer({ days }, context as unknown as Parameters<typeof createExplainer>[1]);
    expect(explain('recovery_score', today, score).map((each) => [each.name, each.explanation?.device?.id])).toEqual([
      ['resting_heart_rate', 'dev_1'],
      ['sleep', undefined],
    ]);
  });

  test.each<[string, Partial<Score>]>([
    ['value', { value: 87 }],
    ['formula', { version: 1 }],
    ['number of factors', { factors: [...stored.factors, { ...latency, contribution: 0 }] }],
    ['factor', { factors: [duration, efficiency, restorative, { ...latency, name: 'sodium' }] }],
    ['contribution', { factors: [{ ...duration, contribution: 42 }, efficiency, restorative, latency] }],
    ['direction', { factors: [duration, efficiency, { ...restorative, direction: 'negative' }, latency] }],
  ])('is absent where the days give another %s', async (_what, other) => {
    const score = { ...stored, ...other };
    expect(await explained(score)).toEqual(score.factors);
  });
});
