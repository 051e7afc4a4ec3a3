import { describe, expect, onTestFinished, test } from 'vitest';
import { functions } from '../../infra/functions.ts';
import type { HostedFunctions } from '../../infra/local/function-runner.ts';
import { publishEvents } from '../../shared/domain/events/publish-events.ts';
import { PublishedEvent } from '../../shared/model/feed-event.ts';
import { eventRows } from '../../shared/store/events.ts';
import { newEvent, oneTo, recordingBus } from '../harness/outbox.ts';
import { owedTo } from '../harness/owed.ts';
import { type System, startSystem } from '../harness/system.ts';
import { seenBy } from '../infra/local/fixtures/journal.ts';

const listener: HostedFunctions[string] = {
  ...functions.sweep,
  entry: 'test/infra/local/fixtures/bus-worker.ts',
  trigger: { kind: 'bus', types: [] },
};

async function systemWith(map: HostedFunctions): Promise<System> {
  const system = await startSystem({ functions: map });
  onTestFinished(() => system.stop());
  return system;
}
/** Only the way from the outbox to the reader: what else listens to events has journeys of its own. */
const feedAlone: HostedFunctions = {
  events: functions.events,
  publish: functions.publish,
  reference: functions.reference,
};
const withoutPublisher: HostedFunctions = Object.fromEntries(
  Object.entries<HostedFunctions[string]>(functions).filter(([name]) => name !== 'publish'),
);

const onTheBus = (account: string): PublishedEvent[] =>
  seenBy('bus')
    .map((event) => PublishedEvent.parse(Object(event).detail))
    .filter((event) => event.account === account);

interface Page {
  events: { event_id: string; user_id: string; event_type: string }[];
  cursor: string;
  has_more: boolean;
}
async function readPage(system: System, token: string, query: string): Promise<Page> {
  for (;;) {
    const { status, body, text } = await system.call('GET', `/v1/events${query}`, { token });
    if (status === 200) return body;
    if (status !== 429) throw new Error(`${status}: ${text}`);
    system.clock.advance(1000);
  }
}

test('twenty writers and three readers: every reader sees every event once, in one order', async () => {
  const system = await systemWith(feedAlone);
  const { account_id: account, live_key: token } = await system.account();
  const { store } = system.host.deps;
  const commits = 20;
  const perCommit = 5;
  const total = 20 * commits * perCommit;
  const written = new Set<string>();
  let committed = Promise.withResolvers<void>();

  const write = async () => {
    for (let i = 0; i < commits; i++) {
      const events = oneTo(perCommit).map(() => newEvent({ account, env: 'live' }));
      await store.commit(events.map((event) => eventRows(store).inserting(event)));
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
      // At the end of the feed nothing new can come before somebody has written, or what is written is published.
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
  expect(system.host.givenUp()).toEqual({ bus: [], stream: [] });
  const left = await eventRows(store).unpublished([...written], [{ account, env: 'live' }]);
  expect(left.ends).toMatchObject([{ end: { seq: total } }]);
  expect(left.events.every(({ seq }) => seq !== undefined)).toBe(true);
}, 120_000);

test('what a request changes is on the bus a moment later, as the feed tells it', async () => {
  const system = await systemWith({ ...functions, listener });
  const { account_id: account, live_key: token } = await system.account();
  const user = await system.user(token);
  await system.call('DELETE', `/v1/users/${user}`, { token });
  await system.settle();
  const { events } = await readPage(system, token, '');
  expect(events.map(({ event_type }) => event_type)).toEqual(['user.created', 'user.deleted']);
  expect(onTheBus(account).toSorted((a, b) => a.seq - b.seq)).toEqual(
    events.map((event, index) => ({ account, env: 'live', seq: index + 1, event })),
  );
});

describe('an event whose publisher died', () => {
  test.each([
    ['before it was numbered', undefined],
    ['after it was numbered and before it was on the bus', 'before'],
    ['after it was on the bus and before its row was gone', 'after'],
  ] as const)('%s is published by the sweep, under one number', async (_when, failing) => {
    const system = await systemWith({ ...withoutPublisher, listener });
    const { account_id: account, live_key: token } = await system.account();
    const { deps } = system.host;
    const user = await system.user(token);
    const due = () => owedTo(deps.store, 'publish');
    const [id = ''] = await due();
    if (failing) {
      const bus = recordingBus();
      bus.failing = () => failing;
      expect(await publishEvents({ ...deps, bus }, [id])).toEqual(new Set([id]));
    }

    await system.host.runSchedule('sweep');
    await system.host.drain();
    expect(onTheBus(account)).toEqual([]);
    system.clock.advance(61_000);
    await system.host.runSchedule('sweep');
    await system.host.runSchedule('sweep');
    await system.host.drain();

    expect(new Set(onTheBus(account).map(({ seq, event }) => `${seq} ${event.event_id}`))).toEqual(
      new Set([`1 ${id}`]),
    );
    expect((await readPage(system, token, '')).events).toMatchObject([{ event_id: id, user_id: user }]);
    expect(await due()).toEqual([]);
  });
});
