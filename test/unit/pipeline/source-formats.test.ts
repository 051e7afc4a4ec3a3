// Raw data names its source and format, and is read by them, today and after an upgrade.
import { beforeEach, describe, expect, test } from 'vitest';
import { decodeNormalizedDay } from '../../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { listQuarantinedUploads, retryQuarantinedUpload } from '../../../shared/pipeline/writer/command-attempts.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { createRacedUser, type RacedUser } from '../../harness/raced-user.ts';
import { stepsUpload, watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';

let user: RacedUser;
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), null);
});

const date = '2026-03-10';
const waiting = () => pendingCommands(user.table, user.id);

async function normalized(): Promise<object> {
  const day = (await dayRows(user.deps.store).readNormalized(user.id, [date])).get(date);
  const [values] = day ? decodeNormalizedDay(day.packed).values() : [];
  return Object.fromEntries(Array.from(values ?? [], ([metric, { value }]) => [metric, value]));
}

/** Runs the writer as the queue does, until it succeeds. */
async function workThrough(): Promise<void> {
  for (let runs = 0; runs < 5; runs++)
    try {
      return await runWriter(user.deps, user.id);
    } catch {
      // The loop tries again, as the queue does.
    }
}

async function relabel(item: Item, label: { source?: string; format?: number }): Promise<void> {
  const { pk, sk } = item;
  await user.table.write({ kind: 'put', item: { ...item, pk: String(pk), sk: String(sk), ...label } });
}

test('every upload is stored with its source and format', async () => {
  await user.upload(watch, stepsUpload(`${date}T08:00:00Z`, 700));
  expect(await waiting()).toMatchObject([{ source: 'sdk', format: 1, records: 1, from: date, to: date }]);
});

describe('raw data in a format that this release does not know', () => {
  test.each([{ format: 2 }, { source: 'of_tomorrow' }])(
    '(%o) is quarantined with the reason, retained, and processed once the format is known',
    async (label) => {
      await user.upload(watch, stepsUpload(`${date}T08:00:00Z`, 700));
      await user.upload(watch, stepsUpload(`${date}T09:00:00Z`, 20));
      const [unknown] = await waiting();
      if (unknown?.kind !== 'upload') throw new Error('nothing is pending');
      const key = keys.uploadCommand(user.id, unknown.receivedMs, unknown.id);
      await relabel((await user.table.get(key)) ?? {}, label);
      await workThrough();
      expect(await waiting()).toEqual([]);
      expect(await normalized()).toMatchObject({ steps: 20 });
      const [quarantined] = await listQuarantinedUploads(user.deps);
      if (quarantined?.kind !== 'upload') throw new Error('nothing is quarantined');
      expect(quarantined).toMatchObject({ id: unknown.id, source: 'sdk', format: 1, ...label });
      expect(quarantined.reason).toBe(
        `This release cannot read format ${quarantined.format} of source ${quarantined.source}. Upgrade, then retry the upload.`,
      );

      await retryQuarantinedUpload(user.deps, quarantined);
      expect(await waiting()).toMatchObject([{ id: unknown.id, source: 'sdk', format: 1, ...label }]);
      await workThrough();
      const [again] = await listQuarantinedUploads(user.deps);
      expect(again).toMatchObject({ id: unknown.id, ...label });

      // A release that knows the format can read it; here, the upload gets a label that is known
      // today.
      await relabel((await user.table.get(keys.quarantinedUpload(user.id, unknown.id))) ?? {}, {
        source: 'sdk',
        format: 1,
      });
      const [known] = await listQuarantinedUploads(user.deps);
      if (!known) throw new Error('nothing is quarantined');
      await retryQuarantinedUpload(user.deps, known);
      await workThrough();
      expect(await listQuarantinedUploads(user.deps)).toEqual([]);
      expect(await normalized()).toMatchObject({ steps: 720 });
    },
  );
});
