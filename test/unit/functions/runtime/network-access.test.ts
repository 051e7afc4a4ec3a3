// What a running system reaches: its own machine only in a local deployment, and nothing that it
// was not granted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDeps } from '../../../../functions/runtime/deps.ts';
import {
  unconfiguredMail,
  ungrantedBus,
  ungrantedEgress,
  ungrantedQueue,
  ungrantedTable,
  ungrantedWebhookClient,
} from '../../../../functions/runtime/ungranted.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { type Receiver, startReceiver } from '../../../harness/receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const depsAt = (kind: 'local' | 'aws') =>
  makeDeps({
    table: memoryTable(),
    queue: ungrantedQueue,
    bus: ungrantedBus,
    rootSecret: undefined,
    deployment: { kind },
  });
const sendBothWays = async (kind: 'local' | 'aws') => {
  const { webhookClient, egress } = depsAt(kind);
  const webhookResponse = await webhookClient.post({ url: receiver.url, headers: {}, body: '{}' });
  const guarded = await egress.guarded.send({ method: 'GET', url: receiver.url });
  return [webhookResponse, guarded].map((reply) => (reply.kind === 'answered' ? reply.kind : reply.reason));
};

test('a local deployment reaches local services, and a cloud deployment reaches no internal address', async () => {
  expect(await sendBothWays('local')).toEqual(['answered', 'answered']);
  const before = receiver.connections;
  expect(await sendBothWays('aws')).toEqual(['address_refused', 'address_refused']);
  expect(receiver.connections).toBe(before);
});

test.each(
  Object.entries({
    ...ungrantedTable,
    ...ungrantedQueue,
    ...ungrantedBus,
    ...ungrantedWebhookClient,
    guarded: ungrantedEgress.guarded.send,
    providers: ungrantedEgress.providers.send,
  }),
)('%s throws before anything is sent if it was not granted', (_name, use) => {
  expect(use as () => unknown).toThrow('was not granted the');
});

test('a message that no mail engine accepts fails as unavailable', async () => {
  const message = { to: 'a@example.com', subject: 's', text: 't', html: '<p>t</p>' };
  await expect(unconfiguredMail.send(message)).rejects.toThrow(EngineUnavailable);
});
