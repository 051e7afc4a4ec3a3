import { describe, expect, test } from 'vitest';
import { people } from '../harness/people.ts';
import { day, hour, iso, night, type Person, pocket, steps, traveller, watch } from '../harness/person.ts';

const { person } = people();
const stepsOn = async (ada: Person) => (await ada.daily('steps'))['steps'];
const minute = 1 / 60;

describe('nights', () => {
  test('a stage whose middle is the very end of a night lies outside it', async () => {
    const ada = await person(traveller);
    const deep = {
      metric: 'deep_sleep',
      start: iso(day + 22 * hour),
      end: iso(day + 26 * hour),
      value: 30,
      unit: 'min',
    };
    await ada.send(watch, night(16, 24, 400, { utc_offset: '-01:00' }));
    await ada.send(watch, { samples: [deep] });
    expect(await ada.daily('asleep,deep_sleep')).toEqual({
      asleep: [null, 400, null, null],
      deep_sleep: [null, null, 30, null],
    });
  });

  test('a report that one of two days before keeps out stays out when a stage comes two days after it', async () => {
    const ada = await person(traveller);
    const deep = {
      metric: 'deep_sleep',
      start: iso(day + 73 * hour),
      end: iso(day + 73.5 * hour),
      value: 30,
      unit: 'min',
      utc_offset: '-08:00',
    };
    await ada.send(watch, night(-22, -13, 400, { utc_offset: '+14:00' }));
    await ada.send(watch, night(-21.9, -13, 420, { utc_offset: '-12:00' }));
    await ada.send(watch, { samples: [deep] });
    expect(await ada.daily('asleep,deep_sleep')).toEqual({
      asleep: [null, null, null, null],
      deep_sleep: [null, null, null, 30],
    });
  });

  test('sleep is never more efficient than the time in bed', async () => {
    const ada = await person();
    await ada.send(watch, night(1, 8, 410, { in_bed_minutes: 400 }));
    expect((await ada.daily('sleep_efficiency'))['sleep_efficiency']).toEqual([null, 100, null, null]);
  });

  test('two reports that share exactly half of the shorter one are two nights', async () => {
    const ada = await person();
    await ada.send(watch, night(1, 3, 100));
    await ada.send(watch, night(2, 6, 200));
    expect((await ada.daily('asleep'))['asleep']).toEqual([null, 300, null, null]);
  });
});

describe('moments', () => {
  test('count at the end of what a better device measured, and not at the moment of another', async () => {
    const ada = await person();
    await ada.send(watch, { samples: [steps(10, 11, 50), steps(12, 12, 5)] });
    await ada.send(pocket, { samples: [steps(11, 11, 3), steps(12, 12, 700)] });
    expect(await stepsOn(ada)).toEqual([null, 58, null, null]);
  });

  test('at the same instant count once, whatever days their devices call it by', async () => {
    const ofPhone = { samples: [steps(22, 22, 600, { utc_offset: '+00:00' })] };
    const ofWatch = { samples: [steps(22, 22, 20, { utc_offset: '+03:00' })] };
    const [ada, bob] = [await person(traveller), await person(traveller)];
    await ada.send(pocket, ofPhone);
    await ada.send(watch, ofWatch);
    expect(await stepsOn(ada)).toEqual([null, 0, 20, null]);
    await bob.send(watch, ofWatch);
    await bob.send(pocket, ofPhone);
    expect(await stepsOn(bob)).toEqual([null, 0, 20, null]);
  });

  test('at the end of a stretch yield to what a better device began there, on another of its days', async () => {
    const ofPhone = { samples: [steps(9, 10, 100), steps(10, 10, 7)] };
    const ofWatch = { samples: [steps(10, 11, 20, { utc_offset: '+14:00' })] };
    const [ada, bob] = [await person(traveller), await person(traveller)];
    await ada.send(pocket, ofPhone);
    await ada.send(watch, ofWatch);
    expect(await stepsOn(ada)).toEqual([null, 100, 20, null]);
    await bob.send(watch, ofWatch);
    await bob.send(pocket, ofPhone);
    expect(await stepsOn(bob)).toEqual([null, 100, 20, null]);
  });

  test('stay apart from a stretch in the same five minutes', async () => {
    const ada = await person();
    await ada.send(watch, {
      samples: [steps(10 + 0.5 * minute, 10 + 0.5 * minute, 5), steps(10 + 4 * minute, 10 + 5 * minute, 50)],
    });
    await ada.send(pocket, { samples: [steps(10 + 1 * minute, 10 + 2 * minute, 3)] });
    expect(await stepsOn(ada)).toEqual([null, 58, null, null]);
  });
});
