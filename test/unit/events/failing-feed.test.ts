// A feed whose numbering fails while its users go on: the real relay, worker and sweep around a FIFO
// queue on virtual time. SQS looks for groups only among the first 120,000 waiting messages.
import { expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { formatFeedGroup } from '../../../shared/events/outbox-rows.ts';
import { parkedRows } from '../../../shared/events/parked-rows.ts';
import { expectEveryEventInOrder, type FeedFlood, failForAnHour, passSeconds } from '../../harness/fail-feed.ts';
import { openFeedFlood } from '../../harness/feed-flood.ts';

const countParkedChunks = async ({ deps, flooded }: FeedFlood): Promise<number> =>
  (await parkedRows(deps.store).listFirst(flooded, 1_000)).length;

failForAnHour(5);

test('a purge while a feed fails loses no event', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  await world.fail('pages');
  for (let minute = 0; minute < 10; minute++) {
    await passSeconds(world, 59, 5);
    await world.passSecond({ flood: 5, isPurged: true });
  }
  await world.recover();
  await passSeconds(world, 180, 0);
  const { numbers, committed } = await world.compareOrder(world.flooded);
  expect(numbers).toHaveLength(Object.values(committed).flat().length);
  expect(await countParkedChunks(world)).toBe(0);
});

test('a quiet feed that fails is tried again by the sweep, within two minutes after it works', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 1);
  await world.fail('pages');
  await passSeconds(world, 1, 1);
  await passSeconds(world, 1_000, 0);
  await world.recover();
  await passSeconds(world, 120, 0);
  expect(await world.countLeft(world.flooded)).toBe(0);
  expect(await parkedRows(world.deps.store).findHold(world.flooded)).toBeUndefined();
});

test('a failure that is over at the next attempt delays nothing, and leaves nothing parked', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  world.failPages(1);
  await passSeconds(world, 1, 5);
  expect([await world.countLeft(world.flooded), await countParkedChunks(world)]).toEqual([0, 0]);
  expect(await parkedRows(world.deps.store).findHold(world.flooded)).toBeUndefined();
  expect(world.log).toMatchObject([{ code: 'feed_held', fields: { failures: 0 } }]);
  await expectEveryEventInOrder(world);
});

test('a feed of sixty shards that was held keeps at most what a second sends in the queue while it drains', async () => {
  const world = openFeedFlood();
  const passFlooded = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await world.passSecond({ flood: 120, shards: 60 });
  };
  await passFlooded(5);
  await world.fail('pages');
  await passFlooded(60);
  await world.recover();
  world.takeMaxWaiting();
  await passFlooded(60);
  expect(world.takeMaxWaiting()).toBeLessThanOrEqual(2 * 60);
  expect(await world.countLeft(world.flooded)).toBe(0);
  await expectEveryEventInOrder(world);
});

test('a quiet feed that fails once for three seconds is numbered when it works', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 1);
  world.failPagesFor(3_000);
  await passSeconds(world, 1, 1);
  await passSeconds(world, 5, 0);
  expect(await world.countLeft(world.flooded)).toBe(0);
  expect(await parkedRows(world.deps.store).findHold(world.flooded)).toBeUndefined();
});

test('a message that returns although its run did not crash is numbered as soon as it does', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 1);
  world.dieOnPages(true);
  await passSeconds(world, 1, 1);
  world.dieOnPages(false);
  for (let second = 0; second < 130; second++) await world.passSecond({ sweeps: false });
  expect(await world.countLeft(world.flooded)).toBe(0);
});

test('the first event of an environment is numbered when its feed works', async () => {
  const world = openFeedFlood();
  await world.fail('pages');
  await passSeconds(world, 20, 1);
  await world.recover();
  await passSeconds(world, 20, 1);
  expect(await world.countLeft(world.flooded)).toBe(0);
  await expectEveryEventInOrder(world);
});

test('runs that crash on parked rows do not keep messages in the queue', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  world.dieOnPages(true);
  await passSeconds(world, 1_800, 5);
  // A run that dies hides its messages for two minutes, ten at most.
  expect(world.takeMaxWaiting()).toBeLessThanOrEqual(10 + 125);
  world.dieOnPages(false);
  await passSeconds(world, 240, 5);
  expect(await world.countLeft(world.flooded)).toBe(0);
  await expectEveryEventInOrder(world);
});

test('a message that can never be numbered holds up the others as long as a dead letter does', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  await world.commitRefused();
  let left = 0;
  for (let minute = 0; minute < 10; minute++) {
    await passSeconds(world, 60, 5);
    left = Math.max(left, await world.countLeft(world.flooded));
  }
  expect(left).toBeLessThan(300 * 5);
  world.acceptAll();
  await passSeconds(world, 3_600, 5);
  expect(await world.countLeft(world.flooded)).toBe(0);
});

