import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureDemoAccount } from '../../../infra/local/demo-account.ts';
import { apiKeyHash, createKey, listKeys } from '../../../shared/accounts/accounts.ts';
import { apiKeyRows } from '../../../shared/accounts/api-key-rows.ts';
import { memoryHost } from './local-host.ts';

const day = 24 * 3600 * 1000;

async function openDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const time = { now: Date.UTC(2026, 0, 1) };
  const { deps } = await memoryHost({ clock: { now: () => time.now } });
  const outcomeOf = async (key: string) => (await apiKeyRows(deps.store).admit(apiKeyHash(deps, key))).outcome;
  const file = () => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
  return { folder, time, deps, outcomeOf, file };
}

test('the demo account keeps its keys, and its file follows the address', async () => {
  const { folder, deps, file, outcomeOf } = await openDemo();
  const first = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  const second = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:2');
  expect(second).toEqual({ ...first, base_url: 'http://127.0.0.1:2' });
  expect(file()).toEqual({
    base_url: 'http://127.0.0.1:2',
    account_id: first.account_id,
    live_key: first.live_key,
    sandbox_key: first.sandbox_key,
  });
  expect(await outcomeOf(first.live_key)).toBe('admitted');
});

test('expired keys are renewed in the same account', async () => {
  const { folder, deps, time, file, outcomeOf } = await openDemo();
  const first = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  time.now += 91 * day;
  const second = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  expect(second.account_id).toBe(first.account_id);
  expect(second.live_key).not.toBe(first.live_key);
  expect(file()).toMatchObject({ live_key: second.live_key, sandbox_key: second.sandbox_key });
  expect(await outcomeOf(second.live_key)).toBe('admitted');
  expect(await outcomeOf(second.sandbox_key)).toBe('admitted');
});

test('a key that was replaced by someone else is not replaced again', async () => {
  const { folder, deps, outcomeOf } = await openDemo();
  const first = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  const theirs = await createKey(deps, first.account_id, 'live');
  const second = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  expect(second.replaced).toEqual(['live']);
  expect(await outcomeOf(theirs)).toBe('admitted');
});

test('an account that the table does not have is created again', async () => {
  const { folder, deps } = await openDemo();
  const first = await ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  const { deps: emptied } = await memoryHost({});
  const second = await ensureDemoAccount(emptied, folder, 'http://127.0.0.1:1');
  expect(second.account_id).not.toBe(first.account_id);
  expect(await listKeys(emptied, second.account_id)).toHaveLength(2);
});
