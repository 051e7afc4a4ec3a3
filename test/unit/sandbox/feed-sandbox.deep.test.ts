import { expect, onTestFinished, test } from 'vitest';
import { openEngineDomainWorld } from '../../harness/domain-world.ts';
import { feedADay, moveToNoon } from './feed-a-day.ts';

test('hour by hour, the next hour is fed when it is due and not before, and a finished day is completed', {
  timeout: 120_000,
}, async () => {
  const shop = await openEngineDomainWorld();
  onTestFinished(() => shop.localTable.stop());
  moveToNoon(shop);
  await feedADay(shop, { ...shop.caller, env: 'sandbox' }, Array<number>(25).fill(1));
  expect(shop.sent.filter(({ queue }) => queue === 'seed')).toHaveLength(2);
});
