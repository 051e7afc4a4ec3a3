// Lets a feed fail for an hour while its users go on.
import { expect, test } from 'vitest';
import { formatFeedGroup } from '../../shared/events/outbox-rows.ts';
import { type FeedFault, openFeedFlood } from './feed-flood.ts';

export type FeedFlood = ReturnType<typeof openFeedFlood>;

export async function passSeconds(world: FeedFlood, seconds: number, flood: number): Promise<void> {
  for (let second = 1; second <= seconds; second++)
    await world.passSecond({ flood, others: second % 10 === 0 ? 1 : 0 });
}

export async function expectEveryEventInOrder(world: FeedFlood): Promise<void> {
  for (const feed of [world.flooded, world.other]) {
    const { numbers, numbered, committed } = await world.compareOrder(feed);
    expect(numbers).toEqual(numbers.map((_number, at) => at + 1));
    expect(numbered).toEqual(committed);
  }
}

/**
 * Defines tests of a feed that fails for an hour, with this many commits a second. A test that hangs
 * ends after `timeoutMs`.
 */
export function failForAnHour(perSecond: number, timeoutMs = 60_000): void {
  test.each<FeedFault>(['pages', 'end'])(
    `of a feed that fails for an hour with ${perSecond * 60} commits a minute (%s), at most two messages wait, no other feed waits, and within two minutes all events are numbered in order`,
    async (fault) => {
      const world = openFeedFlood();
      await passSeconds(world, 10, perSecond);
      await world.fail(fault);
      // The first message tries again for five seconds before the feed is held.
      await passSeconds(world, 10, perSecond);
      expect(world.takeMaxWaiting()).toBeLessThanOrEqual(7);
      await passSeconds(world, 3_590, perSecond);
      expect(world.takeMaxWaiting()).toBeLessThanOrEqual(2);
      await world.recover();
      let seconds = 0;
      for (; seconds <= 120 && (await world.countLeft(world.flooded)) > 0; seconds++)
        await passSeconds(world, 1, perSecond);
      expect(seconds).toBeLessThanOrEqual(120);
      // One that continues, one that arrived during a run, and one that was just sent.
      expect(world.takeMaxWaiting()).toBeLessThanOrEqual(3);
      expect(world.fifo.maxDelayMs(formatFeedGroup(world.other))).toBeLessThanOrEqual(1_500);
      expect(world.fifo.deadLetters).toEqual([]);
      await expectEveryEventInOrder(world);
    },
    timeoutMs,
  );
}
