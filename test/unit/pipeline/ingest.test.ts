import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { withTableGrants } from '../../../infra/local/grants.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { EngineUnavailable, type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { writeAllConditionally } from '../../../shared/platform/write-all-conditionally.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { userRows } from '../../../shared/users/user-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { asSample, body, canonical as canonicalOf, iso, phone, type Records, tryAnyOrder, watch } from './any-order.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const canonical = (user: string) => canonicalOf(world, user);

tryAnyOrder(() => world, 6);

describe('a worker that crashes', () => {
  const month = (count: number): Records => ({
    samples: Array.from({ length: count }, (_none, i) =>
      asSample({ metric: 'steps', start: iso(Date.parse('2026-03-01T12:00:00Z') + i * 24 * 3600_000), value: 100 + i }),
    ),
    daily: Array.from({ length: count }, (_none, i) => ({
      date: iso(Date.parse('2026-03-01T12:00:00Z') + i * 24 * 3600_000).slice(0, 10),
      metric: 'weight',
      value: 60 + i,
      unit: 'kg',
    })),
    sleep: [{ start: '2026-03-02T22:00:00Z', end: '2026-03-03T06:00:00Z', asleep_minutes: 420 }],
    workouts: [{ type: 'running', start: '2026-03-02T10:00:00Z', end: '2026-03-02T11:00:00Z' }],
  });

  test('before any of its writes leaves nothing wrong, loses nothing and publishes each event once', async () => {
    for (let dies = 1; dies < 40; dies++) {
      const user = await world.user();
      await world.upload(user, 'apple_health', body(watch, month(3)));
      const before = (await world.events()).length;
      let writes = 0;
      const dying: Table = {
        ...world.localTable.table,
        write: (write) =>
          ++writes === dies ? Promise.reject(new Error('killed')) : world.localTable.table.write(write),
        transact: (all) =>
          ++writes === dies ? Promise.reject(new Error('killed')) : world.localTable.table.transact(all),
      };
      const outcome = await runWriter(world.withTable(dying), user).then(
        () => 'lived',
        () => 'died',
      );
      await runWriter(world.deps, user);
      expect(Object.keys(await canonical(user))).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
      const events = (await world.events()).slice(before);
      expect(events.map(({ type, user: of }) => [type, of])).toEqual([
        ['data.updated', user],
        ['score.updated', user],
      ]);
      expect(events[0]?.['metrics']).toEqual(['asleep', 'longest_sleep', 'steps', 'weight']);
      const when = { from_date: '2026-03-01', to_date: '2026-03-03' };
      expect(events[0]?.['more']).toEqual({ ...when, sleep: true, workouts: true });
      expect(events[1]?.['more']).toEqual({ scores: ['sleep_score'], from_date: '2026-03-03', to_date: '2026-03-03' });
      expect(await pendingCommands(world.localTable.table, user)).toEqual([]);
      if (outcome === 'lived') return;
    }
    throw new Error('the worker never finished');
  });
});

