// Fixtures that are created once and read by several cases.
import { setAccountStatus } from '../../shared/accounts/accounts.ts';
import { addDays } from '../../shared/platform/time/local-day.ts';
import { readToken } from '../../shared/sandbox/provider-server/provider-call.ts';
import { isPath } from '../harness/fake-provider-server.ts';
import { onWorkerExit } from '../harness/on-worker-exit.ts';
import { openPhone } from '../harness/phone.ts';
import { type ReceivedRequest, startReceiver } from '../harness/receiver.ts';
import { sendRequest } from '../harness/send-request.ts';
import { con, dailyTotal, oncePerWorld, phoneDevice, uploadAndProcess } from './users.ts';
import { minuteMs, type World } from './world.ts';

/** Returns the source device of each metric's value on a day. */
export async function readSources(
  world: World,
  user: string,
  date: string,
  types: string,
): Promise<Record<string, string | undefined>> {
  const path = `/v1/users/${user}/daily?types=${types}&from_date=${date}&to_date=${date}&include_sources=true`;
  const sources: Record<string, ({ device_id: string } | null)[]> = (await world.get(path)).body.sources;
  return Object.fromEntries(Object.entries(sources).map(([metric, [source]]) => [metric, source?.device_id]));
}

/** A day as Ultrahuman returns it. Reading a month takes five requests. */
const ultrahumanDay = (date: string, total: number) => ({
  date,
  metric_data: [{ type: 'steps', object: { day_start_timestamp: Date.parse(date) / 1000, values: [], total } }],
});

/**
 * Creates a user with a ring whose provider reports these days, and waits until all of them are
 * read.
 */
export async function connectUser(world: World, account: string, days: Record<string, number>) {
  const id = await world.user({ timezone: 'Europe/Berlin' });
  return { id, device: await connectRing(world, id, account, days) };
}

export function setProviderDays(world: World, account: string, days: Record<string, number>): void {
  const metrics = Object.entries(days).map(([date, steps]) => ultrahumanDay(date, steps));
  world.fakeProvider.fixtures.write('ultrahuman', account, { metrics });
}

async function connectRing(world: World, id: string, account: string, days: Record<string, number>) {
  setProviderDays(world, account, days);
  const device = await world.connect(id, 'ultrahuman', account);
  await world.settle();
  // The provider's rate limit may delay some of the history.
  for (let minutes = 0; minutes < 5; minutes++) {
    const { data } = (await world.get(`/v1/users/${id}/devices`)).body;
    if (data.find((each: { id: string }) => each.id === device)?.sync?.state === 'current') return device;
    await world.passTime(61_000);
  }
  throw new Error(`the history of ${account} was not read`);
}

export async function readSteps(world: World, user: string, date: string): Promise<number | null> {
  const path = `/v1/users/${user}/daily?types=steps&from_date=${date}&to_date=${date}`;
  return (await world.get(path)).body.series.steps[0];
}

/**
 * A user whose ring reported the 5th, and who then connected another ring, which reports the 8th.
 */
export const replacedDevice = oncePerWorld('replaced', async (world) => {
  const { id, device: previous } = await connectUser(world, 'former', { '2026-03-05': 9120 });
  const next = await connectRing(world, id, 'next', { '2026-03-08': 5000 });
  return { id, previous, next };
});

/** Clears the settings of con and waits for the rebuild. */
export async function resetSettings(world: World): Promise<void> {
  const { body } = await world.call('DELETE', `/v1/users/${await con(world)}/consolidation`);
  if (body.status !== 'unchanged') await world.settle();
}

export interface WebhookHistory {
  /** The key of an account that is used for nothing else. */
  key: string;
  id: string;
  devices: { apple: string; samsung: string };
  webhook: string;
  url: string;
  secret: string;
  /** The requests that the webhook received, oldest first. */
  received: ReceivedRequest[];
  /** The number of requests before the settings were changed. */
  beforeSettings: number;
}

/**
 * The webhook deliveries for a user with two phones who uploads, changes settings and disconnects
 * one phone.
 */
