// Cases worked out by a physiologist, as a customer sees them: uploaded by a phone, read back over
// HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type MetricId, metricRow } from '../../shared/catalog/metrics.ts';
import { addDays, utcDay } from '../../shared/platform/time/local-day.ts';
import { openPhone } from '../harness/phone.ts';
import { type System, startSystem } from '../harness/system.ts';

type Values = Partial<Record<MetricId, number>>;

let system: System;
let account: NewAccount;
/** The day under test, which is complete, so that nothing about it is provisional. */
let day: string;

beforeAll(async () => {
  system = await startSystem();
  account = await system.account();
  day = addDays(utcDay(system.clock.now()), -1);
});
afterAll(() => system.stop());

interface ScoreCase {
  profile?: object;
  on: Values;
  before?: (back: number) => Values;
  /** Returns the device that reports a day, by the number of days back. */
  device?: (back: number) => string;
}

async function createUserWith({
  profile = {},
  on,
  before = () => ({}),
  device = () => 'Watch',
}: ScoreCase): Promise<string> {
  const user = await system.user(account.live_key, { profile });
  const phone = await openPhone(system, account.live_key, user);
  const backs = Array.from({ length: 29 }, (_none, back) => back);
  for (const [name, daysBack] of Map.groupBy(backs, device)) {
    const daily = daysBack.flatMap((back) =>
      Object.entries(back === 0 ? on : before(back)).map(([metric, value]) => ({
        date: addDays(day, -back),
        metric,
        value,
        unit: metricRow(metric as MetricId).unit,
      })),
    );
    const body = { time_zone: 'UTC', device: { name, model: name, type: 'wrist' }, daily };
    const response = await phone.upload({ samples: [], sleep: [], workouts: [], ...body });
    expect([response.status, response.body.rejected]).toEqual([202, []]);
  }
  await system.host.drain();
  return user;
}

async function readScores(user: string) {
  const query = `from_date=${day}&to_date=${day}&include_factors=true`;
  const response = await system.call('GET', `/v1/users/${user}/scores?${query}`, { token: account.live_key });
  expect(response.status).toBe(200);
  return response.body;
}
const readScoresOfCase = async (scoreCase: ScoreCase) => readScores(await createUserWith(scoreCase));
const fullNight: Values = { asleep: 480, sleep_efficiency: 96, restorative_sleep: 200, sleep_latency: 10 };

describe('with little data', () => {
  test('a logged snack is not a complete day', async () => {
    const on = { dietary_energy: 200, protein: 20, fiber: 30, saturated_fat: 1, sugar: 2, sodium: 100 };
    const { series, latest, status } = await readScoresOfCase({ on, profile: { weight_kg: 70 } });
    expect([series.nutrition_score, latest.nutrition_score]).toEqual([[null], null]);
    expect(status.nutrition_score).toEqual({
      status: 'missing',
      reason: 'log_incomplete',
      inputs: ['dietary_energy'],
    });
  });

  test('a nap is not a night', async () => {
    const { series, status } = await readScoresOfCase({ on: { asleep: 40 } });
    expect(series.sleep_score).toEqual([null]);
    expect(status.sleep_score).toEqual({ status: 'missing', reason: 'no_main_sleep', inputs: ['asleep'] });
  });

  test('five quiet nights are not trusted as a baseline', async () => {
    const { series, latest } = await readScoresOfCase({
      on: { sleep_heart_rate_variability: 44, resting_heart_rate: 60, respiratory_rate: 15.5, ...fullNight },
      before: (back) =>
        back <= 5
          ? { sleep_heart_rate_variability: 49 + (back % 3), resting_heart_rate: 58, respiratory_rate: 15 }
          : {},
    });
    expect([series.sleep_score, series.recovery_score]).toEqual([[100], [51]]);
    expect(latest.recovery_score).toMatchObject({ status: 'ready', confidence: 'low', formula: 'recovery@3' });
    expect(series.stress_score[0]).toBeLessThan(50);
  });

  test('four nights are too few, and the status says how many there are', async () => {
    const heart = { sleep_heart_rate_variability: 50, resting_heart_rate: 58 };
    const { status } = await readScoresOfCase({ on: heart, before: (back) => (back <= 4 ? heart : {}) });
    expect(status.recovery_score).toEqual({ status: 'calibrating', days: 4, needed: 5 });
  });
});

