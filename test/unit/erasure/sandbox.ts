// A sandbox user is deleted while it is fed with data.
import { expect, test } from 'vitest';
import { feedSandbox } from '../../../shared/sandbox/feed-sandbox.ts';
import { moments, runEveryRace } from '../../harness/erasure/race.ts';
import { openWorld } from '../../harness/erasure/world.ts';
import { runWriterUntilIdle } from '../../harness/run-writer.ts';

const hourMs = 3_600_000;

/** Defines the test, in which the user is deleted before every n-th write. */
export function deleteWhileFed(everySo: number): void {
  test('a deletion while the first week or the next hour of data is fed leaves nothing', {
    timeout: 120_000,
  }, async () => {
    const world = await openWorld('sandbox');
    const seeding = await runEveryRace(world, (deps) => feedSandbox(deps, world.id), moments, everySo);
    expect(seeding.problems).toEqual([]);
    for (const kind of ['put @DEVICE#', 'put R#', 'put !UPLOAD#', 'put SEED'])
      expect(seeding.writes.some((write) => write.includes(kind))).toBe(true);

    await feedSandbox(world.deps, world.id);
    await runWriterUntilIdle(world.deps, world.id);
    world.clock.advance(hourMs);
    const feeding = await runEveryRace(world, (deps) => feedSandbox(deps, world.id), moments, everySo);
    expect(feeding.problems).toEqual([]);
    expect(feeding.writes.some((write) => write.includes('put !UPLOAD#'))).toBe(true);
  });
}
