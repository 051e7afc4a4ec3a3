import { expect, onTestFinished, test } from 'vitest';
import { openEngineDomainWorld } from '../../harness/domain-world.ts';
import { feedADay, moveToNoon } from './feed-a-day.ts';

test('hour by hour, the next hour is fed when it is due and not before, and a finished day is completed', {
  timeout: 120_000,
}, async () => {
  const world = await openEngineDomainWorld();
  onTestFinished(() => world.localTable.stop());
  moveToNoon(world);
  await feedADay(world, { ...world.caller, env: 'sandbox' }, Array<number>(25).fill(1));
  expect(world.sent.filter(({ queue }) => queue === 'seed')).toHaveLength(2);
});
