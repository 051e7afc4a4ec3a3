// Days on which a provider fails while it answers for others: when a day is suspected, how it is
// quarantined and how it returns.
import { expect, test } from 'vitest';
import { addDays, datesInRange } from '../../../../shared/platform/time/local-day.ts';
import { isDataCall, type ProviderFault } from '../../../harness/fake-provider.ts';
import { plannedConnection } from '../../../harness/planned-connection.ts';
import { hours, type SyncWorld } from '../../../harness/sync-world.ts';

const broken = { status: 500, headers: {}, text: '' };
const today = '2026-03-12';
/** Oura is queried for this number of extra days on either side. */
const marginDays = 2;
const day = (date: string) => ({ from: date, to: date });

/** The requested windows, in order. */
const listRequestedWindows = ({ fakeProvider }: SyncWorld): string[] =>
  fakeProvider.requests
    .filter(({ path }) => path.endsWith('/daily_activity'))
    .map(({ query }) => {
      const [from, to] = [addDays(`${query['start_date']}`, marginDays), addDays(`${query['end_date']}`, -marginDays)];
      return from === to ? from : `${from} ${to}`;
    });

/** Fails every request whose window contains the day. */
const failOn = ({ fakeProvider }: SyncWorld, date: string, fault: ProviderFault = broken) =>
  fakeProvider.fault(
    ({ path, query }) =>
      path.endsWith('/workout') &&
      `${query['start_date']}` <= addDays(date, -marginDays) &&
      `${query['end_date']}` >= addDays(date, marginDays),
    fault,
  );

test('a single day that has failed often is quarantined if the provider answers for another day', async () => {
  const { world, run } = await plannedConnection({ history: day('2026-01-15'), failures: 3, stride: 1 });
  failOn(world, '2026-01-15');
  expect(await run()).toMatchObject({ quarantined: [day('2026-01-15')], history: null, failures: 0 });
  expect(listRequestedWindows(world)).toEqual(['2026-01-15', today]);
});

test('a recent day is compared with a day well before it', async () => {
  const { world, run } = await plannedConnection({ history: day(today), failures: 3, stride: 1 });
  failOn(world, today);
  expect(await run()).toMatchObject({ quarantined: [day(today)], history: null });
  expect(listRequestedWindows(world)).toEqual([today, addDays(today, -14)]);
});

test('a window of several days is split before any of them is quarantined', async () => {
  const { world, run } = await plannedConnection({ history: { from: '2026-01-10', to: '2026-01-15' }, failures: 3 });
  failOn(world, '2026-01-15');
  expect(await run()).toMatchObject({ quarantined: [], failures: 4, stride: 3 });
});

test('a day is not suspected after a rate limit or a first failure', async () => {
  const often = await plannedConnection({ history: day('2026-01-15'), failures: 3, stride: 1 });
  failOn(often.world, '2026-01-15', { status: 429, headers: {}, text: '' });
  expect(await often.run()).toMatchObject({ quarantined: [], failures: 4 });
  const once = await plannedConnection({ history: day('2026-01-15'), stride: 1 });
  failOn(once.world, '2026-01-15');
  expect(await once.run()).toMatchObject({ quarantined: [], failures: 1 });
});

test('the day before a quarantined one is suspected at once and retried with it', async () => {
  const quarantineMs = Date.UTC(2026, 2, 13, 6);
  const { world, run } = await plannedConnection({
    ...{ history: day('2026-01-14'), stride: 1 },
    ...{ quarantined: [day('2026-01-15')], quarantineMs },
  });
  failOn(world, '2026-01-14');
  expect(await run()).toMatchObject({
    quarantined: [{ from: '2026-01-14', to: '2026-01-15' }],
    quarantineMs,
    history: null,
  });
});

test('a quarantined day that is read on another occasion leaves the quarantine', async () => {
  const { run } = await plannedConnection({
    ...{ rereadDays: [day('2026-01-15')] },
    ...{ quarantined: [{ from: '2026-01-14', to: '2026-01-15' }], quarantineMs: Date.UTC(2026, 2, 13, 6) },
  });
  expect(await run()).toMatchObject({ quarantined: [day('2026-01-14')], rereadDays: [] });
});

test('a quarantined day is not retried before its time', async () => {
  const { world, now, run } = await plannedConnection({
    quarantined: [day('2026-01-15')],
    quarantineMs: Date.UTC(2026, 2, 13, 6),
  });
  expect((await run())?.quarantineMs).toBeGreaterThan(now);
  expect(world.fakeProvider.requests).toEqual([]);
});

test('when a quarantined day is read, the days adjacent to it are read at once', async () => {
  const days = { from: '2026-01-11', to: '2026-01-20' };
  const { world, run } = await plannedConnection({ quarantined: [days, day('2025-12-01')], quarantineMs: 1 });
  world.clock.freeze();
  const now = world.clock.now();
  failOn(world, '2025-12-01');
  expect(await run()).toMatchObject({ quarantined: [day('2025-12-01')], rereadDays: [] });
  const read = new Set(
    listRequestedWindows(world).flatMap((window) => datesInRange(window.slice(0, 10), window.slice(-10))),
  );
  read.delete('2025-12-01');
  expect([...read].sort()).toEqual(datesInRange(days.from, days.to));
  expect(world.clock.now()).toBe(now);
});

test('three quarantined days are retried daily while the provider fails on each, and one while it does not answer', async () => {
  const many = { quarantined: [{ from: '2026-01-11', to: '2026-01-20' }], quarantineMs: 1 };
  const failing = await plannedConnection(many);
  failing.world.fakeProvider.fault(isDataCall, broken);
  const after = await failing.run();
  expect(failing.world.fakeProvider.requests).toHaveLength(3);
  expect(after).toMatchObject({ quarantined: many.quarantined, failures: 0 });
  expect(after?.quarantineMs).toBeGreaterThan(failing.now + hours(20));
  const silent = await plannedConnection(many);
  silent.world.fakeProvider.fault(isDataCall, 'timeout');
  expect(await silent.run()).toMatchObject({ quarantined: many.quarantined, failures: 0 });
  expect(silent.world.fakeProvider.requests).toHaveLength(1);
});

test('a run without time left for quarantined days has not failed', async () => {
  const { world, now, run } = await plannedConnection({ quarantined: [day('2026-01-15')], quarantineMs: 1 });
  world.fakeProvider.beforeReply = async () => void world.clock.advance(46_000);
  const after = await run();
  expect(after).toMatchObject({ quarantined: [day('2026-01-15')], failures: 0 });
  expect(after?.quarantineMs).toBeGreaterThan(now + hours(20));
});
