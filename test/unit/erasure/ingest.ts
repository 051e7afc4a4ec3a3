// A user goes while a pass works their uploads in: what it still writes is erased, or refused, and it announces nothing.
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

/** Defines the tests, in which the user goes before every so many of the writes. */
export function deleteWhileIngested(everySo: number): void {
  test('samples, totals, a night and a run with its trace', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(3));
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    for (const kind of ['!UPLOAD#', 'T#', 'Z#', 'W#', 'H#', 'N#', 'D#', 'S#', 'OUT#'])
      expect([kind, writes.some((each) => each.includes(` ${kind}`))]).toEqual([kind, true]);
  });

  test('several uploads of two devices, over days that are there already', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(2));
    await runWriter(world.deps, world.id);
    await world.upload(watch, makeRecords(3, 1));
    await world.upload(phoneDevice, makeRecords(2, 2), 'samsung_health');
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.filter((each) => each.includes('delete !UPLOAD#'))).toHaveLength(2);
  });

  test('samples of a day that is open, and is closed when the next one begins', async () => {
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

  test('a run whose trace is cut into parts', async () => {
    const world = await openWorld();
    await world.upload(watch, denseRun());
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.some((each) => /^batchWrite put H#.*~/.test(each))).toBe(true);
  });

  test('a day of samples that is cut into parts, new and in the place of another', async () => {
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

  test('a move to another zone', async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(2));
    await runWriter(world.deps, world.id);
    await updateUser(world.deps, world.caller, world.id, { timezone: 'Pacific/Auckland' });
    const { writes, problems } = await runEveryPassRace(world, everySo);
    expect(problems).toEqual([]);
    expect(writes.some((each) => each.includes('update !DO#recount'))).toBe(true);
    expect(writes.some((each) => each.includes('delete !DO#recount'))).toBe(true);
  });

  test('an upload that is set aside', async () => {
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