export const webhookHistory = oncePerWorld('heard', async (world): Promise<WebhookHistory> => {
  const { live_key: key } = await world.system.account();
  const receiver = await startReceiver();
  onWorkerExit(() => receiver.close());
  const webhookBody = { url: receiver.url, events: ['*'] };
  const { id: webhook, secret } = (await world.call('POST', '/v1/webhooks', webhookBody, key)).body.data;
  const id = await world.system.user(key, { timezone: 'UTC' });
  const upload = async (provider: 'apple_health' | 'samsung_health', steps: number) => {
    const phone = await openPhone(world.system, key, id, provider);
    const dates = Array.from({ length: 8 }, (_none, at) => addDays('2026-03-03', at));
    const daily = dates.flatMap((date) => [
      dailyTotal(date, 'steps', steps, 'count'),
      dailyTotal(date, 'asleep', 420, 'min'),
    ]);
    await uploadAndProcess(world, phone, phoneDevice, { daily });
  };
  await upload('apple_health', 9000);
  await upload('samsung_health', 7000);
  await world.passTime(6 * minuteMs);
  const { data } = (await world.get(`/v1/users/${id}/devices`, key)).body;
  const [apple, samsung] = data.map((device: { id: string }) => device.id);
  const beforeSettings = receiver.received.length;
  await world.call('PATCH', `/v1/users/${id}/consolidation`, { metrics: { steps: { method: 'max' } } }, key);
  await world.settle();
  await world.call('DELETE', `/v1/users/${id}/devices/${samsung}`, undefined, key);
  await world.settle();
  const { received, url } = receiver;
  return { key, id, devices: { apple, samsung }, webhook, url, secret, received, beforeSettings };
});

/**
 * A user who disconnected a ring, with the requests that its provider then received and the ring's
 * earlier steps.
 */
export const disconnectedUser = oncePerWorld('disconnected', async (world) => {
  const { requests } = world.fakeProvider;
  const ofOthers = new Set(requests.map(readToken));
  const { id, device } = await connectUser(world, 'leaving', { '2026-03-05': 4000 });
  const shown = requests.filter(isPath('metrics')).map(readToken);
  const tokens = new Set(shown.filter((token) => !ofOthers.has(token)));
  const steps = await readSteps(world, id, '2026-03-05');
  const before = requests.length;
  await world.call('DELETE', `/v1/users/${id}/devices/${device}`);
  await world.settle();
  return { id, device, steps, tokens, providerRequests: requests.slice(before) };
});

/** The key of an account whose plan is suspended. */
export const suspendedKey = oncePerWorld('suspended', async ({ system }) => {
  const { account_id, live_key } = await system.account();
  await setAccountStatus(system.host.deps, account_id, 'suspended');
  return live_key;
});

/** An account with more users than fit on a page. */
export const accountWithManyUsers = oncePerWorld('crowd', async ({ system }) => {
  const { account_id, live_key: key } = await system.account();
  const ids = await Promise.all(Array.from({ length: 101 }, () => system.user(key)));
  await system.host.drain();
  return { key, ids, form1Key: await system.form1Key(account_id) };
});

const catalogPaths = ['/v1/providers', '/v1/consolidation/catalog'] as const;

/**
 * The responses to 210 concurrent catalog requests with one key while the clock is frozen, and to
 * 14 more a tenth of a second later.
 */
export const rateLimitedRequests = oncePerWorld('flooded', async ({ system }) => {
  const { live_key: token } = await system.account();
  const requestTogether = (times: number) =>
    Promise.all(
      Array.from({ length: times }, async (_none, at) => {
        const path = catalogPaths[at % 2 === 0 ? 0 : 1];
        return { path, response: await sendRequest(system.host.baseUrl, 'GET', path, { token }) };
      }),
    );
  const unfreeze = system.clock.freeze();
  const atOnce = await requestTogether(210);
  system.clock.advance(100);
  const later = await requestTogether(14);
  unfreeze();
  return { atOnce, later };
});

/** The OpenAPI document, as it is served. */
export const openApiDocument = oncePerWorld(
  'reference',
  async (world) => (await world.get('/openapi.json', null)).body,
);

/** Returns the error statuses documented for a call, without those that any call can return. */
export async function documentedStatuses(world: World, method: string, path: string): Promise<number[]> {
  const { responses } = (await openApiDocument(world)).paths[path][method.toLowerCase()];
  // 403 is for user tokens, 413 and 415 are about bodies, and 5xx are server errors.
  const commonStatuses = [403, 413, 415, 500, 503];
  return Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 400 && !commonStatuses.includes(status));
}
