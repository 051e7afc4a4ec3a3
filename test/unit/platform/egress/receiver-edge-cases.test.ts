// A port that is invalid, and a response that the table could not store.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findTargetProblem } from '../../../../shared/platform/egress/target.ts';
import { createWebhookClient } from '../../../../shared/platform/egress/webhook-client.ts';
import { type Receiver, startReceiver } from '../../../harness/receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('port 0 is invalid, also on this machine', () => {
  expect(findTargetProblem('http://localhost:0/', { loopback: true })).toContain('port');
  expect(findTargetProblem('http://localhost:1/', { loopback: true })).toBeUndefined();
});

test('the response of a receiver is stored without NUL characters', async () => {
  receiver.respondWith((response) => response.writeHead(200).end('a\0b'));
  const receipt = await createWebhookClient({ loopback: true }).post({ url: receiver.url, headers: {}, body: '{}' });
  expect(receipt.body).toBe('a\uFFFDb');
});
