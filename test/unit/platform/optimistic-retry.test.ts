import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptRecords } from '../../../shared/pipeline/accept-records.ts';
import { optimisticRetry } from '../../../shared/platform/optimistic-retry.ts';
import { EngineUnavailable, type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { toRawUpload } from '../../../shared/providers/phone/format.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { createCredentials, makeUpload, upload } from '../../harness/sdk.ts';
import { type System, startSystem } from '../../harness/system.ts';

let world: EngineDomainWorld;
let system: System;
beforeAll(async () => {
  [world, system] = await Promise.all([openEngineDomainWorld(), startSystem()]);
});
afterAll(() => Promise.all([world.localTable.stop(), system.stop()]));

test('a conflicting attempt is repeated while retries remain, and is passed the number of conflicts so far', async () => {
  const conflict = new TransactionCanceled([undefined]);
  const conflictCounts: number[] = [];
  const attempt = (until: number) =>
    optimisticRetry({ what: 'a user', retries: 3 }, async (conflicts) => {
      conflictCounts.push(conflicts);
      if (conflicts < until) throw conflict;
      return 'written';
    });
  expect(await attempt(3)).toBe('written');
  expect(conflictCounts).toEqual([0, 1, 2, 3]);
  await expect(attempt(4)).rejects.toMatchObject({ message: 'too many concurrent changes to a user', cause: conflict });
  await expect(attempt(4)).rejects.toThrow(EngineUnavailable);
});

test('an error that is not a conflict is thrown unchanged and immediately', async () => {
  const other = new Error('something else');
  let attempts = 0;
  const attempt = optimisticRetry({ what: 'a user', retries: 5 }, async () => {
    attempts++;
    throw other;
  });
  await expect(attempt).rejects.toBe(other);
  expect(attempts).toBe(1);
});

test('an upload that always conflicts fails as unavailable, so that it is sent again later', async () => {
  const user = await world.user();
  const device = { name: 'W', model: 'W', type: 'wrist' };
  const records = { time_zone: 'UTC', device, samples: [], daily: [], sleep: [], workouts: [] };
  const daily = (value: number) => [{ date: '2026-03-01', metric: 'weight', value, unit: 'kg' }];
  await world.upload(user, 'apple_health', { ...records, daily: daily(80) });
  const [known] = (await readUserContext(world.deps, user))?.devices ?? [];
  if (!known) throw new Error('the device does not exist');
  const contendedTable: Table = {
    ...world.localTable.table,
    transact: () => Promise.reject(new TransactionCanceled([undefined])),
  };
  const batch = {
    device: known,
    raw: toRawUpload({ ...records, device: { ...device, type: 'wrist' }, daily: daily(81) }),
    scopes: [],
  };
  await expect(acceptRecords(world.withTable(contendedTable), user, world.clock.now(), [batch])).rejects.toThrow(
    EngineUnavailable,
  );
});

test('a hundred concurrent uploads of one device get 202 or 503, never a 500, and none is lost', async () => {
  const { live_key: token } = await system.account();
  const user = await system.user(token, { timezone: 'UTC' });
  // Each session admits thirty uploads at once.
  const sessions = [];
  for (let opened = 0; opened < 4; opened++) sessions.push(await createCredentials(system, token, user));
  const step = (minute: number) => {
    const at = (n: number) => new Date(Date.UTC(2026, 2, 10) + n * 60_000).toISOString();
    return makeUpload({
      samples: [{ metric: 'steps', start: at(minute), end: at(minute + 1), value: 1, unit: 'count' }],
    });
  };
  const responses = await Promise.all(
    sessions.flatMap(({ access_token }, at) =>
      Array.from({ length: 25 }, (_none, minute) => upload(system, access_token, step(25 * at + minute))),
    ),
  );
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
  for (const { headers, status } of responses) if (status === 503) expect(headers.get('retry-after')).not.toBeNull();
  await system.host.drain();
  const read = await system.call('GET', `/v1/users/${user}/daily?types=steps&from_date=2026-03-10&to_date=2026-03-10`, {
    token,
  });
  expect(read.body.series.steps).toEqual([statuses.filter((status) => status === 202).length]);
});
