// A user goes while its uploads are being worked in: whatever the worker still writes is erased, or
// refused.
import { expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { ingestUser } from '../../../../shared/domain/ingest/ingest-user.ts';
import { subjectOf } from '../../../../shared/domain/users/subject.ts';
import { updateUser } from '../../../../shared/domain/users/users.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { sampleRows } from '../../../../shared/store/samples.ts';
import { everyRace, type Moment, moments } from '../../../harness/erasure/race.ts';
import { denseDay, denseRun, life, pocket, watch } from '../../../harness/erasure/records.ts';
import { openWorld, type World } from '../../../harness/erasure/world.ts';

/** Defines the tests, in which the user goes before every so many of the writes. */
export function deleteWhileIngested(everySo: number): void {
  const raced = (world: World, when?: readonly Moment[]) =>
    everyRace(world, (deps) => ingestUser(deps, world.id), when, everySo);

  test('samples, totals, a night and a run with its trace', async () => {
    const world = await openWorld();
    await world.upload(watch, life(3));
    const { writes, problems } = await raced(world);
    expect(problems).toEqual([]);
    for (const kind of ['B#', 'T#', 'Z#', 'W#', 'H#', 'N#', 'D#', 'A#', 'OUT#'])
      expect(writes.some((write) => write.includes(` ${kind}`))).toBe(true);
  });

  test('several uploads of two devices, over days that are there already', async () => {
    const world = await openWorld();
    await world.upload(watch, life(2));
    await ingestUser(world.deps, world.id);
    await world.upload(watch, life(3, 1));
    await world.upload(pocket, life(2, 2), 'samsung_health');
    const { writes, problems } = await raced(world);
    expect(problems).toEqual([]);
    expect(writes.some((write) => write.endsWith(' INGEST'))).toBe(true);
  });

  test('a run whose trace is cut into parts', async () => {
    const world = await openWorld();
    await world.upload(watch, denseRun());
    const { writes, problems } = await raced(world, ['after it came']);
    expect(problems).toEqual([]);
    expect(writes.some((write) => /^batchWrite put H#.*~/.test(write))).toBe(true);
  });

  test('a day of samples that is cut into parts, new and in the place of another', async () => {
    const world = await openWorld();
    const day = { metric: 'heart_rate', utcDay: '2026-03-10', device: 0 } as const;
    const [before, after] = [denseDay(1), denseDay(2)];
    const work = async (deps: Deps) => {
      if (!(await subjectOf(deps, world.id))) return;
      await sampleRows(deps.store).replace(world.id, day, before, 0);
      await sampleRows(deps.store).replace(world.id, day, after, 1);
    };
    const { problems, writes } = await everyRace(world, work, ['after it came'], everySo);
    expect(problems).toEqual([]);
    expect(writes.map((write) => write.split(' ', 2).join(' '))).toEqual([
      'batchWrite put',
      'write put',
      'batchWrite put',
      'write put',
      'batchWrite delete',
    ]);
  });

  test('a move to another zone, and the second look at it', async () => {
    const world = await openWorld();
    await world.upload(watch, life(2));
    await ingestUser(world.deps, world.id);
    const moving = await everyRace(
      world,
      async (deps) => {
        await updateUser(deps, world.caller, world.id, { timezone: 'Pacific/Auckland' });
        await ingestUser(deps, world.id);
      },
      moments,
      everySo,
    );
    expect(moving.problems).toEqual([]);
    expect(moving.writes.some((write) => write.includes('update B!REZONE'))).toBe(true);
    await updateUser(world.deps, world.caller, world.id, { timezone: 'Pacific/Auckland' });
    await ingestUser(world.deps, world.id);
    world.clock.advance(workerLifeMs);
    const looking = await raced(world);
    expect(looking.problems).toEqual([]);
    expect(looking.writes).not.toEqual([]);
  });

  test('an upload that is set aside', async () => {
    const world = await openWorld();
    await world.upload(watch, life(1));
    const raw = world.table.rows().find(({ sk }) => String(sk).startsWith('R#'));
    await world.table.write({ kind: 'delete', key: { pk: String(raw?.['pk']), sk: String(raw?.['sk']) } });
    for (const _time of ['first', 'second'])
      await expect(ingestUser(world.deps, world.id)).rejects.toThrow('is missing pieces');
    const { writes, problems } = await raced(world);
    expect(problems).toEqual([]);
    expect(writes.some((write) => write.includes('put Q#'))).toBe(true);
  });
}
