import { expect, test } from 'vitest';
import { fleetLoad, usersUntilFull } from './fleet.ts';
import { keyMeter } from './hot-keys.ts';

test('the load of a fleet is proportional to its syncs per second', () => {
  // 44 syncs a day, at three times the average rate in the busiest hour.
  expect(fleetLoad(1_000_000, { write: 55, read: 28 })).toEqual({
    users: 1_000_000,
    syncsASecond: 1_528,
    writeUnits: 84_028,
    readUnits: 42_778,
    partitions: 99,
  });
});

test('the capacity of a shared key depends on its total cost per sync, not on when the units were used', () => {
  const meter = keyMeter();
  const users = 100;
  for (let user = 0; user < users; user++) {
    meter.charge([{ partition: 'table one', write: 10, read: 0 }], user * 5_000);
    meter.charge([{ partition: `table U#${user}`, write: 3, read: 0 }], 0);
  }
  const [first, second] = meter.hottest();
  expect(first).toMatchObject({ partition: 'table one', units: 10, total: 1_000, keyCount: 1 });
  // 1,000 units per second are 100 syncs per second.
  expect(first && usersUntilFull(first, users)).toBe(Math.round((100 * 86_400) / 132));
  expect(second).toMatchObject({ units: 3, keyCount: 100 });
  expect(second && usersUntilFull(second, users)).toBeUndefined();
});
