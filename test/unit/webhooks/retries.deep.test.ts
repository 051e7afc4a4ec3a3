import { describe, expect, test } from 'vitest';
import { respond } from '../../harness/receiver.ts';
import { decided, expectHealthyUnaffected, hour, minute, retrying, second } from './retry-fixture.ts';

const tests = retrying();
const { hook, post, seen } = tests;

describe('an endpoint that always fails', () => {
  test('stays active while other deliveries arrive, and gets no event about its own exhausted delivery', async () => {
    const { id } = await tests.world.register({ url: tests.receiver.url });
    const before = (await tests.world.listEvents('webhook.exhausted')).length;
    const bad = await tests.world.publish();
    tests.receiver.respondWith((response, { headers }) => {
      response.writeHead(headers['webhook-id'] === bad.event_id ? 500 : 204).end();
    });
    await tests.world.system.host.drain();
    for (let tried = 1; tried < 13; tried++) {
      await tests.world.passTime(12 * hour);
      await tests.world.publishAndDrain();
      await tests.world.passTime(15 * hour);
    }
    const all = await tests.world.deliveries(id);
    expect(all.find(({ event_id }) => event_id === bad.event_id).status).toBe('exhausted');
    expect(all.filter(({ status }) => status === 'delivered')).toHaveLength(12);
    expect((await hook(id)).status).toBe('active');
    expect(all.filter(({ event_type }) => event_type === 'webhook.exhausted')).toEqual([]);
    expect((await tests.world.listEvents('webhook.exhausted')).slice(before)).toMatchObject([{ webhook_id: id }]);
  });

  test('and another one do not send each other’s failures forever', async () => {
    tests.receiver.respondWith(respond(500));
    const one = await tests.world.register({ url: tests.receiver.url });
    const two = await tests.world.register({ url: tests.receiver.url });
    const delivery_id = 'dlv_01k9p3w8x9z1b3d5f7h9k1n3q5';
    const more = { webhook_id: one.id, delivery_id };
    await tests.world.publishAndDrain({ type: 'webhook.exhausted', metrics: [], more });
    const before = (await tests.world.listEvents('webhook.exhausted')).length;
    expect(await tests.world.deliveries(one.id)).toEqual([]);
    for (const wait of decided) {
      // An open circuit is probed before the next attempt, which is hours away by then.
      await tests.world.passTime(Math.min(wait * second, hour / 4));
      await tests.world.passTime(wait * second * 1.1 + second);
    }
    const statuses = async () => (await tests.world.deliveries(two.id)).map(({ status }) => status);
    expect(await statuses()).toContain('exhausted');
    expect(await tests.world.listEvents('webhook.exhausted')).toHaveLength(before);
  });
});

describe('sending again', () => {
  async function exhausted(webhookId: string): Promise<string> {
    const event = await tests.world.publish();
    tests.receiver.respondWith((response, { headers }) => {
      response.writeHead(headers['webhook-id'] === event.event_id ? 500 : 204).end();
    });
    await tests.world.system.host.drain();
    for (const wait of decided) {
      await tests.world.passTime(wait * second * 1.1 + second);
      await tests.world.publishAndDrain();
    }
    const found = (await tests.world.deliveries(webhookId)).find(({ event_id }) => event_id === event.event_id);
    expect(found.status).toBe('exhausted');
    return found.id;
  }

  test('makes all attempts of an exhausted delivery available again, with the same id and body', async () => {
    const { id } = await tests.world.register({ url: tests.receiver.url, events: ['data.updated'] });
    const deliveryId = await exhausted(id);
    const before = tests.receiver.received[0];
    const result = await post(`${id}/deliveries/${deliveryId}/redeliver`);
    expect([result.status, result.body.data.status]).toEqual([202, 'pending']);
    await tests.world.system.host.drain();
    expect(tests.receiver.received.at(-1)?.headers['webhook-id']).toBe(before?.headers['webhook-id']);
    expect(tests.receiver.received.at(-1)?.body).toBe(before?.body);
    tests.receiver.respondWith(respond(200));
    await tests.world.passTime(minute + 6 * second);
    const again = (await tests.world.deliveries(id)).find((each) => each.id === deliveryId);
    expect(again).toMatchObject({ status: 'delivered' });
    expect(again.attempts).toHaveLength(15);
  });
});

describe('pending deliveries', () => {
  test('are canceled with their webhook: nothing is sent afterwards, at any of their times', async () => {
    tests.receiver.respondWith(respond(500));
    const { id } = await tests.world.register({ url: tests.receiver.url });
    await tests.world.publishAndDrain();
    await tests.world.publishAndDrain();
    expect(seen()).toBe(2);
    expect((await tests.world.system.call('DELETE', `/v1/webhooks/${id}`, { token: tests.world.token })).status).toBe(
      204,
    );
    for (const wait of decided) await tests.world.passTime(wait * second * 1.2 + minute);
    expect(seen()).toBe(2);
    const left = await tests.world.system.host.table.query({ where: '#pk = :pk', values: { pk: `H#${id}` } });
    expect(left.items).toEqual([]);
  });
});

test('a dead endpoint that hangs does not delay others: 500 deliveries to a healthy one finish in the meantime', () =>
  expectHealthyUnaffected(tests, 2, 250));
