// A port that is none, and an answer that the table could not keep.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCourier } from '../../../../shared/platform/egress/courier.ts';
import { targetProblem } from '../../../../shared/platform/egress/target.ts';
import { type Receiver, startReceiver } from '../../../harness/receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

test('port 0 is no port, on this machine neither', () => {
  expect(targetProblem('http://localhost:0/', { loopback: true })).toContain('port');
  expect(targetProblem('http://localhost:1/', { loopback: true })).toBeUndefined();
});

test('what a receiver says is kept without the zero character', async () => {
  receiver.react((response) => response.writeHead(200).end('a\0b'));
  const receipt = await openCourier({ loopback: true }).post({ url: receiver.url, headers: {}, body: '{}' });
  expect(receipt.body).toBe('a\uFFFDb');
});
