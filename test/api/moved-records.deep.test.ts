import { describe, expect, test } from 'vitest';
import { people } from '../harness/people.ts';
import { day, hour, iso, night, type Person, pocket, steps, traveller, watch } from '../harness/person.ts';

const { person, settle } = people();
const asleepOn = async (ada: Person) => (await ada.daily('asleep'))['asleep'];
const stepsOn = async (ada: Person) => (await ada.daily('steps'))['steps'];
const nightsOf = async (ada: Person) => (await ada.get('sleep?from_date=2026-03-08&to_date=2026-03-13')).body.data;

describe('hours that two devices call by different days', () => {
  test.each([
    ['a day apart', 22, '+00:00', '+03:00', [null, 0, 20, null]],
    ['two days apart', 11, '-12:00', '+14:00', [0, null, 20, null]],
  ])('count once, whichever comes first: %s', async (_apart, from, worse, better, expected) => {
    const ofPhone = { samples: [steps(from, from + 0.5, 600, { utc_offset: worse })] };
    const ofWatch = { samples: [steps(from, from + 0.5, 20, { utc_offset: better })] };
    const [ada, bob] = [await person(traveller), await person(traveller)];
    await ada.send(pocket, ofPhone);
    await ada.send(watch, ofWatch);
    expect(await stepsOn(ada)).toEqual(expected);
    await bob.send(watch, ofWatch);
    await bob.send(pocket, ofPhone);
    expect(await stepsOn(bob)).toEqual(expected);
  });

  test('count once also on a day that reaches into those of two others', async () => {
    const ada = await person(traveller);
    const [first, last] = [11, 59];
    await ada.send(pocket, {
      samples: [
        steps(first, first + 0.5, 600, { utc_offset: '+14:00' }),
        steps(last, last + 0.5, 700, { utc_offset: '-12:00' }),
      ],
    });
    expect(await stepsOn(ada)).toEqual([null, null, 1_300, null]);
    await ada.send(watch, { samples: [steps(last, last + 0.5, 20, { utc_offset: '+14:00' })] });
    expect(await stepsOn(ada)).toEqual([null, null, 600, null]);
    await ada.send(watch, { samples: [steps(first, first + 0.5, 30, { utc_offset: '-12:00' })] });
    expect(await stepsOn(ada)).toEqual([30, null, 0, null]);
  });
});

describe('a record that comes again', () => {
  test('a sample that moves by two days leaves the rest of its old day as it was', async () => {
    const ada = await person(traveller);
    await ada.send(watch, { samples: [steps(11, 11.5, 100, { utc_offset: '+14:00' }), steps(44, 45, 7)] });
    expect(await stepsOn(ada)).toEqual([null, null, 107, null]);
    await ada.send(watch, { samples: [steps(11, 11.5, 100, { utc_offset: '-12:00' })] });
    expect(await stepsOn(ada)).toEqual([100, null, 7, null]);
  });

  test('a workout that moves by two days stands once', async () => {
    const ada = await person(traveller);
    const walk = (utc_offset: string, until: number) => ({
      workouts: [{ type: 'walking', start: iso(day + 11 * hour), end: iso(day + until * hour), utc_offset }],
    });
    const days = async () => {
      const dates = ['2026-03-09', '2026-03-10', '2026-03-11'];
      const found = dates.map((date) => ada.get(`workouts?from_date=${date}&to_date=${date}`));
      return (await Promise.all(found)).map(({ body }) => body.data.length);
    };
    await ada.send(watch, walk('-12:00', 11.5));
    expect(await days()).toEqual([1, 0, 0]);
    await ada.send(watch, walk('+14:00', 11.5));
    expect(await days()).toEqual([0, 0, 1]);
    await ada.send(watch, walk('-12:00', 12));
    expect(await days()).toEqual([1, 0, 0]);
  });

  test('a night that moves by two days stands once', async () => {
    const ada = await person(traveller);
    await ada.send(watch, night(4, 11, 400, { utc_offset: '-12:00' }));
    expect(await asleepOn(ada)).toEqual([400, null, null, null]);
    await ada.send(watch, night(4, 11, 400, { utc_offset: '+14:00' }));
    expect(await asleepOn(ada)).toEqual([null, null, 400, null]);
    expect(await nightsOf(ada)).toHaveLength(1);
  });

  test('a night stays on its day when the phone has travelled since', async () => {
    const ada = await person({});
    await ada.send(watch, night(15, 23.5, 400));
    await ada.send(watch, night(15, 23.5, 410), { time_zone: 'Asia/Tokyo' });
    expect(await asleepOn(ada)).toEqual([null, 410, null, null]);
  });

  test('of two versions of a night in one upload the last counts, on its day only', async () => {
    const ada = await person();
    await ada.send(watch, { sleep: [...night(22, 30, 440).sleep, ...night(22, 23, 55).sleep] });
    expect(await asleepOn(ada)).toEqual([null, 55, null, null]);
    expect(await nightsOf(ada)).toHaveLength(1);
  });

  test('a report that a better one has kept out counts again when that one no longer tells of the same night', async () => {
    const ada = await person();
    await ada.send(watch, night(22 + 40 / 60, 24 + 20 / 60, 90));
    await ada.send(watch, night(22, 23 + 50 / 60, 100));
    expect(await asleepOn(ada)).toEqual([null, 100, null, null]);
    await ada.send(watch, night(22, 22.5, 25));
    expect(await asleepOn(ada)).toEqual([null, 25, 90, null]);
  });
});

