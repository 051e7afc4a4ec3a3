import { describe, expect, test } from 'vitest';
import {
  hourMs,
  iso,
  march10Ms,
  phoneDevice,
  sleepUpload,
  stepsSample,
  type TestUser,
  travelerProfile,
  watch,
} from '../harness/test-user.ts';
import { testUsers } from '../harness/test-users.ts';

const { createUser, settle } = testUsers();
const readAsleep = async (ada: TestUser) => (await ada.daily('asleep'))['asleep'];
const readSteps = async (ada: TestUser) => (await ada.daily('steps'))['steps'];
const listNights = async (ada: TestUser) => (await ada.get('sleep?from_date=2026-03-08&to_date=2026-03-13')).body.data;

describe('hours that two devices assign to different days', () => {
  test.each([
    ['a day apart', 22, '+00:00', '+03:00', [null, 0, 20, null]],
    ['two days apart', 11, '-12:00', '+14:00', [0, null, 20, null]],
  ])('count once, in any order of arrival: %s', async (_apart, from, worse, better, expected) => {
    const ofPhone = { samples: [stepsSample(from, from + 0.5, 600, { utc_offset: worse })] };
    const ofWatch = { samples: [stepsSample(from, from + 0.5, 20, { utc_offset: better })] };
    const [ada, bob] = [await createUser(travelerProfile), await createUser(travelerProfile)];
    await ada.send(phoneDevice, ofPhone);
    await ada.send(watch, ofWatch);
    expect(await readSteps(ada)).toEqual(expected);
    await bob.send(watch, ofWatch);
    await bob.send(phoneDevice, ofPhone);
    expect(await readSteps(bob)).toEqual(expected);
  });

  test('count once on a day that overlaps the days of two others', async () => {
    const ada = await createUser(travelerProfile);
    const [first, last] = [11, 59];
    await ada.send(phoneDevice, {
      samples: [
        stepsSample(first, first + 0.5, 600, { utc_offset: '+14:00' }),
        stepsSample(last, last + 0.5, 700, { utc_offset: '-12:00' }),
      ],
    });
    expect(await readSteps(ada)).toEqual([null, null, 1_300, null]);
    await ada.send(watch, { samples: [stepsSample(last, last + 0.5, 20, { utc_offset: '+14:00' })] });
    expect(await readSteps(ada)).toEqual([null, null, 600, null]);
    await ada.send(watch, { samples: [stepsSample(first, first + 0.5, 30, { utc_offset: '-12:00' })] });
    expect(await readSteps(ada)).toEqual([30, null, 0, null]);
  });
});

