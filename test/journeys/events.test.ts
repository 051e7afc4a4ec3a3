import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { functions } from '../../infra/functions.ts';
import type { HostedFunctions } from '../../infra/local/function-runner.ts';
import { listPendingEvents, numberPendingEvents, recordingBus } from '../harness/outbox.ts';
import { listPendingOwners, listPendingPages } from '../harness/pending-work.ts';
import { respond, startReceiver } from '../harness/receiver.ts';
import { type System, startSystem } from '../harness/system.ts';
import { readPage, writeAndRead } from './read-feed.ts';

test('with twenty writers and three readers, every reader sees every event once, in the same order', () =>
  writeAndRead(4));

test('the changes of a request appear in the feed shortly after, in order', async () => {
  const system = await startSystem();
  onTestFinished(() => system.stop());
  const { live_key: token } = await system.account();
  const user = await system.user(token);
  await system.call('DELETE', `/v1/users/${user}`, { token });
  await system.settle();
  const { events } = await readPage(system, token, '');
  expect(events.map(({ event_type, user_id }) => [event_type, user_id])).toEqual([
    ['user.created', user],
    ['user.deleted', user],
  ]);
});

describe('an event that was interrupted', () => {
  /** Without the relay, nothing reads the stream, so every message to the feed writer is lost. */
  const withoutRelay: HostedFunctions = Object.fromEntries(
    Object.entries<HostedFunctions[string]>(functions).filter(([name]) => name !== 'relay'),
  );
  let system: System;
  beforeAll(async () => {
    system = await startSystem({ functions: withoutRelay });
  });
  afterAll(() => system.stop());

  test.each([
    ['before it was numbered', undefined],
    ['after it was numbered and before its page was published to the bus', 'before'],
    ['after its page was published to the bus', 'after'],
  ] as const)('%s reaches the feed and its endpoint once, through the sweep', async (_when, failing) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    receiver.respondWith(respond(204));
    const { live_key: token } = await system.account();
    await system.call('POST', '/v1/webhooks', { token, body: { url: receiver.url, events: ['user.created'] } });
    const { deps } = system.host;
    const user = await system.user(token);
    const [waiting] = await listPendingEvents(deps.store);
    if (failing) {
      const bus = recordingBus();
      bus.nextFailure = () => failing;
      await numberPendingEvents({ ...deps, bus });
    }

    await system.host.runSchedule('sweep');
    await system.host.drain();
    expect(receiver.received).toEqual([]);
    system.clock.advance(61_000);
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await system.host.runSchedule('sweep');
      await system.host.drain();
    }

    expect((await readPage(system, token, '')).events).toMatchObject([{ event_id: waiting?.id, user_id: user }]);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([waiting?.id]);
    expect([await listPendingOwners(deps.store, 'feed'), await listPendingPages(deps.store)]).toEqual([[], []]);
  });
});