describe('repeated uploads:', () => {
  test('a repeat of stored data writes no day and publishes no event', async () => {
    const user = await world.user();
    const content = {
      samples: [asSample({ metric: 'steps', start: '2026-03-01T10:00:00Z', value: 5 })],
      sleep: [{ start: '2026-03-01T22:00:00Z', end: '2026-03-02T06:00:00Z', asleep_minutes: 420 }],
      workouts: [{ type: 'running', start: '2026-03-01T10:00:00Z', end: '2026-03-01T11:00:00Z', distance_km: 10 }],
    };
    await world.upload(user, 'apple_health', body(watch, content));
    await runWriter(world.deps, user);
    const before = (await world.events()).length;
    world.clock.advance(1_000);
    await world.upload(user, 'apple_health', body(watch, { ...content, workouts: [] }));
    await world.upload(user, 'apple_health', { ...body(watch, content), time_zone: 'Europe/Berlin' });
    const days: unknown[] = [];
    const watching: Table = {
      ...world.localTable.table,
      write(write) {
        if (write.kind === 'put' && /^[NDTZW]#/.test(write.item.sk)) days.push(write);
        return world.localTable.table.write(write);
      },
    };
    await runWriter(world.withTable(watching), user);
    expect(days).toEqual([]);
    expect((await world.events()).length).toBe(before);
  });

  test('an older upload that is processed together with a newer one does not undo the newer one', async () => {
    const user = await world.user();
    const at = (value: number) => ({ daily: [{ date: '2026-03-01', metric: 'steps', value, unit: 'count' }] });
    await world.upload(user, 'apple_health', body(watch, at(100)));
    world.clock.advance(1000);
    await world.upload(user, 'apple_health', body(watch, at(200)));
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({ '2026-03-01': { steps: 200 } });
  });

  test('a value that a device sends again after a different one counts again', async () => {
    const user = await world.user();
    for (const value of [80, 81, 80]) {
      const daily = [{ date: '2026-03-01', metric: 'weight', value, unit: 'kg' }];
      await world.upload(user, 'apple_health', body(watch, { daily }));
      await runWriter(world.deps, user);
      expect(await canonical(user)).toEqual({ '2026-03-01': { weight: value } });
    }
  });
});

describe('several uploads processed together:', () => {
  const weighed = (value: number) => ({ daily: [{ date: '2026-03-01', metric: 'weight', value, unit: 'kg' }] });

  test('an identical second upload is not enqueued', async () => {
    const user = await world.user();
    for (let sent = 0; sent < 2; sent++) {
      await world.upload(user, 'apple_health', body(watch, weighed(70)));
      world.clock.advance(1_000);
    }
    expect(await pendingCommands(world.localTable.table, user)).toHaveLength(1);
    await runWriter(world.deps, user);
    expect(await pendingCommands(world.localTable.table, user)).toEqual([]);
    expect(await canonical(user)).toEqual({ '2026-03-01': { weight: 70 } });
  });

  test('the last sync time is that of the newest upload, and a time-zone change does not set it', async () => {
    const user = await world.user();
    const synced = async () => (await userRows(world.deps.store).findById(user))?.lastSyncMs;
    await world.upload(user, 'apple_health', body(watch, weighed(70)));
    world.clock.advance(1_000);
    await world.upload(user, 'samsung_health', body(phone, weighed(71)));
    world.clock.advance(1_000);
    await world.upload(user, 'apple_health', body(watch, weighed(72)));
    const last = (await pendingCommands(world.localTable.table, user)).flatMap((command) =>
      command.kind === 'upload' ? command.receivedMs : [],
    );
    await runWriter(world.deps, user);
    expect(await synced()).toBe(Math.max(...last));
    await updateUser(world.deps, world.caller, user, { timezone: 'Asia/Tokyo' });
    await runWriter(world.deps, user);
    expect(await synced()).toBe(Math.max(...last));
  });
});

describe('a user who changes time zone', () => {
  const night = Date.parse('2026-03-10T23:30:00Z');
  const records: Records = {
    samples: [
      asSample({ metric: 'steps', start: iso(night), value: 10 }),
      { ...asSample({ metric: 'steps', start: iso(night + 60_000), value: 1 }), utc_offset: '+00:00' },
    ],
    daily: [{ date: '2026-03-10', metric: 'weight', value: 70, unit: 'kg' }],
    sleep: [{ start: '2026-03-10T15:00:00Z', end: '2026-03-10T23:30:00Z', asleep_minutes: 400 }],
  };

  test('finds instants on their new days, with any offset; stated days stay, and one event of each kind is published', async () => {
    const user = await world.user();
    await world.upload(user, 'apple_health', body(watch, records));
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({ '2026-03-10': { steps: 11, weight: 70, asleep: 400, longest_sleep: 400 } });
    const before = (await world.events()).length;
    await updateUser(world.deps, world.caller, user, { timezone: 'Europe/Berlin' });
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({
      '2026-03-10': { weight: 70 },
      '2026-03-11': { steps: 11, asleep: 400, longest_sleep: 400 },
    });
    expect((await world.events()).slice(before)).toMatchObject([
      {
        type: 'subject.synced',
        user,
        metrics: ['asleep', 'longest_sleep', 'steps'],
        more: { from_date: '2026-03-10', to_date: '2026-03-11' },
      },
      { type: 'score.updated', user, more: { from_date: '2026-03-10', to_date: '2026-03-11' } },
    ]);
    await updateUser(world.deps, world.caller, user, { timezone: null });
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({
      '2026-03-10': { steps: 11, weight: 70, asleep: 400, longest_sleep: 400 },
      '2026-03-11': {},
    });
  });

  test('gets days by the offsets of the records once the day rule says so', async () => {
    const user = await world.user({ timezone: 'Europe/Berlin' });
    await world.upload(user, 'apple_health', body(watch, records));
    await runWriter(world.deps, user);
    await updateUser(world.deps, world.caller, user, { day_rule: 'recorded' });
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({
      '2026-03-10': { steps: 1, weight: 70 },
      '2026-03-11': { steps: 10, asleep: 400, longest_sleep: 400 },
    });
    await updateUser(world.deps, world.caller, user, { day_rule: 'profile' });
    await runWriter(world.deps, user);
    expect((await canonical(user))['2026-03-11']).toMatchObject({ steps: 11 });
  });

  test('gets the same days from an upload before the change and one after it', async () => {
    const [before, after] = [await world.user(), await world.user({ timezone: 'America/Los_Angeles' })];
    await world.upload(before, 'apple_health', body(watch, records));
    await runWriter(world.deps, before);
    await updateUser(world.deps, world.caller, before, { timezone: 'America/Los_Angeles' });
    await world.upload(after, 'apple_health', body(watch, records));
    await runWriter(world.deps, before);
    await runWriter(world.deps, after);
    expect(await canonical(before)).toEqual(await canonical(after));
  });
});

describe('a disconnected device', () => {
  test('leaves no data, and a pending upload brings none back', async () => {
    const user = await world.user();
    await world.upload(
      user,
      'apple_health',
      body(watch, { daily: [{ date: '2026-03-01', metric: 'steps', value: 7, unit: 'count' }] }),
    );
    await world.upload(
      user,
      'samsung_health',
      body(phone, { daily: [{ date: '2026-03-01', metric: 'steps', value: 3, unit: 'count' }] }),
    );
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({ '2026-03-01': { steps: 7 } });
    await world.upload(
      user,
      'apple_health',
      body(watch, { daily: [{ date: '2026-03-02', metric: 'steps', value: 9, unit: 'count' }] }),
    );
    const head = await userRows(world.deps.store).readHead(user);
    const [first] = deviceRows(world.deps.store)
      .parseHead(head?.rest ?? [])
      .filter(({ provider }) => provider === 'apple_health');
    await disconnectDevice(world.deps, world.caller, user, first?.id ?? '');
    await runWriter(world.deps, user);
    expect(await canonical(user)).toEqual({ '2026-03-01': { steps: 3 } });
  });
});

const noon = Date.parse('2026-03-01T12:00:00Z');

test('a pass that meets conflict after conflict gives up within its grants, and the next one builds every day', async () => {
  const user = await world.user();
  await world.upload(
    user,
    'apple_health',
    body(watch, { samples: [asSample({ metric: 'steps', start: iso(noon), value: 7 })] }),
  );
  const granted = withTableGrants(world.localTable.table, 'write-user', functions['write-user']);
  const disturbing: Table = {
    ...granted,
    async transact(writes) {
      if (writes.some((write) => write.kind === 'update' && write.update.includes('#fence')))
        throw new TransactionCanceled(writes.map(() => undefined));
      return granted.transact(writes);
    },
  };
  await expect(runWriter(world.withTable(disturbing), user)).rejects.toThrow(EngineUnavailable);
  expect(await pendingCommands(world.localTable.table, user)).toMatchObject([{ failures: 0 }]);
  await runWriter(world.withTable(granted), user);
  expect(await canonical(user)).toEqual({ '2026-03-01': { steps: 7 } });
  expect(await pendingCommands(world.localTable.table, user)).toEqual([]);
});

describe('writing many items', () => {
  test('starts no further write once one has failed', async () => {
    let begun = 0;
    const write = async (thing: number): Promise<boolean> => {
      begun++;
      if (thing === 20) throw new Error('throttled');
      return true;
    };
    await expect(
      writeAllConditionally(
        Array.from({ length: 1_000 }, (_, at) => at),
        write,
      ),
    ).rejects.toThrow('throttled');
    expect(begun).toBeLessThan(60);
    expect(await writeAllConditionally([1, 2, 3], async (thing) => thing !== 2)).toBe(false);
  });
});

test("a sample counts on the day of the profile's zone, in any zone of the phones that send it", async () => {
  const sample = { samples: [asSample({ metric: 'steps', start: iso(noon), value: 7 })] };
  const days = async (together: boolean) => {
    const user = await world.user({ timezone: 'UTC' });
    for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await world.upload(user, 'apple_health', { ...body(watch, sample), time_zone });
      if (!together) await runWriter(world.deps, user);
      world.clock.advance(1_000);
    }
    await runWriter(world.deps, user);
    return canonical(user);
  };
  expect(await days(true)).toEqual({ '2026-03-01': { steps: 7 } });
  expect(await days(false)).toEqual({ '2026-03-01': { steps: 7 } });
});
