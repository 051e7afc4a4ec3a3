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
    const undisturbed = await twoDevices();
    await prepare(undisturbed);
    await undisturbed.processPending();
    const expected = await outcomeOf(undisturbed);
    for (let at = 1; ; at++) {
      const person = await twoDevices();
      await prepare(person);
      const { table, writes } = crashingTable(person.table, { at, applied });
      const message = { user_id: person.userId };
      const run = userWorker(person.withTable(table))(message, { receives: 1 });
      const outcome = await run.catch((error: unknown) => error);
      if (writes() < at) {
        expect(outcome).toBeUndefined();
        expect(at).toBeGreaterThan(1);
        return;
      }
      expect(outcome).toBeInstanceOf(WorkerCrashed);
      person.clock.advance(visibilityMs);
      await userWorker(person.deps)(message, { receives: 2 });
      expect(await outcomeOf(person), `crashed at write ${at}`).toEqual(expected);
      expect(await pendingCommands(person.table, person.userId)).toEqual([]);
    }
  });
});
