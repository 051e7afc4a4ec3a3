import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeWindows, selectNextDays, subtractDays } from '../../../../shared/connections/sync/days-to-read.ts';
import { sanitizeDays } from '../../../../shared/connections/sync/notified-days.ts';
import { addDays, datesInRange } from '../../../../shared/platform/time/local-day.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';

const first = '2026-01-01';
const anyWindow = fc
  .tuple(fc.nat(60), fc.nat(10))
  .map(([at, length]) => ({ from: addDays(first, at), to: addDays(first, at + length) }));

test('every day is read once, days to read again come first, and newer days come before older ones', () => {
  fc.assert(
    fc.property(
      fc.array(anyWindow, { maxLength: 6 }),
      fc.option(anyWindow),
      fc.integer({ min: 1, max: 9 }),
      (rereadDays, history, maxDays) => {
        const read: string[][] = [];
        let left = { rereadDays, history } as Parameters<typeof selectNextDays>[0];
        for (let next = selectNextDays(left, maxDays); next; next = selectNextDays(left, maxDays)) {
          read.push(datesInRange(next.days.from, next.days.to));
          left = next.rest;
          if (read.length > 100) throw new Error('The loop does not end.');
        }
        for (const window of read) expect(window.length).toBeLessThanOrEqual(maxDays);
        const wanted = new Set(rereadDays.flatMap(({ from, to }) => datesInRange(from, to)));
        const old = history ? datesInRange(history.from, history.to) : [];
        expect(read.flat().length).toBe(wanted.size + old.length);
        const count = read.findIndex((_, at) => read.slice(0, at + 1).flat().length === wanted.size);
        const [before, after] = wanted.size === 0 ? [[], read] : [read.slice(0, count + 1), read.slice(count + 1)];
        expect(new Set(before.flat())).toEqual(wanted);
        for (const part of [before, after]) {
          const starts = part.map(([day]) => day);
          expect(starts).toEqual([...starts].sort().reverse());
        }
      },
    ),
  );
});

test('adjacent windows are merged', () => {
  const windows = [
    { from: '2026-01-05', to: '2026-01-06' },
    { from: '2026-01-01', to: '2026-01-04' },
    { from: '2026-01-08', to: '2026-01-09' },
  ];
  const before = structuredClone(windows);
  expect(mergeWindows(windows)).toEqual([
    { from: '2026-01-08', to: '2026-01-09' },
    { from: '2026-01-01', to: '2026-01-06' },
  ]);
  expect(windows).toEqual(before);
});

test.each([
  ['2026-01-03', '2026-01-04', ['2026-01-01 2026-01-02', '2026-01-05 2026-01-06']],
  ['2026-01-01', '2026-01-04', ['2026-01-05 2026-01-06']],
  ['2026-01-05', '2026-01-09', ['2026-01-01 2026-01-04']],
  ['2026-01-01', '2026-01-06', []],
  ['2026-01-07', '2026-01-09', ['2026-01-01 2026-01-06']],
])('subtracting %s to %s leaves no day twice and no empty window', (from, to, left) => {
  const windows = subtractDays([{ from: '2026-01-01', to: '2026-01-06' }], { from, to });
  expect(windows.map((each) => `${each.from} ${each.to}`)).toEqual(left);
});

test.each([
  [
    { from: '2026-03-01', to: '2026-03-02' },
    { from: '2026-03-01', to: '2026-03-02' },
  ],
  [
    { from: '2026-03-10', to: '2026-03-20' },
    { from: '2026-03-10', to: '2026-03-13' },
  ],
  [
    { from: '2025-01-01', to: '2026-03-12' },
    { from: '2025-12-11', to: '2026-03-12' },
  ],
  [{ from: '2026-03-12', to: '2026-03-11' }, undefined],
  [{ from: '2026-04-12', to: '2026-04-13' }, undefined],
  [{ from: '1970-01-01', to: '1970-01-02' }, undefined],
  [{ from: 'yesterday', to: '2026-03-11' }, undefined],
  [{ from: '2026-02-30', to: '2026-03-11' }, undefined],
])('of the days %o, announced on 2026-03-12, %o is read', (announced, read) => {
  expect(sanitizeDays(announced, '2026-03-12')).toEqual(read);
});

test('after a long gap, every day since the last poll is read', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  world.fakeProvider.fixtures.write('oura', 'ann', {
    sleep: [ouraNight('n1', '2026-03-15'), ouraNight('n2', '2026-04-10')],
  });
  await world.passTime(hours(30 * 24));
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n1', 'n2']);
});

test('a provider that has just pushed data is not polled', async () => {
  const world = syncWorld({ provider: 'coros' });
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  for (let i = 0; i < 30; i++) await world.passTime(minutes(1));
  await world.passTime(hours(10));
  world.fakeProvider.requests.length = 0;
  const { clientId: client, clientSecret: secret } = world.fakeProvider.credentials;
  const at = world.clock.now() / 1000;
  const run = { openId: 'ann', labelId: 'r1', mode: 8, subMode: 1, distance: 1000, duration: 600 };
  const times = { startTime: at - 1_200, endTime: at - 600, startTimezone: 0, endTimezone: 0 };
  await world.pushRaw(JSON.stringify({ sportDataList: [{ ...run, ...times }] }), { headers: { client, secret } });
  await world.passTime(hours(4));
  expect(world.fakeProvider.requests).toEqual([]);
  await world.passTime(hours(11));
  expect(world.fakeProvider.requests.length).toBeGreaterThan(0);
});

test('a provider that pushes all the time is still polled once a day, in case a push was lost', async () => {
  const world = syncWorld();
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  const nights = [ouraNight('old', '2026-02-01'), ouraNight('lost', '2026-03-12')];
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: nights });
  for (let hour = 0; hour < 26; hour += 2) {
    const day = '2026-03-01';
    await world.push({
      event_type: 'update',
      data_type: 'sleep',
      object_id: 'old',
      user_id: 'ann',
      event_time: `${day}T${hour}`,
    });
    await world.passTime(hours(2));
    if (hour < 20) expect((await world.nights(user)).map(({ id }) => id)).toEqual(['old']);
  }
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['old', 'lost']);
});