describe('a record that is sent again', () => {
  test('a sample that moves by two days leaves the rest of its old day unchanged', async () => {
    const ada = await createUser(travelerProfile);
    await ada.send(watch, { samples: [stepsSample(11, 11.5, 100, { utc_offset: '+14:00' }), stepsSample(44, 45, 7)] });
    expect(await readSteps(ada)).toEqual([null, null, 107, null]);
    await ada.send(watch, { samples: [stepsSample(11, 11.5, 100, { utc_offset: '-12:00' })] });
    expect(await readSteps(ada)).toEqual([100, null, 7, null]);
  });

  test('a workout that moves by two days is listed once', async () => {
    const ada = await createUser(travelerProfile);
    const walk = (utc_offset: string, until: number) => ({
      workouts: [
        { type: 'walking', start: iso(march10Ms + 11 * hourMs), end: iso(march10Ms + until * hourMs), utc_offset },
      ],
    });
    const days = async () => {
      const dates = ['2026-03-09', '2026-03-10', '2026-03-11'];
      const responses = dates.map((date) => ada.get(`workouts?from_date=${date}&to_date=${date}`));
      return (await Promise.all(responses)).map(({ body }) => body.data.length);
    };
    await ada.send(watch, walk('-12:00', 11.5));
    expect(await days()).toEqual([1, 0, 0]);
    await ada.send(watch, walk('+14:00', 11.5));
    expect(await days()).toEqual([0, 0, 1]);
    await ada.send(watch, walk('-12:00', 12));
    expect(await days()).toEqual([1, 0, 0]);
  });

  test('a night that moves by two days is listed once', async () => {
    const ada = await createUser(travelerProfile);
    await ada.send(watch, sleepUpload(4, 11, 400, { utc_offset: '-12:00' }));
    expect(await readAsleep(ada)).toEqual([400, null, null, null]);
    await ada.send(watch, sleepUpload(4, 11, 400, { utc_offset: '+14:00' }));
    expect(await readAsleep(ada)).toEqual([null, null, 400, null]);
    expect(await listNights(ada)).toHaveLength(1);
  });

  test('a night keeps its day after the phone has traveled', async () => {
    const ada = await createUser({});
    await ada.send(watch, sleepUpload(15, 23.5, 400));
    await ada.send(watch, sleepUpload(15, 23.5, 410), { time_zone: 'Asia/Tokyo' });
    expect(await readAsleep(ada)).toEqual([null, 410, null, null]);
  });

  test('the last of two versions of a night in one upload counts, on its day only', async () => {
    const ada = await createUser();
    await ada.send(watch, { sleep: [...sleepUpload(22, 30, 440).sleep, ...sleepUpload(22, 23, 55).sleep] });
    expect(await readAsleep(ada)).toEqual([null, 55, null, null]);
    expect(await listNights(ada)).toHaveLength(1);
  });

  test('a report hidden by a better one counts again when that one no longer covers the same night', async () => {
    const ada = await createUser();
    await ada.send(watch, sleepUpload(22 + 40 / 60, 24 + 20 / 60, 90));
    await ada.send(watch, sleepUpload(22, 23 + 50 / 60, 100));
    expect(await readAsleep(ada)).toEqual([null, 100, null, null]);
    await ada.send(watch, sleepUpload(22, 22.5, 25));
    expect(await readAsleep(ada)).toEqual([null, 25, 90, null]);
  });
});

describe('the day of a night', () => {
  const deep = (from: number, to: number) => ({
    samples: [
      {
        metric: 'deep_sleep',
        start: iso(march10Ms + from * hourMs),
        end: iso(march10Ms + to * hourMs),
        value: 30,
        unit: 'min',
      },
    ],
  });
  const deepOn = async (ada: TestUser) => (await ada.daily('deep_sleep'))['deep_sleep'];

  test('follows the clock changes of the zone that the phone sent', async () => {
    const ada = await createUser({});
    const long = { start: '2025-03-30T00:30:00Z', end: '2025-03-30T22:30:00Z', asleep_minutes: 600 };
    await ada.send(watch, { sleep: [long] }, { time_zone: 'Europe/Berlin' });
    const { data } = (await ada.get('sleep?from_date=2025-03-29&to_date=2025-04-01')).body;
    expect(data.map(({ date }: { date: string }) => date)).toEqual(['2025-03-31']);
  });

  test('a stage within two nights counts toward the one that started last', async () => {
    const ada = await createUser();
    await ada.send(watch, sleepUpload(20, 30, 500));
    await ada.send(watch, sleepUpload(22, 23.5, 80));
    await ada.send(watch, deep(22.5, 23));
    expect(await deepOn(ada)).toEqual([null, 30, null, null]);
  });

  test('a distant night does not move another night’s stages', async () => {
    const ada = await createUser(travelerProfile);
    await ada.send(watch, sleepUpload(2, 11, 400, { utc_offset: '+14:00' }));
    await ada.send(watch, deep(4, 5));
    expect(await deepOn(ada)).toEqual([null, null, 30, null]);
    await ada.send(watch, sleepUpload(-73, -53, 700, { utc_offset: '+14:00' }));
    expect(await deepOn(ada)).toEqual([null, null, 30, null]);
  });
});

describe('a device', () => {
  test('whose type changes takes its new rank on days that the upload does not touch', async () => {
    const ada = await createUser();
    const rate = (value: number) => ({ daily: [{ date: '2026-03-10', metric: 'heart_rate', value, unit: 'bpm' }] });
    await ada.send({ ...phoneDevice, model: 'clip' }, rate(60));
    await ada.send({ ...phoneDevice, model: 'band', type: 'ring' }, rate(70));
    await ada.send({ ...phoneDevice, model: 'clip', type: 'wrist' }, { samples: [stepsSample(-1_000, -999, 5)] });
    await settle();
    expect((await ada.daily('heart_rate'))['heart_rate']).toEqual([null, 60, null, null]);
  });
});
