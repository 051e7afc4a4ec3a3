// Every webhook receives each event once, even if the bus of a deployment loses, repeats or delays
// a page.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DisableRuleCommand,
  EnableRuleCommand,
  EventBridgeClient,
  ListEventBusesCommand,
  ListRulesCommand,
  PutEventsCommand,
} from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventSource, feedPageType } from '../../shared/events/event.ts';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import { readAwsConnection } from '../../shared/platform/aws/connection.ts';
import { call, eventually, newAccount } from './caller.ts';

interface Rule {
  Name: string;
  EventBusName: string;
}

const received: string[] = [];
const server = createServer((request, response) => {
  request.resume();
  received.push(String(request.headers['webhook-id']));
  response.writeHead(204).end();
});
let bus: EventBridgeClient;
let pageRule: Rule;
let token: string;
let account: string;

/** Finds the only rule of Daybook's bus, which routes feed pages to deliveries. */
async function findPageRule(): Promise<Rule> {
  const { EventBuses = [] } = await bus.send(new ListEventBusesCommand());
  const rules = await Promise.all(
    EventBuses.filter(({ Name }) => Name !== 'default').map(async ({ Name = '' }) => {
      const { Rules = [] } = await bus.send(new ListRulesCommand({ EventBusName: Name }));
      return Rules.map((rule) => ({ Name: rule.Name ?? '', EventBusName: Name }));
    }),
  );
  const [only, ...others] = rules.flat().filter(({ Name }) => /deliver/i.test(Name));
  if (!only || others.length > 0) throw new Error(`expected one rule for deliveries, found ${rules.flat().length}`);
  return only;
}

beforeAll(async () => {
  bus = new EventBridgeClient(clientConfig('events', readAwsConnection(process.env)));
  pageRule = await findPageRule();
  ({ live_key: token, account_id: account } = await newAccount());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const body = { url: `http://localhost:${address.port}/hook`, events: ['user.created'] };
  expect((await call('POST', '/v1/webhooks', { token, body })).status).toBe(201);
}, 60_000);
afterAll(() => server.close());

const createUser = async (): Promise<string> => (await call('POST', '/v1/users', { token, body: {} })).body.id;
async function waitForEvent(user: string): Promise<Record<string, unknown>> {
  let event: Record<string, unknown> | undefined;
  await eventually(async () => {
    const { body } = await call('GET', `/v1/events?user_id=${user}`, { token });
    [event] = body.events;
    expect(event).toBeDefined();
  }, 90);
  return event ?? {};
}
const countDeliveries = (event: Record<string, unknown>) => received.filter((id) => id === event['event_id']).length;

test('a page that the bus lost is delivered by the sweep, and its event once', async () => {
  await bus.send(new DisableRuleCommand(pageRule));
  const lost = await waitForEvent(await createUser());
  await pause(3_000);
  expect(countDeliveries(lost)).toBe(0);
  await bus.send(new EnableRuleCommand(pageRule));
  const after = await waitForEvent(await createUser());
  await eventually(async () => expect(countDeliveries(after)).toBe(1), 60);
  await eventually(async () => expect(countDeliveries(lost)).toBe(1), 200);
  const { body } = await call('GET', '/v1/events?types=user.created', { token });
  expect(body.events.map(({ event_id }: { event_id: string }) => event_id)).toEqual([
    lost['event_id'],
    after['event_id'],
  ]);
}, 330_000);

test('a page that the bus repeats, even after it was delivered, is delivered once', async () => {
  const event = await waitForEvent(await createUser());
  const entry = {
    Source: eventSource,
    DetailType: feedPageType,
    Detail: JSON.stringify({ account_id: account, env: 'live', first: 3 }),
    EventBusName: pageRule.EventBusName,
  };
  await bus.send(new PutEventsCommand({ Entries: [entry, entry] }));
  await eventually(async () => expect(countDeliveries(event)).toBeGreaterThanOrEqual(1), 60);
  await bus.send(new PutEventsCommand({ Entries: [entry] }));
  const last = await waitForEvent(await createUser());
  await eventually(async () => expect(countDeliveries(last)).toBe(1), 60);
  expect(countDeliveries(event)).toBe(1);
}, 240_000);
