import { expect, test } from 'vitest';
import { fleetLoad, usersUntilFull } from './fleet.ts';
import { keyMeter } from './hot-keys.ts';

test('the load of a fleet is proportional to its syncs per second', () => {
  // 44 syncs a day, at three times the average rate in the busiest hour.
  expect(fleetLoad(1_000_000, { write: 55, read: 28 })).toEqual({
    people: 1_000_000,
    syncsASecond: 1_528,
    writeUnits: 84_028,
    readUnits: 42_778,
    partitions: 99,
  });
});

test('the capacity of a shared key depends on its total cost per sync, not on when the units were used', () => {
  const meter = keyMeter();
  const people = 100;
  for (let person = 0; person < people; person++) {
    meter.charge([{ place: 'table one', write: 10, read: 0 }], person * 5_000);
    meter.charge([{ place: `table U#${person}`, write: 3, read: 0 }], 0);
  }
  const [first, second] = meter.hottest();
  expect(first).toMatchObject({ place: 'table one', units: 10, total: 1_000, places: 1 });
  // 1,000 units per second are 100 syncs per second.
  expect(first && usersUntilFull(first, people)).toBe(Math.round((100 * 86_400) / 132));
  expect(second).toMatchObject({ units: 3, places: 100 });
  expect(second && usersUntilFull(second, people)).toBeUndefined();
});
