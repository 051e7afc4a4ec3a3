import { expect, test } from 'vitest';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { readEvents } from '../../harness/outbox.ts';
import { createProviderDevice } from '../../harness/provider-device.ts';
import { createRacedUser } from '../../harness/raced-user.ts';
import { nap, stepsUpload, tokyo, uploadSerially, watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';

test('a session stored on two days is on its own day only after a time-zone change', async () => {
  const user = await createRacedUser(memoryTable(), null);
  const { sleep } = sessionRows(user.deps.store);
  const [date, other] = ['2026-03-10', '2026-03-11'];
  await uploadSerially(user, [watch, nap]);
  const own = (await sleep.readDates(user.id, [date])).get(date);
  if (!own) throw new Error('there is no night');
  expect(await sleep.replace(user.id, { ...own, date: other, revision: 0 })).toBe(true);
  await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
  await runWriter(user.deps, user.id);
  const days = await sleep.readDates(user.id, [date, other]);
  expect(days.get(other)?.sessions).toEqual([]);
  expect(days.get(date)?.sessions).toEqual(own.sessions);
});

test.each(['2026-03-10', '2026-03-11'])(
  'of two copies of a session the newer one stays, also when it is on %s',
  async (newer) => {
    const user = await createRacedUser(memoryTable(), null);
    const { sleep } = sessionRows(user.deps.store);
    const dates = ['2026-03-10', '2026-03-11'];
    await uploadSerially(user, [watch, nap]);
    const own = (await sleep.readDates(user.id, dates)).get('2026-03-10');
    if (!own) throw new Error('there is no night');
    for (const date of dates) {
      const isNewer = date === newer;
      const sessions = own.sessions.map((row) => ({
        ...row,
        asleepMinutes: isNewer ? 44 : 33,
        receivedMs: row.receivedMs + (isNewer ? 2 : 1),
      }));
      expect(await sleep.replace(user.id, { date, sessions, revision: date === own.date ? own.revision : 0 })).toBe(
        true,
      );
    }
    await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
    await runWriter(user.deps, user.id);
    const remaining = [...(await sleep.readDates(user.id, dates)).values()].flatMap(({ sessions }) => sessions);
    expect(remaining).toMatchObject([{ asleepMinutes: 44 }]);
  },
);

test('a recount that is requested again while it records its changes publishes all of them in the end', async () => {
  const table = memoryTable();
  const user = await createRacedUser(table, null);
  await uploadSerially(user, [watch, stepsUpload('2026-03-10T22:00:00Z', 100)]);
  await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
  let isRequested = false;
  const requestingTable: Table = {
    ...table,
    async write(change) {
      if (!isRequested && change.kind === 'update' && change.update.includes('#unannounced')) {
        isRequested = true;
        const { store, clock } = user.deps;
        await store.commit([commandRows(store).buildRequest(user.id, 'recount', 'cmd_anew', clock.now())]);
      }
      return table.write(change);
    },
  };
  await runWriter(user.withTable(requestingTable), user.id);
  await user.settle();
  expect(isRequested).toBe(true);
  const synced = readEvents(table.rows()).filter(({ type }) => type === 'subject.synced');
  expect(synced.map(({ more }) => more)).toEqual([{ from_date: '2026-03-10', to_date: '2026-03-11' }]);
});

test('a day whose samples are gone is rebuilt without them', async () => {
  const device = await createProviderDevice();
  const [startMs, endMs] = [Date.parse('2026-03-10T10:00:00Z'), Date.parse('2026-03-10T11:00:00Z')];
  await device.ingest({ samples: [{ metric: 'steps', startMs, endMs, value: 100, offsetMinutes: null }] });
  expect((await device.read()).days).toMatchObject({ '2026-03-10': { steps: 100 } });
  // This is the state after an upload that retracted the samples and was abandoned before it
  // rebuilt the days.
  for (const sk of (await device.sortKeys()).filter((each) => each.startsWith('T#')))
    await device.table.write({ kind: 'delete', key: { pk: userPartition(device.userId), sk } });
  const { deps, userId } = device;
  await deps.store.commit([commandRows(deps.store).buildRequest(userId, 'recount', 'cmd_1', deps.clock.now())]);
  await runWriter(deps, userId);
  expect((await device.read()).days).not.toMatchObject({ '2026-03-10': { steps: expect.anything() } });
});

test('a recount whose nights change in the meantime starts over with the changed nights', async () => {
  const table = memoryTable();
  const user = await createRacedUser(table, null);
  const { sleep } = sessionRows(user.deps.store);
  await uploadSerially(user, [
    watch,
    { sleep: [{ start: '2026-03-10T20:00:00Z', end: '2026-03-10T21:00:00Z', asleep_minutes: 50 }] },
  ]);
  await updateUser(user.deps, user.caller, user.id, { timezone: tokyo });
  let isChanged = false;
  const changing: Table = {
    ...table,
    async write(change) {
      if (!isChanged && change.kind === 'put' && change.item.sk.startsWith('Z#2026-03-10')) {
        isChanged = true;
        const own = (await sleep.readDates(user.id, ['2026-03-10'])).get('2026-03-10');
        if (!own) throw new Error('there is no night');
        await sleep.replace(user.id, {
          ...own,
          sessions: own.sessions.map((row) => ({ ...row, asleepMinutes: 44, receivedMs: row.receivedMs + 1 })),
        });
      }
      return table.write(change);
    },
  };
  await runWriter(user.withTable(changing), user.id);
  await user.settle();
  expect(isChanged).toBe(true);
  const days: [string, number | undefined][] = [];
  for await (const { date, packed } of dayRows(user.deps.store).iterateCanonical(user.id, '0000-01-01', '9999-12-31'))
    days.push([date, decodeCanonicalDay(packed).get('asleep')?.value]);
  expect(days.filter(([, asleep]) => asleep !== undefined)).toEqual([['2026-03-11', 44]]);
});
