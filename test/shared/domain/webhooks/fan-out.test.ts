// An event is owed until the webhooks that want it have their deliveries, whatever the bus does with it.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { republishWorker } from '../../../../functions/workers/republish/worker.ts';
import { publishEvents } from '../../../../shared/domain/events/publish-events.ts';
import { registerWebhook } from '../../../../shared/domain/webhooks/endpoints.ts';
import { fanOut } from '../../../../shared/domain/webhooks/fan-out.ts';
import { sweep } from '../../../../shared/domain/work/sweep.ts';
import { awsBus } from '../../../../shared/engine/aws/bus.ts';
import { EngineUnavailable, type Table } from '../../../../shared/engine/ports.ts';
import type { Caller } from '../../../../shared/model/account.ts';
import { PublishedEvent } from '../../../../shared/model/feed-event.ts';
import type { Job } from '../../../../shared/model/jobs.ts';
import { deliveryRows } from '../../../../shared/store/deliveries.ts';
import { localEventBridge } from '../../../harness/engine-clients.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { freshFeed, newEvent, recordingBus, wholeFeed, writeEvents } from '../../../harness/outbox.ts';
import { owedTo } from '../../../harness/owed.ts';
import { answer, scriptedServer } from '../../engine/scripted-server.ts';

const feed = freshFeed();
const caller: Caller = { kind: 'api_key', ...feed, form: 2 };

let bus: ReturnType<typeof recordingBus>;
let world: MemoryDeps;
let hooks: string[];
let ids: string[];

beforeEach(async () => {
  bus = recordingBus();
  world = memoryDeps({ bus });
  hooks = await Promise.all(
    ['a', 'b'].map(async (path) => {
      const asked = { url: `http://127.0.0.1:9/${path}`, events: ['*' as const] };
      return (await registerWebhook(world.deps, caller, asked)).id;
    }),
  );
  const atMs = memoryStartMs;
  ids = await writeEvents(world.deps.store, [newEvent(feed, { atMs }), newEvent(feed, { atMs: atMs + 1 })]);
});

const deliveries = async () =>
  (await Promise.all(hooks.map((hook) => deliveryRows(world.deps.store).page(hook, 100, undefined)))).flatMap((page) =>
    page.deliveries.map(({ webhook, eventId }) => `${webhook} ${eventId}`).sort(),
  );
const everyDelivery = () => hooks.flatMap((hook) => ids.map((id) => `${hook} ${id}`).sort());
const owed = async () => (await owedTo(world.deps.store, 'publish')).sort();
const fanOutAll = async (events: readonly PublishedEvent[], deps = world.deps) => {
  for (const event of events) await fanOut(deps, event);
};

/** A minute later the sweep asks for what is owed, and the worker publishes it. */
async function sweepAndRepublish(afterMs = 61_000): Promise<void> {
  world.clock.advance(afterMs);
  world.calls.length = 0;
  await sweep(world.deps);
  for (const job of world.sentTo('publish')) await republishWorker(world.deps)(job as Job<'publish'>);
}

