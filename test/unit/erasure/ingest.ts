// A user is deleted while a pass ingests their uploads: what the pass still writes is erased or
// rejected, and it publishes nothing.
import { expect, test } from 'vitest';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { runEveryPassRace, runEveryRace } from '../../harness/erasure/race.ts';
import { denseDay, denseRun, makeRecords, phoneDevice, watch } from '../../harness/erasure/records.ts';
import { openWorld } from '../../harness/erasure/world.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { poison } from '../../harness/poisoned-upload.ts';
import { runWriter } from '../../harness/run-writer.ts';

/** Defines the tests, in which the user is deleted before every n-th write. */
export function deleteWhileIngested(everySo: number): void {
  test('a deletion while samples, totals, a night and a run with its trace are ingested leaves nothing', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(3));
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    for (const kind of ['!UPLOAD#', 'T#', 'Z#', 'W#', 'H#', 'N#', 'D#', 'S#', 'OUT#'])
      expect([kind, writes.some((each) => each.includes(` ${kind}`))]).toEqual([kind, true]);
  });

  test('a deletion while several uploads of two devices are ingested into existing days leaves nothing', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(2));
    await runWriter(world.deps, world.id);
    await world.upload(watch, makeRecords(3, 1));
    await world.upload(phoneDevice, makeRecords(2, 2), 'samsung_health');
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.filter((each) => each.includes('delete !UPLOAD#'))).toHaveLength(2);
  });

  test('a deletion while an open day of samples is closed by the next day leaves nothing', async () => {
    const world = await openWorld();
    world.clock.advance(Date.UTC(2026, 2, 11, 13) - world.clock.now());
    await world.upload(watch, makeRecords(2));
    await runWriter(world.deps, world.id);
    world.clock.advance(24 * 3_600_000);
    await world.upload(watch, makeRecords(3, 1));
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    for (const kind of ['put T#', 'put A#'])
      expect([kind, writes.some((each) => each.includes(kind))]).toEqual([kind, true]);
  });

  test('a deletion while a run with a chunked trace is ingested leaves nothing', async () => {
    const world = await openWorld();
    await world.upload(watch, denseRun());
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.some((each) => /^batchWrite put H#.*~/.test(each))).toBe(true);
  });

  test('a deletion while a chunked day of samples is written and replaced leaves nothing', async () => {
    const world = await openWorld();
    const day = { metric: 'heart_rate', utcDay: '2026-03-10', device: 0 } as const;
    const [before, after] = [denseDay(1), denseDay(2)];
    const work = async (deps: Deps) => {
      if (!(await readUserContext(deps, world.id))) return;
      await sampleRows(deps.store).replace(world.id, day, before, 0);
      await sampleRows(deps.store).replace(world.id, day, after, 1);
    };
    const { problems, writes } = await runEveryRace(world, work, ['before the eraser comes'], everySo);
    expect(problems).toEqual([]);
    expect(writes.map((each) => each.split(' ', 2).join(' '))).toEqual([
      'batchWrite put',
      'write put',
      'batchWrite put',
      'write put',
      'batchWrite delete',
    ]);
  });

  test('a deletion while the user moves to another time zone leaves nothing', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(2));
    await runWriter(world.deps, world.id);
    await updateUser(world.deps, world.caller, world.id, { timezone: 'Pacific/Auckland' });
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.some((each) => each.includes('update !DO#recount'))).toBe(true);
    expect(writes.some((each) => each.includes('delete !DO#recount'))).toBe(true);
  });

  test('a deletion while an upload is quarantined leaves nothing', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(1));
    const [command] = await pendingCommands(world.table, world.id);
    await poison(world.table, { user: world.id, batch: command?.id ?? '' });
    for (const _time of ['first', 'second']) await expect(runWriter(world.deps, world.id)).rejects.toThrow();
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.some((each) => each.includes('put Q#'))).toBe(true);
  });
}
