import { expect, test } from 'vitest';
import { ApiFailure } from '../../../functions/api/console/web/api/failures.ts';
import { followFeed, maxShownEvents } from '../../../functions/api/console/web/state/follow-feed.ts';

const dayMs = 24 * 3_600_000;
const pageSize = 1_000;

/** A feed with one event at each of these times, which are in order. */
function feedOf(times: number[], nowMs: number) {
  const clock = { ms: nowMs };
  let requests = 0;
  const readPage = async (from: { since: string } | { cursor: string }) => {
    requests += 1;
    if ('cursor' in from && from.cursor === 'gone')
      throw new ApiFailure(new Response(null, { status: 410 }), { error: 'cursor_expired', message: 'gone' });
    const found = 'cursor' in from ? Number(from.cursor) : times.findIndex((at) => at >= Date.parse(from.since));
    const start = found === -1 ? times.length : found;
    const end = Math.min(start + pageSize, times.length);
    return { events: times.slice(start, end), cursor: String(end), has_more: end < times.length };
  };
  const takeRequests = (): number => {
    const taken = requests;
    requests = 0;
    return taken;
  };
  return { clock, readPage, times, takeRequests, now: () => clock.ms };
}

const everyMs = (step: number, fromMs: number, toMs: number): number[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / step) }, (_, index) => fromMs + index * step);

test('a quiet feed is read with one request, from the start of the chosen time', async () => {
  const nowMs = 100 * dayMs;
  const feed = feedOf(everyMs(dayMs / 10, nowMs - 3 * dayMs, nowMs), nowMs);
  const view = await followFeed({ ...feed, windowMs: dayMs })();
  expect(view.events).toEqual(feed.times.slice(-10).reverse());
  expect(view).toMatchObject({ isBehind: false, isWhole: true, isTrimmed: false, sinceMs: nowMs - dayMs });
  expect(feed.takeRequests()).toBe(1);
});

test.each([200, 2_000, 20_000])(
  'a feed with an event every %i ms shows its newest events with the first read',
  async (step) => {
    const nowMs = 100 * dayMs;
    const feed = feedOf(everyMs(step, nowMs - dayMs, nowMs), nowMs);
    const view = await followFeed({ ...feed, windowMs: dayMs })();
    expect(view.events[0]).toBe(feed.times.at(-1));
    expect(view.events.length).toBeGreaterThanOrEqual(1_200);
    expect(view.isBehind).toBe(false);
    const inOrder = feed.times.filter((at) => at >= view.sinceMs).slice(-maxShownEvents);
    expect(view.events).toEqual(inOrder.toReversed());
    expect(feed.takeRequests()).toBeLessThanOrEqual(20);
  },
);

test('a reader continues from its cursor, and skips ahead when it has fallen behind', async () => {
  const nowMs = 100 * dayMs;
  const feed = feedOf([nowMs - 1_000], nowMs);
  const read = followFeed({ ...feed, windowMs: dayMs });
  expect((await read()).events).toHaveLength(1);
  feed.times.push(nowMs + 1_000);
  feed.clock.ms = nowMs + 2_000;
  expect((await read()).events).toEqual([nowMs + 1_000, nowMs - 1_000]);

  feed.times.push(...everyMs(500, nowMs + 2_000, nowMs + dayMs / 2));
  feed.clock.ms = nowMs + dayMs / 2;
  const skipped = await read();
  expect(skipped.events[0]).toBe(feed.times.at(-1));
  expect(skipped).toMatchObject({ isBehind: false, isWhole: false });
  expect(skipped.events).not.toContain(nowMs - 1_000);
});

test('a reader whose cursor has expired begins anew', async () => {
  const nowMs = 100 * dayMs;
  const feed = feedOf([nowMs - 1_000], nowMs);
  let isGone = true;
  const read = followFeed({
    ...feed,
    windowMs: dayMs,
    readPage: async (from) => {
      const page = await feed.readPage(from);
      return isGone ? { ...page, cursor: 'gone' } : page;
    },
  });
  await read();
  await expect(read()).rejects.toThrow('gone');
  isGone = false;
  expect((await read()).events).toEqual([nowMs - 1_000]);
});

test('a reader from the start walks forward until it has reached the end', async () => {
  const nowMs = 100 * dayMs;
  const feed = feedOf(everyMs(10_000, nowMs - dayMs, nowMs), nowMs);
  const read = followFeed({ ...feed, windowMs: dayMs, fromStart: true });
  const first = await read();
  expect([first.events.at(-1), first.isBehind, first.isTrimmed]).toEqual([feed.times[3_000], true, true]);
  const second = await read();
  expect([second.events[0], second.isBehind]).toEqual([feed.times.at(-1), false]);
});
