// Every call to the table fails once and messages are redelivered: nothing is lost or duplicated.
import { expect, test } from 'vitest';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { EngineUnavailable, type Table } from '../../../../shared/platform/ports.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight } from '../../../harness/sync-world.ts';
import { connectWithNights, expectedNights, listStoredNights, nights } from './crashed-workers.ts';
import { sleepNotification } from './pushed-nights.ts';

/** The n-th call is rejected before it has any effect. */
function withFailingCall(inner: Table, at: number): { table: Table; calls(): number } {
  let calls = 0;
  const call = <T>(make: () => T): T => {
    calls += 1;
    if (calls === at) throw new EngineUnavailable(`call ${at}`);
    return make();
  };
  return {
    calls: () => calls,
    table: {
      get: async (...args) => call(() => inner.get(...args)),
      batchGet: async (...args) => call(() => inner.batchGet(...args)),
      query: async (...args) => call(() => inner.query(...args)),
      queryAll: (...args) => call(() => inner.queryAll(...args)),
      write: async (...args) => call(() => inner.write(...args)),
      transact: async (...args) => call(() => inner.transact(...args)),
      batchWrite: async (...args) => call(() => inner.batchWrite(...args)),
    },
  };
}

/** Runs a backfill, a pushed day and a poll. A run in which a call fails is repeated. */
async function runWithFailure(at: number, everyCall: (calls: number) => void) {
  const { world, user, device } = await connectWithNights();
  const { table, calls } = withFailingCall(world.table, at);
  const run = async () => {
    const deps = world.withTable(table);
    await syncConnection(deps, user, device).catch(async (error) => {
      if (!(error instanceof EngineUnavailable)) throw error;
      await syncConnection(deps, user, device);
    });
  };
  await run();
  const sleep = [...nights, '2026-03-11'].map((day) => ouraNight(`n-${day}`, day));
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep });
  await world.push(sleepNotification('ann', 'n-2026-03-11'));
  await run();
  world.clock.advance(hours(7));
  await run();
  everyCall(calls());
  for (let i = 0; i < 3; i++) await world.passTime(minutes(1));
  return { world, user, device };
}

/** Defines a test that fails every n-th call. */
export function testFailuresAtCalls(step: number): void {
  test(`a run that fails at any call to the table (in steps of ${step}) is repeated, and all data arrives once`, async () => {
    let all = Number.POSITIVE_INFINITY;
    for (let at = 1; at <= all; at += step) {
      const { world, user, device } = await runWithFailure(at, (calls) => {
        all = Math.min(all, calls);
      });
      const expected = [...expectedNights, '2026-03-11 n-2026-03-11'].sort();
      expect(await listStoredNights(world, user), `call ${at}`).toEqual(expected);
      const [shown] = await listDevices(world.deps, world.caller, user);
      expect(shown, `call ${at}`).toMatchObject({ status: 'active', sync: { state: 'current', done: 1 } });
      const row = await world.readConnection(user, device);
      expect(row, `call ${at}`).toMatchObject({
        inbox: [],
        rereadDays: [],
        deferred: [],
        quarantined: [],
        failures: 0,
      });
      expect(world.fakeProvider.requests.filter(isRefreshCall)).toEqual([]);
    }
    expect(all).toBeGreaterThan(50);
  });
}
