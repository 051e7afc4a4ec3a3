// The shared parts of the retry tests: a system, a receiver for each test, and the retry schedule.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { neverRespond, type Receiver, startReceiver } from '../../harness/receiver.ts';
import { startWebhookSystem, type WebhookSystem } from '../../harness/webhook-system.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The waits between the thirteen attempts in seconds, stated independently of the product. */
export const decided = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400];

export interface Retrying {
  readonly world: WebhookSystem;
  readonly receiver: Receiver;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects, and fails where it is not there.
  hook(id: string): Promise<any>;
  patch(id: string, body: object): ReturnType<WebhookSystem['system']['call']>;
  post(path: string, body?: object): ReturnType<WebhookSystem['system']['call']>;
  /** How many requests the receiver has received. */
  seen(): number;
}

/** Starts and stops the system and the receivers with the tests of the file. */
export function retrying(): Retrying {
  let world: WebhookSystem;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await startWebhookSystem();
  });
  afterAll(() => world.system.stop());
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    const { body } = await world.system.call('GET', '/v1/webhooks', { token: world.token });
    for (const { id } of body.data) await world.system.call('DELETE', `/v1/webhooks/${id}`, { token: world.token });
    await receiver.close();
  });
  return {
    get world() {
      return world;
    },
    get receiver() {
      return receiver;
    },
    hook: async (id) => (await world.system.call('GET', `/v1/webhooks/${id}`, { token: world.token })).body.data,
    patch: (id, body) => world.system.call('PATCH', `/v1/webhooks/${id}`, { token: world.token, body }),
    post: (path, body) =>
      world.system.call('POST', `/v1/webhooks/${path}`, { token: world.token, ...(body ? { body } : {}) }),
    seen: () => receiver.received.length,
  };
}

/** Sends `times` rounds of `atOnce` events to a dead endpoint that hangs and to a healthy one. */
export async function expectHealthyUnaffected({ world, receiver, seen }: Retrying, times: number, atOnce: number) {
  const healthy = await startReceiver();
  receiver.respondWith(neverRespond);
  const dead = await world.register({ url: receiver.url, events: ['data.updated'] });
  await world.register({ url: healthy.url, events: ['data.updated'] });
  // On a busy machine, a healthy endpoint may look stuck after a slow response, or when too many
  // requests wait for it. Rejected requests wait for a sweep.
  const letGo = world.system.clock.freeze();
  for (let time = 1; time <= times; time++) {
    await Promise.all(Array.from({ length: atOnce }, () => world.publish()));
    await healthy.waitForRequests(time * atOnce);
  }
  letGo();
  expect(new Set(healthy.received.map(({ headers }) => headers['webhook-id'])).size).toBe(times * atOnce);
  expect(seen()).toBeLessThanOrEqual(16);
  await world.drainWithTimeouts();
  expect((await world.deliveries(dead.id)).every(({ status }) => status === 'pending')).toBe(true);
  await healthy.close();
}
