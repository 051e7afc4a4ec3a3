// A pass that crashes at any of its writes and is repeated leaves and publishes exactly what an
// undisturbed one does.
import { describe, expect, test } from 'vitest';
import { userWorker } from '../../../../functions/workers/write-user.ts';
import { crashingTable, WorkerCrashed } from '../../../harness/crashing-table.ts';
import { pendingCommands } from '../../../harness/pending-commands.ts';
import { outcomeOf, twoDevices, works } from './pass-scenarios.ts';

const visibilityMs = 120_000;

describe.each(Object.entries(works))('%s', (_kind, prepare) => {
  test.each([
    ['before', false],
    ['after', true],
  ])('that crashes %s any of its writes has the same outcome', async (_when, applied) => {
    const uninterrupted = await twoDevices();
    await prepare(uninterrupted);
    await uninterrupted.processPending();
    const expected = await outcomeOf(uninterrupted);
    for (let at = 1; ; at++) {
      const device = await twoDevices();
      await prepare(device);
      const { table, writes } = crashingTable(device.table, { at, applied });
      const message = { user_id: device.userId };
      const run = userWorker(device.withTable(table))(message, { receives: 1 });
      const outcome = await run.catch((error: unknown) => error);
      if (writes() < at) {
        expect(outcome).toBeUndefined();
        expect(at).toBeGreaterThan(1);
        return;
      }
      expect(outcome).toBeInstanceOf(WorkerCrashed);
      device.clock.advance(visibilityMs);
      await userWorker(device.deps)(message, { receives: 2 });
      expect(await outcomeOf(device), `crashed at write ${at}`).toEqual(expected);
      expect(await pendingCommands(device.table, device.userId)).toEqual([]);
    }
  });
});