describe('with different sensors', () => {
  test('three beats above 28 equal days score 16, with an explanation', async () => {
    const { series, factors } = await readScoresOfCase({
      on: { resting_heart_rate: 61 },
      before: () => ({ resting_heart_rate: 58 }),
    });
    expect(series.recovery_score).toEqual([16]);
    expect(factors.recovery_score).toEqual([
      [
        {
          name: 'resting_heart_rate',
          contribution: 16,
          direction: 'negative',
          input: 'resting_heart_rate',
          value: 61,
          usual: 58,
          z: 1.47,
          points: 16,
          weight: 100,
          source: { provider: 'apple_health', device_id: expect.stringMatching(/^dev_/) },
        },
      ],
    ]);
  });

  test('a ring replaced by a watch restarts the calibration', async () => {
    const { series, status } = await readScoresOfCase({
      on: { sleep_heart_rate_variability: 68, resting_heart_rate: 58 },
      before: () => ({ sleep_heart_rate_variability: 50, resting_heart_rate: 58 }),
      device: (back) => (back === 0 ? 'Watch' : 'Ring'),
    });
    expect([series.recovery_score, series.stress_score]).toEqual([[null], [null]]);
    expect(status.recovery_score).toEqual({ status: 'calibrating', days: 0, needed: 5 });
    expect(status.stress_score).toEqual({ status: 'calibrating', days: 0, needed: 5 });
  });

  test('without heart rate variability, the night does not compensate for the resting heart rate', async () => {
    const { series } = await readScoresOfCase({
      on: { ...fullNight, sleep_efficiency: 90, restorative_sleep: 180, resting_heart_rate: 69 },
      before: (back) => ({ resting_heart_rate: 56 + (back % 5) }),
    });
    expect([series.sleep_score, series.recovery_score]).toEqual([[98], [27]]);
  });

  test('a day without the device is not rest: omitted values and zeros give the same strain', async () => {
    const workout = { active_calories: 700, exercise: 60, steps: 12_000 };
    const strainWith = async (rest: Values) =>
      (await readScoresOfCase({ on: workout, before: (back) => (back % 3 === 0 ? workout : rest) })).series
        .strain_score;
    expect(await strainWith({})).toEqual([50]);
    expect(await strainWith({ active_calories: 0, exercise: 0, steps: 0 })).toEqual([50]);
  });

  test("a desk worker's half-hour walk is not a marathon", async () => {
    const { series, latest } = await readScoresOfCase({
      on: { active_calories: 290, exercise: 30, steps: 5800 },
      before: () => ({ active_calories: 150, steps: 3000 }),
    });
    expect(series.strain_score).toEqual([68]);
    expect(latest.strain_score.better).toBe('none');
  });
});

describe('limits', () => {
  const log = { dietary_energy: 2000, protein: 50, saturated_fat: 26, sugar: 100, sodium: 2400 };
  test('nothing over a published limit is called positive', async () => {
    const { factors } = await readScoresOfCase({ on: log, profile: { weight_kg: 70, date_of_birth: '1990-05-17' } });
    const [response] = factors.nutrition_score;
    expect(response.map(({ name }: { name: string }) => name)).toEqual(['protein', 'saturated_fat', 'sugar', 'sodium']);
    for (const { direction } of response) expect(direction).not.toBe('positive');
  });

  test("an eight-year-old's log is not measured against advice for adults", async () => {
    const heart = { sleep_heart_rate_variability: 60, resting_heart_rate: 80, steps: 9000, asleep: 600 };
    const { series, status } = await readScoresOfCase({
      on: { ...log, ...heart },
      before: () => heart,
      profile: { weight_kg: 26, date_of_birth: addDays(day, -8 * 366) },
    });
    expect(series.sleep_score).toEqual([100]);
    for (const id of ['recovery_score', 'strain_score', 'nutrition_score', 'stress_score']) {
      expect([id, series[id]]).toEqual([id, [null]]);
      expect([id, status[id]]).toEqual([id, { status: 'not_applicable', reason: 'under_18' }]);
    }
  });
});

test('a score of an unfinished day is provisional, and ready after the night', async () => {
  const today = addDays(day, 1);
  const user = await createUserWith({ on: {}, before: () => ({ steps: 8000, active_calories: 400 }) });
  const phone = await openPhone(system, account.live_key, user);
  const daily = ['steps', 'active_calories'].map((metric) => ({
    date: today,
    metric,
    value: metric === 'steps' ? 8000 : 400,
    unit: metricRow(metric as MetricId).unit,
  }));
  system.clock.advance(60_000);
  await phone.upload({ time_zone: 'UTC', device: { name: 'Watch', model: 'Watch', type: 'wrist' }, daily });
  await system.host.drain();
  const strain = async () => {
    const query = `types=strain_score&from_date=${today}&to_date=${today}`;
    const { body } = await system.call('GET', `/v1/users/${user}/scores?${query}`, { token: account.live_key });
    return body.latest.strain_score;
  };
  expect(await strain()).toMatchObject({ value: 50, status: 'provisional', confidence: 'medium' });
  system.clock.advance(24 * 3_600_000);
  expect(await strain()).toMatchObject({ value: 50, status: 'ready' });
});
