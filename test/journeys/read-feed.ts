// Reads the event feed page by page while others write.
import { expect, onTestFinished } from 'vitest';
import { functions } from '../../infra/functions.ts';
import type { HostedFunctions } from '../../infra/local/function-runner.ts';
import { feedRows } from '../../shared/events/feed-rows.ts';
import { outboxRows } from '../../shared/events/outbox-rows.ts';
import { listPendingEvents, newEvent, oneTo } from '../harness/outbox.ts';
import { type System, startSystem } from '../harness/system.ts';

/**
 * Only the functions between the outbox and the reader; other event consumers have their own
 * journeys.
 */
const feedFunctions: HostedFunctions = {
  events: functions.events,
  feed: functions.feed,
  relay: functions.relay,
  reference: functions.reference,
};
export interface Page {
  events: { event_id: string; user_id: string; event_type: string }[];
  cursor: string;
  has_more: boolean;
}

export async function readPage(system: System, token: string, query: string): Promise<Page> {
  for (;;) {
    const { status, body, text } = await system.call('GET', `/v1/events${query}`, { token });
    if (status === 200) return body;
    if (status !== 429) throw new Error(`${status}: ${text}`);
    system.clock.advance(1000);
  }
}

/**
 * Runs twenty writers and three readers, and expects each reader to see every event once, in the
 * same order.
 */
export async function writeAndRead(commits: number): Promise<void> {
  const system = await startSystem({ functions: feedFunctions });
  onTestFinished(() => system.stop());
  const { account_id: account, live_key: token } = await system.account();
  const { store } = system.host.deps;
  const perCommit = 5;
  const total = 20 * commits * perCommit;
  const written = new Set<string>();
  let committed = Promise.withResolvers<void>();

  const write = async () => {
    for (let i = 0; i < commits; i++) {
      const events = oneTo(perCommit).map(() => newEvent({ account, env: 'live' }));
      await store.commit(events.map((event) => outboxRows(store).buildAppend(event.userId, event)));
      for (const { id } of events) written.add(id);
      committed.resolve();
      committed = Promise.withResolvers();
    }
  };
  const readAll = async (limit: number): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | undefined;
    while (seen.length < total) {
      const page = await readPage(system, token, `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.events.map(({ event_id }) => event_id));
      cursor = page.cursor;
      // At the end of the feed there is nothing new until another write is committed, or the
      // committed ones are published.
      if (!page.has_more) await (written.size < total ? committed.promise : system.host.drain());
    }
    return seen;
  };

  const [first, second, third] = await Promise.all([readAll(1000), readAll(100), readAll(37), ...oneTo(20).map(write)]);
  expect(first).toHaveLength(total);
  expect(new Set(first)).toEqual(written);
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  await system.host.drain();
  expect(system.host.listAbandoned()).toEqual({ bus: [], stream: [] });
  expect(await listPendingEvents(store)).toEqual([]);
  expect((await feedRows(store).readEnd({ account, env: 'live' })).next).toBe(total + 1);
}