describe('an event that the bus took', () => {
  test('stays owed until its fan-out has happened, and no longer', async () => {
    await publishEvents(world.deps, ids);
    expect(await owed()).toEqual([...ids].sort());
    await fanOutAll(bus.told);
    expect([await owed(), await deliveries()]).toEqual([[], everyDelivery()]);
  });

  test('and never brought is published again by the sweep, under its number, and delivered', async () => {
    await publishEvents(world.deps, ids);
    const lost = bus.told.splice(0);
    await sweepAndRepublish();
    expect(bus.told).toEqual(lost);
    await fanOutAll(bus.told);
    expect([await owed(), await deliveries()]).toEqual([[], everyDelivery()]);
    expect((await wholeFeed(world.deps.store, feed)).map(({ id }) => id)).toEqual(ids);
    bus.told.length = 0;
    await sweepAndRepublish();
    expect(bus.told).toEqual([]);
  });

  test('is published again for as long as its fan-out fails, with nothing made twice in the end', async () => {
    await publishEvents(world.deps, ids);
    let failures = 3;
    const failing: Table = {
      ...world.table,
      async write(write) {
        const isDelivery = write.kind === 'put' && write.item.sk.startsWith('DELIVERY#');
        // The first endpoint has its delivery by then; the second has none.
        if (isDelivery && write.item.pk === `H#${hooks[1]}` && failures-- > 0) throw new EngineUnavailable('away');
        return world.table.write(write);
      },
    };
    for (let round = 0; round < 3; round++) {
      await expect(fanOutAll(bus.told.splice(0), world.over(failing))).rejects.toThrow(EngineUnavailable);
      expect(await owed()).toEqual([...ids].sort());
      // The older it is, the later it is tried again.
      await sweepAndRepublish(61_000 * 4 ** round);
    }
    await fanOutAll(bus.told, world.over(failing));
    expect([await owed(), await deliveries()]).toEqual([[], everyDelivery()]);
  });

  test('and brought twice makes one delivery an endpoint, and wakes it once', async () => {
    await publishEvents(world.deps, ids);
    await Promise.all([fanOutAll(bus.told), fanOutAll(bus.told)]);
    await fanOutAll(bus.told);
    expect(await deliveries()).toEqual(everyDelivery());
    expect(world.sentTo('deliver')).toHaveLength(everyDelivery().length);
  });

  test('is not owed any more when only the wake-up failed: its deliveries are', async () => {
    await publishEvents(world.deps, ids);
    world.closed.add('deliver');
    await fanOutAll(bus.told);
    world.closed.clear();
    expect([await owed(), await deliveries()]).toEqual([[], everyDelivery()]);
    world.clock.advance(61_000);
    await sweep(world.deps);
    expect(world.sentTo('deliver')).toHaveLength(everyDelivery().length);
  });
});

describe('a bus that takes only some of the events', () => {
  /** Takes the first of each call, and refuses the others for a reason that passes or does not. */
  const takingOne = async (code: string, calls: { until: number }) => {
    const taken: PublishedEvent[] = [];
    const server = await scriptedServer((response, asked) => {
      const entries: { Detail: string }[] = JSON.parse(asked.body).Entries;
      const isOver = calls.until-- <= 0;
      const answers = entries.map((_entry, at) => (at === 0 || isOver ? { EventId: 'e' } : { ErrorCode: code }));
      taken.push(
        ...entries.filter((_e, at) => !('ErrorCode' in (answers[at] ?? {}))).map(({ Detail }) => parsed(Detail)),
      );
      const failed = answers.filter((each) => 'ErrorCode' in each).length;
      answer(200, { FailedEntryCount: failed, Entries: answers })(response, asked);
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    return { taken, bus: awsBus({ client: localEventBridge(server.endpoint), busName: 'daybook', backoffMs: 1 }) };
  };
  const parsed = (detail: string) => PublishedEvent.parse(JSON.parse(detail));

  test('for a moment is asked again for the others', async () => {
    const { taken, bus: partly } = await takingOne('ThrottlingException', { until: 1 });
    expect(await publishEvents({ ...world.deps, bus: partly }, ids)).toEqual(new Set());
    expect(taken.map(({ event }) => event.event_id)).toEqual(ids);
  });

  test('loses none: all of them stay owed, and are published again under their numbers', async () => {
    const { taken, bus: partly } = await takingOne('NotAuthorized', { until: 1 });
    expect(await publishEvents({ ...world.deps, bus: partly }, ids)).toEqual(new Set(ids));
    expect(taken.map(({ seq, event }) => [seq, event.event_id])).toEqual([[1, ids[0]]]);
    await fanOutAll(taken);
    expect(await owed()).toEqual([ids[1]]);
    await sweepAndRepublish();
    expect(bus.told.map(({ seq, event }) => [seq, event.event_id])).toEqual([[2, ids[1]]]);
    await fanOutAll(bus.told);
    expect([await owed(), await deliveries()]).toEqual([[], everyDelivery()]);
  });
});
