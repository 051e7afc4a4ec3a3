import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { functions } from '../../infra/functions.ts';
import type { HostedFunctions } from '../../infra/local/function-runner.ts';
import { publishEvents } from '../../shared/domain/events/publish-events.ts';
import { PublishedEvent } from '../../shared/model/feed-event.ts';
import { recordingBus } from '../harness/outbox.ts';
import { owedTo } from '../harness/owed.ts';
import { type System, startSystem } from '../harness/system.ts';
import { seenBy } from '../infra/local/fixtures/journal.ts';
import { readPage, writeAndRead } from './read-feed.ts';

const listener: HostedFunctions[string] = {
  ...functions.sweep,
  entry: 'test/infra/local/fixtures/bus-worker.ts',
  trigger: { kind: 'bus', types: [] },
};

const withoutPublisher: HostedFunctions = Object.fromEntries(
  Object.entries<HostedFunctions[string]>(functions).filter(([name]) => name !== 'publish'),
);

const onTheBus = (account: string): PublishedEvent[] =>
  seenBy('bus')
    .map((event) => PublishedEvent.parse(Object(event).detail))
    .filter((event) => event.account === account);

test('twenty writers and three readers: every reader sees every event once, in one order', () => writeAndRead(4));

test('what a request changes is on the bus a moment later, as the feed tells it', async () => {
  const system = await startSystem({ functions: { ...functions, listener } });
  onTestFinished(() => system.stop());
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
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ functions: { ...withoutPublisher, listener } });
  });
  afterAll(() => system.stop());

  test.each([
    ['before it was numbered', undefined],
    ['after it was numbered and before it was on the bus', 'before'],
    ['after it was on the bus and before its row was gone', 'after'],
  ] as const)('%s is published by the sweep, under one number', async (_when, failing) => {
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
