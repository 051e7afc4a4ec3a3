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

const { createUser } = testUsers();
const stepsOn = async (ada: TestUser) => (await ada.daily('steps'))['steps'];
const minute = 1 / 60;

describe('nights', () => {
  test('a stage whose midpoint is exactly the end of a night lies outside it', async () => {
    const ada = await createUser(travelerProfile);
    const deep = {
      metric: 'deep_sleep',
      start: iso(march10Ms + 22 * hourMs),
      end: iso(march10Ms + 26 * hourMs),
      value: 30,
      unit: 'min',
    };
    await ada.send(watch, sleepUpload(16, 24, 400, { utc_offset: '-01:00' }));
    await ada.send(watch, { samples: [deep] });
    expect(await ada.daily('asleep,deep_sleep')).toEqual({
      asleep: [null, 400, null, null],
      deep_sleep: [null, null, 30, null],
    });
  });

  test('a report hidden by one dated two days earlier stays hidden when a stage arrives two days after it', async () => {
    const ada = await createUser(travelerProfile);
    const deep = {
      metric: 'deep_sleep',
      start: iso(march10Ms + 73 * hourMs),
      end: iso(march10Ms + 73.5 * hourMs),
      value: 30,
      unit: 'min',
      utc_offset: '-08:00',
    };
    await ada.send(watch, sleepUpload(-22, -13, 400, { utc_offset: '+14:00' }));
    await ada.send(watch, sleepUpload(-21.9, -13, 420, { utc_offset: '-12:00' }));
    await ada.send(watch, { samples: [deep] });
    expect(await ada.daily('asleep,deep_sleep')).toEqual({
      asleep: [null, null, null, null],
      deep_sleep: [null, null, null, 30],
    });
  });

  test('sleep efficiency never exceeds 100 percent', async () => {
    const ada = await createUser();
    await ada.send(watch, sleepUpload(1, 8, 410, { in_bed_minutes: 400 }));
    expect((await ada.daily('sleep_efficiency'))['sleep_efficiency']).toEqual([null, 100, null, null]);
  });

  test('two reports that share exactly half of the shorter one are two nights', async () => {
    const ada = await createUser();
    await ada.send(watch, sleepUpload(1, 3, 100));
    await ada.send(watch, sleepUpload(2, 6, 200));
    expect((await ada.daily('asleep'))['asleep']).toEqual([null, 300, null, null]);
  });
});

describe('instant samples', () => {
  test('count at the end of a higher-ranked interval, and not at the instant of a higher-ranked sample', async () => {
    const ada = await createUser();
    await ada.send(watch, { samples: [stepsSample(10, 11, 50), stepsSample(12, 12, 5)] });
    await ada.send(phoneDevice, { samples: [stepsSample(11, 11, 3), stepsSample(12, 12, 700)] });
    expect(await stepsOn(ada)).toEqual([null, 58, null, null]);
  });

  test('at the same instant count once, regardless of the days their devices assign', async () => {
    const ofPhone = { samples: [stepsSample(22, 22, 600, { utc_offset: '+00:00' })] };
    const ofWatch = { samples: [stepsSample(22, 22, 20, { utc_offset: '+03:00' })] };
    const [ada, bob] = [await createUser(travelerProfile), await createUser(travelerProfile)];
    await ada.send(phoneDevice, ofPhone);
    await ada.send(watch, ofWatch);
    expect(await stepsOn(ada)).toEqual([null, 0, 20, null]);
    await bob.send(watch, ofWatch);
    await bob.send(phoneDevice, ofPhone);
    expect(await stepsOn(bob)).toEqual([null, 0, 20, null]);
  });

  test('at the end of an interval yield to a higher-ranked interval that starts there, even on another day', async () => {
    const ofPhone = { samples: [stepsSample(9, 10, 100), stepsSample(10, 10, 7)] };
    const ofWatch = { samples: [stepsSample(10, 11, 20, { utc_offset: '+14:00' })] };
    const [ada, bob] = [await createUser(travelerProfile), await createUser(travelerProfile)];
    await ada.send(phoneDevice, ofPhone);
    await ada.send(watch, ofWatch);
    expect(await stepsOn(ada)).toEqual([null, 100, 20, null]);
    await bob.send(watch, ofWatch);
    await bob.send(phoneDevice, ofPhone);
    expect(await stepsOn(bob)).toEqual([null, 100, 20, null]);
  });

  test('stay separate from an interval in the same five minutes', async () => {
    const ada = await createUser();
    await ada.send(watch, {
      samples: [
        stepsSample(10 + 0.5 * minute, 10 + 0.5 * minute, 5),
        stepsSample(10 + 4 * minute, 10 + 5 * minute, 50),
      ],
    });
    await ada.send(phoneDevice, { samples: [stepsSample(10 + 1 * minute, 10 + 2 * minute, 3)] });
    expect(await stepsOn(ada)).toEqual([null, 58, null, null]);
  });
});
