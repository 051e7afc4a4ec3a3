// The cost of a webhook delivery: the CPU time of signing and sending over keep-alive TLS, and its
// table calls from start to end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock, systemRandom } from '../../../functions/runtime/deps.ts';
import { createWebhookClient } from '../../../shared/platform/egress/webhook-client.ts';
import { openKeyring } from '../../../shared/platform/keyring.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { attemptDelivery } from '../../../shared/webhooks/attempt-delivery.ts';
import { makeSecret, sealSecret } from '../../../shared/webhooks/signature.ts';
import { createCertificate } from '../../harness/certificate.ts';
import { startReceiver } from '../../harness/receiver.ts';
import { startWebhookSystem } from '../../harness/webhook-system.ts';
import { type Measure, median, type Row } from '../row.ts';

const deliveries = 10_000;
const concurrency = 32;
const rounds = 3;

export const measure: Measure = async () => [...(await measureSending()), ...(await measureTableCalls())];

/** The endpoint is a separate process, so that only the sender's CPU time is measured. */
const endpointScript = `
  const { createServer } = await import('node:https');
  const { key, cert } = JSON.parse(process.env.BENCH_TLS);
  const server = createServer({ key, cert, keepAlive: true, keepAliveTimeout: 60000 }, (request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
`;

async function measureSending(): Promise<Row[]> {
  const tls = createCertificate('hooks.example');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', endpointScript], {
    env: { BENCH_TLS: JSON.stringify(tls) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = await once(child.stdout, 'data');
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const deps = {
      webhookClient: createWebhookClient({ loopback: true, resolve, tls: { ca: tls.cert } }),
      keyring: openKeyring('a root secret of more than 32 characters'),
      clock: systemClock,
    };
    const id = makeId('webhook', 0, systemRandom.bytes(10));
    const sealed = sealSecret(deps, id, makeSecret({ random: systemRandom }));
    const hook = { id, url: `https://hooks.example:${port}/hook`, secrets: [{ sealed, untilMs: null, madeBy: null }] };
    const body = JSON.stringify({
      event_id: makeId('event', 0, systemRandom.bytes(10)),
      event_type: 'data.updated',
      metrics: ['steps', 'resting_heart_rate', 'sleep_efficiency'],
      user_id: makeId('user', 0, systemRandom.bytes(10)),
      device_id: makeId('device', 0, systemRandom.bytes(10)),
      timestamp: '2026-03-14T07:26:53.589Z',
    });
    const round = async (count: number): Promise<number> => {
      let left = count;
      const start = process.cpuUsage();
      const worker = async () => {
        while (left-- > 0) {
          const { verdict, attempt: failedAttempt } = await attemptDelivery(deps, hook, { id: 'evt_bench', body });
          if (verdict !== 'delivered') throw new Error(`a delivery failed: ${JSON.stringify(failedAttempt)}`);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      const { user, system } = process.cpuUsage(start);
      return count / ((user + system) / 1e6);
    };
    await round(2000);
    const measured: number[] = [];
    for (let each = 0; each < rounds; each++) measured.push(await round(deliveries));
    const value = Math.round(median(measured));
    return [{ name: 'signed deliveries over TLS', unit: 'per s and core', value, bound: { min: 4000 } }];
  } finally {
    child.kill();
  }
}

async function measureTableCalls(): Promise<Row[]> {
  const world = await startWebhookSystem();
  const receiver = await startReceiver();
  try {
    await world.register({ url: receiver.url });
    await world.publishAndDrain();
    const before = world.system.calls.length;
    const count = 20;
    for (let sent = 0; sent < count; sent++) await world.publish();
    await world.system.host.drain();
    const calls = world.system.calls.slice(before);
    const units = calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0);
    return [
      // The subscriptions, the delivery row, its claim, the endpoint and the outcome.
      { name: 'webhook delivery: table calls', unit: 'calls', value: calls.length / count, bound: { max: 5 } },
      { name: 'webhook delivery: write units', unit: 'units', value: units / count },
    ];
  } finally {
    await world.system.stop();
    await receiver.close();
  }
}
