// Deletes users over HTTP at varied moments around their callback and backfill, while a third of
// the messages is lost. Nothing of them may remain, and every consent must be revoked at its
// provider.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readHostFile } from '../../infra/local/host-file.ts';
import type { Item, Queue } from '../../shared/platform/ports.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { matchesUrl, type ProviderCall } from '../../shared/sandbox/provider-server/provider-call.ts';
import { openPage } from '../harness/connect-steps.ts';
import { findLeftovers } from '../harness/erasure/erasure-checks.ts';
import { randomFrom } from '../harness/faults.ts';
import { oneTo } from '../harness/outbox.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import { scanTable } from '../harness/scan-table.ts';

/** Each provider has its own way of revoking consent and of naming accounts. */
const testedProviders = ['oura', 'whoop'] as const;
const accountName = { oura: (n: number) => `person-${n}-of-oura`, whoop: (n: number) => `${940_010_000 + n}` } as const;

const isCodeExchange = ({ provider, form, ...call }: ProviderCall, lane: string): boolean =>
  provider === lane &&
  form['grant_type'] === 'authorization_code' &&
  matchesUrl({ provider, form, ...call }, providerDescriptors[provider].oauth.tokenUrl);

function isRevocation(call: ProviderCall, lane: string): boolean {
  const { revocation } = providerDescriptors[call.provider].oauth;
  return (
    call.provider === lane &&
    'url' in revocation &&
    call.method === revocation.method &&
    matchesUrl(call, revocation.url)
  );
}

/**
 * For each provider, one user is deleted at each of the moments. A moment is the number of requests
 * that the provider has received.
 */
export function testDeletedWhileConnecting(moments: readonly number[]): void {
  const dataDir = mkdtempSync(join(tmpdir(), 'daybook-deleted-'));
  const random = randomFrom(7);
  let shouldLoseMessages = false;
  let lost = 0;
  const losingQueue = (queue: Queue): Queue => {
    const isLost = (): boolean => {
      const isOne = shouldLoseMessages && random() < 1 / 3;
      if (isOne) lost += 1;
      return isOne;
    };
    return {
      send: async (...message) => (isLost() ? undefined : queue.send(...message)),
      postpone: queue.postpone,
      sendAll: async (...messages) => (isLost() ? undefined : queue.sendAll(...messages)),
    };
  };

  let providerSystem: ProviderSystem;
  beforeAll(async () => {
    providerSystem = await startProviderSystem({ only: testedProviders, dataDir, wrapQueue: losingQueue });
  });
  afterAll(async () => {
    await providerSystem.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function allRows(): Promise<Item[]> {
    const { table_endpoint: endpoint, table_name: tableName } = readHostFile(dataDir) ?? never();
    return scanTable({ endpoint, tableName });
  }
  const never = (): never => {
    throw new Error('the host did not write its file');
  };

  /**
   * Deletes the user at the n-th request to their provider, or once everything available was
   * fetched.
   */
  async function deletedAt(lane: (typeof testedProviders)[number], account: string, n: number): Promise<string[]> {
    const { system, fakeProvider, key } = providerSystem;
    const user = await providerSystem.user();
    const { device, callback } = await providerSystem.consent(user, lane, account);
    const gone = Promise.withResolvers<void>();
    const erase = () => {
      system.call('DELETE', `/v1/users/${user}`, { token: key }).then(() => gone.resolve(), gone.reject);
      return false;
    };
    let requests = 0;
    const end = fakeProvider.fault(({ provider }) => provider === lane && ++requests === n && erase(), 'hang');
    if (n === 0) erase();
    await openPage(system, callback);
    await system.host.drain();
    if (requests < n) erase();
    await gone.promise;
    end();
    return [user, device, account];
  }

  test('nothing remains of users deleted around their callback and backfill, and their consent is revoked', async () => {
    const { system, fakeProvider } = providerSystem;
    shouldLoseMessages = true;
    const deletions = testedProviders.map(async (lane) => {
      const names: string[] = [];
      for (const [at, n] of moments.entries()) names.push(...(await deletedAt(lane, accountName[lane](at + 1), n)));
      return names;
    });
    const names = (await Promise.all(deletions)).flat();
    shouldLoseMessages = false;
    expect(lost).toBeGreaterThan(0.4 * moments.length);
    // The writer erases late uploads after 90 seconds; a lost message delays it by at most four
    // minutes.
    for (const _ of oneTo(7)) {
      system.clock.advance(60_000);
      for (const schedule of ['sweep', 'poll']) await system.host.runSchedule(schedule);
      await system.host.drain();
    }
    const rows = await allRows();
    expect(rows.length).toBeGreaterThan(0);
    expect(findLeftovers(rows, names)).toEqual([]);
    expect(rows.filter(({ pk }) => String(pk).startsWith('REVOKE#'))).toEqual([]);
    expect(rows.filter((row) => /person-\d+-of-oura|9400100\d\d/.test(JSON.stringify(row)))).toEqual([]);
    for (const lane of testedProviders) {
      const granted = fakeProvider.requests.filter((call) => isCodeExchange(call, lane)).length;
      expect([lane, granted > moments.length / 2]).toEqual([lane, true]);
      const returned = fakeProvider.requests.filter((call) => isRevocation(call, lane)).length;
      expect({ lane, returned }).toEqual({ lane, returned: granted });
    }
  }, 300_000);
}
