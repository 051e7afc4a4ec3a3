// Runs the receivers of the webhooks page exactly as it shows them, against real deliveries.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderWebhooksPage } from '../../../functions/api/guides/webhooks-page.ts';
import { startReceiver } from '../../harness/receiver.ts';
import { startWebhookSystem, type WebhookSystem } from '../../harness/webhook-system.ts';
import { readCodeBlocks } from '../../unit/functions/api/docs-kit/read-code-blocks.ts';
import { languages } from './installed-languages.ts';

let world: WebhookSystem;
beforeAll(async () => {
  world = await startWebhookSystem();
});
afterAll(() => world.system.stop());

/** Yields the lines that a process prints. */
async function* readLines(child: ChildProcess): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of child.stdout ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

interface Request {
  id: string;
  timestamp: string;
  body: string;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

function sign(secret: string, { id, timestamp, body }: Request): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

async function post(url: string, { id, timestamp, body }: Request, signature: string): Promise<number> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

describe.each(languages)('the receiver on $name', ({ name, prepare }) => {
  const title = "accepts Daybook's deliveries, rejects forged ones, and handles each event once";
  if (!prepare) {
    test.skip(`${title} (${name} is not installed on this machine)`, () => {});
    return;
  }

  const timeout = 300_000;
  test(title, { timeout }, async () => {
    const [command = '', ...args] = await prepare();
    const { id, secret } = await world.register({ url: 'http://127.0.0.1:9/', events: ['data.updated'] });
    const rotated = await world.system.call('POST', `/v1/webhooks/${id}/rotate-secret`, { token: world.token });
    expect(rotated.status).toBe(200);
    const child = spawn(command, args, { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' } });
    try {
      const lines = readLines(child);
      const port = /^listening on (\d+)$/.exec((await lines.next()).value ?? '')?.[1];
      const url = `http://127.0.0.1:${port}/`;
      await world.system.call('PATCH', `/v1/webhooks/${id}`, { token: world.token, body: { url } });
      const event = await world.publishAndDrain();
      expect(JSON.parse((await lines.next()).value)).toEqual(event);
      const [delivery] = await world.deliveries(id);
      expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ response_status: 204 }] });

      const forged = { id: 'evt_forged', timestamp: String(nowSeconds()), body: '{"event_id":"evt_forged"}' };
      const signature = sign(secret, forged);
      const old = { ...forged, timestamp: String(nowSeconds() - 600) };
      const statuses = [
        await post(url, { ...forged, body: '{"event_id":"evt_other"}' }, signature),
        await post(url, { ...forged, id: 'evt_other' }, signature),
        await post(url, { ...forged, timestamp: 'soon' }, signature),
        await post(url, old, sign(secret, old)),
        await post(url, forged, sign(`whsec_${Buffer.alloc(32).toString('base64')}`, forged)),
        await post(url, forged, 'v1,\u00e9'),
        await post(url, forged, ''),
        (await fetch(url, { method: 'POST', body: '{}' })).status,
      ];
      expect(statuses).toEqual(statuses.map(() => 401));

      const redeliver = `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
      expect((await world.system.call('POST', redeliver, { token: world.token })).status).toBe(202);
      await world.system.host.drain();
      const next = await world.publishAndDrain();
      expect(JSON.parse((await lines.next()).value)).toEqual(next);
    } finally {
      child.kill();
      await world.system.call('DELETE', `/v1/webhooks/${id}`, { token: world.token });
    }
  });

  test('does not start without a secret', { timeout }, async () => {
    const [command = '', ...args] = await prepare();
    for (const secret of [undefined, 'sk_live_something']) {
      const { WEBHOOK_SECRET: _inherited, ...env } = process.env;
      const started = spawnSync(command, args, {
        env: { ...env, PORT: '0', ...(secret ? { WEBHOOK_SECRET: secret } : {}) },
        timeout: 20_000,
        encoding: 'utf8',
      });
      expect([started.status, started.stderr]).toEqual([1, expect.stringContaining('Set WEBHOOK_SECRET')]);
    }
  });
});

test('the commands of the page register an endpoint, test it and list its deliveries', async () => {
  const receiver = await startReceiver();
  try {
    const blocks = readCodeBlocks(renderWebhooksPage(world.system.host.baseUrl).html);
    const run = (label: string, env: Record<string, string>) => {
      const command = (blocks.get(label) ?? '')
        .replace('http://localhost:4000/', receiver.url)
        .replace(/^export \w+=.*\n/, '');
      return runInShell(command, { DAYBOOK_KEY: world.token, ...env });
    };
    const { data: webhook } = await run('Register an endpoint', {});
    expect(webhook).toMatchObject({ url: receiver.url, events: ['*'], secret: expect.stringMatching(/^whsec_/) });
    const env = { WEBHOOK: webhook.id };
    expect((await run('Send a test event', env)).data.delivered).toBe(true);
    expect(receiver.received.map(({ body }) => JSON.parse(body).event_type)).toEqual(['webhook.test']);
    await world.publishAndDrain();
    expect((await run('List deliveries', env)).data).toMatchObject([{ status: 'delivered' }]);
  } finally {
    await receiver.close();
  }
});

/** The host is in this process, so the command must not block it. */
async function runInShell(command: string, env: Record<string, string>) {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { env: { ...process.env, ...env } });
  return JSON.parse(stdout);
}
