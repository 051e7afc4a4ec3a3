import { describe, expect, test } from 'vitest';
import { respond, startReceiver } from '../../harness/receiver.ts';
import { day, decided, expectHealthyUnaffected, hour, minute, retrying, second } from './retry-fixture.ts';

const tests = retrying();
const { hook, patch, post, seen } = tests;

/** Waits for the next attempt: nothing happens a moment before it is due, and then it does. */
async function nextAttempt(webhookId: string): Promise<void> {
  const [delivery] = await tests.world.deliveries(webhookId);
  const wait = Date.parse(delivery.next_attempt_at) - tests.world.system.clock.now();
  const before = seen();
  await tests.world.passTime(wait - 4 * second);
  expect(seen()).toBe(before);
  await tests.world.passTime(minute + 5 * second);
  expect(seen()).toBe(before + 1);
}

describe('an endpoint that always fails', () => {
  test('is tried thirteen times on schedule, then the delivery is exhausted and the endpoint disabled, with events', async () => {
    tests.receiver.respondWith(respond(500));
    const { id } = await tests.world.register({
      url: tests.receiver.url,
      events: ['data.updated', 'webhook.exhausted'],
    });
    const event = await tests.world.publishAndDrain();
    for (const wait of decided) {
      const [{ attempts, next_attempt_at }] = await tests.world.deliveries(id);
      const waits = Date.parse(next_attempt_at) - Date.parse(attempts.at(-1).at);
      expect(waits).toBeGreaterThanOrEqual(wait * second);
      expect(waits).toBeLessThanOrEqual(wait * second * 1.1 + 5 * second);
      await nextAttempt(id);
    }
    expect(seen()).toBe(13);
    const [delivery] = await tests.world.deliveries(id);
    expect(delivery).toMatchObject({ status: 'exhausted', next_attempt_at: null });
    expect(delivery.attempts).toHaveLength(13);
    expect(new Set(tests.receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([event.event_id]),
    );
    expect(await tests.world.listEvents('webhook.exhausted')).toMatchObject([
      { webhook_id: id, delivery_id: delivery.id },
    ]);
    expect(await tests.world.listEvents('webhook.disabled')).toMatchObject([{ webhook_id: id }]);
    expect(await hook(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    await tests.world.passTime(10 * day);
    expect(seen()).toBe(13);
  });
});

describe('sending again', () => {
  test('works for a delivered delivery, and not for an unknown one', async () => {
    const { id } = await tests.world.register({ url: tests.receiver.url });
    await tests.world.publishAndDrain();
    const [delivery] = await tests.world.deliveries(id);
    await post(`${id}/deliveries/${delivery.id}/redeliver`);
    await tests.world.system.host.drain();
    expect(seen()).toBe(2);
    for (const missing of ['dlv_01k9p3w8x9n4q6s8v0x2z4b6d8', 'hello'])
      expect((await post(`${id}/deliveries/${missing}/redeliver`)).status).toBe(404);
    const other = await tests.world.register({ url: tests.receiver.url });
    expect((await post(`${other.id}/deliveries/${delivery.id}/redeliver`)).status).toBe(404);
  });

  test('with recover includes everything that did not arrive since a time, also events during a pause', async () => {
    const { id } = await tests.world.register({ url: tests.receiver.url, events: ['data.updated'] });
    await patch(id, { status: 'paused' });
    const early = await tests.world.publishAndDrain();
    await tests.world.passTime(hour);
    const since = new Date(tests.world.system.clock.now()).toISOString();
    await tests.world.passTime(second);
    const missed = await tests.world.publishAndDrain();
    expect((await post(`${id}/recover`, { since })).body).toMatchObject({ error: 'webhook_inactive' });
    await patch(id, { status: 'active' });
    const arrived = await tests.world.publishAndDrain();
    expect(tests.receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([arrived.event_id]);
    const result = await post(`${id}/recover`, { since });
    expect([result.status, result.body.data]).toEqual([202, { recovered: 1, more: false }]);
    await tests.world.system.host.drain();
    expect(tests.receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
      arrived.event_id,
      missed.event_id,
    ]);
    expect((await tests.world.deliveries(id)).map(({ event_id, status }) => [event_id, status])).toEqual([
      [arrived.event_id, 'delivered'],
      [missed.event_id, 'delivered'],
    ]);
    expect((await post(`${id}/recover`, { since: '1900-01-01T00:00:00+02:00' })).body.data.recovered).toBe(1);
    await tests.world.system.host.drain();
    expect((await tests.world.deliveries(id)).map(({ event_id }) => event_id)).toContain(early.event_id);
    expect((await post(`${id}/recover`, { since: 'yesterday' })).status).toBe(400);
  });
});

describe('pending deliveries', () => {
  test('are canceled with their webhook: nothing is sent afterwards', async () => {
    tests.receiver.respondWith(respond(500));
    const { id } = await tests.world.register({ url: tests.receiver.url });
    await tests.world.publishAndDrain();
    await tests.world.publishAndDrain();
    expect(seen()).toBe(2);
    expect((await tests.world.system.call('DELETE', `/v1/webhooks/${id}`, { token: tests.world.token })).status).toBe(
      204,
    );
    for (const wait of decided.slice(0, 2)) await tests.world.passTime(wait * second * 1.2 + minute);
    expect(seen()).toBe(2);
    const left = await tests.world.system.host.table.query({ where: '#pk = :pk', values: { pk: `H#${id}` } });
    expect(left.items).toEqual([]);
  });

  test('of a paused webhook are not sent', async () => {
    tests.receiver.respondWith(respond(500));
    const { id } = await tests.world.register({ url: tests.receiver.url });
    await tests.world.publishAndDrain();
    await patch(id, { status: 'paused' });
    await tests.world.passTime(10 * minute);
    expect(seen()).toBe(1);
    expect((await tests.world.deliveries(id))[0].status).toBe('failed');
  });

  test('are sent to the new URL after a change', async () => {
    tests.receiver.respondWith(respond(500));
    const { id } = await tests.world.register({ url: tests.receiver.url });
    await tests.world.publishAndDrain();
    const moved = await startReceiver();
    await patch(id, { url: moved.url });
    await tests.world.passTime(10 * second);
    expect(moved.received).toHaveLength(1);
    await moved.close();
  });

  test('are listed newest first, page by page, and none is skipped or repeated', async () => {
    const { id } = await tests.world.register({ url: tests.receiver.url });
    const sent: string[] = [];
    for (let count = 0; count < 7; count++) {
      sent.unshift((await tests.world.publishAndDrain()).event_id);
      tests.world.system.clock.advance(5);
    }
    const listed: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 4; pages++) {
      const path = `/v1/webhooks/${id}/deliveries?limit=2${cursor}`;
      const { body } = await tests.world.system.call('GET', path, { token: tests.world.token });
      listed.push(...body.data.map(({ event_id }: { event_id: string }) => event_id));
      if (pages === 1) await tests.world.publishAndDrain();
      cursor = `&cursor=${body.next_cursor}`;
      if (body.next_cursor === null) break;
    }
    expect(listed).toEqual(sent);
  });
});

describe('a dead endpoint', () => {
  test('that hangs does not delay others: those to a healthy one finish in the meantime', () =>
    expectHealthyUnaffected(tests, 2, 20));

  test('is left alone after five failures in a row, except for one probe at a time, and nothing is written for it', async () => {
    // Events of the last second before an endpoint is registered may be sent to it.
    tests.world.system.clock.advance(2 * second);
    tests.receiver.respondWith(respond(500));
    const { id } = await tests.world.register({ url: tests.receiver.url });
    for (let sent = 0; sent < 5; sent++) await tests.world.publishAndDrain();
    expect(seen()).toBe(5);
    await Promise.all(Array.from({ length: 20 }, () => tests.world.publish()));
    await tests.world.system.host.drain();
    expect(seen()).toBe(5);
    expect(await tests.world.deliveries(id)).toHaveLength(5);
    await tests.world.passTime(2 * minute);
    const probed = seen();
    expect(probed).toBeGreaterThan(5);
    expect(await tests.world.deliveries(id)).toHaveLength(5);
    tests.receiver.respondWith(respond(204));
    for (let waits = 0; waits < 6; waits++) await tests.world.passTime(5 * minute);
    expect((await tests.world.deliveries(id)).map(({ status }) => status)).toEqual(Array(25).fill('delivered'));
    const arrived = tests.receiver.received.slice(probed).map(({ headers }) => headers['webhook-id']);
    expect(new Set(arrived).size).toBe(arrived.length);
  });
});
