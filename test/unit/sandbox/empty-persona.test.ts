// An `empty` sandbox user, for tests of other products: it has only what they send.
import { describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { readPendingData } from '../../../infra/cli/pending-data.ts';
import { type CloudProviderId, cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { connectWithCode } from '../../../shared/connections/connect/connect-with-code.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { ConditionFailed } from '../../../shared/platform/ports.ts';
import { feedSandbox } from '../../../shared/sandbox/feed-sandbox.ts';
import { toSandboxAccount } from '../../../shared/sandbox/provider-server/account.ts';
import { openBuiltInProvider } from '../../../shared/sandbox/provider-server/open-built-in-provider.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { listDevices } from '../../../shared/users/devices.ts';
import { seedRows } from '../../../shared/users/seed-rows.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type DomainWorld, openDomainWorld } from '../../harness/domain-world.ts';
import { feedAll } from '../../harness/sandbox-feed.ts';
import { measureSeeding } from '../../harness/seeding-costs.ts';

const hourMs = 3_600_000;
const owner = ({ caller }: DomainWorld) => ({ ...caller, env: 'sandbox' as const });
const createEmptyUser = async (world: DomainWorld) =>
  (await createUser(world.deps, owner(world), { profile: { sandbox_persona: 'empty' } })).id;
const waitingFor = async ({ deps }: DomainWorld, user: string) => (await readPendingData(deps, user))?.waitingFor;

async function listDates({ deps }: DomainWorld, user: string): Promise<string[]> {
  const dates: string[] = [];
  for await (const { date } of dayRows(deps.store).iterateCanonical(user, '0000-01-01', '9999-12-31')) dates.push(date);
  return dates;
}

const connect = ({ deps }: DomainWorld, userId: string, provider: CloudProviderId) =>
  connectWithCode(deps, userId, provider, async (challenge) => {
    const account = toSandboxAccount({ userId, persona: 'empty', timezone: null });
    return (await openBuiltInProvider(deps)).issueCode(provider, account, challenge);
  });

describe('an empty sandbox user', () => {
  test('costs one transaction, and nothing afterwards', async () => {
    const { calls, runs, events } = await measureSeeding({ sandbox_persona: 'empty' });
    expect({ calls, runs, events }).toEqual({ calls: 1, runs: [], events: { 'user.created': 1 } });
  });

  test('has no devices and no data, waits for nothing, and is never fed', async () => {
    const world = await openDomainWorld();
    const user = await createEmptyUser(world);
    expect(await waitingFor(world, user)).toEqual([]);
    for (const hours of [0, 1, 48]) {
      world.clock.advance(hours * hourMs);
      await sweepWorker(world.deps)();
      await wakeDue(world.deps, 'sandbox');
      await feedSandbox(world.deps, user);
    }
    expect(world.sent.filter(({ queue }) => queue === 'seed' || queue === 'user')).toEqual([]);
    expect(await listDevices(world.deps, owner(world), user)).toEqual([]);
    expect(await listDates(world, user)).toEqual([]);
  });

  test('has exactly the day that is uploaded for it', async () => {
    const world = await openDomainWorld();
    const user = await createEmptyUser(world);
    const start = new Date(world.clock.now() - hourMs).toISOString();
    await world.upload(user, 'apple_health', {
      time_zone: 'UTC',
      device: { name: 'Phone', model: 'iPhone', type: 'phone' },
      samples: [{ metric: 'heart_rate', value: 61, unit: 'bpm', start }],
    });
    expect(await waitingFor(world, user)).toEqual(['1 upload that is being processed']);
    await feedAll(world.deps, user);
    expect(await waitingFor(world, user)).toEqual([]);
    expect(await listDates(world, user)).toEqual([start.slice(0, 10)]);
  });

  test.each(cloudProviderIds)('connects %s, whose account has no data, now and a day later', async (provider) => {
    const world = await openDomainWorld();
    const user = await createEmptyUser(world);
    const device = await connect(world, user, provider);
    await feedAll(world.deps, user);
    for (let hour = 0; hour < 24; hour += 6) {
      world.clock.advance(6 * hourMs);
      await feedAll(world.deps, user);
    }
    const devices = await listDevices(world.deps, owner(world), user);
    expect(devices.map(({ id, status }) => [id, status])).toEqual([[device, 'active']]);
    expect(await listDates(world, user)).toEqual([]);
    expect(await waitingFor(world, user)).toEqual([]);
  });

  test('is fed although the worker of one of its two new connections reads it at the same time', async () => {
    const world = await openDomainWorld();
    const user = await createEmptyUser(world);
    const busy = await connect(world, user, 'oura');
    const idle = await connect(world, user, 'garmin');
    const { table } = world.deps.store;
    const deps = world.withTable({
      ...table,
      write: (write) => {
        if (write.kind === 'update' && write.key.sk.includes(busy ?? '') && write.update.includes('#plan = '))
          throw new ConditionFailed(undefined);
        return table.write(write);
      },
    });
    await feedSandbox(deps, user);
    expect((await seedRows(world.deps.store).find(user))?.fedMs).toEqual(expect.any(Number));
    const synced = (await listDevices(world.deps, owner(world), user)).flatMap(({ id, last_sync_at }) =>
      last_sync_at === null ? [] : [id],
    );
    expect(synced).toEqual([idle]);
    await feedAll(world.deps, user);
    expect(await waitingFor(world, user)).toEqual([]);
  });

  test('is fed by a device whose account was chosen to have data', async () => {
    const world = await openDomainWorld();
    const user = await createEmptyUser(world);
    await connectWithCode(world.deps, user, 'garmin', async (challenge) => {
      const account = toSandboxAccount({ userId: user, persona: 'athlete', timezone: null });
      return (await openBuiltInProvider(world.deps)).issueCode('garmin', account, challenge);
    });
    await feedAll(world.deps, user);
    expect((await listDates(world, user)).length).toBeGreaterThan(6);
  });
});
