import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureDemoAccount } from '../../../infra/local/demo-account.ts';
import { demoReference, ensureDemoPerson } from '../../../infra/local/demo-person.ts';
import { openOnPerson } from '../../../infra/local/demo-sign-in.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import { seedRows } from '../../../shared/users/seed-rows.ts';
import { createUser, listUsers } from '../../../shared/users/users.ts';
import { memoryHost, silentLog } from './local-host.ts';

async function openDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { deps: base } = await memoryHost({ log: silentLog });
  // This host has no workers, so nothing takes the message that wakes one.
  const deps = { ...base, queue: { ...base.queue, send: async () => {} } };
  const start = async () => ensureDemoAccount(deps, folder, 'http://127.0.0.1:1');
  const file = () => JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
  const people = async (account: string) => {
    const caller: Caller = { kind: 'api_key', account, env: 'sandbox', form: 2 };
    return (await listUsers(deps, caller, { limit: 10 })).users;
  };
  return { folder, deps, start, file, people };
}

test('the first start creates one person with a week of data, and the next ones find them', async () => {
  const { deps, start, file, people } = await openDemo();
  const first = await start();
  const id = await ensureDemoPerson(deps, first);
  expect(file().sandbox_user).toBe(id);
  expect(await people(first.account_id)).toMatchObject([{ id, external_ref: demoReference }]);
  expect(await seedRows(deps.store).find(id ?? '')).toMatchObject({ days: 7, persona: 'average' });
  expect(await ensureDemoPerson(deps, await start())).toBe(id);
  expect(await people(first.account_id)).toHaveLength(1);
});

test('a start that was killed before it recorded the person finds them', async () => {
  const { deps, start, people } = await openDemo();
  const { account_id, ...killed } = await start();
  const caller: Caller = { kind: 'api_key', account: account_id, env: 'sandbox', form: 2 };
  const { id } = await createUser(deps, caller, { external_ref: demoReference });
  expect(killed.sandbox_user).toBeUndefined();
  expect(await ensureDemoPerson(deps, await start())).toBe(id);
  expect(await people(account_id)).toHaveLength(1);
});

test('a person who was erased is not created again', async () => {
  const { deps, start, people } = await openDemo();
  const first = await start();
  const id = (await ensureDemoPerson(deps, first)) ?? '';
  await deleteUser(deps, { kind: 'api_key', account: first.account_id, env: 'sandbox', form: 2 }, id);
  expect(await ensureDemoPerson(deps, await start())).toBeUndefined();
  expect(await people(first.account_id)).toEqual([]);
});

test('the console opens on the person’s week after signing in', () => {
  const url = new URL(openOnPerson('http://localhost:8787/console/sign-in#secret', 'usr_1'));
  expect(url.hash).toBe('#secret');
  expect(url.searchParams.get('next')).toBe('/console/people/usr_1?env=sandbox&days=7');
});