describe('where a night counts', () => {
  const deep = (from: number, to: number) => ({
    samples: [
      { metric: 'deep_sleep', start: iso(day + from * hour), end: iso(day + to * hour), value: 30, unit: 'min' },
    ],
  });
  const deepOn = async (ada: Person) => (await ada.daily('deep_sleep'))['deep_sleep'];

  test('is told by the clocks of the zone that a phone named, when they change in it', async () => {
    const ada = await person({});
    const long = { start: '2025-03-30T00:30:00Z', end: '2025-03-30T22:30:00Z', asleep_minutes: 600 };
    await ada.send(watch, { sleep: [long] }, { time_zone: 'Europe/Berlin' });
    const { data } = (await ada.get('sleep?from_date=2025-03-29&to_date=2025-04-01')).body;
    expect(data.map(({ date }: { date: string }) => date)).toEqual(['2025-03-31']);
  });

  test('a stage that lies in two nights counts with the one that began last', async () => {
    const ada = await person();
    await ada.send(watch, night(20, 30, 500));
    await ada.send(watch, night(22, 23.5, 80));
    await ada.send(watch, deep(22.5, 23));
    expect(await deepOn(ada)).toEqual([null, 30, null, null]);
  });

  test('a night far from another leaves the other’s stages where they are', async () => {
    const ada = await person(traveller);
    await ada.send(watch, night(2, 11, 400, { utc_offset: '+14:00' }));
    await ada.send(watch, deep(4, 5));
    expect(await deepOn(ada)).toEqual([null, null, 30, null]);
    await ada.send(watch, night(-73, -53, 700, { utc_offset: '+14:00' }));
    expect(await deepOn(ada)).toEqual([null, null, 30, null]);
  });
});

describe('a device', () => {
  test('whose type changes is believed as such on days that the upload does not touch', async () => {
    const ada = await person();
    const rate = (value: number) => ({ daily: [{ date: '2026-03-10', metric: 'heart_rate', value, unit: 'bpm' }] });
    await ada.send({ ...pocket, model: 'clip' }, rate(60));
    await ada.send({ ...pocket, model: 'band', type: 'ring' }, rate(70));
    await ada.send({ ...pocket, model: 'clip', type: 'wrist' }, { samples: [steps(-1_000, -999, 5)] });
    await settle();
    expect((await ada.daily('heart_rate'))['heart_rate']).toEqual([null, 60, null, null]);
  });
});