test('one event among 98 that can never be numbered is quarantined, and the others of its message are numbered', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  const bad = await world.commitRefused({ before: 49, after: 48 });
  await passSeconds(world, 240, 5);
  expect(await world.countLeft(world.flooded)).toBe(1);
  expect(world.log.filter(({ code }) => code === 'outbox_row_unreadable')).toMatchObject([
    { fields: { row_keys: bad } },
  ]);
  // It holds up nothing for an hour, although the sweep runs every minute and the stream delivers
  // the row that was changed.
  const failures = world.log.length;
  await world.announce(world.flooded, bad);
  await passSeconds(world, 1_800, 5);
  expect(world.log.slice(failures).filter(({ code }) => code === 'feed_held')).toEqual([]);
  world.acceptAll();
  await passSeconds(world, 1_800, 5);
  expect(await world.countLeft(world.flooded)).toBe(0);
  expect(await parkedRows(world.deps.store).findHold(world.flooded)).toBeUndefined();
});

test('an event whose numbering ends the process is quarantined after five crashes, and the others are numbered', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  const bad = await world.commitRefused({ before: 49, after: 48, by: 'dies' });
  await passSeconds(world, 5 * 130, 5);
  expect(await world.countLeft(world.flooded)).toBe(1);
  expect(world.log.filter(({ code }) => code === 'outbox_row_unreadable')).toMatchObject([
    { fields: { row_keys: bad } },
  ]);
});

test.each([
  ['two neighbours', { before: 48, bad: 2, after: 48 }, 4],
  ['the first three', { bad: 3, after: 95 }, 5],
  ['two that end the process', { before: 48, bad: 2, after: 48, by: 'dies' as const }, 16],
])('of several events that can never be numbered, all others are numbered: %s', async (_which, commits, minutes) => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 5);
  const refused = await world.commitRefused(commits);
  await passSeconds(world, minutes * 60, 5);
  expect(await world.countLeft(world.flooded)).toBe(refused.length);
});

test('events that can never be numbered come back every hour without holding the feed', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 2);
  const refused = await world.commitRefused({ before: 30, bad: 12, after: 30 });
  await passSeconds(world, 900, 2);
  expect(await world.countLeft(world.flooded)).toBe(refused.length);
  const lines = world.log.length;
  for (let minute = 0; minute < 90; minute++) {
    await passSeconds(world, 60, 2);
    expect(await world.countLeft(world.flooded)).toBe(refused.length);
  }
  const codes = Map.groupBy(world.log.slice(lines), ({ code }) => code);
  expect([codes.get('feed_held'), codes.get('outbox_row_unreadable')?.length]).toEqual([undefined, refused.length]);
});

test('an event is not at fault because a row that cannot be parsed needs no number', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 1);
  await world.commitUnreadable();
  await passSeconds(world, 120, 0);
  await world.fail('pages');
  await passSeconds(world, 1, 1);
  await passSeconds(world, 1_000, 0);
  await world.recover();
  await passSeconds(world, 120, 0);
  expect(await world.countLeft(world.flooded)).toBe(0);
});

test('an event of a quiet feed that can never be numbered waits for another one, which is numbered', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 1);
  await world.commitRefused();
  await passSeconds(world, 2_400, 0);
  expect(await countParkedChunks(world)).toBeLessThanOrEqual(20);
  await passSeconds(world, 1, 1);
  await passSeconds(world, 240, 0);
  expect(await world.countLeft(world.flooded)).toBe(1);
});

test('a feed of which half of the pages fail is late, and keeps its order', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 20);
  world.failSometimes(0.5);
  await passSeconds(world, 900, 20);
  world.failSometimes(0);
  await passSeconds(world, 120, 20);
  expect(await world.countLeft(world.flooded)).toBe(0);
  expect(world.log.filter(({ code }) => code === 'outbox_row_unreadable')).toEqual([]);
  await expectEveryEventInOrder(world);
});

test('the sweep sends one message about a held feed, and names all rows of another', async () => {
  const world = openFeedFlood();
  await passSeconds(world, 10, 50);
  await world.fail('pages');
  for (let second = 0; second < 100; second++) await world.passSecond({ flood: 50, sweeps: false });
  await world.commitUnannounced(world.other, 300);
  world.clock.advance(90_000);
  const before = [world.flooded, world.other].map((feed) => world.fifo.waiting(formatFeedGroup(feed)));
  await sweepWorker(world.deps)();
  const after = [world.flooded, world.other].map((feed) => world.fifo.waiting(formatFeedGroup(feed)));
  expect(before).toEqual([0, 0]);
  expect(after).toEqual([1, 4]);
});

test('while no message is handled, the sweep sends those of a feed that is not held once in five minutes', async () => {
  const { deps, clock, fifo, other, commitUnannounced } = openFeedFlood();
  await commitUnannounced(other, 300);
  clock.advance(5 * 60_000 - (clock.now() % (5 * 60_000)));
  for (let minute = 0; minute < 4; minute++) {
    clock.advance(65_000);
    await sweepWorker(deps)();
  }
  expect(fifo.waiting(formatFeedGroup(other))).toBe(4);
});
