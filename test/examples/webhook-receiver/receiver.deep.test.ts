import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../harness/receiver.ts';
import { startWebhookSystem, type WebhookSystem } from '../../harness/webhook-system.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
let world: WebhookSystem;
beforeAll(async () => {
  world = await startWebhookSystem();
});
afterAll(() => world.system.stop());

const patch = (id: string, body: object) =>
  world.system.call('PATCH', `/v1/webhooks/${id}`, { token: world.token, body });

/** Yields the lines that a process prints. */
async function* readLines(child: ChildProcess): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of child.stdout ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

test("the example receiver accepts Daybook's deliveries, rejects forged ones, and handles each event once", async () => {
  const { id, secret } = await world.register({ url: 'http://127.0.0.1:9/', events: ['data.updated'] });
  const child = spawn(process.execPath, [`${folder}receiver.ts`], { env: { WEBHOOK_SECRET: secret, PORT: '0' } });
  try {
    const lines = readLines(child);
    const port = /^listening on (\d+)$/.exec((await lines.next()).value)?.[1];
    const url = `http://127.0.0.1:${port}/`;
    await patch(id, { url });
    const event = await world.publishAndDrain();
    expect(JSON.parse((await lines.next()).value)).toEqual(event);
    expect((await world.deliveries(id))[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ response_status: 204 }],
    });

    const forged = { 'webhook-id': event.event_id, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    const headers = { ...forged, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` };
    expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);

    const [delivery] = await world.deliveries(id);
    const path = `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
    await world.system.call('POST', path, { token: world.token });
    await world.system.host.drain();
    const next = await world.publishAndDrain();
    expect(JSON.parse((await lines.next()).value)).toEqual(next);
  } finally {
    child.kill();
  }
});

const canRun = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const languages = [
  { name: 'verify.py', there: canRun('python3', '--version'), prepared: () => ['python3', `${folder}verify.py`] },
  { name: 'verify.go', there: canRun('go', 'version'), prepared: compileGo },
];

function compileGo(): string[] {
  const outputFolder = mkdtempSync(join(tmpdir(), 'daybook-verify-'));
  onTestFinished(() => rmSync(outputFolder, { recursive: true }));
  const output = join(outputFolder, 'verify');
  execFileSync('go', ['build', '-o', output, 'verify.go'], { cwd: folder });
  return [output];
}

describe.each(languages)('$name', ({ there, prepared }) => {
  test.skipIf(!there)(
    "(where its language is installed) accepts only Daybook's deliveries",
    { timeout: 180_000 },
    async () => {
      const receiver = await startReceiver();
      const { id, secret } = await world.register({ url: receiver.url, events: ['data.updated'] });
      await world.system.call('POST', `/v1/webhooks/${id}/rotate-secret`, { token: world.token });
      await world.publishAndDrain();
      const { headers, body = '' } = receiver.received[0] ?? {};
      const [messageId = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
        String(headers?.[`webhook-${name}`]),
      );
      const [command = '', ...args] = prepared();
      const verdict = (changes: { key?: string; id?: string; time?: string; text?: string } = {}): number | null =>
        spawnSync(command, [...args, changes.id ?? messageId, changes.time ?? timestamp, signature], {
          input: changes.text ?? body,
          env: { ...process.env, WEBHOOK_SECRET: changes.key ?? secret },
        }).status;
      expect(verdict()).toBe(0);
      expect(verdict({ text: body.replace('steps', 'stepz') })).toBe(1);
      expect(verdict({ id: 'evt_other' })).toBe(1);
      expect(verdict({ time: String(Number(timestamp) - 600) })).toBe(1);
      expect(verdict({ key: `whsec_${Buffer.alloc(32).toString('base64')}` })).toBe(1);
      await receiver.close();
    },
  );
});
