import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Activity, makeActivity } from '../../../infra/local/activity.ts';
import { type BusTarget, type LocalBus, startLocalBus } from '../../../infra/local/local-bus.ts';
import { createWaitControl, type WaitControl } from '../../../infra/local/wait-control.ts';
import { awsBus } from '../../../shared/platform/aws/bus.ts';
import type { Bus } from '../../../shared/platform/ports.ts';
import { localEventBridge } from '../../harness/engine-clients.ts';
import { silentLog } from './local-host.ts';

let activity: Activity;
let waits: WaitControl;
let local: LocalBus;
let bus: Bus;

beforeEach(async () => {
  activity = makeActivity();
  waits = createWaitControl();
  local = await startLocalBus({ log: silentLog, waits, activity });
  onTestFinished(() => local.close());
  bus = awsBus({ client: localEventBridge(local.endpoint), busName: 'daybook', backoffMs: 1 });
});

/** Returns the number in the detail of an event. */
const numberIn = (detail: unknown) => (detail as { n: number }).n;
const target = (queue: string, ...types: string[]): BusTarget => ({
  queue,
  types: types.length > 0 ? types : ['thing.made'],
});
const publish = (...numbers: number[]) =>
  bus.publish(numbers.map((n) => ({ source: 'daybook', type: 'thing.made', detail: { n } })));
const waitUntilIdle = () => waits.skipWaitsDuring(() => activity.idle());

describe('the local bus', () => {
  test('accepts an event before it is handled', async () => {
    const gate = Promise.withResolvers<void>();
    const handled: number[] = [];
    local.connect([target('slow')], async (_queue, detail) => {
      await gate.promise;
      handled.push(numberIn(detail));
    });
    await publish(1, 2);
    expect([handled, activity.running]).toEqual([[], 2]);
    gate.resolve();
    await waitUntilIdle();
    expect(handled).toEqual([1, 2]);
  });

  test('accepts an event whose target fails, and retries it until it is handled', async () => {
    const tries: number[] = [];
    local.connect([target('moody')], async (_queue, detail) => {
      tries.push(numberIn(detail));
      if (tries.length < 4) throw new Error('not now');
    });
    await publish(1);
    await waitUntilIdle();
    expect(tries).toHaveLength(4);
    expect(new Set(tries).size).toBe(1);
    expect(local.deadLetters).toEqual([]);
  });

  test('waits before it retries an event', async () => {
    const times: number[] = [];
    local.connect([target('moody')], async () => {
      times.push(performance.now());
      if (times.length < 2) throw new Error('not now');
    });
    await publish(1);
    await activity.idle();
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(150);
  });

  test('dead-letters an event after five failed attempts, for that target only', async () => {
    const tries: string[] = [];
    local.connect([target('broken'), target('well')], async (name, detail) => {
      tries.push(`${name} ${numberIn(detail)}`);
      if (name === 'broken' && numberIn(detail) === 1) throw new Error('never');
    });
    await publish(1, 2);
    await waitUntilIdle();
    expect(tries.filter((each) => each === 'broken 1')).toHaveLength(5);
    expect(tries.filter((each) => each !== 'broken 1').sort()).toEqual(['broken 2', 'well 1', 'well 2']);
    expect(local.deadLetters).toMatchObject([{ queue: 'broken', detail: { n: 1 } }]);
  });

  test('gives each target its own copy of an event', async () => {
    const seen: number[] = [];
    local.connect([target('first'), target('second')], async (_queue, detail) => {
      seen.push(numberIn(detail));
      (detail as { n: number }).n = 99;
    });
    await publish(1);
    await waitUntilIdle();
    expect(seen).toEqual([1, 1]);
  });

  test('puts an event into the queues that subscribe to its type, if Daybook is its source', async () => {
    const seen: string[] = [];
    local.connect([target('made', 'thing.made'), target('gone', 'thing.gone')], async (name) => {
      seen.push(name);
    });
    await publish(1);
    await bus.publish([{ source: 'somebody-else', type: 'thing.gone', detail: { n: 2 } }]);
    await waitUntilIdle();
    expect(seen).toEqual(['made']);
  });

  test('rejects an event whose detail is not an object, and accepts the others of the request', async () => {
    const seen: unknown[] = [];
    local.connect([target('all')], async (_queue, detail) => {
      seen.push(detail);
    });
    const entry = (Detail: string) => ({ Source: 'daybook', DetailType: 'thing.made', Detail });
    const client = localEventBridge(local.endpoint);
    expect(await client.send(new PutEventsCommand({ Entries: [entry('[]'), entry('{"n":2}')] }))).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'MalformedDetail' }, { EventId: expect.any(String) }],
    });
    await waitUntilIdle();
    expect(seen).toEqual([{ n: 2 }]);
    const none = client.send(new PutEventsCommand({ Entries: [] }));
    await expect(none).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('that stops drops a failed event without dead-lettering it, because its work is still pending', async () => {
    let tries = 0;
    local.connect([target('stopping')], async () => {
      tries++;
      waits.stop();
      throw new Error('the table is gone');
    });
    await publish(1);
    await activity.idle();
    expect([tries, local.deadLetters]).toEqual([1, []]);
  });
});
