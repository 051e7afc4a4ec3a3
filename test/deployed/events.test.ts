import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { call, eventually, newAccount } from './caller.ts';

let account: NewAccount;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    received.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
});
let url: string;

beforeAll(async () => {
  account = await newAccount();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://localhost:${address.port}/hook`;
});
afterAll(() => server.close());

test('an event reaches the feed in order, and a signed delivery reaches the endpoint', async () => {
  const token = account.live_key;
  const registered = await call('POST', '/v1/webhooks', {
    token,
    body: { url, events: ['user.created', 'user.deleted'] },
  });
  expect(registered.status).toBe(201);
  const { secret } = registered.body.data;
  const user = (await call('POST', '/v1/users', { token, body: {} })).body.id;
  await call('DELETE', `/v1/users/${user}`, { token });

  await eventually(async () => {
    const { body } = await call('GET', '/v1/events', { token });
    expect(body.events.map((event: Record<string, string>) => [event['event_type'], event['user_id']])).toEqual([
      ['user.created', user],
      ['user.deleted', user],
    ]);
  }, 200);
  await eventually(async () => expect(received.length).toBeGreaterThanOrEqual(2), 200);
  for (const { headers, body } of received) {
    const published = new Webhook(secret).verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    expect(published).toMatchObject({ event_id: headers['webhook-id'], user_id: user });
  }
}, 300_000);
