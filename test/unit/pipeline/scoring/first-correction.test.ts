import { expect, test } from 'vitest';
import { scoringGeneration } from '../../../../shared/catalog/score-table.ts';
import { scoreRows, unpackScoreDay } from '../../../../shared/measurements/rows/score-rows.ts';
import { formatTimestamp } from '../../../../shared/platform/time/time.ts';
import { openDomainWorld } from '../../../harness/domain-world.ts';
import { runWriterUntilIdle } from '../../../harness/run-writer.ts';

test('the first correction of a night waits five minutes, as later ones do', async () => {
  const world = await openDomainWorld();
  const { deps, clock } = world;
  const user = await world.user();
  const endMs = clock.now() - 4 * 3_600_000;
  const date = formatTimestamp(endMs).slice(0, 10);
  const uploadNight = async (asleepMinutes: number): Promise<void> => {
    const night = { start: formatTimestamp(endMs - 7 * 3_600_000), end: formatTimestamp(endMs), utc_offset: '+00:00' };
    await world.upload(user, 'apple_health', {
      time_zone: 'UTC',
      device: { name: 'Watch', model: 'Watch7,1', type: 'wrist' },
      sleep: [{ ...night, asleep_minutes: asleepMinutes }],
    });
  };
  const readScore = async (): Promise<number | undefined> => {
    await runWriterUntilIdle(deps, user);
    for await (const row of scoreRows(deps.store).iterateBetween(user, date, date, { consistent: true }))
      return unpackScoreDay(row, scoringGeneration)?.scores.get('sleep_score')?.value;
    return undefined;
  };
  await uploadNight(400);
  const first = await readScore();
  expect(first).toBeGreaterThan(0);
  clock.advance(16_000);
  await uploadNight(300);
  expect(await readScore()).toBe(first);
  clock.advance(5 * 60_000);
  expect(await readScore()).toBeLessThan(first ?? 0);
});
